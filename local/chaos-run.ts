import { setTimeout as sleep } from 'node:timers/promises';
import type { Deliveries } from './chaos-deliveries.ts';
import type { ChaosEngine } from './chaos-engine.ts';
import { type ChaosFault, STRIKE_AT } from './chaos-faults.ts';
import { increase, type Journal } from './chaos-journal.ts';
import { leadAt } from './chaos-leads.ts';
import { Pace } from './chaos-pace.ts';
import { personDoes } from './chaos-people.ts';
import { type Freezer, type FunctionProcess, functionProcesses, killChild } from './chaos-processes.ts';
import type { SandboxControl } from './chaos-sandbox.ts';
import type { Deed, Scheduled } from './chaos-schedule.ts';
import type { Producer } from './chaos-submit.ts';

export interface ChaosParts {
  readonly engine: ChaosEngine;
  readonly sandbox: SandboxControl;
  readonly producer: Producer;
  readonly deliveries: Deliveries;
  readonly journal: Journal;
  readonly freezer: Freezer;
  readonly seed: number;
}

/** Faults of one operation that may wait at the same time: a heap of them would make one lead's day impossible. */
const PLANNED_AT_ONCE = 2;
const STRIKE_WITHIN_MS = 12_000;

/** Does everything of the schedule at its time. Rejects when the engine ends by itself. */
export async function runSchedule(
  schedule: readonly Scheduled[],
  totalMs: number,
  parts: ChaosParts,
  signal: AbortSignal,
): Promise<void> {
  const startedAt = Date.now();
  const underWay = new Set<Promise<void>>();
  const failures: unknown[] = [];
  const pace = new Pace();
  for (const { atMs, deed } of schedule) {
    await until(startedAt + atMs, parts.engine, signal);
    if (!pace.allows(deed)) {
      increase(parts.journal.totals.leftOut, deed.do);
      continue;
    }
    // The end of the engine is waited for: two at once would be one.
    if (deed.do === 'kill-engine') await restartEngine(deed.downMs, parts);
    else {
      const done = perform(deed, parts)
        .catch((error) => failures.push(error))
        .then(() => void underWay.delete(done));
      underWay.add(done);
    }
    if (failures.length > 0) throw failures[0];
  }
  await until(startedAt + totalMs, parts.engine, signal);
  await Promise.all(underWay);
}

async function until(at: number, engine: ChaosEngine, signal: AbortSignal): Promise<void> {
  do {
    signal.throwIfAborted();
    if (engine.failure) throw engine.failure;
    await sleep(Math.max(0, Math.min(100, at - Date.now())));
  } while (Date.now() < at);
}

async function restartEngine(downMs: number, { engine, journal }: ChaosParts): Promise<void> {
  await engine.kill();
  await sleep(downMs);
  await engine.start();
  journal.totals.engineRestarts += 1;
}

async function perform(deed: Exclude<Deed, { do: 'kill-engine' }>, parts: ChaosParts): Promise<void> {
  const { sandbox, producer, deliveries, journal, seed } = parts;
  switch (deed.do) {
    case 'submit':
      return producer.add(leadAt(seed, deed.lead));
    case 'fault':
      return planFault(deed.fault, parts);
    case 'lag':
      return sandbox.settings({ searchLagMs: deed.searchLagMs, keyReadLagMs: deed.keyReadLagMs });
    case 'kill-function':
      return killFunction(deed.pick, parts);
    case 'freeze':
      return freezeFunction(deed, parts);
    case 'strike':
      return strike(deed, parts);
    default: {
      const tracked = journal.back(deed.back);
      if (!tracked) return journal.missed(deed.do);
      if (deed.do === 'again') return producer.again(tracked, deed.as);
      if (deed.do === 'deliver') return deliveries.deliver(deed, tracked);
      return personDoes(deed, tracked, sandbox, journal);
    }
  }
}

async function planFault(fault: ChaosFault, { sandbox, journal }: ChaosParts): Promise<void> {
  const waiting = (await sandbox.planned()).filter(({ operation }) => operation === fault.operation);
  if (waiting.length >= PLANNED_AT_ONCE) {
    journal.totals.faultsSkipped += 1;
    return;
  }
  await sandbox.plan(fault);
  increase(journal.totals.faultsPlanned, fault.kind);
}

function chosenFunction(pick: number, enginePid: number | null): FunctionProcess | undefined {
  const running = enginePid === null ? [] : functionProcesses(enginePid);
  return running[Math.floor(pick * running.length)];
}

function killFunction(pick: number, { engine: { pid: parent }, journal }: ChaosParts): void {
  const chosen = chosenFunction(pick, parent);
  if (chosen && parent !== null && killChild(chosen.pid, parent)) journal.totals.functionKills += 1;
  else journal.missed('kill-function');
}

async function freezeFunction(
  { pick, forMs }: Extract<Deed, { do: 'freeze' }>,
  { engine: { pid: parent }, journal, freezer }: ChaosParts,
): Promise<void> {
  const chosen = chosenFunction(pick, parent);
  if (chosen && parent !== null && (await freezer.freeze(chosen.pid, parent, forMs))) {
    journal.totals.freezes += 1;
  } else journal.missed('freeze');
}

/** Waits until a write of the action has taken effect and its answer is still out, and ends the function's processes then. */
async function strike(
  { action, delayMs }: Extract<Deed, { do: 'strike' }>,
  { engine, sandbox, journal }: ChaosParts,
): Promise<void> {
  const operation = STRIKE_AT[action];
  const fault = { operation, kind: 'delay', delayMs };
  const isOurs = (one: ChaosFault) => one.operation === operation && one.delayMs === delayMs;
  await sandbox.plan(fault);
  increase(journal.totals.faultsPlanned, fault.kind);
  const giveUpAt = Date.now() + STRIKE_WITHIN_MS;
  while ((await sandbox.planned()).some(isOurs)) {
    if (Date.now() > giveUpAt) return journal.missed('strike');
    await sleep(25);
  }
  const { pid: parent } = engine;
  if (parent === null) return journal.missed('strike');
  const struck = functionProcesses(parent).filter(
    ({ name, pid }) => name === `lead-handoff-local-${action}` && killChild(pid, parent),
  );
  journal.totals.functionKills += struck.length;
  journal.totals.strikes += 1;
}
