import { statSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { type AwsAccess, awsAccess } from '../cli/aws/access.ts';
import { startHandoff } from '../cli/start-handoff.ts';
import { ACTIONS, type ActionName, executionName } from '../functions/domain/action.ts';
import { intentHash } from '../functions/domain/intent.ts';
import type { LeadRequest } from '../functions/domain/lead-request.ts';
import { invocationsOfHandoffs } from './bench-invocations.ts';
import type { Measured } from './bench-metrics.ts';
import { percentile } from './bench-statistics.ts';
import type { Engine } from './engine.ts';

/** A handoff of the benchmark did not go as a happy one goes, so that nothing can be said of its numbers. */
export class NotHappy extends Error {
  override readonly name = 'NotHappy';
}

const ROUTE = 'website';
const OWNER = '71';
/** More would wait for a process so long that their tasks time out. */
const AT_ONCE = 4;
const HANDOFF_WITHIN_MS = 60_000;

interface Sample {
  readonly states: number;
  readonly invocations: number;
  readonly writes: number;
  readonly ms: number;
}

/**
 * Hands leads off through a running engine: a few to warm the functions up, one with its functions called by hand, `leads` one after
 * the other, and `leads` at once.
 *
 * @throws NotHappy
 */
export async function measureEngine(engine: Engine, leads: number): Promise<Omit<Measured, 'demoSeconds'>> {
  const aws = awsAccess({ stage: 'local', endpoint: engine.url }, {});
  const handOff = async (name: string) => handedOff(engine, aws, leadOf(name));

  await concurrently(AT_ONCE, AT_ONCE, (i) => handOff(`warm-${i}`));
  const byHand = await writesByHand(engine, aws, leadOf('by-hand'));
  const samples: Sample[] = [];
  for (let i = 0; i < leads; i++) samples.push(await sampled(engine, () => handOff(`alone-${i}`)));
  const startedAt = performance.now();
  await concurrently(leads, AT_ONCE, (i) => handOff(`together-${i}`));
  const togetherMs = performance.now() - startedAt;
  await expectOneOfEach(engine, AT_ONCE + 1 + leads + leads);

  const typical = (value: (sample: Sample) => number) => percentile(samples.map(value), 0.5);
  const known = Object.values(byHand).reduce((sum, writes) => sum + writes, 0);
  return {
    states: typical(({ states }) => states),
    invocations: typical(({ invocations }) => invocations),
    writes: { ...byHand, start: typical(({ writes }) => writes) - known },
    bundleBytes: bundleSizes(engine),
    handoffsPerSecond: leads / (togetherMs / 1_000),
    handoffMs: {
      p50: typical(({ ms }) => ms),
      p95: percentile(
        samples.map(({ ms }) => ms),
        0.95,
      ),
    },
    engineBytes: process.resourceUsage().maxRSS * 1_024,
  };
}

function leadOf(name: string): LeadRequest {
  return {
    leadRequestId: `bench-${name}`,
    email: `bench-${name}@example.com`,
    firstName: 'Ines',
    lastName: 'Duarte',
    company: 'Moinho',
    phone: '+1 555 0142',
    message: 'Please call me back.',
  };
}

/** Submits a lead and waits until its execution has succeeded. */
async function handedOff(engine: Engine, aws: AwsAccess, lead: LeadRequest): Promise<void> {
  const started = await startHandoff(aws, ROUTE, lead);
  if ('refusal' in started) throw new NotHappy(`${lead.leadRequestId}: ${started.refusal.message}`);
  const execution = engine.executions.all().find(({ start }) => start.name === started.execution);
  const giveUpAt = Date.now() + HANDOFF_WITHIN_MS;
  while (execution?.status === 'RUNNING' && Date.now() < giveUpAt) await sleep(2);
  if (execution?.status !== 'SUCCEEDED') {
    throw new NotHappy(`${lead.leadRequestId} ended as ${execution?.status ?? 'nothing'}.`);
  }
}

/** What the engine counted for one handoff, which ran alone. */
async function sampled(engine: Engine, handOff: () => Promise<void>): Promise<Sample> {
  const before = countsOf(engine);
  const startedAt = performance.now();
  await handOff();
  const ms = performance.now() - startedAt;
  const after = countsOf(engine);
  return {
    states: after.states - before.states,
    invocations: after.invocations - before.invocations,
    writes: after.writes - before.writes,
    ms,
  };
}

function countsOf({ counters }: Engine): Omit<Sample, 'ms'> {
  return {
    states: counters.statesEntered,
    invocations: invocationsOfHandoffs(counters.invocations),
    // The sweep writes nothing about handoffs that are under way.
    writes: Object.values(counters.writes).reduce((a, b) => a + b, 0),
  };
}

/**
 * The writes of each function: accepts a handoff without its execution and calls the functions in turn with what the workflow would
 * send, so that whatever the engine counts meanwhile is one function's.
 */
async function writesByHand(
  engine: Engine,
  { ledger }: AwsAccess,
  lead: LeadRequest,
): Promise<Record<ActionName | 'close', number>> {
  const key = { route: ROUTE, leadRequestId: lead.leadRequestId };
  const caller = { ...key, run: 1, execution: executionName(key, 1) };
  await ledger.accept({
    ...key,
    lead,
    ownerId: OWNER,
    intentHash: intentHash(lead),
    acceptedAt: Date.now(),
    closedAt: null,
    execution: caller.execution,
    run: 1,
    amendments: [],
  });
  const writesOf = async (name: string, event: object): Promise<number> => {
    const before = countsOf(engine).writes;
    const { failed, payload } = await engine.invoke(`lead-handoff-local-${name}`, event);
    if (failed) throw new NotHappy(`${name} failed: ${payload}`);
    return countsOf(engine).writes - before;
  };
  const writes: Partial<Record<ActionName | 'close', number>> = {};
  for (const action of ACTIONS) writes[action] = await writesOf(action, { ...caller, attempt: 1 });
  writes.close = await writesOf('close', caller);
  return writes as Record<ActionName | 'close', number>;
}

/** Runs `count` tasks, at most `atOnce` of them at a time. */
async function concurrently(
  count: number,
  atOnce: number,
  task: (index: number) => Promise<void>,
): Promise<void> {
  let next = 0;
  const worker = async () => {
    while (next < count) {
      const index = next;
      next += 1;
      await task(index);
    }
  };
  await Promise.all(Array.from({ length: Math.min(atOnce, count) }, worker));
}

function bundleSizes(engine: Engine): Record<ActionName, number> {
  const sizes = ACTIONS.map((action) => {
    const found = engine.functions.find(({ name }) => name === `lead-handoff-local-${action}`);
    if (found === undefined) throw new NotHappy(`The template has no function of ${action}.`);
    return [action, statSync(join(found.codeDir, 'index.mjs')).size] as const;
  });
  return Object.fromEntries(sizes) as Record<ActionName, number>;
}

/** Numbers of handoffs that did too much or too little would be worth nothing. */
async function expectOneOfEach({ sandboxUrl }: Engine, expected: number): Promise<void> {
  const shown = (await (await fetch(`${sandboxUrl}/inspect`)).json()) as Record<string, unknown[]>;
  for (const kind of ['contacts', 'tasks', 'emails']) {
    const count = shown[kind]?.length;
    if (count !== expected) throw new NotHappy(`${expected} handoffs made ${count} ${kind}.`);
  }
}
