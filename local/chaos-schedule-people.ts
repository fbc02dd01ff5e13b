import { ACTIONS, type ActionName } from '../functions/domain/action.ts';
import type { Random } from './chaos-random.ts';

/** Functions by which people recover leads, and whose processes are ended while they work. */
export const RECOVERY_FUNCTIONS = ['decide', 'ask', 'execution-ended', 'sweep'] as const;

/** What nobody may decide, whatever waits. */
export const MISTAKES = [
  'wrong-finding',
  'no-approver',
  'impossible',
  'no-reason',
  'no-decision',
  'unknown-lead',
  'closed',
] as const;

/**
 * What people do who recover leads, and what happens to them. `lead` in [0, 1) names one of those that wait then; `back` one by the
 * order in which they were accepted, as elsewhere.
 */
export type RecoveryDeed =
  | {
      readonly do: 'decide';
      readonly lead: number;
      /** In [0, 1): which of the choices that the record offers, for the first and for a second person. */
      readonly choices: readonly [number, number];
      /**
       * `again`: the same decision twice at once, and once more later. `against`: two people at once, who decide differently. `late`:
       * a while after the record was read.
       */
      readonly how: 'once' | 'again' | 'against' | 'late';
      readonly laterMs: number;
      /** What becomes of a take-over: done by hand and confirmed, given back, or forgotten. */
      readonly afterwards: 'by-hand' | 'release' | 'forget';
    }
  | {
      readonly do: 'misdecide';
      readonly lead: number;
      readonly as: (typeof MISTAKES)[number];
    }
  /** Somebody writes again, with corrected fields: one who waits, or where nobody does one who came lately. */
  | { readonly do: 'correct'; readonly lead: number; readonly back: number }
  | { readonly do: 'stop-action'; readonly back: number; readonly action: ActionName }
  /** Once the action's write has reached the destination, and while its answer is still out. */
  | { readonly do: 'stop-at-work'; readonly action: ActionName; readonly delayMs: number }
  /** A null lead: one that was accepted lately, whatever it does. */
  | {
      readonly do: 'resubmit';
      readonly lead: number | null;
      readonly back: number;
      readonly people: 1 | 2;
    }
  | { readonly do: 'stop-execution'; readonly lead: number | null; readonly back: number }
  /** `pick` in [0, 1) chooses among the executions that were stopped, of runs before the current one as well. */
  | { readonly do: 'redrive'; readonly pick: number }
  | { readonly do: 'lose-wait'; readonly lead: number; readonly pick: number }
  | { readonly do: 'sweep'; readonly times: 1 | 2 }
  /** Ends the processes of a function so long after one of them began to work. */
  | {
      readonly do: 'strike-recovery';
      readonly name: (typeof RECOVERY_FUNCTIONS)[number];
      readonly delayMs: number;
    };

/** How often each is done in a minute. */
export const RECOVERY_PER_MINUTE = {
  decide: 26,
  misdecide: 6,
  correct: 12,
  'stop-action': 3,
  'stop-at-work': 3,
  resubmit: 6,
  'stop-execution': 6,
  redrive: 5,
  'lose-wait': 4,
  sweep: 2,
  'strike-recovery': 12,
} as const;

/** What people still do in a minute when nothing goes wrong any more. */
export const SETTLING_PER_MINUTE = { decide: 40, misdecide: 4, 'stop-action': 2, resubmit: 6 } as const;

export function recoveryDeedOf(kind: keyof typeof RECOVERY_PER_MINUTE, random: Random): RecoveryDeed {
  switch (kind) {
    case 'decide':
      return {
        do: kind,
        lead: random.next(),
        choices: [random.next(), random.next()],
        how: random.pick(['once', 'once', 'once', 'again', 'against', 'against', 'late']),
        laterMs: random.whole(200, 6_000),
        afterwards: random.pick(['by-hand', 'by-hand', 'by-hand', 'release', 'release', 'forget']),
      };
    case 'misdecide':
      return {
        do: kind,
        lead: random.next(),
        as: random.pick(MISTAKES),
      };
    case 'correct':
      return { do: kind, lead: random.next(), back: random.whole(0, 3) };
    case 'stop-action':
      return { do: kind, back: random.whole(0, 7), action: random.pick(ACTIONS) };
    case 'stop-at-work':
      return { do: kind, action: random.pick(ACTIONS), delayMs: random.whole(600, 900) };
    case 'resubmit':
      return { do: kind, ...anyLead(random), people: random.pick([1, 2]) };
    case 'stop-execution':
      return { do: kind, ...anyLead(random) };
    case 'redrive':
      return { do: kind, pick: random.next() };
    case 'lose-wait':
      return { do: kind, lead: random.next(), pick: random.next() };
    case 'sweep':
      return { do: kind, times: random.pick([1, 2]) };
    case 'strike-recovery':
      return { do: kind, name: random.pick(RECOVERY_FUNCTIONS), delayMs: random.whole(0, 120) };
  }
}

/** Half of them wait, the others may be under way. */
function anyLead(random: Random): { lead: number | null; back: number } {
  return { lead: random.chance(0.5) ? random.next() : null, back: random.whole(0, 7) };
}
