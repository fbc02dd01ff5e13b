import type { ActionName, LeadKey } from '../../functions/domain/action.ts';
import type { Waiting } from '../../functions/domain/handoff.ts';
import { chooseRoutes, destinationsOf } from '../choose-route.ts';
import { type CommandContext, type ExitCode, printJson } from '../context.ts';
import { waitingTable } from '../render/waiting-table.ts';

export interface WaitingOptions {
  readonly route?: string;
  readonly json?: boolean;
}

/** Waiting work as people and scripts see it: without its task token. Times are ISO 8601. */
export interface WaitingItem extends LeadKey {
  readonly action: ActionName;
  readonly kind: Waiting['kind'];
  /** The person who is asked, or what is waited for. */
  readonly who: string;
  readonly why: string;
  readonly since: string;
  readonly dueAt: string | null;
  readonly overdue: boolean;
  /** How often it was escalated. */
  readonly asked: number;
}

/**
 * Lists what waits for a person and what is parked, oldest first.
 *
 * @throws WrongUsage, LedgerUnavailable
 */
export async function waiting(options: WaitingOptions, context: CommandContext): Promise<ExitCode> {
  const { aws, terminal, clock } = context;
  const names = chooseRoutes(context.routes, options.route).map((route) => route.name);
  const parkedBy = new Set([...context.routes.flatMap(destinationsOf), ...names]);
  const lists = await Promise.all([
    ...names.map((name) => aws.ledger.listWaiting('ask', name)),
    ...[...parkedBy].map((name) => aws.ledger.listWaiting('park', name)),
  ]);
  const now = clock();
  const items = lists
    .flat()
    .filter((item) => names.includes(item.route))
    .sort((a, b) => a.since - b.since)
    .map((item) => shown(item, now));
  if (options.json) printJson(terminal, { waiting: items });
  else terminal.print(items.length === 0 ? 'Nothing waits.' : waitingTable(items, terminal));
  return 0;
}

function shown(item: LeadKey & Waiting, now: number): WaitingItem {
  const { route, leadRequestId, action, kind, who, why, since, dueAt, asked } = item;
  return {
    route,
    leadRequestId,
    action,
    kind,
    who,
    why,
    since: new Date(since).toISOString(),
    dueAt: dueAt === null ? null : new Date(dueAt).toISOString(),
    overdue: dueAt !== null && dueAt < now,
    asked,
  };
}
