import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { NO_MAP, parseColumnMap } from '../../../cli/leads/column-map.ts';
import { openLeadFile } from '../../../cli/leads/lead-file.ts';
import { isRefusal, type Refusal } from '../../../cli/leads/rows.ts';
import type { ReadLead } from '../../../cli/leads/validated.ts';

let directory: string;

beforeAll(() => {
  directory = mkdtempSync(join(tmpdir(), 'handoff-read-'));
});

afterAll(() => rmSync(directory, { recursive: true, force: true }));

async function* nothing(): AsyncIterable<Uint8Array> {}

/** What a file says, read twice: the second time it says the same. */
async function read(name: string, content: string | Uint8Array, map: readonly string[] = []) {
  const path = join(directory, name);
  writeFileSync(path, content);
  const file = await openLeadFile(path, nothing(), parseColumnMap(map));
  const first = await rowsOf(file.rows());
  expect(await rowsOf(file.rows())).toEqual(first);
  return first;
}

async function rowsOf(rows: AsyncIterable<ReadLead | Refusal>) {
  const leads: Omit<ReadLead, 'intentHash'>[] = [];
  const refused: Refusal[] = [];
  for await (const row of rows) {
    if (isRefusal(row)) refused.push(row);
    else leads.push({ line: row.line, lead: row.lead });
  }
  return { leads, refused };
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
    {
      line: 4,
      leadRequestId: 'a-2',
      error: 'InvalidLeadRequest',
      message: 'email: is missing.',
      mistakes: [{ field: 'email', reason: 'is missing' }],
    },
    {
      line: 4,
      error: 'InvalidLeadRequest',
      message: 'lead request: expected a JSON object with the fields of a lead request.',
      mistakes: [{ field: null, reason: 'expected a JSON object with the fields of a lead request' }],
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
    [3, 'lead request: expected one JSON object in this line, which is not JSON from column 18 on.'],
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
      mistakes: [{ field: 'leadRequestId', reason: 'is that of line 1, with other fields' }],
    },
  ]);
});

it('refuses what is not UTF-8 instead of changing names', async () => {
  const latin1 = Buffer.from('leadRequestId,email,firstName\na-1,a@example.com,Andr\u00e9', 'latin1');

  await expect(read('latin1.csv', latin1)).rejects.toThrow('is not text in UTF-8.');
});

it.each([
  ['leadRequestId,email,email\n', 'line 1: the header names email twice.'],
  [
    'email\na@example.com',
    'line 1: leadRequestId: is missing in the header (found email). Ids are never made up: --map COLUMN=leadRequestId says',
  ],
  [
    'Submission ID,E-Mail\na-1,a@example.com',
    'line 1: expected a header that names the columns (found Submission ID, E-Mail); the fields are leadRequestId, ',
  ],
  ['leadRequestId,email,\na-1,a@example.com,', 'line 1: column 3 has no name in the header.'],
  ['leadRequestId,E-Mail,email,First Name', 'line 1: E-Mail, First Name: are not fields of a lead request; '],
  // A first row of values is no header, and a value in the header is not repeated.
  ['a-1,ann@example.com,Ann\n', 'line 1: expected a header that names the columns; the fields are '],
  ['leadRequestId,ann@example.com', 'line 1: column 2: is not a field of a lead request; '],
  ['leadRequestId,email,+1 555 0199', 'line 1: column 3: is not a field of a lead request; '],
])('refuses the CSV header of %j', async (content, sentence) => {
  const message = await read('header.csv', content).catch((error: Error) => error.message);

  expect(message).toContain(sentence);
  expect(message).not.toMatch(/ann|0199/i);
});

it.each([
  ['\n"leadRequestId";"email";"message"\n"a-1";"a@example.com";"x, y"', 'line 2: ', 'semicolons'],
  ['\ufeffleadRequestId;email\r\na-1;a@example.com', 'line 1: ', 'semicolons'],
  ['sep=;\nleadRequestId;email\n', 'line 1: ', 'semicolons'],
  ['Id;Mail;Name, Vorname\n1;2;3', 'line 1: ', 'semicolons'],
  ['leadRequestId\temail\na-1\ta@example.com', 'line 1: ', 'tabs'],
])('says of %j that commas must separate the columns', async (content, line, separator) => {
  await expect(read('other.csv', content)).rejects.toThrow(
    `${line}the columns are separated by ${separator}, and must be separated by commas`,
  );
});

it('skips rows without any value, and still counts their lines', async () => {
  const { leads, refused } = await read(
    'gaps.csv',
    'leadRequestId,email,phone\n,,\na-1,a@example.com,\n  \n,,,,,\n"", ,\na-2,b@example.com,1\n,,\n',
  );

  expect(leads.map(({ line, lead }) => [line, lead.leadRequestId])).toEqual([
    [3, 'a-1'],
    [7, 'a-2'],
  ]);
  expect(refused).toEqual([]);
});

it('says which columns semicolons separate and what to do, and nothing of a row that is a person’s', async () => {
  await expect(read('a.csv', 'Nr;"E-Mail"\n1;a@example.com\n')).rejects.toThrow(
    'line 1: the columns are separated by semicolons, and must be separated by commas (found Nr, E-Mail): save the file again with the comma as its separator.',
  );
  await expect(read('b.csv', 'a-1;ann@example.com;Ann\n')).rejects.toThrow(
    'line 1: the columns are separated by semicolons, and must be separated by commas: save the file again',
  );
});

