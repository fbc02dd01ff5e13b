import { ACTIONS, type ActionName } from '../functions/domain/action.ts';
import {
  anyFault,
  blindness,
  type ChaosFault,
  LONGEST_READ_LAG_MS,
  LONGEST_SEARCH_LAG_MS,
  PERSONS_OWNERS,
  refusedWrite,
} from './chaos-faults.ts';
import type { Variant } from './chaos-leads.ts';
import { type Random, seeded } from './chaos-random.ts';
import {
  RECOVERY_PER_MINUTE,
  type RecoveryDeed,
  recoveryDeedOf,
  SETTLING_PER_MINUTE,
} from './chaos-schedule-people.ts';

/** One thing that chaos does. `back` names a lead: 0 the one that was accepted last, 1 the one before it, and so on. */
export type Deed =
  | RecoveryDeed
  | { readonly do: 'submit'; readonly lead: number }
  | { readonly do: 'again'; readonly back: number; readonly as: Variant }
  | { readonly do: 'fault'; readonly fault: ChaosFault }
  | { readonly do: 'refuse'; readonly fault: ChaosFault }
  | { readonly do: 'blind'; readonly faults: readonly ChaosFault[] }
  | { readonly do: 'lag'; readonly searchLagMs: number; readonly keyReadLagMs: number }
  /** `pick` in [0, 1) chooses among the processes that run then. */
  | { readonly do: 'kill-function'; readonly pick: number }
  /** Stops one and lets it go on later, or be ended by its function's timeout: a worker that was thought dead. */
  | { readonly do: 'freeze'; readonly pick: number; readonly forMs: number }
  /** Ends an action's processes once its write has reached the destination. */
  | { readonly do: 'strike'; readonly action: ActionName; readonly delayMs: number }
  | { readonly do: 'kill-engine'; readonly downMs: number }
  /** A null owner: the person clears it. */
  | { readonly do: 'set-owner'; readonly back: number; readonly ownerId: string | null }
  | { readonly do: 'merge'; readonly back: number; readonly survivor: 'lead' | 'other' }
  | { readonly do: 'archive' | 'opt-out'; readonly back: number }
  | {
      readonly do: 'deliver';
      readonly back: number;
      readonly action: ActionName;
      readonly attempt: 'current' | 'older' | 'next';
      readonly execution: 'current' | 'other';
    };

export interface Scheduled {
  readonly atMs: number;
  readonly deed: Deed;
}

/** How often each is done in a minute. Leads and the engine's ends are counted per run. */
const PER_MINUTE = {
  again: 15,
  fault: 70,
  refuse: 16,
  lag: 6,
  'kill-function': 8,
  freeze: 8,
  strike: 8,
  'set-owner': 12,
  merge: 1.5,
  archive: 1,
  'opt-out': 1,
  deliver: 30,
} as const;

/** Before the first and after the last end of the engine it can do some work. */
const ENGINE_WARM_MS = 12_000;
const ENGINE_KILLS_PER_MINUTE = 1.5;

/** It takes most of a minute until a person is asked who sees no more. */
const BLIND_EVERY_MS = 90_000;

/** Some outlast the function's timeout of 3 s, at which the engine ends them. */
const LONGEST_FREEZE_MS = 3_500;

/**
 * What chaos does and when, in order. The same numbers give the same schedule; what meets what still depends on how fast the machine
 * is, because the processes are real.
 */
export function scheduleOf(options: { seed: number; minutes: number; leads: number }): Scheduled[] {
  const totalMs = options.minutes * 60_000;
  const { seed, leads } = options;
  const submits = Array.from({ length: leads }, (_, lead): Scheduled => {
    return { atMs: Math.floor((lead * totalMs) / leads), deed: { do: 'submit', lead } };
  });
  const others = atRandom(PER_MINUTE, deedOf, options);
  const people = atRandom(RECOVERY_PER_MINUTE, recoveryDeedOf, options);
  return [...submits, ...others, ...people, ...blindings(seed, totalMs), ...engineKills(seed, totalMs)].sort(
    byTime,
  );
}

