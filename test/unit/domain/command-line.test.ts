import { execFileSync } from 'node:child_process';
import { describe, expect, it } from 'vitest';
import { commandLine, decideLine, resubmitLine } from '../../../functions/domain/command-line.ts';

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

it.each(['', 'your name', "O'Brien", '$HOME', 'a#b', '`id`', 'http://x/?a=1&b=2', 'a"b', 'a\\b', '!x'])(
  'a shell reads %j as it was meant',
  (word) => {
    const line = commandLine(word, {}, PROD).replace('npx handoff', "printf '<%s>'");

    expect(execFileSync('sh', ['-c', line], { encoding: 'utf8' })).toBe(`<${word}><--stage><prod>`);
  },
);

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
