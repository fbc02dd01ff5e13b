import { ACTIONS, type LeadKey } from '../domain/action.ts';
import type { Waiting } from '../domain/handoff.ts';
import type { RecoveryPorts } from './ports.ts';

/** What waits on a route, as far as an answer may hold it. Times are ISO 8601; task tokens are never shown. */
export interface WaitingAnswer {
  readonly waiting: readonly {
    readonly leadRequestId: string;
    readonly action: Waiting['action'];
    readonly kind: Waiting['kind'];
    readonly who: string;
    readonly why: string;
    readonly rival?: string;
    readonly since: string;
    readonly dueAt: string | null;
  }[];
  /** How many more wait, all of them later. */
  readonly more: number;
}

/** Bytes of the longest answer; the output of an execution may have 256 KiB. */
const LONGEST_ANSWER = 200_000;

/** What waits on the route, for a person or for a destination, oldest first. Throws LedgerUnavailable. */
export async function waitingOnRoute({
  ledger,
  route,
  contractOf,
}: Pick<RecoveryPorts, 'ledger' | 'route' | 'contractOf'>): Promise<readonly (LeadKey & Waiting)[]> {
  const destinations = new Set(ACTIONS.map((action) => contractOf(action).destination));
  const lists = await Promise.all([
    ledger.listWaiting('ask', route.name),
    ...[...destinations].map((destination) => ledger.listWaiting('park', destination)),
  ]);
  return lists
    .flat()
    .filter((item) => item.route === route.name)
    .sort((a, b) => a.since - b.since);
}

/** Answers `waiting`: the oldest work that waits, and how much more there is. Throws LedgerUnavailable. */
export async function listWaiting(ports: RecoveryPorts): Promise<WaitingAnswer> {
  const all = (await waitingOnRoute(ports)).map(
    ({ leadRequestId, action, kind, who, why, rival, since, dueAt }) => ({
      leadRequestId,
      action,
      kind,
      who,
      why,
      ...(rival === undefined ? {} : { rival }),
      since: new Date(since).toISOString(),
      dueAt: dueAt === null ? null : new Date(dueAt).toISOString(),
    }),
  );
  let bytes = 0;
  const fits = all.findIndex((item) => {
    bytes += Buffer.byteLength(JSON.stringify(item)) + 1;
    return bytes > LONGEST_ANSWER;
  });
  const waiting = fits === -1 ? all : all.slice(0, fits);
  return { waiting, more: all.length - waiting.length };
}