/** What people still do after the faults were taken away. */
export function settlingOf(options: { seed: number; minutes: number }): Scheduled[] {
  const deed = (kind: keyof typeof SETTLING_PER_MINUTE, random: Random) => recoveryDeedOf(kind, random);
  return atRandom(SETTLING_PER_MINUTE, deed, options, 'settling ').sort(byTime);
}

function byTime(a: Scheduled, b: Scheduled): number {
  return a.atMs - b.atMs;
}

/** Each kind has random numbers of its own, so that drawing more of one changes no other. */
function atRandom<K extends string>(
  perMinute: Readonly<Record<K, number>>,
  deed: (kind: K, random: Random) => Deed,
  { seed, minutes }: { seed: number; minutes: number },
  stream = '',
): Scheduled[] {
  return (Object.entries(perMinute) as [K, number][]).flatMap(([kind, rate]) => {
    const random = seeded(seed, `${stream}${kind}`);
    return Array.from({ length: Math.round(rate * minutes) }, (): Scheduled => {
      const atMs = Math.floor(random.next() * minutes * 60_000);
      return { atMs, deed: deed(kind, random) };
    });
  });
}

/** The first one at once. */
function blindings(seed: number, totalMs: number): Scheduled[] {
  const random = seeded(seed, 'blind');
  return Array.from({ length: Math.ceil(totalMs / BLIND_EVERY_MS) }, (_, i) => ({
    atMs: i * BLIND_EVERY_MS,
    deed: { do: 'blind', faults: blindness(random) },
  }));
}

function engineKills(seed: number, totalMs: number): Scheduled[] {
  const random = seeded(seed, 'kill-engine');
  const usableMs = totalMs - 2 * ENGINE_WARM_MS;
  if (usableMs <= 0) return [];
  const count = Math.max(1, Math.round((ENGINE_KILLS_PER_MINUTE * totalMs) / 60_000));
  const share = usableMs / count;
  return Array.from({ length: count }, (_, i) => ({
    atMs: Math.floor(ENGINE_WARM_MS + (i + random.next() * 0.6) * share),
    deed: { do: 'kill-engine', downMs: random.whole(0, 2_000) },
  }));
}

function deedOf(kind: keyof typeof PER_MINUTE, random: Random): Deed {
  switch (kind) {
    case 'again':
      return {
        do: kind,
        // Old ones as well: a source may repeat itself a long time later.
        back: random.chance(0.3) ? random.whole(0, 60) : recent(random),
        as: random.pick(['same', 'same', 'same', 'reordered', 'reordered', 'other-fields']),
      };
    case 'fault':
      return { do: kind, fault: anyFault(random) };
    case 'refuse':
      return { do: kind, fault: refusedWrite(random) };
    case 'lag':
      return {
        do: kind,
        searchLagMs: random.whole(0, LONGEST_SEARCH_LAG_MS),
        keyReadLagMs: random.chance(0.5) ? 0 : random.whole(0, LONGEST_READ_LAG_MS),
      };
    case 'kill-function':
      return { do: kind, pick: random.next() };
    case 'freeze':
      return { do: kind, pick: random.next(), forMs: random.whole(300, LONGEST_FREEZE_MS) };
    case 'strike':
      return { do: kind, action: random.pick(ACTIONS), delayMs: random.whole(600, 900) };
    case 'set-owner':
      return {
        do: kind,
        back: recent(random),
        ownerId: random.chance(0.1) ? null : random.pick(PERSONS_OWNERS),
      };
    case 'merge':
      return { do: kind, back: recent(random), survivor: random.pick(['lead', 'other']) };
    case 'archive':
    case 'opt-out':
      return { do: kind, back: recent(random) };
    case 'deliver':
      return {
        do: kind,
        back: recent(random),
        action: random.pick(ACTIONS),
        attempt: random.pick(['current', 'current', 'older', 'next']),
        execution: random.chance(0.1) ? 'other' : 'current',
      };
  }
}

/** One of those that are probably still under way. */
function recent(random: Random): number {
  return Math.min(random.whole(0, 7), random.whole(0, 7));
}
