import { setTimeout as sleep } from 'node:timers/promises';
import { increase } from './chaos-counts.ts';
import type { Deliveries } from './chaos-deliveries.ts';
import { loseWait, redrive, resubmit, stopExecution, sweep } from './chaos-executions.ts';
import type { ChaosFault } from './chaos-faults.ts';
import { leadAt } from './chaos-leads.ts';
import { misdecide } from './chaos-misdecisions.ts';
import { Pace } from './chaos-pace.ts';
import { personDoes } from './chaos-people.ts';
import type { Freezer } from './chaos-processes.ts';
import { type Bureau, decide, waitingLead } from './chaos-recovery.ts';
import type { Deed, Scheduled } from './chaos-schedule.ts';
import { stopAction, stopAtWork } from './chaos-stops.ts';
import { freezeFunction, killFunction, strike, strikeRecovery } from './chaos-strikes.ts';
import type { Producer } from './chaos-submit.ts';

export interface ChaosParts extends Bureau {
  readonly producer: Producer;
  readonly deliveries: Deliveries;
  readonly freezer: Freezer;
  readonly seed: number;
}

/** Faults of one operation that may wait at the same time: a heap of them would make one lead's day impossible. */
const PLANNED_AT_ONCE = 2;

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

async function until(at: number, engine: ChaosParts['engine'], signal: AbortSignal): Promise<void> {
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
    case 'refuse':
      return planFault(deed.fault, parts);
    case 'blind':
      return sandbox.plan(...deed.faults);
    case 'lag':
      return sandbox.settings({ searchLagMs: deed.searchLagMs, keyReadLagMs: deed.keyReadLagMs });
    case 'kill-function':
      return killFunction(deed.pick, parts);
    case 'freeze':
      return freezeFunction(deed, parts);
    case 'strike':
      return strike(deed, parts);
    case 'strike-recovery':
      return strikeRecovery(deed, parts);
    case 'decide':
      return decide(deed, parts);
    case 'misdecide':
      return misdecide(deed, parts);
    case 'correct': {
      const tracked = waitingLead(deed.lead, journal) ?? journal.back(deed.back);
      return tracked ? producer.again(tracked, 'corrected') : journal.missed(deed.do);
    }
    case 'stop-action':
      return stopAction(deed, parts);
    case 'stop-at-work':
      return stopAtWork(deed, parts);
    case 'resubmit':
      return resubmit(deed, parts);
    case 'stop-execution':
      return stopExecution(deed, parts);
    case 'redrive':
      return redrive(deed, parts);
    case 'lose-wait':
      return loseWait(deed, parts);
    case 'sweep':
      return sweep(deed, parts);
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
  const planned = await sandbox.planned();
  const waiting = planned.filter(({ operation }) => operation === fault.operation);
  if (waiting.length >= PLANNED_AT_ONCE) {
    journal.totals.faultsSkipped += 1;
    return;
  }
  await sandbox.plan(fault);
  increase(journal.totals.faultsPlanned, fault.kind);
}
