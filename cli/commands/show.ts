import { UnknownHandoff } from '../../functions/domain/errors.ts';
import { recoveryRecord } from '../../functions/domain/recovery-record.ts';
import { chooseRoute } from '../choose-route.ts';
import { type CommandContext, type ExitCode, printJson } from '../context.ts';
import { WrongUsage } from '../errors.ts';
import { handoffText } from '../render/handoff-text.ts';

export interface ShowOptions {
  readonly route?: string;
  readonly json?: boolean;
}

/**
 * Shows what the ledger knows of one handoff. As JSON with the lead, which the ledger alone holds.
 *
 * @throws WrongUsage, UnknownHandoff, LedgerUnavailable
 */
export async function show(
  leadRequestId: string,
  options: ShowOptions,
  context: CommandContext,
): Promise<ExitCode> {
  const { terminal, aws, clock } = context;
  const route = chooseRoute(context.routes, options.route).name;
  if (!/^[A-Za-z0-9_-]{1,64}$/.test(leadRequestId)) {
    throw new WrongUsage('A lead request id has 1 to 64 of the characters A-Z a-z 0-9 _ -.');
  }
  const ledgerRecord = await aws.ledger.record({ route, leadRequestId });
  if (!ledgerRecord) throw new UnknownHandoff(route, leadRequestId);
  if (options.json) {
    printJson(terminal, { ...recoveryRecord(ledgerRecord), lead: ledgerRecord.handoff.lead });
  } else {
    terminal.print(handoffText(ledgerRecord, { now: clock(), colour: terminal.colour }));
  }
  return 0;
}
