import type { RouteWaits } from '../adapters/metrics.ts';
import type { LeadKey } from '../domain/action.ts';
import type { OpenHandoff, Waiting } from '../domain/handoff.ts';
import type { Random } from '../ports/clock.ts';
import type { RecoveryPorts } from './ports.ts';
import { sweepDeadLetter } from './sweep-dead-letter.ts';
import { graceMs, sweepHandoff } from './sweep-handoff.ts';
import { waitingOnRoute } from './waiting-list.ts';

export interface SweepPorts extends RecoveryPorts {
  readonly random: Random;
  /** Milliseconds until this sweep must have come to its end. */
  readonly remainingMs: () => number;
}

/** What a sweep of a route came to. */
export interface RouteSwept {
  readonly looked: number;
  /** How many there was no time for. */
  readonly left: number;
  readonly failed: readonly { readonly leadRequestId: string; readonly errorName: string }[];
  readonly waits: RouteWaits;
}

/** So many handoffs fit into any sweep; where there are more, each sweep begins somewhere else, so that every one has its turn. */
const ALWAYS_FIT = 100;

/** One thing to look after. */
interface Task {
  readonly leadRequestId: string;
  readonly look: () => Promise<void>;
}

/**
 * Looks after every open handoff of a route, one after the other, as far as the time reaches: first what is on the waiting list and
 * not timed by the workflow, dead letters included, then the others, oldest first. An error of one does not keep the others from
 * their turn.
 *
 * @throws LedgerUnavailable where the lists cannot be read
 */
export async function sweepRoute(ports: SweepPorts): Promise<RouteSwept> {
  const tasks = await inOrder(ports);
  const failed: { leadRequestId: string; errorName: string }[] = [];
  let looked = 0;
  for (const { leadRequestId, look } of tasks) {
    if (ports.remainingMs() <= 0) break;
    looked += 1;
    try {
      await look();
    } catch (error) {
      failed.push({ leadRequestId, errorName: nameOf(error) });
    }
  }
  return { looked, left: tasks.length - looked, failed, waits: await routeWaits(ports) };
}

async function inOrder(ports: SweepPorts): Promise<readonly Task[]> {
  const { ledger, route } = ports;
  const open = await ledger.listOpen(route.name);
  const openIds = new Set(open.map(({ leadRequestId }) => leadRequestId));
  const untimed = (await waitingOnRoute(ports)).filter(
    ({ leadRequestId, token }) => token === null || !openIds.has(leadRequestId),
  );
  const isDeadLetter = ({ action }: Waiting) => action === 'dead-letter';
  const handoffs = [...untimed.filter((item) => !isDeadLetter(item)), ...inTurn(open, ports)];
  return [
    ...untimed.filter(isDeadLetter).map((item) => deadLetterTask(item, ports)),
    ...new Map(handoffs.map((key) => [key.leadRequestId, handoffTask(key, ports)])).values(),
  ];
}

/** Oldest first, or around from somewhere else where there are too many; without those that were just accepted and are being started. */
function inTurn(all: readonly OpenHandoff[], { random, clock, numbers }: SweepPorts): readonly OpenHandoff[] {
  const open = all.filter(({ acceptedAt }) => clock() - acceptedAt > graceMs(numbers));
  const start = open.length > ALWAYS_FIT ? Math.floor(random() * open.length) : 0;
  return [...open.slice(start), ...open.slice(0, start)];
}

function handoffTask({ route, leadRequestId }: LeadKey, ports: SweepPorts): Task {
  return { leadRequestId, look: () => sweepHandoff({ route, leadRequestId }, ports) };
}

function deadLetterTask(
  { route, leadRequestId, messageId = '' }: LeadKey & Waiting,
  ports: SweepPorts,
): Task {
  return { leadRequestId, look: () => sweepDeadLetter({ route, leadRequestId }, messageId, ports) };
}

async function routeWaits(ports: SweepPorts): Promise<RouteWaits> {
  const all = await waitingOnRoute(ports);
  const asked = all.filter(({ kind }) => kind === 'ask');
  const [oldest] = asked;
  return {
    route: ports.route.name,
    waiting: asked.length,
    oldestSeconds: oldest ? Math.max(0, Math.floor((ports.clock() - oldest.since) / 1000)) : 0,
    parked: all.length - asked.length,
  };
}

export function nameOf(error: unknown): string {
  return error instanceof Error ? error.name : 'unknown';
}
