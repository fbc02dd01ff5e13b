import type { Warning } from './action-state.ts';
import { EFFECTS } from './choice-words.ts';
import type { FilledAction, FilledRecord } from './filled-record.ts';
import type { ActionRecord, OwnerRecord, ShownEvidence } from './recovery-record.ts';
import { destinationName, inWords, readableTime } from './words.ts';

/** What an action's warning means, and where to look. */
function warningSentence({ action, evidence }: FilledAction, warning: Warning): string {
  switch (warning) {
    case 'possible-duplicate':
      return `${action}: two attempts may both have had an effect; look for a second record at the destination (possible-duplicate).`;
    case 'possible-overwrite':
      return `${action}: ${overwrittenOwner(evidence) ?? "somebody else's owner may have been written over"}; look at the owner's history in the CRM (possible-overwrite).`;
  }
}

/** Whom this handoff's owner was written over, and with whom; null where no read has shown it. */
function overwrittenOwner(evidence: ShownEvidence | null): string | null {
  const facts = evidence?.facts ?? {};
  if (!('overwrittenOwnerId' in facts)) return null;
  const over = facts.ownerId == null ? '' : ` with ${facts.ownerId}`;
  return facts.overwrittenOwnerId === null
    ? `the owner that somebody else had cleared may have been written over${over}`
    : `owner ${facts.overwrittenOwnerId}, whom somebody else had set, may have been written over${over}`;
}

/** What the ledger was told: each action, the owner, and what to be wary of; one sentence or more each. */
export function known(filled: FilledRecord): string[] {
  return [
    ...filled.actions.map(knownOf),
    ...(filled.joinedTo === null ? [`Owner: ${ownerSentence(filled.owner)}`] : []),
    ...warningSentences(filled),
  ];
}

/** What to be wary of, for each action. */
export function warningSentences({ actions }: Pick<FilledRecord, 'actions'>): string[] {
  return actions.flatMap((action) => action.warnings.map((warning) => warningSentence(action, warning)));
}

/** One action: what was tried, what the destination says, and what that led to. */
function knownOf(action: FilledAction): string {
  const { attempt, phase, evidence, lateEvidence, finding, readAt, disposition, reason, outcomeReason } =
    action;
  const superseded = finding?.startsWith('superseded') === true;
  const name = destinationName(action.destination);
  const sentences = [attemptSentence(action)];
  if (evidence !== null) sentences.push(evidenceSentence(evidence, action));
  if (lateEvidence !== null) sentences.push(`Reported late: ${evidenceSentence(lateEvidence, action)}`);
  if (readAt !== null && finding !== null && phase !== 'performed' && attempt > 0) {
    sentences.push(`Last look at ${name}, ${readableTime(readAt)}: ${inWords(finding)}.`);
    if (superseded && action.absenceProven)
      sentences.push(`It also shows that ${EFFECTS[action.action].notHappened}.`);
  }
  if (disposition !== null && phase !== 'performed') {
    // What the attempt or the read said already is not said again.
    const said = reason === null || reason === outcomeReason || finding?.endsWith(reason) === true;
    sentences.push(`Next: ${inWords(disposition)}${said ? '' : `, because ${inWords(reason)}`}.`);
  }
  return `${action.action}: ${sentences.join(' ')}`;
}

function attemptSentence({ attempt, phase, outcomeReason, lastAttempt }: FilledAction): string {
  const attempts = attempt === 1 ? '1 attempt' : `${attempt} attempts`;
  const begunAt = readableTime(lastAttempt?.startedAt ?? 0);
  const because = outcomeReason === null ? '' : `: ${inWords(outcomeReason)}`;
  switch (phase) {
    case 'open':
      return 'not tried yet.';
    case 'performed':
      return `done, ${attempts}.`;
    case 'claimed':
      return `attempt ${attempt} was begun at ${begunAt} and has not reported.`;
    case 'unknown':
      return `attempt ${attempt} ended without saying what it did${because}.`;
    case 'not-applied':
      return `attempt ${attempt} had no effect${because}.`;
    case 'refused':
      return `attempt ${attempt} was refused${because}.`;
    case 'taken-over':
      return `taken over by a person at ${begunAt}.`;
    default:
      return `${inWords(phase)}${because}.`;
  }
}

/** Who gave their word that an action is done, where that is what its evidence is. */
export function whoConfirmed({ lastDecision }: Pick<ActionRecord, 'lastDecision'>): string {
  return lastDecision?.decision === 'confirm' ? lastDecision.by : 'a person';
}

function evidenceSentence(
  { kind, destination, recordId, readAt }: ShownEvidence,
  action: FilledAction,
): string {
  const name = destinationName(destination);
  const record = recordId === null ? '' : ` record ${recordId}`;
  const at = readableTime(readAt);
  switch (kind) {
    case 'receipt':
      return `${name} confirmed it${record === '' ? '' : ` as${record}`} at ${at}.`;
    case 'record':
      return `${name}${record} was read back at ${at}.`;
    case 'attested':
      return `By the word of ${whoConfirmed(action)} at ${at}; ${name} has not shown${record === '' ? ' it' : record}.`;
  }
}

/** Who owns the contact, since when, and what it was before. */
export function ownerSentence({
  ownerId,
  readAt,
  how,
  changedSince,
  chosenOwnerId,
  before,
}: OwnerRecord): string {
  if (readAt === null) {
    const then = before === null ? '' : ` Before this handoff it was ${before.ownerId ?? 'nobody'}.`;
    return `not read yet; the route chose ${chosenOwnerId}.${then}`;
  }
  const whose = how === 'set' ? ', as this handoff set it' : how === 'kept' ? ', set by somebody else' : '';
  const lastChange =
    before?.changedAt == null
      ? ''
      : ` Before this handoff it was last changed at ${readableTime(before.changedAt)}.`;
  const since =
    changedSince === null
      ? ''
      : ` At ${readableTime(changedSince)} somebody else had changed it: the contact's page shows to whom.`;
  return `${ownerId} at ${readableTime(readAt)}${whose}.${since}${lastChange}`;
}
