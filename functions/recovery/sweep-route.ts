import type { RouteWaits } from '../adapters/metrics.ts';
import type { LeadKey } from '../domain/action.ts';
import type { Random } from '../ports/clock.ts';
import type { RecoveryPorts } from './ports.ts';
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

/**
 * Looks after every open handoff of a route, one after the other, as far as the time reaches: first those on the waiting list that
 * the workflow does not look after, then the others, oldest first. An error of one does not keep the others from their turn.
 *
 * @throws LedgerUnavailable where the lists cannot be read
 */
export async function sweepRoute(ports: SweepPorts): Promise<RouteSwept> {
  const keys = await inOrder(ports);
  const failed: { leadRequestId: string; errorName: string }[] = [];
  let looked = 0;
  for (const key of keys) {
    if (ports.remainingMs() <= 0) break;
    looked += 1;
    try {
      await sweepHandoff(key, ports);
    } catch (error) {
      failed.push({ leadRequestId: key.leadRequestId, errorName: nameOf(error) });
    }
  }
  return { looked, left: keys.length - looked, failed, waits: await routeWaits(ports) };
}

async function inOrder(ports: SweepPorts): Promise<readonly LeadKey[]> {
  const { ledger, route, random, clock, numbers } = ports;
  const all = await ledger.listOpen(route.name);
  const openIds = new Set(all.map(({ leadRequestId }) => leadRequestId));
  // One that was just accepted is being started.
  const open = all.filter(({ acceptedAt }) => clock() - acceptedAt > graceMs(numbers));
  const unattended = (await waitingOnRoute(ports)).filter(
    ({ leadRequestId, token }) => token === null || !openIds.has(leadRequestId),
  );
  const start = open.length > ALWAYS_FIT ? Math.floor(random() * open.length) : 0;
  const ids = [...unattended, ...open.slice(start), ...open.slice(0, start)].map(
    ({ leadRequestId }) => leadRequestId,
  );
  return [...new Set(ids)].map((leadRequestId) => ({ route: route.name, leadRequestId }));
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
