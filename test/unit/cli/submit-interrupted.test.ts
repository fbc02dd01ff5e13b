import type { ChildProcess } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { type LargeCsv, writeLargeCsv } from './large-csv.ts';
import { runHandoff } from './run-handoff.ts';
import { type FakeLambda, fakeLambda } from './start-function.ts';

/** More than are handed in without being remembered. */
const ROWS = 1_100;
const GOOD = 1_089;
const BAD = 11;

let directory: string;
let path: string;
let written: LargeCsv;
let lambda: FakeLambda;
/** What the start function's ledger has. */
let accepted: Map<string, number>;
let onInvocation: (count: number) => void;

beforeEach(async () => {
  directory = mkdtempSync(join(tmpdir(), 'handoff-interrupted-'));
  path = join(directory, 'leads.csv');
  written = await writeLargeCsv(path, ROWS);
  accepted = new Map();
  onInvocation = () => {};
  lambda = await fakeLambda(({ payload }, response) => {
    const { leadRequestId } = payload.lead;
    const times = (accepted.get(leadRequestId) ?? 0) + 1;
    accepted.set(leadRequestId, times);
    const status = times === 1 ? 'accepted' : 'repeated';
    response.end(JSON.stringify({ leadRequestId, execution: `website.${leadRequestId}.1`, status }));
    onInvocation(lambda.invocations.length);
  });
});

afterEach(() => {
  lambda.close();
  rmSync(directory, { recursive: true, force: true });
});

function submit(signal?: NodeJS.Signals, after = GOOD / 2) {
  let ended = false;
  const onStart = (child: ChildProcess) => {
    const before = lambda.invocations.length;
    onInvocation = (count) => {
      if (signal === undefined || ended || count - before < after) return;
      ended = true;
      child.kill(signal);
    };
  };
  return runHandoff(['submit', path, '--skip-invalid', '--json', '--endpoint', lambda.url], { onStart });
}

it('goes on after a kill where it was: every good row is accepted, every bad row reported, in two runs', async () => {
  const killed = await submit('SIGKILL');

  expect(killed.exitCode).toBeNull();
  expect(killed.stdout).toBe('');
  const left = readFileSync(`${path}.progress`, 'utf8').trimEnd().split('\n').slice(1);
  expect(left.length).toBeGreaterThan(GOOD / 4);
  expect(left.length).toBeLessThanOrEqual(accepted.size);
  expect(left.join('')).toMatch(/^[0-9a-f]+$/);
  const beforeSecond = lambda.invocations.length;

  const second = await submit();

  const { counts, refused } = JSON.parse(second.stdout);
  expect(counts.earlier).toBe(left.length);
  expect(lambda.invocations.length - beforeSecond).toBe(GOOD - left.length);
  expect(counts.new + counts.known + counts.earlier).toBe(GOOD);
  expect([...accepted.keys()].sort()).toEqual([...written.goodIds].sort());
  expect(counts.refused).toBe(BAD);
  expect(refused.map((one: { line: number }) => one.line)).toEqual(written.badLines);
  const errors = readFileSync(`${path}.errors.ndjson`, 'utf8').trimEnd().split('\n');
  expect(errors.map((text) => JSON.parse(text))).toEqual(
    written.badLines.map((line) => ({
      line,
      field: 'email',
      reason: 'expected an email address',
      error: 'InvalidLeadRequest',
    })),
  );
  expect(existsSync(`${path}.progress`)).toBe(false);
  expect(second.exitCode).toBe(1);
}, 120_000);

it('ends cleanly on Ctrl-C, and goes on where it was', async () => {
  const interrupted = await submit('SIGINT');

  expect(interrupted.exitCode).toBe(130);
  const { counts, interrupted: told } = JSON.parse(interrupted.stdout);
  expect(told).toBe(true);
  // What was under way was waited for.
  expect(counts.new).toBe(accepted.size);
  expect(counts.new + counts.notTried).toBe(GOOD);
  expect(interrupted.stderr).toMatch(
    new RegExp(
      `\nInterrupted: ${counts.new} of ${GOOD} lead requests submitted\\. The same command goes on from here\\.\n$`,
    ),
  );

  const second = await submit();

  expect(JSON.parse(second.stdout).counts).toMatchObject({
    new: GOOD - counts.new,
    known: 0,
    earlier: counts.new,
    refused: BAD,
    notTried: 0,
  });
  expect(accepted.size).toBe(GOOD);
}, 120_000);

it.each([
  ['is another one', 'two'],
  ['does not say which one it is', null],
])(
  'skips nothing where the ledger %s',
  async (_what, tableId) => {
    await submit('SIGKILL');
    accepted.clear();
    lambda.tableId = tableId;

    const { counts } = JSON.parse((await submit()).stdout);

    expect(counts).toMatchObject({ new: GOOD, earlier: 0 });
    expect(accepted.size).toBe(GOOD);
  },
  120_000,
);

it('skips nothing that was changed since, and nothing that was not written down to its end', async () => {
  await submit('SIGKILL');
  const left = readFileSync(`${path}.progress`, 'utf8');
  writeFileSync(`${path}.progress`, left.slice(0, -5));
  const lines = left.trimEnd().split('\n').length - 1;
  // Another company in every row that stands for itself: another lead request, which the ledger refuses or takes.
  writeFileSync(path, readFileSync(path, 'utf8').replace('"Mill, 1"', '"Mine, 1"'));
  const before = lambda.invocations.length;

  const { counts } = JSON.parse((await submit()).stdout);

  expect(counts.earlier + (lambda.invocations.length - before)).toBe(GOOD);
  // Not the changed one, and not the torn one.
  expect(counts.earlier).toBe(lines - 2);
  const third = lambda.invocations.slice(before).map(({ payload }) => payload.lead.leadRequestId);
  expect(third).toContain('row-1');
}, 120_000);

it('leaves what it knows alone where nothing answers', async () => {
  await submit('SIGKILL');
  const left = readFileSync(`${path}.progress`, 'utf8');
  lambda.close();

  const { exitCode, stdout } = await submit();

  expect(exitCode).toBe(1);
  expect(JSON.parse(stdout).counts.new).toBe(0);
  expect(readFileSync(`${path}.progress`, 'utf8')).toBe(left);
}, 120_000);

it('remembers nothing of another route', async () => {
  await submit('SIGKILL');
  const [header, ...left] = readFileSync(`${path}.progress`, 'utf8').split('\n');
  writeFileSync(`${path}.progress`, [header?.replace('website', 'webshop'), ...left].join('\n'));

  const { counts } = JSON.parse((await submit()).stdout);

  expect(counts.earlier).toBe(0);
  expect(counts.new + counts.known).toBe(GOOD);
}, 120_000);

it('run twice to its end, it hands everything in twice, and nothing is new the second time', async () => {
  const first = JSON.parse((await submit()).stdout);
  const second = JSON.parse((await submit()).stdout);

  expect(first.counts).toMatchObject({ new: GOOD, known: 0, earlier: 0, refused: BAD });
  expect(second.counts).toMatchObject({ new: 0, known: GOOD, earlier: 0, refused: BAD });
  expect(first.submitted).toHaveLength(1_000);
  expect(first.notListed).toEqual({ submitted: GOOD - 1_000, refused: 0 });
}, 120_000);
