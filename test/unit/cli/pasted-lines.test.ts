import { execFileSync } from 'node:child_process';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  type CommandPlace,
  commandLine,
  decideLine,
  resubmitLine,
} from '../../../functions/domain/command-line.ts';
import { type FakeRecovery, failed, fakeRecovery } from './fake-recovery.ts';
import { runHandoff } from './run-handoff.ts';

/*
 * A printed command, pasted into a shell and read by the command itself. What answers in AWS's place refuses everything, and keeps what
 * it was asked for.
 */

const ROUTE = ['--route', 'website'];

let recovery: FakeRecovery;

beforeAll(async () => {
  recovery = await fakeRecovery([failed('UnknownHandoff', 'no')]);
});

afterAll(() => recovery.close());

type Line = (id: string, place: CommandPlace) => string;

const LINES: readonly [string, Line, asked: string][] = [
  ['show', (id, place) => commandLine('show', { about: [id], flags: ROUTE }, place), 'Query'],
  [
    'investigate',
    (id, place) => commandLine('investigate', { about: [id], flags: [...ROUTE, '--body'] }, place),
    'Query',
  ],
  [
    'decide',
    (id, place) =>
      decideLine({ leadRequestId: id, action: 'create-task', decision: 'stop' }, 'website', place),
    'StartExecution',
  ],
  ['resubmit', (id, place) => resubmitLine(id, 'website', place), 'StartExecution'],
];

/** As a shell takes it apart, with what a person fills in. */
async function paste(line: string) {
  const filled = line.replace('--by ""', '--by Robin').replace('--reason ""', '--reason why');
  const words = execFileSync('sh', ['-c', filled.replace('npx handoff', "printf '%s\\n'")], {
    encoding: 'utf8',
  });
  return runHandoff(words.trimEnd().split('\n'));
}

describe.each(LINES)('%s', (_command, line, operation) => {
  it.each(['-abc', '-h', 'inq-1'])('%s is the id that is asked for', async (id) => {
    const before = recovery.calls.length;
    const { exitCode, stdout } = await paste(line(id, { stage: 'local', endpoint: recovery.url }));

    const asked = recovery.calls.slice(before).filter((call) => call.operation === operation);
    expect(JSON.stringify(asked[0]?.body)).toMatch(new RegExp(`[/"]${id}[\\\\"]`));
    expect(stdout).toBe('');
    expect(exitCode).toBe(1);
  });
});

it.each(['-leads.json', '--help'])('submit reads the file %s', async (file) => {
  const words = { about: [file], flags: ROUTE };
  const { stderr } = await paste(commandLine('submit', words, { stage: 'local', endpoint: recovery.url }));

  expect(stderr).toContain(file);
  expect(stderr).not.toMatch(/^error/);
});
