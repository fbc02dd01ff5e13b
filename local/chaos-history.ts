import { GetExecutionHistoryCommand, type HistoryEvent } from '@aws-sdk/client-sfn';
import type { AwsAccess } from '../cli/aws/access.ts';
import { ACTIONS } from '../functions/domain/action.ts';
import { handoffStatus, type LedgerRecord } from '../functions/domain/handoff.ts';
import type { Books, Imbalance } from './chaos-books.ts';
import { hasId, stampOf } from './chaos-books-effects.ts';
import { actionOf } from './chaos-books-ledger.ts';
import type { TrackedLead } from './chaos-journal.ts';
import { executionArn, HANDOFF_MACHINE, leadOf } from './chaos-names.ts';
import type { Inspection } from './chaos-sandbox.ts';

const LAST_EVENTS = 60;
const LONGEST_CAUSE = 200;

/** The last events of each run of the leads that do not balance, oldest first, by the name of the execution. */
export type Events = ReadonlyMap<string, readonly string[]>;

export async function lastEventsOf(
  { stepFunctions }: AwsAccess,
  imbalances: readonly Imbalance[],
  { executions }: Books,
): Promise<Events> {
  const leads = new Set(imbalances.map(({ leadRequestId }) => leadRequestId));
  const found = new Map<string, readonly string[]>();
  for (const { name } of executions.filter((one) => leads.has(leadOf(one.name)))) {
    const command = new GetExecutionHistoryCommand({
      executionArn: executionArn(HANDOFF_MACHINE, name),
      reverseOrder: true,
      maxResults: LAST_EVENTS,
    });
    const { events = [] } = await stepFunctions.send(command);
    found.set(name, events.reverse().map(eventLine));
  }
  return found;
}

function eventLine({ timestamp, type, ...details }: HistoryEvent): string {
  const failure = Object.values(details).find((value) => typeof value === 'object' && 'error' in value);
  const entered = details.stateEnteredEventDetails?.name ?? '';
  const { error = '', cause = '' } = (failure ?? {}) as { error?: string; cause?: string };
  return `${timestamp?.toISOString()} ${type} ${entered}${error} ${cause.slice(0, LONGEST_CAUSE)}`.trimEnd();
}

/** Everything that is known of a lead: what chaos did, what the ledger tells, what the destinations hold. */
export function historyOf(
  leadRequestId: string | null,
  tracked: readonly TrackedLead[],
  books: Books,
  events: Events,
): string[] {
  const mine = tracked.find(({ lead }) => lead.leadRequestId === leadRequestId);
  const record = books.leads.find(({ lead }) => lead.leadRequestId === leadRequestId)?.record;
  return [
    ...(mine?.deeds.map((deed) => `chaos: ${deed}`) ?? []),
    ...(record ? [...ledgerLines(record), ...effectLines(record, books.inspection)] : []),
    ...books.executions
      .filter(({ name }) => leadRequestId !== null && leadOf(name) === leadRequestId)
      .toReversed()
      .flatMap(({ name, status }) => [
        `execution: ${name} ${status}`,
        ...(events.get(name) ?? []).map((event) => `  ${event}`),
      ]),
  ];
}

function ledgerLines(record: LedgerRecord): string[] {
  const { closedAt } = record.handoff;
  const actions = ACTIONS.flatMap((name) => {
    const { phase, attempt, reason, evidence, warnings, lastDecision, history } = actionOf(record, name);
    return [
      `ledger: ${name} ${phase}, attempt ${attempt}, ${reason ?? 'no reason'}, record ${evidence?.recordId ?? 'none'} (${evidence?.kind ?? 'no evidence'}) ${warnings.join(' ')}`,
      ...(lastDecision ? [`  last decision: ${lastDecision.decision.kind}, ${lastDecision.result}`] : []),
      ...history.map((entry) => `  ${iso(entry.at)} ${entry.event} ${entry.attempt} ${entry.detail ?? ''}`),
    ];
  });
  const waiting = record.waiting.map(
    ({ action, kind, who, why, since, token, execution }) =>
      `waiting: ${action} ${kind} ${who}, ${why}, since ${iso(since)}, of ${execution}, ${token ? 'with' : 'without'} a token`,
  );
  const frozen = record.operations.map(
    ({ action, revision, frozenAt, body }) =>
      `frozen: ${iso(frozenAt)} ${action} revision ${revision}${'baseline' in body ? ` ${JSON.stringify(body.baseline)}` : ''}`,
  );
  return [
    `handoff: ${handoffStatus(record)}, run ${record.handoff.run}, accepted ${iso(record.handoff.acceptedAt)}${closedAt === null ? '' : `, closed ${iso(closedAt)}`}`,
    ...actions,
    ...waiting,
    ...frozen,
  ];
}

function effectLines({ handoff, ...record }: LedgerRecord, inspection: Inspection): string[] {
  const { recordId } = actionOf(record, 'upsert-contact').evidence ?? {};
  const contacts = inspection.contacts.filter(
    (contact) => contact.email === handoff.lead.email || hasId(contact, recordId),
  );
  const about = `${handoff.route}/${handoff.leadRequestId}/`;
  const requests = inspection.requests.filter(({ path }) =>
    contacts.some(
      (contact) => path.includes(handoff.lead.email) || hasId(contact, path.slice(path.lastIndexOf('/') + 1)),
    ),
  );
  return [
    ...contacts.flatMap(({ id, mergedIds, archived, ownerHistory }) => [
      `contact: ${id}${mergedIds.length > 0 ? ` (was ${mergedIds.join(', ')})` : ''}${archived ? ', archived' : ''}`,
      ...ownerHistory.map(
        ({ timestamp, value, sourceType }) => `  ${timestamp} owner ${value || 'none'} by ${sourceType}`,
      ),
    ]),
    ...inspection.tasks.filter((task) => stampOf(task)?.startsWith(about)).map(({ id }) => `task: ${id}`),
    ...inspection.emails
      .filter(({ key }) => key?.startsWith(about))
      .map(({ id, acceptedAt, from }) => `email: ${id} accepted ${acceptedAt} from ${from}`),
    ...requests
      .slice(-60)
      .map(
        ({ at, operation, status, fault }) =>
          `request: ${at} ${operation} ${status ?? 'no answer'} ${fault ?? ''}`,
      ),
  ];
}

function iso(at: number): string {
  return new Date(at).toISOString();
}
