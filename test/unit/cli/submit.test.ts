import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { runHandoff } from './run-handoff.ts';
import { accept, type FakeLambda, fail, fakeLambda } from './start-function.ts';

let directory: string;
let lambda: FakeLambda | undefined;

beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'handoff-submit-'));
});

afterEach(() => {
  lambda?.close();
  lambda = undefined;
  rmSync(directory, { recursive: true, force: true });
});

const FIELDS =
  'leadRequestId, email, firstName, lastName, company, phone, message, country, language, companySize, sourceReference, ownerId';

function file(name: string, content: string): string {
  const path = join(directory, name);
  writeFileSync(path, content);
  return path;
}

function ndjson(...leads: object[]): string {
  return leads.map((lead) => JSON.stringify(lead)).join('\n');
}

it('hands every lead request to the start function of the stage, and reports in the order of the file', async () => {
  lambda = await fakeLambda(accept);
  const leads = Array.from({ length: 12 }, (_, i) => ({ leadRequestId: `f-${i}`, email: 'a@example.com' }));

  const { exitCode, stdout, stderr } = await runHandoff(['submit', '-', '--json', '--endpoint', lambda.url], {
    stdin: ndjson(...leads),
  });

  const { submitted, refused } = JSON.parse(stdout);
  expect(submitted).toHaveLength(12);
  expect(submitted[2]).toEqual({ leadRequestId: 'f-2', status: 'accepted', execution: 'website.f-2.1' });
  expect(submitted[11].leadRequestId).toBe('f-11');
  expect(refused).toEqual([]);
  expect(stderr).toBe('');
  expect(exitCode).toBe(0);
  expect(new Set(lambda.invocations.map(({ functionName }) => functionName))).toEqual(
    new Set(['lead-handoff-local-start']),
  );
  expect(lambda.invocations[0]?.payload.route).toBe('website');
});

it('submits nothing where one row is wrong, and says what is wrong without repeating it', async () => {
  lambda = await fakeLambda(accept);
  const leads = file(
    'leads.csv',
    'leadRequestId,email,message\na-1,ann@example.com,"two\nlines"\na-2,not-an-address,x\n,bob@example.com,y\na-4,b@example.com\n',
  );

  const { exitCode, stdout, stderr } = await runHandoff(['submit', leads, '--endpoint', lambda.url]);

  expect(stderr.split('\n')).toEqual([
    'line 4: email: expected an email address.',
    'line 5: leadRequestId: expected 1 to 64 of the characters A-Z a-z 0-9 _ -.',
    'line 6: lead request: expected 3 cells as in the header, found 2.',
    'Nothing was submitted.',
    '',
  ]);
  expect(stdout).toBe('');
  expect(exitCode).toBe(1);
  expect(lambda.invocations).toEqual([]);
});

it.each([
  [
    'broken.json',
    '[\n  {"leadRequestId": "a-1"},\n  {"leadRequestId" "a-2"}\n]',
    'line 3, column 20: this is not JSON.',
  ],
  ['empty.ndjson', '\n\n', 'There is no lead request in it.'],
  [
    'big.json',
    `{"leadRequestId":"a-1","email":"a@example.com","message":"${'x'.repeat(300_000)}"}`,
    'line 1: message: expected at most 5000 characters.',
  ],
  ['quote.csv', 'leadRequestId,email\na-1,"a@example.com\n', 'line 2: the file ends inside a quoted cell.'],
  [
    'header.csv',
    'leadRequestId,mail\na-1,a@example.com\n',
    `line 1: mail: is not a field of a lead request; the fields are ${FIELDS}.`,
  ],
  [
    'excel.csv',
    'leadRequestId;email\r\na-1;a@example.com\r\n',
    'line 1: the columns are separated by semicolons, and must be separated by commas.',
  ],
  ['hollow.csv', 'leadRequestId,email\n,\n,,,\n', 'There is no lead request in it.'],
])('refuses %s in one sentence, and says that nothing was submitted', async (name, content, sentence) => {
  const path = file(name, content);

  const { exitCode, stdout, stderr } = await runHandoff(['submit', path, '--endpoint', 'http://127.0.0.1:1']);

  expect(stderr).toBe(`${sentence}\nNothing was submitted.\n`);
  expect(stdout).toBe('');
  expect(exitCode).toBe(1);
});

it('says that there is no such file', async () => {
  const { exitCode, stderr } = await runHandoff([
    'submit',
    'no-such.csv',
    '--endpoint',
    'http://127.0.0.1:1',
  ]);

  expect(stderr).toBe('There is no file no-such.csv.\nNothing was submitted.\n');
  expect(exitCode).toBe(1);
});

it.each([
  ['closed', '1 lead request: 0 new, 1 known before (1 closed), 0 refused.'],
  ['repeated', '1 lead request: 0 new, 1 known before, 0 refused.'],
  ['accepted', '1 lead request: 1 new, 0 known before, 0 refused.'],
])('counts a lead request that was %s as what it is', async (status, sentence) => {
  lambda = await fakeLambda((_, response) => {
    response.end(JSON.stringify({ leadRequestId: 'a-1', execution: 'website.a-1.1', status }));
  });
  const path = file('lead.json', '{"leadRequestId":"a-1","email":"a@example.com"}');

  const { exitCode, stdout, stderr } = await runHandoff(['submit', path, '--endpoint', lambda.url]);

  expect(stdout).toBe(`${status.padEnd(8)}  a-1  website.a-1.1\n${sentence}\n`);
  expect(stderr).toBe('');
  expect(exitCode).toBe(0);
});

