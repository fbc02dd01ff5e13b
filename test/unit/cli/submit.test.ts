import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
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
    `Every refused row is in ${leads}.errors.ndjson.`,
    'Nothing was submitted.',
    '--skip-invalid submits the others (1).',
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
  ['quote.csv', 'leadRequestId,email\na-1,"a@example.com\n', 'line 2: the file ends inside a quoted cell.'],
  [
    'header.csv',
    'leadRequestId,mail\na-1,a@example.com\n',
    `line 1: mail: is not a field of a lead request; the fields are ${FIELDS}. --map COLUMN=FIELD says what a column is, --map COLUMN= leaves it out.`,
  ],
  [
    'excel.csv',
    'leadRequestId;email\r\na-1;a@example.com\r\n',
    'line 1: the columns are separated by semicolons, and must be separated by commas (found leadRequestId, email): save the file again with the comma as its separator.',
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
  expect(JSON.parse(data.stdout).counts).toEqual({
    new: 1,
    known: 3,
    closed: 2,
    joined: 0,
    asked: 0,
    earlier: 0,
    refused: 0,
    notTried: 0,
  });
});

it('does not say that nothing was submitted where it cannot know', async () => {
  lambda = await fakeLambda((_, response) => fail(response, 'LedgerUnavailable', 'The ledger went away.'));
  const path = file('lead.json', '{"leadRequestId":"a-1","email":"a@example.com"}');

  const { exitCode, stderr } = await runHandoff(['submit', path, '--endpoint', lambda.url]);

  expect(stderr).toBe(
    `line 1: The ledger went away.\nEvery refused row is in ${path}.errors.ndjson.\nWhether it was taken all the same is not known; submitting again is safe.\n`,
  );
  // A ledger that goes away may be back a moment later.
  expect(lambda.invocations).toHaveLength(3);
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
    `Every refused row is in ${path}.errors.ndjson.`,
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
  expect(stderr).toBe(
    `line 2: leadRequestId: other fields.\nEvery refused row is in ${path}.errors.ndjson.\nWhat was kept of it, and what may be decided: npx handoff show a-2 --route website --endpoint ${lambda.url}\n`,
  );
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
      message: 'The start function failed (TypeError); the same request again is safe.',
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
  const leads = Array.from({ length: 30 }, (_, i) => ({ leadRequestId: `f-${i}`, email: 'a@example.com' }));

  const { exitCode, stdout, stderr } = await runHandoff(['submit', '-', '--json', '--endpoint', lambda.url], {
    stdin: ndjson(...leads),
  });

  const { submitted, refused } = JSON.parse(stdout);
  expect(submitted).toEqual([]);
  expect(refused).toHaveLength(30);
  expect(lambda.invocations.length).toBeLessThan(30);
  expect(stderr).toMatch(
    /^Stage local does not run at http:[^ ]+: give [^\n]+\.\n\d+ lead requests not tried; submitting the same file again is safe\.\nNothing was submitted\.\n$/,
  );
  expect(exitCode).toBe(1);
});

it('says once that a route is not deployed, and writes nothing down about the rows', async () => {
  lambda = await fakeLambda((_, response) => fail(response, 'UnknownRoute', 'route: expected one of other.'));
  const leads = Array.from({ length: 3 }, (_, i) => ({ leadRequestId: `f-${i}`, email: 'a@example.com' }));
  const path = file('undeployed.ndjson', ndjson(...leads));

  const { exitCode, stdout, stderr } = await runHandoff(['submit', path, '--endpoint', lambda.url]);

  expect(stderr).toBe(
    'Stage local does not have the route website: start "npm run local" again, which reads the route files.\nNothing was submitted.\n',
  );
  expect(stdout).toBe('');
  expect(existsSync(`${path}.errors.ndjson`)).toBe(false);
  expect(exitCode).toBe(1);
});

