import { type ActionName, operationIdentity } from '../functions/domain/action.ts';
import type { ActionState } from '../functions/domain/action-state.ts';
import type { LedgerRecord } from '../functions/domain/handoff.ts';
import type { LeadRequest } from '../functions/domain/lead-request.ts';
import type { BookedLead, Imbalance } from './chaos-books.ts';
import { isIdentity, stampOf } from './chaos-books-effects.ts';
import { actionOf } from './chaos-books-ledger.ts';
import { CORRECTION, hashOf } from './chaos-leads.ts';
import { mayHaveAmended, type PersonsRequest } from './chaos-requests.ts';
import type { Inspection } from './chaos-sandbox.ts';

/** A task or an email of ours, and whether its text is made of the corrected fields. */
interface Written {
  readonly action: ActionName;
  readonly id: string;
  readonly identity: string | null;
  readonly corrected: boolean;
}

/** Which fields effects are made of: those that the ledger says, and others than the first ones only where an approver decided so. */
export function fieldImbalances(booked: BookedLead, inspection: Inspection): Imbalance[] {
  const { lead, record, requests } = booked;
  if (!record) return [];
  return [
    ...otherThanFrozen(lead, record, inspection),
    ...decidedByNobody(lead, record, requests),
    ...notAsDecided(lead, record),
  ].map((detail) => ({ leadRequestId: lead.leadRequestId, kind: 'wrong-fields', detail }));
}

function otherThanFrozen(lead: LeadRequest, record: LedgerRecord, inspection: Inspection): string[] {
  return writtenFor(record, inspection).flatMap(({ action, id, identity, corrected }) => {
    const { evidence, operation } = actionOf(record, action);
    const isReceipt = evidence?.kind === 'receipt' && evidence.recordId === id;
    // One identity may have been frozen again; a receipt is of the last one.
    const frozen = record.operations.filter(
      (each) =>
        each.action === action &&
        each.identity === identity &&
        (!isReceipt || operation === null || each.revision === operation.revision),
    );
    const shown = hashOf(lead, corrected ? 'corrected' : 'same');
    if (frozen.some(({ fieldsHash }) => fieldsHash === shown)) return [];
    const says = frozen.map(({ fieldsHash }) => fieldsIn(lead, fieldsHash)).join(' or ') || 'nothing';
    return [`${action} ${id} is made of ${fieldsIn(lead, shown)}, and by the ledger of ${says}`];
  });
}

function decidedByNobody(
  lead: LeadRequest,
  { handoff, operations }: LedgerRecord,
  requests: readonly PersonsRequest[],
): string[] {
  const inPlace = [
    ...handoff.amendments.map(({ intentHash }) => intentHash),
    ...operations.flatMap(({ fieldsHash }) => fieldsHash ?? []),
  ];
  return [...new Set(inPlace)]
    .filter((hash) => hash !== hashOf(lead, 'same'))
    .filter((hash) => !requests.some((request) => mayHaveAmended(request, hash)))
    .map((hash) => `${fieldsIn(lead, hash)} are in place, and nobody decided that`);
}

function notAsDecided(lead: LeadRequest, { actions, operations }: LedgerRecord): string[] {
  return actions.flatMap((state) => {
    const decided = putInPlaceLast(state);
    const frozen = operations.filter(({ action }) => action === state.action);
    const newest = frozen.toSorted((a, b) => b.revision - a.revision)[0]?.fieldsHash;
    if (decided === null || newest === decided) return [];
    return [`${state.action} was to be of ${fieldsIn(lead, decided)}, and is of ${fieldsIn(lead, newest)}`];
  });
}

function fieldsIn(lead: LeadRequest, hash: string | undefined): string {
  if (hash === hashOf(lead, 'same')) return 'the first fields';
  return hash === hashOf(lead, 'corrected') ? 'the corrected fields' : 'other fields';
}

/** The fields that the last decision put in place, where it was carried out. */
function putInPlaceLast({ lastDecision }: ActionState): string | null {
  if (lastDecision?.result !== 'used' || lastDecision.decision.kind !== 'amend') return null;
  return lastDecision.decision.evidence ?? null;
}

function writtenFor({ handoff }: LedgerRecord, { tasks, emails }: Inspection): Written[] {
  const written = [
    ...tasks.map((task) => ({
      action: 'create-task' as const,
      id: task.id,
      identity: stampOf(task),
      corrected: task.properties.hs_task_body?.includes(CORRECTION.message) === true,
    })),
    ...emails.map(({ id, key, text }) => ({
      action: 'send-introduction' as const,
      id,
      identity: key,
      corrected: text?.includes(CORRECTION.firstName) === true,
    })),
  ];
  return written.filter(({ action, identity }) => isIdentity(operationIdentity(handoff, action), identity));
}
