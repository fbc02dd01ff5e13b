import { afterEach, expect, it } from 'vitest';
import { type FakeRecovery, failed, fakeRecovery, type Reply, refuses, succeeded } from './fake-recovery.ts';
import { runHandoff } from './run-handoff.ts';

let aws: FakeRecovery | undefined;

afterEach(() => {
  aws?.close();
  aws = undefined;
});

const RUNNING: Reply = [200, { status: 'RUNNING' }];
const RECORDED = {
  leadRequestId: 'form-7-1042',
  action: 'send-introduction',
  decision: 'resume',
  by: 'Robin Okafor',
  decidedAt: '2026-05-04T10:00:00.000Z',
  recorded: 'now',
  result: 'pending',
  carriedOn: 'answered',
  execution: 'website.form-7-1042.1',
};

const WHO_AND_WHY = ['--by', 'Robin Okafor', '--reason', 'Resend works again'];
const DECIDE = ['decide', 'form-7-1042', 'send-introduction', 'resume', '--route', 'website', ...WHO_AND_WHY];

function inputOf({ calls }: FakeRecovery): unknown {
  const start = calls.find(({ operation }) => operation === 'StartExecution');
  return JSON.parse(start?.body.input ?? 'null');
}

it('starts the recovery state machine of the route, waits for its end and says what happens next', async () => {
  aws = await fakeRecovery([RUNNING, RUNNING, succeeded(RECORDED)]);

  const { exitCode, stdout, stderr } = await runHandoff([...DECIDE, '--endpoint', aws.url]);

  expect(stdout).toBe(
    [
      'Recorded: resume for send-introduction, by Robin Okafor.',
      'Execution website.form-7-1042.1 goes on: it reads the destination once more and carries it out if that read bears it.',
      `What becomes of it: npx handoff show form-7-1042 --route website --endpoint ${aws.url}`,
      '',
    ].join('\n'),
  );
  expect(stderr).toBe('');
  expect(exitCode).toBe(0);
  const start = aws.calls.find(({ operation }) => operation === 'StartExecution');
  expect(start?.body.stateMachineArn).toBe(
    'arn:aws:states:us-east-1:000000000000:stateMachine:lead-handoff-local-recovery-website',
  );
  expect(inputOf(aws)).toEqual({
    leadRequestId: 'form-7-1042',
    action: 'send-introduction',
    decision: 'resume',
    by: 'Robin Okafor',
    reason: 'Resend works again',
  });
});

it('hands on everything that a decision may need', async () => {
  aws = await fakeRecovery([succeeded({ ...RECORDED, decision: 'take-over' })]);
  const flags = ['--accept-risk', '--not-done', '--evidence', 'b4c5', '--finding', 'unclear:unreadable'];
  const args = ['decide', 'form-7-1042', 'send-introduction', 'take-over', ...WHO_AND_WHY, ...flags];

  const { exitCode } = await runHandoff([...args, '--endpoint', aws.url]);

  expect(exitCode).toBe(0);
  expect(inputOf(aws)).toEqual({
    leadRequestId: 'form-7-1042',
    action: 'send-introduction',
    decision: 'take-over',
    by: 'Robin Okafor',
    reason: 'Resend works again',
    evidence: 'b4c5',
    finding: 'unclear:unreadable',
    riskAccepted: true,
    notDone: true,
  });
});

it.each([
  [
    { carriedOn: 'by-itself' },
    'Execution website.form-7-1042.1 comes to it by itself, unless the action is over before:',
  ],
  [
    { carriedOn: 'resubmitted', execution: 'website.form-7-1042.2' },
    'Nothing waited for it any more, so the handoff was started again as website.form-7-1042.2:',
  ],
  [
    { recorded: 'before', carriedOn: 'heard', result: 'used' },
    'This was recorded before, by Robin Okafor at 2026-05-04 10:00:00Z; nothing was changed.\nIt has been carried out.\n',
  ],
  [
    { recorded: 'before', carriedOn: 'heard', result: 'turned-down' },
    'It was not carried out, because a fresh read did not bear it: a person is asked again.\n',
  ],
])('says of %j what it means', async (changes, sentence) => {
  aws = await fakeRecovery([succeeded({ ...RECORDED, ...changes })]);

  const { exitCode, stdout } = await runHandoff([...DECIDE, '--endpoint', aws.url]);

  expect(stdout).toContain(sentence);
  expect(exitCode).toBe(0);
});

