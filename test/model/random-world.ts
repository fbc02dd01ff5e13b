import type { ActionName } from '../../functions/domain/action.ts';
import { FINAL_PHASES } from '../../functions/domain/action-state.ts';
import type { Decision } from '../../functions/domain/decision.ts';
import type { Bench } from './bench.ts';
import type { PausePoint } from './pause-point.ts';
import type { Fate } from './wire.ts';
import type { WriteFault } from './write-faults.ts';

/** Draws everything that happens by chance; the same seed draws the same. */
export class Chance {
  #state: number;

  constructor(seed: number) {
    this.#state = seed;
  }

  /** A number in [0, 1) (mulberry32). */
  next(): number {
    this.#state = (this.#state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(this.#state ^ (this.#state >>> 15), 1 | this.#state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  }

  happens(probability: number): boolean {
    return this.next() < probability;
  }

  of<T>(choices: readonly T[]): T {
    return choices[Math.floor(this.next() * choices.length)] as T;
  }
}

const FATES: readonly Fate[] = [
  { kind: 'answered' },
  { kind: 'answered' },
  { kind: 'not-connected' },
  { kind: 'lost' },
  { kind: 'answer-lost' },
  { kind: 'lands-late', afterMs: 20_000 },
  { kind: 'lands-late', afterMs: 60_000 },
  { kind: 'rate-limited' },
  { kind: 'rate-limited', retryAfterMs: 120_000 },
  { kind: 'refused', reason: 'permissions' },
];

const DECISIONS: readonly [Decision['kind'], Partial<Decision>][] = [
  ['resume', {}],
  ['resume', {}],
  ['amend', {}],
  ['stop', {}],
  ['keep-owner', {}],
  ['send-as-current-owner', {}],
  ['take-over', {}],
  ['take-over', { riskAccepted: true }],
  ['release', { notDone: true }],
];

/** How one action's group ended: after how many turns, or not at all. */
export interface Ended {
  readonly turns: number;
  readonly final: boolean;
}

/**
 * Walks one action's group as the workflow does, while requests are lost, workers die, the ledger fails, reads fail, and a person
 * changes the owner and answers at random. Nobody claims to have done anything by hand.
 */
export async function walk(bench: Bench, action: ActionName, chance: Chance, maxTurns = 120): Promise<Ended> {
  let error: string | null = null;
  let attempt = 1;
  let next: 'act' | 'reconcile' = 'act';
  const silent: PausePoint[] = [];
  for (let turn = 0; turn < maxTurns; turn++) {
    stir(bench, action, chance, turn);
    // A worker that was given up on reports after all: its call is over, its word was slow.
    if (chance.happens(0.1)) await speakUp(silent.shift());
    if (next === 'act') {
      const done = await tryAttempt(bench, action, attempt, chance, silent);
      if (done === 'performed') break;
      error = done;
      next = 'reconcile';
      continue;
    }
    const answer = await bench.reconcile(action, { error, turns: turn }).catch(() => null);
    error = null;
    if (answer === null) {
      bench.clock.advance(2_000);
      continue;
    }
    if (answer.disposition === 'keep' || answer.disposition === 'stop') {
      return { turns: turn, final: FINAL_PHASES.includes((await bench.state(action)).phase) };
    }
    if (answer.disposition === 'resume') {
      attempt = answer.attempt;
      next = 'act';
    } else if (answer.disposition === 'ask') {
      // In the end somebody loses patience.
      const [kind, more] = turn < 70 ? chance.of(DECISIONS) : (['stop', {}] as const);
      if (chance.happens(0.8)) await bench.decide(action, kind, more).catch(() => {});
      bench.clock.advance(chance.of([1_000, 60_000, 3_600_000]));
    } else {
      bench.clock.advance(answer.waitSeconds * 1000);
    }
  }
  return { turns: maxTurns, final: FINAL_PHASES.includes((await bench.state(action)).phase) };
}

async function speakUp(worker: PausePoint | undefined): Promise<void> {
  if (!worker) return;
  worker.go();
  await new Promise((resolve) => setImmediate(resolve));
}

/** What the world does between two states; it calms down, so that an end can be reached. */
function stir(bench: Bench, action: ActionName, chance: Chance, turn: number): void {
  const lively = turn < 40;
  const { wire } = action === 'send-introduction' ? bench.mail : bench.crm;
  bench.crm.wire.unreadable = lively && chance.happens(0.15);
  bench.mail.wire.unreadable = lively && chance.happens(0.15);
  bench.ledger.pauseRoute('web', lively && chance.happens(0.05));
  let used = !(lively && chance.happens(0.15));
  const fault = chance.of<WriteFault>(['before', 'after', 'met-again']);
  bench.ledger.hooks = {
    fault: () => {
      if (used) return null;
      used = true;
      return fault;
    },
  };
  if (lively && chance.happens(0.5)) wire.plan(chance.of(FATES));
  if (lively && chance.happens(0.08)) bench.crm.personSetsOwner('501', chance.of(['71', '72', null]));
}

/** @returns `performed`, or the name of the error that the workflow would catch */
async function tryAttempt(
  bench: Bench,
  action: ActionName,
  attempt: number,
  chance: Chance,
  silent: PausePoint[],
): Promise<string> {
  const receiver = action === 'send-introduction' ? 'mail' : 'crm';
  const dies = chance.happens(0.2);
  const moment = chance.of(['beforeWrite', 'afterWrite'] as const);
  const point = dies ? bench.pauseAt(receiver, moment) : null;
  const working = bench.act(action, attempt).then(
    ({ outcome }) => outcome,
    (caught: Error) => caught.name,
  );
  const ended = await Promise.race([working, ...(point ? [point.reached.then(() => 'died')] : [])]);
  bench[receiver].wire.hooks = {};
  if (ended !== 'died') {
    bench.clock.advance(chance.of([100, 1_000, 8_000]));
    return ended;
  }
  if (point && moment === 'afterWrite') silent.push(point);
  // The function is killed at its timeout, and the task gives up after it.
  bench.clock.advance(25_000);
  return 'States.Timeout';
}
