import { LambdaClient } from '@aws-sdk/client-lambda';
import { afterEach, expect, it } from 'vitest';
import { type InvestigateOptions, investigate } from '../../../cli/commands/investigate.ts';
import { WrongUsage } from '../../../cli/errors.ts';
import { acceptApproved, dismiss } from '../../../functions/intake/approve.ts';
import { APPROVAL, IntakeBench, JO } from '../intake/intake-bench.ts';
import { fakeContext } from './fake-context.ts';
import { type FakeLambda, fail, fakeLambda } from './start-function.ts';

const WRONG = { route: 'web', lead: { ...JO, email: 'jo.lind' } };

let lambda: FakeLambda | undefined;

afterEach(() => {
  lambda?.close();
  lambda = undefined;
});

async function investigated(bench: IntakeBench, id: string, options: InvestigateOptions = {}) {
  const { context, written } = fakeContext([bench.route], { ledger: bench.ledger }, bench.clock.now);
  const exitCode = await investigate(id, options, context);
  return { exitCode, stdout: written.stdout.join('\n'), stderr: written.stderr };
}

it('shows why, when, which message, who is asked, and what an approver can do; not what it says', async () => {
  const bench = new IntakeBench();
  await bench.deadLetter(WRONG);

  const { exitCode, stdout, stderr } = await investigated(bench, 'inq-1');

  expect(stdout.split('\n')).toEqual([
    'web/inq-1',
    '  state        under investigation',
    '  handoff      there is none under this id',
    '',
    'Dead letter 1 of 1',
    '  message      message-1',
    '  reason       its lead request is not valid: email is missing or wrong (invalid-lead-request)',
    '  came         2026-01-05 11:59:59Z, received 6 times, the dead-letter queue included',
    '  waits for    robin@revops.example.com, since 2026-01-05 12:00:00Z, until 2026-01-05 16:00:00Z',
    '  says         83 bytes of personal data; --body shows it',
    '',
    'What an approver can do (Tomas <tomas@revops.example.com>)',
    '  Hand the corrected request in:',
    '    npx handoff submit FILE --route web --approved-by "your name" --reason "your reason" --stage test',
    '  Where there is nothing to hand off:',
    '    npx handoff investigate inq-1 --route web --dismiss --approved-by "your name" --reason "your reason" --stage test',
  ]);
  expect(stderr).toEqual([]);
  expect(exitCode).toBe(0);
});

it('shows what it says where that is asked for, and sends no control characters to the terminal', async () => {
  const bench = new IntakeBench();
  const body = 'not\tJSON \u001b[2J\u009b31m\u202e\nsecond line';
  const { leadRequestId } = await bench.deadLetter(body);

  const { stdout } = await investigated(bench, leadRequestId, { body: true });
  const data = await investigated(bench, leadRequestId, { body: true, json: true });

  expect(stdout).toContain('    not\tJSON \\u001b[2J\\u009b31m\\u202e\n    second line');
  expect(JSON.parse(data.stdout).deadLetters[0].body).toBe(body);
  // Its lead request, if there is one, has another id.
  expect(stdout).toContain(`--reason "your reason" --kept-under ${leadRequestId}`);
});

it('is data without what it says, unless that is asked for', async () => {
  const bench = new IntakeBench();
  await bench.accept();
  await bench.deadLetter(WRONG);

  const { stdout } = await investigated(bench, 'inq-1', { json: true });

  expect(JSON.parse(stdout)).toEqual({
    route: 'web',
    leadRequestId: 'inq-1',
    underInvestigation: true,
    handoff: { execution: 'web.inq-1.1', run: 1, status: 'running' },
    deadLetters: [
      {
        messageId: 'message-1',
        reason: { code: 'invalid-lead-request', field: 'email' },
        receivedAt: '2026-01-05T11:59:59.000Z',
        receiveCount: 6,
        bytes: 83,
        truncated: false,
        waiting: {
          who: 'robin@revops.example.com',
          since: '2026-01-05T12:00:00.000Z',
          dueAt: '2026-01-05T16:00:00.000Z',
          asked: 0,
        },
        resolution: null,
      },
    ],
    refusedMeanwhile: [],
  });
});

