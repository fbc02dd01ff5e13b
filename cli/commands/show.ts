import { contractOf } from '../../functions/adapters/contracts.ts';
import type { LeadKey } from '../../functions/domain/action.ts';
import { UnknownHandoff } from '../../functions/domain/errors.ts';
import { filledRecord, type RecordOptions } from '../../functions/domain/filled-record.ts';
import type { LedgerRecord } from '../../functions/domain/handoff.ts';
import { maskedEmail } from '../../functions/domain/redaction.ts';
import type { RouteSettings } from '../../functions/domain/route.ts';
import { STAGE_NUMBERS } from '../../functions/domain/stage-numbers.ts';
import type { AwsAccess } from '../aws/access.ts';
import { hasEnded } from '../aws/execution-status.ts';
import { type Runs, runsOf } from '../aws/runs.ts';
import { chooseRoute } from '../choose-route.ts';
import { type CommandContext, type ExitCode, printJson } from '../context.ts';
import { OnlyDeadLetters } from '../errors.ts';
import { checkLeadRequestId } from '../lead-request-id.ts';
import { answerTimeMs } from '../overdue.ts';
import { handoffText } from '../render/handoff-text.ts';
import { timelineOf } from '../timeline.ts';

export interface ShowOptions {
  readonly route?: string;
  readonly json?: boolean;
}

/**
 * Shows the recovery record of one handoff, whether its execution still runs, and how it came to this. As JSON with the lead, which
 * the ledger alone holds.
 *
 * @throws WrongUsage, UnknownHandoff, OnlyDeadLetters, LedgerUnavailable
 */
export async function show(
  leadRequestId: string,
  options: ShowOptions,
  context: CommandContext,
): Promise<ExitCode> {
  const { terminal, aws } = context;
  const route = chooseRoute(context.routes, options.route);
  checkLeadRequestId(leadRequestId);
  const { record, executionStatus, runs } = await look({ route: route.name, leadRequestId }, aws);
  const recordOptions = recordOptionsOf(route, runs, context);
  const filled = filledRecord(record, recordOptions);
  const timeline = timelineOf(record, runs.runs);
  const { lead } = record.handoff;
  if (options.json) {
    printJson(terminal, { ...filled, executionStatus, timeline, lead });
    return 0;
  }
  const { colour, columns } = terminal;
  terminal.print(
    handoffText(filled, timeline, {
      record: recordOptions,
      lead: maskedEmail(lead.email),
      colour,
      columns,
      answerMs: answerTimeMs(route, aws.settings.stage),
      executionStatus,
    }),
  );
  return 0;
}

function recordOptionsOf(
  route: RouteSettings,
  { machine }: Runs,
  { aws, clock }: CommandContext,
): RecordOptions {
  const { stage, endpoint } = aws.settings;
  const numbers = STAGE_NUMBERS[stage];
  return {
    route,
    stage,
    endpoint,
    numbers,
    now: clock(),
    links: machine === null ? null : { stateMachineArn: machine },
    contractOf: (action) => contractOf(action, route, numbers),
  };
}

interface Look {
  readonly record: LedgerRecord;
  /** Null where the handoff is closed, and where Step Functions did not say. */
  readonly executionStatus: string | null;
  readonly runs: Runs;
}

/** An execution that ends between the two questions has written what it did: then the ledger is asked again. */
async function look(key: LeadKey, aws: AwsAccess): Promise<Look> {
  const record = await recordOf(key, aws);
  const { execution, run, closedAt } = record.handoff;
  const runs = await runsOf(aws, key, run);
  const told = runs.runs.find((one) => one.execution === execution)?.status ?? null;
  if (closedAt !== null) return { record, executionStatus: null, runs };
  if (!hasEnded(told)) return { record, executionStatus: told, runs };
  const after = await recordOf(key, aws);
  const same = after.handoff.execution === execution && after.handoff.closedAt === null;
  return { record: after, executionStatus: same ? told : null, runs };
}

async function recordOf(key: LeadKey, { ledger, settings }: AwsAccess): Promise<LedgerRecord> {
  const record = await ledger.record(key);
  if (record) return record;
  const { deadLetters } = await ledger.underId(key);
  if (deadLetters.length === 0) throw new UnknownHandoff(key.route, key.leadRequestId);
  throw new OnlyDeadLetters(key.route, key.leadRequestId, settings);
}