it('blames no row where nothing runs, and writes no file of refused rows', async () => {
  const path = file('good.ndjson', ndjson({ leadRequestId: 'a-1', email: 'a@example.com' }));

  const { exitCode, stderr } = await runHandoff(['submit', path, '--endpoint', 'http://127.0.0.1:1']);

  expect(stderr).toMatch(/^Nothing answers at [^\n]+\nNothing was submitted\.\n$/);
  expect(existsSync(`${path}.errors.ndjson`)).toBe(false);
  expect(exitCode).toBe(1);
});

it('ends with 130 and a sentence on Ctrl-C, although no answer comes', async () => {
  const interrupt = Promise.withResolvers<void>();
  lambda = await fakeLambda(() => interrupt.resolve());
  const lead = '{"leadRequestId":"a-1","email":"a@example.com"}';
  const onStart = (child: ChildProcess) => void interrupt.promise.then(() => child.kill('SIGINT'));

  const fromStdin = await runHandoff(['submit', '-', '--endpoint', lambda.url], { stdin: lead, onStart });

  expect(fromStdin.exitCode).toBe(130);
  expect(fromStdin.stdout).toBe('');
  expect(fromStdin.stderr).toBe(
    'Whether it was taken all the same is not known; submitting again is safe.\nInterrupted: 0 of 1 lead request submitted. Submitting the same again is safe.\n',
  );
});

it('ends at once on Ctrl-C while it still reads, and says that nothing was submitted', async () => {
  const child = spawn(
    process.execPath,
    ['bin/handoff.ts', 'submit', '-', '--endpoint', 'http://127.0.0.1:1'],
    {
      env: { PATH: process.env.PATH },
    },
  );
  let stderr = '';
  child.stderr.on('data', (chunk: Buffer) => {
    stderr += chunk.toString();
  });
  const message = 'x'.repeat(1_000);
  const leads = Array.from({ length: 2_000 }, (_, i) => ({
    leadRequestId: `a-${i}`,
    email: 'a@example.com',
    message,
  }));
  // Its input never ends. It is more than the system keeps between two processes: once it is written the command reads it.
  await new Promise((resolve) => child.stdin.write(`${ndjson(...leads)}\n`, resolve));
  child.kill('SIGTERM');

  const [exitCode] = await once(child, 'close');

  expect(stderr).toBe('Interrupted.\nNothing was submitted.\n');
  expect(exitCode).toBe(143);
});

it('submits the good rows where the bad ones are to be skipped, and writes down what is wrong with these', async () => {
  lambda = await fakeLambda(accept);
  const leads = file(
    'leads.csv',
    'leadRequestId,email,phone,company\na-1,ann@example.com,,Mill\na-2,bob.secret,+1 555 0199,"x\ny"\n,cy@example.com,,\na-1,other@example.com,,\na-5,eve@example.com,,\n',
  );
  const args = ['submit', leads, '--skip-invalid', '--json', '--endpoint', lambda.url];

  const { exitCode, stdout, stderr } = await runHandoff(args);

  const { valid, invalid, counts, submitted, refused, errorFile } = JSON.parse(stdout);
  expect({ valid, invalid }).toEqual({ valid: 2, invalid: 3 });
  expect(counts).toMatchObject({ new: 2, refused: 3, notTried: 0 });
  expect(submitted.map((one: { leadRequestId: string }) => one.leadRequestId)).toEqual(['a-1', 'a-5']);
  expect(refused.map((one: { line: number }) => one.line)).toEqual([3, 5, 6]);
  expect(errorFile).toBe(`${leads}.errors.ndjson`);
  expect(errorsIn(errorFile)).toEqual([
    { line: 3, field: 'email', reason: 'expected an email address', error: 'InvalidLeadRequest' },
    {
      line: 3,
      field: 'company',
      reason: 'expected one line without control characters',
      error: 'InvalidLeadRequest',
    },
    {
      line: 5,
      field: 'leadRequestId',
      reason: 'expected 1 to 64 of the characters A-Z a-z 0-9 _ -',
      error: 'InvalidLeadRequest',
    },
    {
      line: 6,
      field: 'leadRequestId',
      reason: 'is that of line 2, with other fields',
      error: 'InvalidLeadRequest',
    },
  ]);
  expect(readFileSync(errorFile, 'utf8') + stderr).not.toMatch(/secret|0199|cy@|other@/);
  expect(exitCode).toBe(1);
});