it('says with which flag a refused decision is told what it lacks', async () => {
  const sentence = 'release is not possible. Add "notDone": true to state that you did not do it.';
  aws = await fakeRecovery([failed('DecisionNotPossible', sentence)]);

  const { exitCode, stderr } = await runHandoff([...DECIDE, '--endpoint', aws.url]);

  expect(stderr).toBe(`${sentence}\nTo add it to the command: --not-done\n`);
  expect(exitCode).toBe(1);
});

it('prints the answer as data', async () => {
  aws = await fakeRecovery([succeeded(RECORDED)]);

  const { stdout } = await runHandoff([...DECIDE, '--json', '--endpoint', aws.url]);

  expect(JSON.parse(stdout)).toEqual({
    execution: expect.stringMatching(/^[0-9a-f-]{36}$/),
    answer: RECORDED,
  });
});

it('says a refusal in its one sentence, on stderr', async () => {
  const sentence = 'About send-introduction it is already decided: stop by Kim at 2026-05-04 09:58:00Z.';
  aws = await fakeRecovery([failed('AlreadyDecided', sentence)]);

  const plain = await runHandoff([...DECIDE, '--endpoint', aws.url]);
  const data = await runHandoff([...DECIDE, '--json', '--endpoint', aws.url]);

  expect(plain).toMatchObject({ exitCode: 1, stdout: '', stderr: `${sentence}\n` });
  expect(data).toMatchObject({ exitCode: 1, stderr: `${sentence}\n` });
  expect(JSON.parse(data.stdout).refused).toEqual({ error: 'AlreadyDecided', message: sentence });
});

it('says as a command what a refusal calls by its name', async () => {
  const sentence = 'The handoff website/form-7-1042 was closed: "show" says how it ended.';
  aws = await fakeRecovery([failed('HandoffClosed', sentence)]);

  const { stderr } = await runHandoff([...DECIDE, '--endpoint', aws.url]);

  expect(stderr).toBe(`${sentence}\nnpx handoff show form-7-1042 --route website --endpoint ${aws.url}\n`);
});

it('does not say that nothing happened where it cannot know, and repeats no cause that is none of a person', async () => {
  aws = await fakeRecovery([failed('TypeError', 'ann@example.com is not iterable')]);

  const { exitCode, stdout, stderr } = await runHandoff([...DECIDE, '--endpoint', aws.url]);

  expect(stderr).toMatch(
    /^The execution [0-9a-f-]{36} ended without an answer \(FAILED\), so it is not known whether this was recorded: run it again, which is safe\.\n$/,
  );
  expect(stdout).toBe('');
  expect(exitCode).toBe(1);
});