it('keeps a semicolon that stands in a cell', async () => {
  const { leads } = await read('cell.csv', 'leadRequestId,email,message\na-1,a@example.com,x;y;z\n');

  expect(leads[0]?.lead.message).toBe('x;y;z');
});

it('names the file whose ending says nothing', async () => {
  await expect(read('leads.xlsx', 'PK')).rejects.toThrow(
    /leads\.xlsx: its ending does not say how to read it; give a \.json, \.ndjson, \.jsonl or \.csv file/,
  );
});

it('reads by the field that each column is said to be, and leaves out the others', async () => {
  const { leads, refused } = await read(
    'mapped.csv',
    'Submission ID,E-Mail,company,a=b,UTM\nf-1,ann@example.com,Mill,+1 555 0199,spring\n',
    ['Submission ID=leadRequestId', 'E-Mail=email', 'a=b=phone', 'UTM='],
  );

  expect(refused).toEqual([]);
  expect(leads).toEqual([
    {
      line: 2,
      lead: { leadRequestId: 'f-1', email: 'ann@example.com', company: 'Mill', phone: '+1 555 0199' },
    },
  ]);
});

it('leaves out all columns that are not named only where that is said', async () => {
  const content = 'ID,email,Consent,\nf-1,ann@example.com,yes,\n';

  await expect(read('most.csv', content, ['ID=leadRequestId', 'Consent='])).rejects.toThrow(
    'line 1: column 4 has no name in the header.',
  );
  await expect(read('most.csv', content, ['ID=leadRequestId'])).rejects.toThrow('column 4 has no name');
  const { leads } = await read('most.csv', content, ['ID=leadRequestId', '*=']);
  expect(leads[0]?.lead).toEqual({ leadRequestId: 'f-1', email: 'ann@example.com' });
});

it.each([
  [['E-Mail=email'], 'line 1: there is no column E-Mail, which --map names as it must stand in the header.'],
  [
    ['Mail=phone', 'ID='],
    'line 1: leadRequestId: is missing in the header (found ID, Mail, email). Ids are never made up:',
  ],
  [['ID=leadRequestId', 'Mail=email'], 'line 1: the header names email twice.'],
])('refuses the header for the map %j', async (map, sentence) => {
  await expect(read('map.csv', 'ID,Mail,email\n1,a@example.com,b@example.com\n', map)).rejects.toThrow(
    sentence,
  );
});

it.each([
  ['email', 'expected COLUMN=FIELD'],
  ['=email', 'expected COLUMN=FIELD'],
  ['Mail=mail', 'there is no field mail; the fields are leadRequestId, email,'],
  ['*=email', 'leaves out all other columns'],
])('%s is no map', (map, sentence) => {
  expect(() => parseColumnMap([map])).toThrow(sentence);
});

it('takes no column twice, and no field for two columns', () => {
  expect(() => parseColumnMap(['A=email', 'A=phone'])).toThrow('the column A is named twice.');
  expect(() => parseColumnMap(['A=email', 'B=email'])).toThrow('two columns are to be email.');
  expect(() => parseColumnMap(['A=', 'B='])).not.toThrow();
});

it('maps columns of CSV files alone', async () => {
  await expect(read('map.json', '{}', ['A=email'])).rejects.toThrow('which only a .csv file has.');
});

it('sees with a map as well that semicolons separate the columns', async () => {
  const map = ['Nr=leadRequestId', 'Mail, privat=email'];
  await expect(read('semi.csv', 'Nr;"Mail, privat"\n1;a@example.com\n', map)).rejects.toThrow('semicolons');
});

it('gives up on a quoted cell that does not end, long before the end of the file', async () => {
  const rows = Array.from({ length: 20_000 }, (_, i) => `a-${i},a@example.com,some text of a message\n`);

  await expect(
    read(
      'open.csv',
      `leadRequestId,email,message\na,a@example.com,\na-0,a@example.com,"never closed\n${rows.join('')}`,
    ),
  ).rejects.toThrow('line 3: is longer than a lead request can be; is a quoted cell not closed?');
});

it('gives up on a line that does not end', async () => {
  await expect(read('long.ndjson', `{}\n"${'x'.repeat(2_000_000)}"`)).rejects.toThrow(
    'line 2: is longer than a lead request can be.',
  );
});

it('puts line ends and characters together that a read has cut in two', async () => {
  const chunks = [
    '{"leadRequestId":"a-1","email":"a@example.com","firstName":"Andr\u00e9"}\r',
    '\n\r\n{"a":\r',
    '\n',
  ];
  const bytes = Buffer.from(chunks.join(''));
  const cut = chunks[0]?.indexOf('\u00e9') ?? 0;
  async function* input() {
    yield bytes.subarray(0, cut + 1);
    yield bytes.subarray(cut + 1, Buffer.byteLength(chunks[0] ?? ''));
    yield bytes.subarray(Buffer.byteLength(chunks[0] ?? ''));
  }
  const file = await openLeadFile('-', input(), NO_MAP);

  const { leads, refused } = await rowsOf(file.rows());

  expect(leads[0]?.lead.firstName).toBe('Andr\u00e9');
  expect(refused.map(({ line }) => line)).toEqual([3]);
  expect(await rowsOf(file.rows())).toEqual({ leads, refused });
});