it('tells new from known from closed in a file of several, also as data', async () => {
  const statuses = ['accepted', 'closed', 'repeated', 'closed'];
  lambda = await fakeLambda(({ payload }, response) => {
    const { leadRequestId } = payload.lead;
    const status = statuses[Number(leadRequestId.slice(2))];
    response.end(JSON.stringify({ leadRequestId, execution: `website.${leadRequestId}.1`, status }));
  });
  const leads = statuses.map((_, i) => ({ leadRequestId: `a-${i}`, email: 'a@example.com' }));
  const args = ['submit', '-', '--endpoint', lambda.url];

  const text = await runHandoff(args, { stdin: ndjson(...leads) });
  const data = await runHandoff([...args, '--json'], { stdin: ndjson(...leads) });

  expect(text.stdout).toContain('4 lead requests: 1 new, 3 known before (2 closed), 0 refused.\n');
  expect(JSON.parse(data.stdout).counts).toEqual({ new: 1, known: 3, closed: 2, refused: 0, notTried: 0 });
});

it('does not say that nothing was submitted where it cannot know', async () => {
  lambda = await fakeLambda((_, response) => fail(response, 'LedgerUnavailable', 'The ledger went away.'));
  const path = file('lead.json', '{"leadRequestId":"a-1","email":"a@example.com"}');

  const { exitCode, stderr } = await runHandoff(['submit', path, '--endpoint', lambda.url]);

  expect(stderr).toBe(
    'line 1: The ledger went away.\nWhether it was taken all the same is not known; submitting again is safe.\n',
  );
  expect(exitCode).toBe(1);
});

it('says everything that is wrong with a row, and once which fields there are', async () => {
  const path = file(
    'lead.json',
    '[{"email":"nobody","phone":7,"mail":"x","leadRequestId":"a 1"}, {"leadRequestId":"a-2","email":"a@example.com","mail":"y"}]',
  );

  const { stdout, stderr } = await runHandoff(['submit', path, '--endpoint', 'http://127.0.0.1:1']);

  expect(stderr.split('\n')).toEqual([
    'line 1: leadRequestId: expected 1 to 64 of the characters A-Z a-z 0-9 _ -; email: expected an email address; phone: expected a text; mail: is not a field of a lead request.',
    'line 1: mail: is not a field of a lead request.',
    `The fields of a lead request are ${FIELDS}.`,
    'Nothing was submitted.',
    '',
  ]);
  expect(stdout).toBe('');
});

it('reports a conflict with the words of the start function, and the others as submitted', async () => {
  lambda = await fakeLambda((invocation, response) => {
    if (invocation.payload.lead.leadRequestId === 'a-2')
      fail(response, 'LeadConflict', 'leadRequestId: other fields.');
    else accept(invocation, response);
  });
  const path = file(
    'leads.jsonl',
    ndjson(
      { leadRequestId: 'a-1', email: 'a@example.com' },
      { leadRequestId: 'a-2', email: 'b@example.com' },
    ),
  );

  const { exitCode, stdout, stderr } = await runHandoff(['submit', path, '--endpoint', lambda.url]);

  expect(stdout).toBe('accepted  a-1  website.a-1.1\n2 lead requests: 1 new, 0 known before, 1 refused.\n');
  expect(stderr).toBe('line 2: leadRequestId: other fields.\n');
  expect(exitCode).toBe(1);
});

it('never repeats the message of an error it does not know, which may hold personal data', async () => {
  lambda = await fakeLambda((_, response) => fail(response, 'TypeError', 'ann@example.com is not iterable'));
  const path = file('lead.json', '{"leadRequestId":"a-1","email":"ann@example.com"}');

  const { exitCode, stdout, stderr } = await runHandoff(['submit', path, '--json', '--endpoint', lambda.url]);

  expect(stdout + stderr).not.toContain('ann@');
  expect(JSON.parse(stdout).refused).toEqual([
    {
      line: 1,
      leadRequestId: 'a-1',
      error: 'TypeError',
      message: 'The start function failed (TypeError); submitting the same lead request again is safe.',
    },
  ]);
  expect(exitCode).toBe(1);
});

it('stops at the first failure of AWS itself, says it once, and counts what was not tried', async () => {
  lambda = await fakeLambda((_, response) => {
    response.statusCode = 404;
    response.setHeader('x-amzn-errortype', 'ResourceNotFoundException');
    response.end('{"Type":"User","Message":"Function not found"}');
  });
  const leads = Array.from({ length: 9 }, (_, i) => ({ leadRequestId: `f-${i}`, email: 'a@example.com' }));

  const { exitCode, stdout, stderr } = await runHandoff(['submit', '-', '--json', '--endpoint', lambda.url], {
    stdin: ndjson(...leads),
  });

  const { submitted, refused } = JSON.parse(stdout);
  expect(submitted).toEqual([]);
  expect(refused).toHaveLength(9);
  expect(lambda.invocations.length).toBeLessThan(9);
  expect(stderr).toMatch(
    /^Stage local does not run at http:[^ ]+: give [^\n]+\.\n\d lead requests not tried; submitting the same file again is safe\.\nNothing was submitted\.\n$/,
  );
  expect(exitCode).toBe(1);
});

it('ends with 130 and without a stack on Ctrl-C', async () => {
  const interrupt = Promise.withResolvers<void>();
  lambda = await fakeLambda(() => interrupt.resolve());

  const { exitCode, stderr } = await runHandoff(['submit', '-', '--endpoint', lambda.url], {
    stdin: '{"leadRequestId":"a-1","email":"a@example.com"}',
    onStart: (child) => void interrupt.promise.then(() => child.kill('SIGINT')),
  });

  expect(exitCode).toBe(130);
  expect(stderr).toBe('');
});
