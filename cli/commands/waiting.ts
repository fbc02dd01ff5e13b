import type { LeadKey } from '../../functions/domain/action.ts';
import type { Waiting, WaitingSubject } from '../../functions/domain/handoff.ts';
import type { RouteSettings } from '../../functions/domain/route.ts';
import type { AwsAccess } from '../aws/access.ts';
import { executionStatuses, hasEnded } from '../aws/execution-status.ts';
import { chooseRoutes, destinationsOf } from '../choose-route.ts';
import { type CommandContext, type ExitCode, printJson } from '../context.ts';
import { answerTimeMs, overdueSince } from '../overdue.ts';
import { waitingTable } from '../render/waiting-table.ts';

export interface WaitingOptions {
  readonly route?: string;
  readonly json?: boolean;
}

/** Waiting work as people and scripts see it: without its task token. Times are ISO 8601. */
export interface WaitingItem extends LeadKey {
  readonly action: WaitingSubject;
  readonly kind: Waiting['kind'];
  /** The person who is asked, or what is waited for. */
  readonly who: string;
  readonly why: string;
  /** Of a `same-person` question: the person's other lead request. */
  readonly rival?: string;
  readonly since: string;
  readonly dueAt: string | null;
  readonly overdue: boolean;
  readonly overdueSince: string | null;
  /** How often it was escalated. */
  readonly asked: number;
  readonly execution: string;
  /** What Step Functions says of the execution; null where it did not say. One that ended does not go on by itself. */
  readonly executionStatus: string | null;
}

type WaitingWork = LeadKey & Waiting;

/**
 * Lists what waits for a person and what is parked, oldest first.
 *
 * @throws WrongUsage, LedgerUnavailable
 */
export async function waiting(options: WaitingOptions, context: CommandContext): Promise<ExitCode> {
  const { aws, terminal, clock } = context;
  const { colour, columns } = terminal;
  const routes = chooseRoutes(context.routes, options.route);
  const { work, statuses } = await look(() => listed(routes, context), aws);
  const now = clock();
  const items = work.map((one): WaitingItem => {
    const route = routes.find(({ name }) => name === one.route) as RouteSettings;
    const overdue = overdueSince(one, answerTimeMs(route, aws.settings.stage), now);
    return shown(one, overdue, statuses.get(one.execution) ?? null);
  });
  if (options.json) printJson(terminal, { waiting: items });
  else
    terminal.print(
      items.length === 0 ? 'Nothing waits.' : waitingTable(items, { colour, columns, place: aws.settings }),
    );
  return 0;
}

async function listed(routes: readonly RouteSettings[], context: CommandContext): Promise<WaitingWork[]> {
  const { ledger } = context.aws;
  const names = routes.map(({ name }) => name);
  const parkedBy = new Set([...context.routes.flatMap(destinationsOf), ...names]);
  const lists = await Promise.all([
    ...names.map((name) => ledger.listWaiting('ask', name)),
    ...[...parkedBy].map((name) => ledger.listWaiting('park', name)),
  ]);
  return lists
    .flat()
    .filter((item) => names.includes(item.route))
    .sort((a, b) => a.since - b.since);
}

/** What an execution did before it ended is in the ledger: where one has ended, the ledger is asked again. */
async function look(
  list: () => Promise<WaitingWork[]>,
  aws: AwsAccess,
): Promise<{ work: readonly WaitingWork[]; statuses: ReadonlyMap<string, string> }> {
  const work = await list();
  const statuses = await executionStatuses(
    aws,
    work.map(({ execution }) => execution),
  );
  return { work: [...statuses.values()].some(hasEnded) ? await list() : work, statuses };
}

function shown(item: WaitingWork, overdue: number | null, executionStatus: string | null): WaitingItem {
  const { route, leadRequestId, action, kind, who, why, rival, since, dueAt, asked, execution } = item;
  return {
    route,
    leadRequestId,
    action,
    kind,
    who,
    why,
    ...(rival === undefined ? {} : { rival }),
    since: new Date(since).toISOString(),
    dueAt: isoOrNull(dueAt),
    overdue: overdue !== null,
    overdueSince: isoOrNull(overdue),
    asked,
    execution,
    executionStatus,
  };
}

function isoOrNull(at: number | null): string | null {
  return at === null ? null : new Date(at).toISOString();
}
