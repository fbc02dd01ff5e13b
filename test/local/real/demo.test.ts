import { spawn } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { until } from './stack.ts';

const DEMO = fileURLToPath(new URL('../../../local/demo.ts', import.meta.url));

/** A process of its own group, so that what it leaves behind can be seen. */
function startDemo(...flags: string[]) {
  const child = spawn(process.execPath, [DEMO, ...flags], {
    detached: true,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const output = { stdout: '', stderr: '' };
  child.stdout.on('data', (chunk: Buffer) => {
    output.stdout += chunk.toString();
  });
  child.stderr.on('data', (chunk: Buffer) => {
    output.stderr += chunk.toString();
  });
  const ended = new Promise<number | NodeJS.Signals | null>((resolve) => {
    child.once('close', (code, signal) => resolve(code ?? signal));
  });
  return { child, output, ended };
}

/** Process ids of a group that still runs. */
function membersOf(group: number | undefined): string[] {
  return readdirSync('/proc').filter((pid) => {
    if (!/^\d+$/.test(pid)) return false;
    try {
      const [state, , pgrp] = (readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1] ?? '').split(' ');
      return pgrp === String(group) && state !== 'Z';
    } catch {
      return false;
    }
  });
}

test('the demo passes its own checks and says so as data', async () => {
  const demo = startDemo('--json');
  expect(await demo.ended).toBe(0);
  expect(demo.output.stderr).toBe('');
  const shown = JSON.parse(demo.output.stdout) as {
    leads: { leadRequestId: string; status: string; actions: Record<string, unknown>[] }[];
    decision: { by: string; decision: string; after: { status: string; actions: Record<string, unknown>[] } };
    sandbox: { contacts: unknown[]; tasks: unknown[]; emails: { from: string }[] };
    checks: { pass: boolean }[];
  };
  expect(shown.leads.map(({ leadRequestId, status }) => [leadRequestId, status])).toEqual([
    ['quiet-1', 'closed'],
    ['lost-answer-2', 'closed'],
    ['dropped-3', 'waiting'],
  ]);
  expect(shown.leads[1]?.actions[3]).toMatchObject({
    action: 'send-introduction',
    attempt: 1,
    phase: 'performed',
    finding: 'done',
    disposition: 'keep',
    evidence: { kind: 'record', destination: 'resend' },
  });
  expect(shown.sandbox).toMatchObject({
    contacts: { length: 3 },
    tasks: { length: 3 },
    emails: { length: 3 },
  });
  expect(shown.decision).toMatchObject({ by: 'Robin Okafor', decision: 'send-as-current-owner' });
  expect(shown.decision.after).toMatchObject({
    status: 'closed',
    actions: [{}, {}, {}, { attempt: 2, phase: 'performed', evidence: { kind: 'receipt' } }],
  });
  expect(shown.sandbox.emails.at(-1)?.from).toBe('Ben Okoro <ben.okoro@sales.example.com>');
  expect(shown.checks).toHaveLength(34);
  expect(shown.checks.every(({ pass }) => pass)).toBe(true);
  expect(membersOf(demo.child.pid)).toEqual([]);
}, 120_000);

test.each([
  ['while it starts', 'Synthesizing'],
  ['while leads are under way', 'Handing three leads off'],
])(
  'Ctrl-C %s leaves no process behind',
  async (_when, line) => {
    const demo = startDemo();
    await until(`the demo says ${line}`, () => demo.output.stderr.includes(line));
    demo.child.kill('SIGINT');
    expect(await demo.ended).toBe(130);
    await until('its processes have ended', () => membersOf(demo.child.pid).length === 0);
  },
  120_000,
);