it('tells how each investigation ended, and what was refused meanwhile', async () => {
  const bench = new IntakeBench();
  await bench.deadLetter(WRONG);
  await bench.accept().catch(() => {});
  await acceptApproved(JO, APPROVAL, bench.ports());
  await bench.deadLetter(WRONG, 'message-2');
  await dismiss({ leadRequestId: 'inq-1', by: 'Tomas', reason: 'sent twice' }, bench.ports());

  const { stdout } = await investigated(bench, 'inq-1');

  expect(stdout).toContain('  state        nothing is being investigated any more\n');
  expect(stdout).toContain('  handoff      running, web.inq-1.1; it goes on as if nothing had come\n');
  expect(stdout).toContain('  refused      1 other request under this id, kept as a conflict\n');
  expect(stdout).toContain(
    '  ended        a corrected request was accepted, by Tomas at 2026-01-05 12:00:00Z: "the address is corrected"\n',
  );
  expect(stdout).toContain('  ended        dismissed, by Tomas at 2026-01-05 12:00:00Z: "sent twice"\n');
  expect(stdout).not.toContain('What an approver can do');
});

it('says since when it is overdue', async () => {
  const bench = new IntakeBench();
  await bench.deadLetter(WRONG);
  bench.clock.advance(5 * 3_600_000);

  expect((await investigated(bench, 'inq-1')).stdout).toContain('overdue since 2026-01-05 16:00:00Z');
});

it('knows no dead letter of another id', async () => {
  const bench = new IntakeBench();

  const { exitCode, stdout, stderr } = await investigated(bench, 'inq-9');

  expect({ exitCode, stdout, stderr }).toEqual({
    exitCode: 1,
    stdout: '',
    stderr: ['There is no dead letter under inq-9 on route web.'],
  });
});

/** The command against a start function that answers as the test says. */
async function dismissed(options: InvestigateOptions, endpoint: string) {
  const client = new LambdaClient({
    endpoint,
    region: 'us-east-1',
    credentials: { accessKeyId: 'local', secretAccessKey: 'local' },
  });
  const { route } = new IntakeBench();
  const { context, written } = fakeContext([route], { lambda: client, startFunction: 'start' });
  const said = { dismiss: true, approvedBy: 'Tomas', reason: 'spam', ...options };
  return { exitCode: await investigate('inq-1', said, context), ...written };
}

it("hands an approver's dismissal to the start function", async () => {
  let left = 2;
  lambda = await fakeLambda((_, response) => {
    const ended = { kind: 'dismissed', by: 'Uma', at: '2026-01-05T13:00:00.000Z' };
    response.end(
      JSON.stringify({ leadRequestId: 'inq-1', dismissed: left, ...(left === 0 ? { ended } : {}) }),
    );
    left = 0;
  });

  const first = await dismissed({}, lambda.url);
  const second = await dismissed({}, lambda.url);

  expect(lambda.invocations[0]?.payload).toEqual({
    route: 'web',
    dismissal: { leadRequestId: 'inq-1', by: 'Tomas', reason: 'spam' },
  });
  expect(first.stdout).toEqual(['2 dead letters under inq-1 dismissed.']);
  expect(second.stdout).toEqual([
    'Nothing under inq-1 was being investigated any more: it was dismissed, by Uma at 2026-01-05 13:00:00Z.',
  ]);
  expect([first.exitCode, second.exitCode]).toEqual([0, 0]);
});

it('says why a dismissal is refused', async () => {
  lambda = await fakeLambda((_, response) =>
    fail(response, 'NotAnApprover', 'Only an approver may do this.'),
  );

  const { exitCode, stderr } = await dismissed({ approvedBy: 'Robin' }, lambda.url);

  expect(stderr).toEqual(['Only an approver may do this.']);
  expect(exitCode).toBe(1);
});

it.each<[InvestigateOptions, string]>([
  [{ dismiss: true }, 'Say who dismisses it and why: --dismiss --approved-by WHO --reason WHY.'],
  [{ dismiss: true, approvedBy: 'Tomas' }, 'Say who approves it and why'],
  [{ approvedBy: 'Tomas', reason: 'why' }, '--approved-by and --reason belong to --dismiss.'],
])('%j is wrong usage', async (options, sentence) => {
  const told = investigated(new IntakeBench(), 'inq-1', options);

  await expect(told).rejects.toThrow(WrongUsage);
  await expect(told).rejects.toThrow(sentence);
});
