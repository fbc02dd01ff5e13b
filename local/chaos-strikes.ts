import { setTimeout as sleep } from 'node:timers/promises';
import type { ActionName } from '../functions/domain/action.ts';
import { increase } from './chaos-counts.ts';
import { type ChaosFault, STRIKE_AT } from './chaos-faults.ts';
import { type FunctionProcess, functionProcesses, killChild, ticksOf } from './chaos-processes.ts';
import type { ChaosParts } from './chaos-run.ts';
import type { Deed } from './chaos-schedule.ts';

/* Ends processes of functions: any one at any time, or one at the moment that hurts most. */

type Parts = Pick<ChaosParts, 'engine' | 'sandbox' | 'journal' | 'freezer'>;

const STRIKE_WITHIN_MS = 12_000;
const LOOK_EVERY_MS = 20;

function chosenFunction(pick: number, enginePid: number | null): FunctionProcess | undefined {
  const running = enginePid === null ? [] : functionProcesses(enginePid);
  return running[Math.floor(pick * running.length)];
}

export function killFunction(pick: number, { engine: { pid: parent }, journal }: Parts): void {
  const chosen = chosenFunction(pick, parent);
  if (chosen && parent !== null && killChild(chosen.pid, parent)) journal.killed(chosen.name);
  else journal.missed('kill-function');
}

export async function freezeFunction(
  { pick, forMs }: Extract<Deed, { do: 'freeze' }>,
  { engine: { pid: parent }, journal, freezer }: Parts,
): Promise<void> {
  const chosen = chosenFunction(pick, parent);
  if (chosen && parent !== null && (await freezer.freeze(chosen.pid, parent, forMs))) {
    journal.totals.freezes += 1;
  } else journal.missed('freeze');
}

/** Waits until a write of the action has taken effect and its answer is still out, and ends the function's processes then. */
export async function strike(
  { action, delayMs }: Extract<Deed, { do: 'strike' }>,
  parts: Parts,
): Promise<void> {
  if (await isAnswerOut({ action, delayMs }, parts)) endAll(action, 'strike', parts);
  else parts.journal.missed('strike');
}

/** Waits until a write of the action has taken effect whose answer takes so long; false when none came in time. */
export async function isAnswerOut(
  { action, delayMs }: { action: ActionName; delayMs: number },
  { sandbox, journal }: Pick<Parts, 'sandbox' | 'journal'>,
): Promise<boolean> {
  const operation = STRIKE_AT[action];
  const isOurs = (one: ChaosFault) => one.operation === operation && one.delayMs === delayMs;
  await sandbox.plan({ operation, kind: 'delay', delayMs });
  increase(journal.totals.faultsPlanned, 'delay');
  const giveUpAt = Date.now() + STRIKE_WITHIN_MS;
  while ((await sandbox.planned()).some(isOurs)) {
    if (Date.now() > giveUpAt) return false;
    await sleep(25);
  }
  return true;
}

/** Waits until a process of the function works, and ends the function's processes a moment later. */
export async function strikeRecovery(
  { name, delayMs }: Extract<Deed, { do: 'strike-recovery' }>,
  parts: Parts,
): Promise<void> {
  const giveUpAt = Date.now() + STRIKE_WITHIN_MS;
  let before = workOf(name, parts);
  while (!hasWorked(before, workOf(name, parts))) {
    if (Date.now() > giveUpAt) return parts.journal.missed(`strike ${name}`);
    before = workOf(name, parts);
    await sleep(LOOK_EVERY_MS);
  }
  await sleep(delayMs);
  endAll(name, `strike ${name}`, parts);
}

/** Processor time of each process of the function. */
function workOf(name: string, { engine: { pid } }: Parts): Map<number, number> {
  const mine = processesOf(name, pid);
  return new Map(mine.map((one) => [one.pid, ticksOf(one.pid) ?? 0]));
}

/** Whoever waits uses no time; whoever is new is loading. */
function hasWorked(before: ReadonlyMap<number, number>, now: ReadonlyMap<number, number>): boolean {
  return [...now].some(([pid, ticks]) => ticks > (before.get(pid) ?? -1));
}

function endAll(name: string, deed: string, { engine: { pid: parent }, journal }: Parts): void {
  if (parent === null) {
    journal.missed(deed);
    return;
  }
  const struck = processesOf(name, parent).filter(({ pid }) => killChild(pid, parent));
  for (const { name: killed } of struck) journal.killed(killed);
  journal.totals.strikes += 1;
}

function processesOf(name: string, enginePid: number | null): FunctionProcess[] {
  if (enginePid === null) return [];
  return functionProcesses(enginePid).filter((one) => one.name === `lead-handoff-local-${name}`);
}
