import { STAGE_NUMBERS } from '../functions/domain/stage-numbers.ts';
import type { Random } from './chaos-random.ts';

/** A fault as the sandbox's `POST /faults` takes it. */
export interface ChaosFault {
  readonly operation: string;
  readonly kind: string;
  readonly times?: number;
  readonly delayMs?: number;
  readonly wire?: 'drop' | 'hang';
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly ownerId?: string;
}

const { landingBoundMs, httpTimeoutMs, readLagMs, searchLagMs } = STAGE_NUMBERS.local;

/** What the declared bounds allow, less what a busy machine adds: a destination that breaks its contract proves nothing. */
const WITHIN = 0.85;
export const LATEST_LANDING_MS = Math.floor(landingBoundMs * WITHIN);
export const LONGEST_SEARCH_LAG_MS = Math.floor(searchLagMs * WITHIN);
export const LONGEST_READ_LAG_MS = Math.floor(readLagMs * WITHIN);

const WRITES = ['create-contact', 'update-contact', 'set-owner', 'create-task', 'send-email'] as const;
const READS = [
  'read-contact',
  'read-owner',
  'search-tasks',
  'read-task',
  'list-emails',
  'read-email',
] as const;
/** The writes of an action, by which a kill is aimed at the moment in which nobody knows whether it happened. */
export const STRIKE_AT = {
  'upsert-contact': 'create-contact',
  'assign-owner': 'set-owner',
  'create-task': 'create-task',
  'send-introduction': 'send-email',
} as const;

/** For three actions that are in doubt; see `unreadableReads` of the stage. */
const BLIND_READS = 3 * STAGE_NUMBERS.local.unreadableReads;

export const PERSONS_OWNERS = ['82', '93', '71'] as const;

const ANSWERS = [
  'delay',
  'slow-body',
  'garbage',
  'drop',
  'hang',
  'rate-limit',
  'status-500',
  'status-503',
] as const;

/** Half of them meet a write. */
export function anyFault(random: Random): ChaosFault {
  if (random.chance(0.08)) return personActs(random);
  if (random.chance(0.5)) return answerFault(random.pick(READS), random.pick(ANSWERS), random);
  const operation = random.pick(WRITES);
  const kind = random.pick(['apply-then-drop', 'apply-then-drop', 'land-late', 'land-late', ...ANSWERS]);
  return answerFault(operation, kind, random);
}

/** The destination refuses a write, so that a person is asked what to do. */
export function refusedWrite(random: Random): ChaosFault {
  const operation = random.pick([...WRITES, 'create-task', 'send-email'] as const);
  return { operation, kind: 'status', status: 403 };
}

/**
 * Nobody can see for a while what became of some writes, until a person is asked who sees no more: the destination's answers to reads
 * fail more often than an action reads.
 */
export function blindness(random: Random): ChaosFault[] {
  const [write, read] = random.pick([
    ['create-task', 'search-tasks'],
    ['send-email', 'list-emails'],
  ] as const);
  return [
    { operation: write, kind: 'apply-then-drop' },
    { operation: write, kind: 'drop' },
    { operation: write, kind: 'apply-then-drop' },
    { operation: read, kind: 'status', status: 500, times: BLIND_READS },
  ];
}

/** A person changes the owner between our read and our write, where the destination cannot help us. */
function personActs(random: Random): ChaosFault {
  return {
    operation: random.pick(['read-contact', 'set-owner', 'send-email']),
    kind: 'person-sets-owner',
    ownerId: random.pick(PERSONS_OWNERS),
  };
}

function answerFault(operation: string, kind: string, random: Random): ChaosFault {
  const times = random.chance(0.2) ? 2 : 1;
  switch (kind) {
    case 'delay':
    case 'slow-body':
      return { operation, kind, delayMs: random.whole(100, httpTimeoutMs * 2) };
    case 'land-late':
      return random.chance(0.5)
        ? { operation, kind, wire: 'drop', delayMs: random.whole(50, LATEST_LANDING_MS) }
        : { operation, kind, wire: 'hang', delayMs: random.whole(50, httpTimeoutMs + LATEST_LANDING_MS) };
    case 'rate-limit': {
      const headers = { 'retry-after': String(random.whole(1, 3)) };
      return { operation, kind: 'status', status: 429, headers, times };
    }
    case 'status-500':
    case 'status-503':
      return { operation, kind: 'status', status: Number(kind.slice(-3)), times };
    default:
      return { operation, kind, times };
  }
}
