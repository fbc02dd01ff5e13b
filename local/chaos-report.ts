import { ACTIONS } from '../functions/domain/action.ts';
import { handoffStatus, type LedgerRecord } from '../functions/domain/handoff.ts';
import type { Books, Imbalance } from './chaos-books.ts';
import { hasId, stampOf } from './chaos-books-effects.ts';
import { actionOf } from './chaos-books-ledger.ts';
import type { Journal, Totals, TrackedLead } from './chaos-journal.ts';
import type { Inspection } from './chaos-sandbox.ts';

/** The run as `--json` prints it. */
export interface Report {
  readonly seed: number;
  readonly minutes: number;
  /** How many leads ended how. */
  readonly statuses: Readonly<Record<string, number>>;
  /** Reasons for which people are asked, and how often. */
  readonly asked: Readonly<Record<string, number>>;
  readonly warnings: Readonly<Record<string, number>>;
  readonly effects: { readonly contacts: number; readonly tasks: number; readonly emails: number };
  readonly requests: number;
  readonly faultsMet: Readonly<Record<string, number>>;
  /** Leads that the pace left no room for. */
  readonly notSubmitted: number;
  readonly totals: Totals;
  readonly imbalances: readonly (Imbalance & { readonly history: readonly string[] })[];
}

export function reportOf(
  { seed, minutes, notSubmitted }: { seed: number; minutes: number; notSubmitted: number },
  journal: Journal,
  books: Books,
  imbalances: readonly Imbalance[],
): Report {
  const records = books.leads.flatMap(({ record }) => record ?? []);
  const { contacts, tasks, emails, requests, requestsDropped } = books.inspection;
  return {
    seed,
    minutes,
    statuses: counted(records.map(handoffStatus)),
    asked: counted(records.flatMap(({ waiting }) => waiting.map(({ action, why }) => `${action}: ${why}`))),
    warnings: counted(records.flatMap(({ actions }) => actions.flatMap(({ warnings }) => warnings))),
    effects: { contacts: contacts.length, tasks: tasks.length, emails: emails.length },
    requests: requests.length + requestsDropped,
    faultsMet: counted(requests.flatMap(({ fault }) => fault?.split('+') ?? [])),
    notSubmitted,
    totals: journal.totals,
    imbalances: imbalances.map((imbalance) => ({
      ...imbalance,
      history: historyOf(imbalance.leadRequestId, journal.leads, books),
    })),
  };
}

function counted(values: readonly string[]): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const value of values.toSorted()) counts[value] = (counts[value] ?? 0) + 1;
  return counts;
}

/** Everything that is known of a lead: what chaos did, what the ledger tells, what the destinations hold. */
function historyOf(leadRequestId: string | null, tracked: readonly TrackedLead[], books: Books): string[] {
  const mine = tracked.find(({ lead }) => lead.leadRequestId === leadRequestId);
  const record = books.leads.find(({ lead }) => lead.leadRequestId === leadRequestId)?.record;
  return [
    ...(mine?.deeds.map((deed) => `chaos: ${deed}`) ?? []),
    ...(record ? [...ledgerLines(record), ...effectLines(record, books.inspection)] : []),
    ...(books.executions
      .find(({ name }) => name === record?.handoff.execution)
      ?.lastEvents.map((event) => `execution: ${event}`) ?? []),
  ];
}

function ledgerLines(record: LedgerRecord): string[] {
  const actions = ACTIONS.flatMap((name) => {
    const { phase, attempt, reason, evidence, warnings, history } = actionOf(record, name);
    return [
      `ledger: ${name} ${phase}, attempt ${attempt}, ${reason ?? 'no reason'}, record ${evidence?.recordId ?? 'none'} (${evidence?.kind ?? 'no evidence'}) ${warnings.join(' ')}`,
      ...history.map((entry) => `  ${iso(entry.at)} ${entry.event} ${entry.attempt} ${entry.detail ?? ''}`),
    ];
  });
  const waiting = record.waiting.map(
    ({ action, kind, who, why, since }) => `waiting: ${action} ${kind} ${who}, ${why}, since ${iso(since)}`,
  );
  const frozen = record.operations.map(
    ({ action, revision, frozenAt, body }) =>
      `frozen: ${iso(frozenAt)} ${action} revision ${revision}${'baseline' in body ? ` ${JSON.stringify(body.baseline)}` : ''}`,
  );
  return [
    `handoff: ${handoffStatus(record)}, accepted ${iso(record.handoff.acceptedAt)}`,
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

export function textOf(report: Report): string {
  const { totals, effects, imbalances } = report;
  const list = (counts: Readonly<Record<string, number>>) =>
    Object.entries(counts)
      .map(([name, count]) => `${name} ${count}`)
      .join(', ') || 'none';
  const lines = [
    `Seed ${report.seed}, ${report.minutes} minutes. The seed repeats what was done and when, not what it met: the processes are real.`,
    '',
    `leads                 ${totals.submitted} (${list(report.statuses)}); the pace left ${report.notSubmitted} out`,
    `submitted again       ${totals.repeated} repeated, ${totals.conflicts} conflicts`,
    `function processes    ${totals.functionKills} killed, in ${totals.strikes} strikes and at any time; ${totals.freezes} stopped for a while`,
    `engine                ${totals.engineRestarts} times killed and restarted`,
    `faults planned        ${list(totals.faultsPlanned)}; ${totals.faultsSkipped} left out`,
    `faults met            ${list(report.faultsMet)}`,
    `attempts delivered    ${list(totals.deliveries)}`,
    `people                ${totals.reassignments} reassignments, ${totals.merges} merges, ${totals.archived} archived, ${totals.optOuts} opt-outs`,
    `left out when busy    ${list(totals.leftOut)}`,
    `met nothing           ${list(totals.missed)}`,
    `destinations hold     ${effects.contacts} contacts, ${effects.tasks} tasks, ${effects.emails} emails after ${report.requests} requests`,
    `people are asked      ${list(report.asked)}`,
    `warnings              ${list(report.warnings)}`,
    '',
  ];
  if (imbalances.length === 0) return [...lines, 'The books balance.', ''].join('\n');
  for (const { leadRequestId, kind, detail, history } of imbalances) {
    lines.push(
      `IMBALANCE ${kind} ${leadRequestId ?? ''}: ${detail}`,
      ...history.map((line) => `    ${line}`),
      '',
    );
  }
  return [...lines, `${imbalances.length} imbalances.`, ''].join('\n');
}
