import { ACTIONS, type ActionName, DEPENDENCIES } from '../functions/domain/action.ts';
import { type ActionState, FINAL_PHASES, openAction } from '../functions/domain/action-state.ts';
import { handoffStatus, type LedgerRecord, type Waiting } from '../functions/domain/handoff.ts';
import { STAGE_NUMBERS } from '../functions/domain/stage-numbers.ts';
import type { BookedLead, Imbalance, ImbalanceKind, Notice } from './chaos-books.ts';

const { escalations } = STAGE_NUMBERS.local;

export function actionOf({ actions }: Pick<LedgerRecord, 'actions'>, name: ActionName): ActionState {
  return actions.find(({ action }) => action === name) ?? openAction(name);
}

/** Closed, or everything that could go on waits for somebody: nothing is under way. */
export function isSettled(record: LedgerRecord): boolean {
  if (record.handoff.closedAt !== null || waitsAsAWhole(record)) return true;
  if (handoffStatus(record) === 'running') return false;
  return ACTIONS.every((name) => {
    if (FINAL_PHASES.includes(actionOf(record, name).phase)) return true;
    if (record.waiting.some(({ action }) => action === name)) return true;
    return isBlocked(record, name);
  });
}

/** Its execution is gone, or was never let go, and a person is asked about it. */
export function waitsAsAWhole({ handoff, waiting }: LedgerRecord): boolean {
  return waiting.some(({ action, execution }) => action === 'handoff' && execution === handoff.execution);
}

/** The workflow has not come to it, because an action of an earlier group waits. */
export function isBlocked(record: LedgerRecord, name: ActionName): boolean {
  // Tasks need no owner, but the workflow draws them behind it.
  const before: readonly ActionName[] =
    name === 'create-task' ? ['upsert-contact', 'assign-owner'] : DEPENDENCIES[name];
  return before.some((dependency) => record.waiting.some(({ action }) => action === dependency));
}

/** What the ledger says of itself. */
export function ledgerImbalances(booked: BookedLead): Imbalance[] {
  const { lead, accepted, record, refusedHashes, wrongAnswers } = booked;
  const found: Imbalance[] = [];
  const report = (kind: ImbalanceKind, detail: string) =>
    found.push({ leadRequestId: lead.leadRequestId, kind, detail });
  for (const answer of wrongAnswers) report('wrong-answer', answer);
  if (!accepted) {
    report('lost', 'the start function never accepted it');
    return found;
  }
  if (!record) {
    report('lost', 'it was accepted, and the ledger does not know it');
    return found;
  }
  if (!isSettled(record))
    report('unsettled', `it is ${handoffStatus(record)}, neither closed nor waiting for somebody`);
  for (const item of record.waiting) {
    const missing = whatIsMissing(item);
    if (missing) report('wait-without-name', `${item.action} waits without ${missing}`);
    const over = whyOver(item, record);
    if (over) report('asked-needlessly', `${item.action} waits, and ${over}`);
  }
  if (record.handoff.closedAt !== null) {
    for (const name of ACTIONS.filter((each) => !endedWithEvidence(actionOf(record, each)))) {
      report(
        'closed-without-evidence',
        `closed, and ${name} is ${actionOf(record, name).phase} without evidence`,
      );
    }
  }
  for (const hash of refusedHashes) {
    if (!record.conflicts.some(({ intentHash }) => intentHash === hash)) {
      report('conflict-hidden', 'other fields under its id were refused, and the ledger does not show them');
    }
  }
  for (const action of record.actions) found.push(...claimImbalances(lead.leadRequestId, action));
  return found;
}

/** Questions on the waiting list that never came to anybody. Notices bear the engine's time, as the list does. */
export function untold(
  { record, lead: { leadRequestId } }: BookedLead,
  notices: readonly Notice[],
): Imbalance[] {
  const told = (item: Waiting) =>
    notices.some(
      (notice) =>
        notice.leadRequestId === leadRequestId && notice.action === item.action && notice.at >= item.since,
    );
  return (record?.waiting ?? [])
    .filter((item) => item.kind === 'ask' && !told(item))
    .map(({ action, who, since }) => ({
      leadRequestId,
      kind: 'untold' as const,
      detail: `${action} waits for ${who} since ${new Date(since).toISOString()}, who was not told`,
    }));
}

/** After the last escalation nobody is asked again, and there is no due time. */
function whatIsMissing({ who, why, since, dueAt, asked, token }: Waiting): string | null {
  if (who.trim() === '') return 'a name';
  if (why.trim() === '') return 'a reason';
  if (!Number.isFinite(since) || since <= 0) return 'a time';
  // Due since it was written: the event that tells the person is not known to be out.
  if (token === null && dueAt === since) return 'a word to its person';
  return dueAt === null && asked < escalations ? 'a due time' : null;
}

/** Why there is nothing left to ask; null where there is. */
function whyOver({ action, execution }: Waiting, record: LedgerRecord): string | null {
  if (record.handoff.closedAt !== null) return 'the handoff is closed';
  if (action === 'handoff') {
    return execution === record.handoff.execution ? null : `${execution} is not the current execution`;
  }
  const phase = action === 'dead-letter' ? null : actionOf(record, action).phase;
  return phase !== null && FINAL_PHASES.includes(phase) ? `it is ${phase}` : null;
}

function endedWithEvidence({ phase, evidence, reason }: ActionState): boolean {
  if (!FINAL_PHASES.includes(phase)) return false;
  return phase === 'performed' || phase === 'stopped-but-done' ? evidence !== null : reason !== null;
}

/** I1 and I2 as the audit trail tells them: each attempt claimed once, and after the first one only with a grant. */
function claimImbalances(leadRequestId: string, { action, history }: ActionState): Imbalance[] {
  const claims = history.flatMap((entry, at) => (entry.event === 'claimed' ? [{ ...entry, at }] : []));
  return claims.flatMap(({ attempt, at }, i): Imbalance[] => {
    if (claims.slice(0, i).some((earlier) => earlier.attempt === attempt)) {
      const detail = `attempt ${attempt} of ${action} was claimed twice`;
      return [{ leadRequestId, kind: 'claimed-twice', detail }];
    }
    const since = claims[i - 1]?.at ?? 0;
    const granted = history.slice(since, at).some(({ event }) => event === 'grant');
    if (attempt === 1 || granted) return [];
    const detail = `attempt ${attempt} of ${action} was claimed without a grant`;
    return [{ leadRequestId, kind: 'claimed-without-grant', detail }];
  });
}