it.each([
  [
    ['decide', 'form-7-1042', 'send-mail', 'resume', ...WHO_AND_WHY],
    'ACTION: expected one of upsert-contact, assign-owner, create-task, send-introduction.\n',
  ],
  [
    ['decide', 'form-7-1042', 'send-introduction', 'retry', ...WHO_AND_WHY],
    'DECISION: expected one of resume, confirm, take-over, release, keep-owner, send-as-current-owner, amend, stop.\n',
  ],
  [
    ['decide', 'form-7-1042', 'send-introduction', 'show', ...WHO_AND_WHY],
    'DECISION: expected one of resume, confirm, take-over, release, keep-owner, send-as-current-owner, amend, stop.\n',
  ],
  [['decide', 'form-7-1042', 'send-introduction', 'resume', '--reason', 'x'], '--by: is missing, expected'],
  [
    ['decide', 'form-7-1042', 'send-introduction', 'resume', '--by', 'Robin'],
    '--reason: is missing, expected',
  ],
  [
    ['decide', 'form-7-1042', 'send-introduction', 'resume', '--by', 'Robin', '--reason', 'two\nlines'],
    '--reason: expected one line',
  ],
  [
    ['decide', 'no/such', 'send-introduction', 'resume', ...WHO_AND_WHY],
    'ID: expected 1 to 64 of the characters',
  ],
  [
    ['decide', 'form-7-1042', 'send-introduction', 'confirm', '--evidence', ' 1', ...WHO_AND_WHY],
    '--evidence: expected 1 to 128',
  ],
  [['resubmit', 'form-7-1042', '--reason', 'x'], '--by: is missing, expected'],
  [['resubmit', 'form-7-1042', '--by', 'Robin'], '--reason: is missing, expected'],
])('%j is wrong usage, and starts nothing', async (args, sentence) => {
  aws = await fakeRecovery([RUNNING]);

  const { exitCode, stdout, stderr } = await runHandoff([...args, '--endpoint', aws.url]);

  expect(stderr).toContain(sentence);
  expect(stdout).toBe('');
  expect(exitCode).toBe(2);
  expect(aws.calls).toEqual([]);
});

it('resubmits through the same state machine', async () => {
  aws = await fakeRecovery([
    succeeded({
      leadRequestId: 'form-7-1042',
      by: 'Robin Okafor',
      execution: 'website.form-7-1042.2',
      run: 2,
    }),
  ]);

  const { exitCode, stdout } = await runHandoff([
    'resubmit',
    'form-7-1042',
    ...WHO_AND_WHY,
    '--endpoint',
    aws.url,
  ]);

  expect(stdout).toBe(
    [
      'Run 2 of the handoff acts from now on (website.form-7-1042.2); no run before it does anything any more.',
      'What is done stays done; for everything else the destination is read first.',
      `What becomes of it: npx handoff show form-7-1042 --route website --endpoint ${aws.url}`,
      '',
    ].join('\n'),
  );
  expect(exitCode).toBe(0);
  expect(inputOf(aws)).toEqual({
    decision: 'resubmit',
    leadRequestId: 'form-7-1042',
    by: 'Robin Okafor',
    reason: 'Resend works again',
  });
});

it('finds the state machine in the list where the start function may not be asked', async () => {
  const stateMachineArn =
    'arn:aws:states:us-east-1:000000000000:stateMachine:lead-handoff-local-recovery-website';
  aws = await fakeRecovery([succeeded(RECORDED)], {
    GetFunctionConfiguration: [403, { __type: 'AccessDeniedException', message: 'no' }],
    ListStateMachines: [
      200,
      {
        stateMachines: [
          { name: 'lead-handoff-local-recovery-website', stateMachineArn, creationDate: 0, type: 'STANDARD' },
        ],
      },
    ],
  });

  const { exitCode } = await runHandoff([...DECIDE, '--endpoint', aws.url]);

  expect(exitCode).toBe(0);
  const start = aws.calls.find(({ operation }) => operation === 'StartExecution');
  expect(start?.body.stateMachineArn).toBe(stateMachineArn);
});

it.each([
  [
    'AccessDeniedException',
    'AWS does not allow this with these credentials (AccessDeniedException): attach the policy lead-handoff-local-recover-website to your role.\n',
  ],
  [
    'StateMachineDoesNotExist',
    'Stage local has no recovery state machine for route website: restart "npm run local".\n',
  ],
])('says what to do about %s', async (name, sentence) => {
  aws = await fakeRecovery([RUNNING], { StartExecution: refuses(name) });

  const { exitCode, stdout, stderr } = await runHandoff([...DECIDE, '--endpoint', aws.url]);

  expect(stderr).toBe(sentence);
  expect(stdout).toBe('');
  expect(exitCode).toBe(1);
});