it('writes down what the start function refuses, without the id', async () => {
  lambda = await fakeLambda(({ payload }, response) => {
    const { leadRequestId } = payload.lead;
    if (leadRequestId === 'a') accept({ functionName: '', payload }, response);
    else if (leadRequestId === 'b')
      fail(response, 'LeadConflict', 'leadRequestId: b was accepted before with other fields; b stands.');
    else fail(response, 'UnderInvestigation', 'leadRequestId: messages under c are being investigated.');
  });
  const path = file(
    'leads.json',
    JSON.stringify(['a', 'b', 'c'].map((leadRequestId) => ({ leadRequestId, email: 'a@example.com' }))),
  );
  const errors = join(directory, 'mistakes.ndjson');

  const { stderr } = await runHandoff(['submit', path, '--errors', errors, '--endpoint', lambda.url]);

  expect(errorsIn(errors)).toEqual([
    {
      line: 1,
      field: 'leadRequestId',
      reason: 'this id was accepted before with other fields; b stands',
      error: 'LeadConflict',
    },
    {
      line: 1,
      field: 'leadRequestId',
      reason: 'messages under this id are being investigated',
      error: 'UnderInvestigation',
    },
  ]);
  expect(existsSync(`${path}.errors.ndjson`)).toBe(false);
  expect(stderr).toContain(
    `What they say: npx handoff investigate c --route website --endpoint ${lambda.url}`,
  );
});

it('leaves no file of errors where there are none, not even that of a run before', async () => {
  lambda = await fakeLambda(accept);
  const path = file('lead.json', '{"leadRequestId":"a-1","email":"a@example.com"}');
  writeFileSync(`${path}.errors.ndjson`, '{"line":9}\n');

  const { exitCode } = await runHandoff(['submit', path, '--endpoint', lambda.url]);

  expect(exitCode).toBe(0);
  expect(readdirSync(directory)).toEqual(['lead.json']);
});

it('refuses to write the errors over the lead requests, or where it cannot', async () => {
  const path = file('lead.json', '{"leadRequestId":"a-1","email":"a@example.com"}');
  const run = (errors: string) =>
    runHandoff(['submit', path, '--errors', errors, '--endpoint', 'http://127.0.0.1:1']);

  const over = await run(join(directory, '.', 'lead.json'));
  const nowhere = await run(join(directory, 'no', 'such.ndjson'));

  expect(over.stderr).toBe(
    '--errors must name another file than that of the lead requests.\nNothing was submitted.\n',
  );
  expect(nowhere.stderr).toMatch(/^--errors: .* cannot be written \(ENOENT\)\.\nNothing was submitted\.\n$/);
  expect([over.exitCode, nowhere.exitCode]).toEqual([2, 2]);
  expect(readFileSync(path, 'utf8')).toContain('a-1');
});

it('checks a file and submits nothing where it is told so, without any AWS', async () => {
  const good = file('good.json', '{"leadRequestId":"a-1","email":"a@example.com"}');
  const bad = file('bad.ndjson', '{"leadRequestId":"a-1"}\n{"leadRequestId":"a-2","email":"a@example.com"}');

  const fine = await runHandoff(['submit', good, '--dry-run']);
  const wrong = await runHandoff(['submit', bad, '--dry-run', '--json']);

  expect(fine.stdout).toBe(
    '1 lead request: 1 valid, 0 refused. This was a dry run: nothing was submitted.\n',
  );
  expect(fine.stderr).toBe('');
  expect(fine.exitCode).toBe(0);
  expect(JSON.parse(wrong.stdout)).toMatchObject({ dryRun: true, valid: 1, invalid: 1 });
  expect(wrong.exitCode).toBe(1);
});

