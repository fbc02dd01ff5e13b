import type { LeadKey } from '../../functions/domain/action.ts';
import { UnknownHandoff } from '../../functions/domain/errors.ts';
import type { LedgerRecord } from '../../functions/domain/handoff.ts';
import { recoveryRecord } from '../../functions/domain/recovery-record.ts';
import type { AwsAccess } from '../aws/access.ts';
import { executionStatuses, hasEnded } from '../aws/execution-status.ts';
import { chooseRoute } from '../choose-route.ts';
import { type CommandContext, type ExitCode, printJson } from '../context.ts';
import { WrongUsage } from '../errors.ts';
import { answerTimeMs } from '../overdue.ts';
import { handoffText } from '../render/handoff-text.ts';

export interface ShowOptions {
  readonly route?: string;
  readonly json?: boolean;
}

/**
 * Shows what the ledger knows of one handoff, and whether its execution still runs. As JSON with the lead, which the ledger alone
 * holds.
 *
 * @throws WrongUsage, UnknownHandoff, LedgerUnavailable
 */
export async function show(
  leadRequestId: string,
  options: ShowOptions,
  context: CommandContext,
): Promise<ExitCode> {
  const { terminal, aws, clock } = context;
  const route = chooseRoute(context.routes, options.route);
  if (!/^[A-Za-z0-9_-]{1,64}$/.test(leadRequestId)) {
    throw new WrongUsage('A lead request id has 1 to 64 of the characters A-Z a-z 0-9 _ -.');
  }
  const { record, executionStatus } = await look({ route: route.name, leadRequestId }, aws);
  if (options.json) {
    printJson(terminal, { ...recoveryRecord(record), executionStatus, lead: record.handoff.lead });
    return 0;
  }
  const { colour, columns } = terminal;
  const answerMs = answerTimeMs(route, aws.settings.stage);
  terminal.print(handoffText(record, { now: clock(), colour, columns, answerMs, executionStatus }));
  return 0;
}

interface Look {
  readonly record: LedgerRecord;
  /** Null where the handoff is closed, and where Step Functions did not say. */
  readonly executionStatus: string | null;
}

/** An execution that ends between the two questions has written what it did: then the ledger is asked again. */
async function look(key: LeadKey, aws: AwsAccess): Promise<Look> {
  const record = await recordOf(key, aws);
  const { execution, closedAt } = record.handoff;
  if (closedAt !== null) return { record, executionStatus: null };
  const executionStatus = (await executionStatuses(aws, [execution])).get(execution) ?? null;
  if (!hasEnded(executionStatus)) return { record, executionStatus };
  const after = await recordOf(key, aws);
  const same = after.handoff.execution === execution && after.handoff.closedAt === null;
  return { record: after, executionStatus: same ? executionStatus : null };
}

async function recordOf(key: LeadKey, { ledger }: AwsAccess): Promise<LedgerRecord> {
  const record = await ledger.record(key);
  if (!record) throw new UnknownHandoff(key.route, key.leadRequestId);
  return record;
}
