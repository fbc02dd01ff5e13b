import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { readLeads } from '../../../cli/leads/read-leads.ts';

let directory: string;

beforeAll(() => {
  directory = mkdtempSync(join(tmpdir(), 'handoff-read-'));
});

afterAll(() => rmSync(directory, { recursive: true, force: true }));

async function* nothing(): AsyncIterable<Uint8Array> {}

function read(name: string, content: string | Uint8Array) {
  const path = join(directory, name);
  writeFileSync(path, content);
  return readLeads(path, nothing());
}

it('reads a spreadsheet export: byte order mark, CRLF, quotes, empty cells and lines', async () => {
  const { leads, refused } = await read(
    'export.csv',
    '\ufeffleadRequestId,email,firstName,message\r\n' +
      'a-1,ANN@Example.com,Ann,"She said ""call me"",\r\nat noon"\r\n' +
      '\r\n' +
      'a-2, bob@example.com ,,',
  );

  expect(refused).toEqual([]);
  expect(leads).toEqual([
    {
      line: 2,
      lead: {
        leadRequestId: 'a-1',
        email: 'ann@example.com',
        firstName: 'Ann',
        message: 'She said "call me",\nat noon',
      },
    },
    { line: 5, lead: { leadRequestId: 'a-2', email: 'bob@example.com' } },
  ]);
});

it('reads one object or an array from .json', async () => {
  const one = await read('one.json', '{"leadRequestId":"a-1","email":"a@example.com"}');
  expect(one.leads.map(({ line }) => line)).toEqual([1]);

  const two = await read(
    'two.json',
    '[\n{"leadRequestId":"a-1","email":"a@example.com"},\n\n{"leadRequestId":"a-2"}, 7]',
  );
  expect(two.leads.map(({ line }) => line)).toEqual([2]);
  expect(two.refused).toEqual([
    { line: 4, leadRequestId: 'a-2', error: 'InvalidLeadRequest', message: 'email: is missing.' },
    {
      line: 4,
      error: 'InvalidLeadRequest',
      message: 'lead request: expected a JSON object with the fields of a lead request.',
    },
  ]);
});

it('reads newline-delimited JSON, and names every line that is none', async () => {
  const { leads, refused } = await read(
    'leads.ndjson',
    '{"leadRequestId":"a-1","email":"a@example.com"}\r\n\n{"leadRequestId":\n"secret"',
  );

  expect(leads.map(({ line }) => line)).toEqual([1]);
  expect(refused.map(({ line, message }) => [line, message])).toEqual([
    [3, 'lead request: expected one JSON object in this line.'],
    [4, 'lead request: expected a JSON object with the fields of a lead request.'],
  ]);
});

it('takes the same lead request twice, and refuses one id with two sets of fields', async () => {
  const first = '{"leadRequestId":"a-1","email":"a@example.com"}';
  const { leads, refused } = await read(
    'twice.ndjson',
    `${first}\n${first}\n{"leadRequestId":"a-1","email":"b@example.com"}`,
  );

  expect(leads).toHaveLength(2);
  expect(refused).toEqual([
    {
      line: 3,
      leadRequestId: 'a-1',
      error: 'InvalidLeadRequest',
      message: 'leadRequestId: is that of line 1, with other fields.',
    },
  ]);
});

it('refuses what is not UTF-8 instead of changing names', async () => {
  const latin1 = Buffer.from('leadRequestId,email,firstName\na-1,a@example.com,Andr\u00e9', 'latin1');

  await expect(read('latin1.csv', latin1)).rejects.toThrow('is not text in UTF-8.');
});

it.each([
  ['a,a\n1,2', 'line 1: the header names a field twice.'],
  ['email\na@example.com', 'line 1: leadRequestId: is missing in the header.'],
])('refuses the CSV header of %j', async (content, sentence) => {
  await expect(read('header.csv', content)).rejects.toThrow(sentence);
});
