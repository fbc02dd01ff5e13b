import { type ActionState, type Claim, FINAL_PHASES } from '../../../functions/domain/action-state.ts';
import type { RecordedDecision } from '../../../functions/domain/decision.ts';
import { START } from '../clock.ts';
import { type World, waitingOf } from './world.ts';

/** Every number above this is a time. */
const TIMES_ABOVE = 1_000_000_000_000;

export interface Memory {
  /** How far back a time may still decide something. */
  readonly memoryMs: number;
  /** The time of the last read is among them. */
  readonly reads: boolean;
  /** Further runs of the handoff may start, and deliver every attempt once more. */
  readonly runs: boolean;
}

/**
 * The same world, told from its own present: where no function runs, nobody holds an old version, id or time, so versions, ids and
 * hashes get fixed names, what is long over loses its exact time (not its order), and the clock starts again. So do loops close.
 */
export function canonical(world: World, memory: Memory): World {
  if (world.processes.length > 0) return world;
  return shifted(renamed(world, memory), memory.memoryMs);
}

function renamed(world: World, { reads, runs }: Memory): World {
  const { action } = world;
  const revisions = [...new Set([action.operation?.revision ?? action.nextRevision, action.nextRevision])];
  const numberOf = (revision: number) => revisions.indexOf(revision) + 1;
  const hashOf = (revision: number) => `body-${numberOf(revision)}`;
  const { holders } = world.ghost;
  const tokenOf = tokenNames(world);
  const isListed = waitingOf(world)?.token != null;
  return {
    ...world,
    started: 0,
    operations: world.operations
      .filter(({ revision }) => revisions.includes(revision))
      .sort((a, b) => a.revision - b.revision)
      .map((one) => ({ ...one, revision: numberOf(one.revision), bodyHash: hashOf(one.revision) }))
      .map((one) => ('dueAt' in one.body ? { ...one, body: { ...one.body, dueAt: 0 } } : one)),
    action: forgetful({
      ...action,
      version: Math.min(action.version, 1),
      claim: action.claim && { ...action.claim, id: 'claim', by: nameless(action.claim.by) },
      grant: action.grant && {
        ...action.grant,
        evidenceHash: 'evidence',
        ...(action.grant.amendment ? { amendment: { ...action.grant.amendment, at: 0 } } : {}),
      },
      amendment: action.amendment && { ...action.amendment, at: 0 },
      operation: action.operation && {
        ...action.operation,
        revision: numberOf(action.operation.revision),
        bodyHash: hashOf(action.operation.revision),
      },
      nextRevision: numberOf(action.nextRevision),
      lastRead: action.lastRead && {
        ...action.lastRead,
        id: 'read',
        at: reads && !isListed ? action.lastRead.at : 0,
        heard: action.lastRead.heard === action.decision?.id ? action.lastRead.heard : null,
      },
      lastDecision: action.lastDecision && timeless(action.lastDecision),
      earlierDecisions: action.earlierDecisions.map(timeless),
      // A time that has passed holds nothing back.
      notBefore: action.notBefore !== null && action.notBefore <= world.now ? null : action.notBefore,
      history: [],
    }),
    remembered: stillAsked(world, runs),
    flows: world.flows.map((flow) => ({ ...flow, token: tokenOf(flow.token) })),
    waiting: world.waiting.map((item) => ({
      ...item,
      token: tokenOf(item.token),
      // The workflow looks at the clock for whoever waits behind a token.
      ...(item.token === null ? {} : { since: 0, dueAt: null }),
    })),
    ghost: {
      ...world.ghost,
      told: tokenOf(world.ghost.told),
      answers: Object.fromEntries(
        Object.entries(world.ghost.answers).map(([name, one]) => [
          name,
          { ...one, decision: { ...one.decision, at: 0 } },
        ]),
      ),
      holders: Object.fromEntries(Object.keys(holders).map((attempt) => [attempt, 'somebody before'])),
    },
  };
}

/** When a decision was made is only shown to people. */
function timeless(recorded: RecordedDecision): RecordedDecision {
  return { ...recorded, decision: { ...recorded.decision, at: 0 } };
}

/** A person goes on to be asked by name. */
function nameless(by: Claim['by']): Claim['by'] {
  return by.kind === 'person' ? by : { ...by, name: 'somebody' };
}

/** A token is named after the flow that waits behind it. */
function tokenNames({ flows }: World): (token: string | null) => string | null {
  return (token) => {
    const flow = token === null ? undefined : flows.find((one) => one.token === token);
    return flow ? `token of ${flow.execution}` : token && 'token of nobody';
  };
}

/** What is final is not held back or claimed any more, so its times decide nothing. */
function forgetful(action: ActionState): ActionState {
  if (!FINAL_PHASES.includes(action.phase)) return action;
  return { ...action, claim: null, firstClaimAt: null, settledAt: null, notBefore: null, backOff: null };
}

/** An attempt that nobody will deliver again is not asked for. */
function stillAsked({ remembered, flows, budget }: World, mayStartAgain: boolean): World['remembered'] {
  if (mayStartAgain || budget.takeovers > 0) return remembered;
  const spare = budget.duplicates > 0 ? 1 : 0;
  const running = flows.filter(({ state }) => state !== 'end');
  const asking = budget.duplicates > 0 ? flows : running;
  const lowest = Math.min(...asking.map(({ attempt }) => attempt - spare));
  const entries = Object.entries(remembered).filter(([key]) => Number(key.split('#').at(-1)) >= lowest);
  return Object.fromEntries(entries);
}

function shifted(world: World, memoryMs: number): World {
  const oldest = world.now - memoryMs;
  const old = new Set<number>();
  visit(world, (time) => {
    if (time < oldest) old.add(time);
    return time;
  });
  // Nothing lies between two old times any more, but what was before stays before.
  const ranks = new Map(
    [...old].sort((a, b) => b - a).map((time, rank) => [time, START - memoryMs - 1 - rank]),
  );
  const shift = START - world.now;
  return visit(world, (time) => ranks.get(time) ?? time + shift) as World;
}

/** A copy in which every time is replaced. */
function visit(value: unknown, replace: (time: number) => number): unknown {
  if (typeof value === 'number') return value > TIMES_ABOVE ? replace(value) : value;
  if (value === null || typeof value !== 'object') return value;
  if (Array.isArray(value)) return value.map((item) => visit(item, replace));
  const copy: Record<string, unknown> = {};
  for (const key in value) copy[key] = visit((value as Record<string, unknown>)[key], replace);
  return copy;
}