it('has no more requests under way than it is told', async () => {
  let underWay = 0;
  let most = 0;
  lambda = await fakeLambda((invocation, response) => {
    underWay += 1;
    most = Math.max(most, underWay);
    setTimeout(() => {
      underWay -= 1;
      accept(invocation, response);
    }, 20);
  });
  const leads = Array.from({ length: 30 }, (_, i) => ({ leadRequestId: `f-${i}`, email: 'a@example.com' }));

  const { exitCode } = await runHandoff(['submit', '-', '--concurrency', '3', '--endpoint', lambda.url], {
    stdin: ndjson(...leads),
  });

  expect(exitCode).toBe(0);
  expect(most).toBe(3);
});

it('tells who joined another and who waits for a person', async () => {
  const statuses = ['accepted', 'joined', 'asked'];
  lambda = await fakeLambda(({ payload }, response) => {
    const { leadRequestId } = payload.lead;
    const status = statuses[Number(leadRequestId.slice(2))];
    response.end(JSON.stringify({ leadRequestId, execution: `website.${leadRequestId}.1`, status }));
  });
  const leads = statuses.map((_, i) => ({ leadRequestId: `a-${i}`, email: 'a@example.com' }));

  const { stdout } = await runHandoff(['submit', '-', '--endpoint', lambda.url], { stdin: ndjson(...leads) });

  expect(stdout).toContain(
    '3 lead requests: 1 new, 0 known before, 1 joined to another of the same person, 1 waiting for a person, 0 refused.\n',
  );
});

it("hands an approver's word to the start function with every lead request", async () => {
  lambda = await fakeLambda(accept);
  const path = file('corrected.json', '{"leadRequestId":"a-1","email":"a@example.com"}');
  const approved = ['--approved-by', 'Tomas Vega', '--reason', 'the address was misspelt'];
  const args = ['submit', path, ...approved, '--endpoint', lambda.url];

  const own = await runHandoff(args);
  const other = await runHandoff([...args, '--kept-under', 'dead-0123456789abcdef']);

  expect([own.exitCode, other.exitCode]).toEqual([0, 0]);
  const approval = { by: 'Tomas Vega', reason: 'the address was misspelt' };
  expect(lambda.invocations.map(({ payload }) => payload.approval)).toEqual([
    approval,
    { ...approval, keptUnder: 'dead-0123456789abcdef' },
  ]);
});

it('stops at once where somebody approves who may not', async () => {
  const sentence = 'Only an approver may do this: on route website that is Tomas Vega.';
  lambda = await fakeLambda((_, response) => fail(response, 'NotAnApprover', sentence));
  const leads = Array.from({ length: 30 }, (_, i) => ({ leadRequestId: `f-${i}`, email: 'a@example.com' }));

  const { exitCode, stderr } = await runHandoff(
    ['submit', '-', '--approved-by', 'Robin', '--reason', 'why', '--endpoint', lambda.url],
    { stdin: ndjson(...leads) },
  );

  expect(stderr).toMatch(
    new RegExp(
      `^${sentence.replaceAll('.', '\\.')}\n\\d+ lead requests not tried; .+\\nNothing was submitted\\.\n$`,
    ),
  );
  expect(lambda.invocations.length).toBeLessThan(30);
  expect(exitCode).toBe(1);
});

it('takes the id of a dead letter for one lead request alone', async () => {
  const leads = ['a-1', 'a-2'].map((leadRequestId) => ({ leadRequestId, email: 'a@example.com' }));
  const path = file('leads.ndjson', ndjson(...leads));
  const approved = ['--approved-by', 'Tomas Vega', '--reason', 'why', '--kept-under', 'dead-1'];

  const { exitCode, stderr } = await runHandoff([
    'submit',
    path,
    ...approved,
    '--endpoint',
    'http://127.0.0.1:1',
  ]);

  expect(stderr).toContain('--kept-under names one dead letter');
  expect(exitCode).toBe(2);
});

function errorsIn(path: string): object[] {
  const lines = readFileSync(path, 'utf8').trimEnd().split('\n');
  return lines.map((text) => JSON.parse(text) as object);
}
