import { execFileSync } from 'node:child_process';
import { describe, expect, it } from 'vitest';
import {
  approvalLines,
  commandLine,
  decideLine,
  investigateLine,
  resubmitLine,
  showLine,
} from '../../../functions/domain/command-line.ts';

const PROD = { stage: 'prod' } as const;

describe('the place of a command', () => {
  it.each([
    [{ stage: 'prod' }, '--stage prod'],
    [{ stage: 'local', endpoint: 'http://127.0.0.1:4599' }, '--endpoint http://127.0.0.1:4599'],
    [{ stage: 'local' }, '--endpoint http://127.0.0.1:4566'],
    [
      { stage: 'test', endpoint: 'https://vpce.example.com' },
      '--endpoint https://vpce.example.com --stage test',
    ],
  ] as const)('%j is said as it has to be typed', (place, flags) => {
    expect(commandLine('show', { about: ['inq-1'] }, place)).toBe(`npx handoff show inq-1 ${flags}`);
  });
});

it('decides the same as the input does, and leaves to the person what only a person knows', () => {
  const input = {
    leadRequestId: 'inq-1',
    action: 'send-introduction',
    decision: 'take-over',
    evidence: 'mail-7',
    finding: 'unclear:unreadable',
    riskAccepted: true,
    notDone: true,
  } as const;

  expect(decideLine(input, 'web', PROD)).toBe(
    'npx handoff decide inq-1 send-introduction take-over --route web --by "" --reason "" --evidence mail-7 --finding unclear:unreadable --accept-risk --not-done --stage prod',
  );
});

it('starts a handoff again', () => {
  expect(resubmitLine('inq-1', 'web', PROD)).toBe(
    'npx handoff resubmit inq-1 --route web --by "" --reason "" --stage prod',
  );
});

it('a decision that needs nothing more says nothing more', () => {
  const input = { leadRequestId: 'inq-1', action: 'create-task', decision: 'stop' } as const;

  expect(decideLine(input, 'web', PROD)).toBe(
    'npx handoff decide inq-1 create-task stop --route web --by "" --reason "" --stage prod',
  );
});

it('shows a handoff, and the dead letters of an id', () => {
  expect(showLine('inq-1', 'web', PROD)).toBe('npx handoff show inq-1 --route web --stage prod');
  expect(investigateLine('inq-1', 'web', PROD)).toBe(
    'npx handoff investigate inq-1 --route web --stage prod',
  );
  expect(investigateLine('inq-1', 'web', PROD, '--body')).toBe(
    'npx handoff investigate inq-1 --route web --body --stage prod',
  );
});

it('ends an investigation, under the id of the message where that is not the lead request’s own', () => {
  expect(approvalLines('inq-1', 'web', PROD)).toEqual({
    submit:
      'npx handoff submit FILE --route web --approved-by "your name" --reason "your reason" --stage prod',
    dismiss:
      'npx handoff investigate inq-1 --route web --dismiss --approved-by "your name" --reason "your reason" --stage prod',
  });
  expect(approvalLines('dead-0123456789abcdef', 'web', PROD).submit).toBe(
    'npx handoff submit FILE --route web --approved-by "your name" --reason "your reason" --kept-under dead-0123456789abcdef --stage prod',
  );
});

it.each(['un-dead-0123456789abcdef', 'dead-0123456789abcdef-2', 'dead-0123456789abcde', 'dead-line'])(
  '%s is an id that the lead request has itself',
  (id) => {
    expect(approvalLines(id, 'web', PROD).submit).toBe(
      'npx handoff submit FILE --route web --approved-by "your name" --reason "your reason" --stage prod',
    );
  },
);

it.each([
  ['leads/new.csv', 'leads/new.csv'],
  ['', '""'],
  ['your name', '"your name"'],
  ['$HOME', "'$HOME'"],
  ['cost: $5', "'cost: $5'"],
  ['$5 each', "'$5 each'"],
  ["O'Brien", "'O'\\''Brien'"],
])('a word is quoted as simply as it can be: %s', (word, written) => {
  expect(commandLine(word, {}, PROD)).toBe(`npx handoff ${written} --stage prod`);
});

it.each([
  '',
  'your name',
  "O'Brien",
  '$HOME',
  'a#b',
  '`id`',
  'http://x/?a=1&b=2',
  'a"b',
  'a\\b',
  '!x',
  'a $b',
  '$a b',
])('a shell reads %j as it was meant', (word) => {
  const line = commandLine(word, {}, PROD).replace('npx handoff', "printf '<%s>'");

  expect(execFileSync('sh', ['-c', line], { encoding: 'utf8' })).toBe(`<${word}><--stage><prod>`);
});

describe('an id that looks like a flag is read as an id', () => {
  it.each(['-abc', '-h', '--route', '--', '-'])('%s stands behind all flags', (id) => {
    expect(commandLine('show', { about: [id], flags: ['--route', 'web'] }, PROD)).toBe(
      `npx handoff show --route web --stage prod -- ${id}`,
    );
    expect(resubmitLine(id, 'web', PROD)).toBe(
      `npx handoff resubmit --route web --by "" --reason "" --stage prod -- ${id}`,
    );
  });

  it('with what else stands by its place, in the same order', () => {
    const input = { leadRequestId: '-abc', action: 'create-task', decision: 'stop' } as const;

    expect(decideLine(input, 'web', PROD)).toBe(
      'npx handoff decide --route web --by "" --reason "" --stage prod -- -abc create-task stop',
    );
  });
});
