import type { Warning } from './action-state.ts';
import { type FilledAction, type FilledRecord, filledRecord, type RecordOptions } from './filled-record.ts';
import type { LedgerRecord } from './handoff.ts';
import { recoveryMachineArn } from './links.ts';
import type { DecisionRecord, OwnerRecord, ShownEvidence, WaitingRecord } from './recovery-record.ts';
import { destinationName, inWords, readableTime } from './words.ts';

export type { RecordOptions } from './filled-record.ts';
export type { LinkContext } from './links.ts';

/**
 * The recovery record as text, for an email or for the output of an execution: what is known, what is not known, what may be
 * done, and what each choice will do. Ids, codes and names of operators; no personal data of the lead.
 *
 * The caller passes `contractOf`: the contracts are declared by the adapters, which this folder may not know.
 */
export function recoveryText(record: LedgerRecord, options: RecordOptions): string {
  const filled = filledRecord(record, options);
  const blocks = [
    opening(filled, options),
    section('What is known', known(filled)),
    section('What is not known', unknown(filled)),
    section('What must change first', changes(filled)),
    choices(filled, options),
    section('Decided before', filled.actions.flatMap(decided)),
    section('Other fields under the same id', otherFields(filled)),
    section('Links', links(filled, options)),
    section('For the engineer', engineering(filled, options)),
  ];
  return blocks.filter((block) => block !== '').join('\n\n');
}

/** What a warning means, and where to look. */
export const WARNINGS: Readonly<Record<Warning, string>> = {
  'possible-duplicate':
    'two attempts may both have had an effect; look for a second record at the destination (possible-duplicate)',
  'possible-overwrite':
    "somebody else's owner may have been written over; look at the owner's history in the CRM (possible-overwrite)",
};

function opening(filled: FilledRecord, options: RecordOptions): string {
  const { route, leadRequestId, sourceReference } = filled;
  const source = sourceReference === null ? '' : `, which its source calls "${sourceReference}"`;
  const state = standing(filled);
  return [
    `${route}/${leadRequestId} ${state}`,
    '',
    `This is lead request ${leadRequestId} of route ${route}${source}.`,
    ...filled.waiting.map((item) => waitingSentence(item, options)),
  ].join('\n');
}

function standing({ status, waiting }: FilledRecord): string {
  const asked = waiting.filter(({ kind }) => kind === 'ask').map(({ action }) => action);
  switch (status) {
    case 'closed':
      return 'is closed.';
    case 'running':
      return 'is in progress; nobody is asked.';
    case 'parked':
      return 'is parked, and goes on by itself.';
    case 'waiting':
      return asked.includes('handoff')
        ? 'has come to a stop and waits for a person.'
        : `waits for a person to decide ${asked.join(' and ')}.`;
  }
}

function waitingSentence(item: WaitingRecord, { route, numbers, now }: RecordOptions): string {
  const { action, kind, who, why, since, dueAt, asked } = item;
  if (kind === 'park') {
    const until = dueAt === null ? '' : `, and is looked at again at ${readableTime(dueAt)}`;
    return `${action} is parked since ${readableTime(since)}: ${inWords(why)}${until}.`;
  }
  const subject = action === 'handoff' ? 'The handoff as a whole' : action;
  const late = dueAt !== null && Date.parse(dueAt) < now;
  const next = asked < numbers.escalations ? `; then ${route.escalationOwner.email} is asked` : '';
  const due =
    dueAt === null
      ? ' Nobody else is asked any more: it waits until somebody decides.'
      : late
        ? ` An answer was due by ${readableTime(dueAt)}.`
        : ` Please answer by ${readableTime(dueAt)}${next}.`;
  return `${subject} waits for ${who} since ${readableTime(since)}: ${inWords(why)}.${due}`;
}

function known(filled: FilledRecord): string[] {
  return [
    ...filled.actions.map(knownOf),
    ownerSentence(filled.owner),
    ...filled.actions.flatMap(({ action, warnings }) =>
      warnings.map((warning) => `${action}: ${WARNINGS[warning]}.`),
    ),
  ];
}

/** One action: what was tried, what the destination says, and what that led to. */
function knownOf(action: FilledAction): string {
  const { attempt, phase, evidence, lateEvidence, finding, readAt, disposition, reason, outcomeReason } =
    action;
  const name = destinationName(action.destination);
  const sentences = [attemptSentence(action)];
  if (evidence !== null) sentences.push(evidenceSentence(evidence));
  if (lateEvidence !== null) sentences.push(`Reported late: ${evidenceSentence(lateEvidence)}`);
  if (readAt !== null && finding !== null && phase !== 'performed' && attempt > 0) {
    sentences.push(`${name} was read at ${readableTime(readAt)}: ${inWords(finding)}.`);
  }
  const newReason = reason !== null && reason !== outcomeReason && !finding?.endsWith(reason);
  if (newReason && disposition !== null) sentences.push(`Why it stands there: ${inWords(reason)}.`);
  return `${action.action}: ${sentences.join(' ')}`;
}

function attemptSentence({ attempt, phase, outcomeReason, lastAttempt }: FilledAction): string {
  const attempts = attempt === 1 ? '1 attempt' : `${attempt} attempts`;
  const because = outcomeReason === null ? '' : `: ${inWords(outcomeReason)}`;
  switch (phase) {
    case 'open':
      return 'not tried yet.';
    case 'performed':
      return `done, ${attempts}.`;
    case 'claimed':
      return `attempt ${attempt} was begun at ${readableTime(lastAttempt?.startedAt ?? 0)} and has not reported.`;
    case 'unknown':
      return `attempt ${attempt} ended without saying what it did${because}.`;
    case 'not-applied':
      return `attempt ${attempt} had no effect${because}.`;
    case 'refused':
      return `attempt ${attempt} was refused${because}.`;
    case 'taken-over':
      return `taken over by a person at ${readableTime(lastAttempt?.startedAt ?? 0)}.`;
    default:
      return `${inWords(phase)}${because}.`;
  }
}

function evidenceSentence({ kind, destination, recordId, readAt }: ShownEvidence): string {
  const name = destinationName(destination);
  const record = recordId === null ? '' : ` record ${recordId}`;
  const at = readableTime(readAt);
  switch (kind) {
    case 'receipt':
      return `${name} confirmed it${record === '' ? '' : ` as${record}`} at ${at}.`;
    case 'record':
      return `${name}${record} was read back at ${at}.`;
    case 'event':
      return `${name} told of it${record === '' ? '' : `,${record},`} at ${at}.`;
    case 'attested':
      return `A person's word for ${name}${record}, not read back, at ${at}.`;
  }
}

function ownerSentence({ ownerId, readAt, how, changedSince, chosenOwnerId, before }: OwnerRecord): string {
  if (ownerId === null || readAt === null) {
    const then = before === null ? '' : ` Before this handoff it was ${before.ownerId ?? 'nobody'}.`;
    return `Owner: the CRM has not shown one to this handoff; the route chose ${chosenOwnerId}.${then}`;
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
  return `Owner: ${ownerId} at ${readableTime(readAt)}${whose}.${since}${lastChange}`;
}

function unknown({ actions, waiting, execution }: FilledRecord): string[] {
  const lines = actions.flatMap(({ action, notKnown }) =>
    notKnown === null ? [] : [`${action}: ${notKnown}`],
  );
  if (canRedrive(waiting)) {
    lines.push(
      `Why the execution ${execution} ended: its page in the console shows the state in which it did.`,
    );
  }
  return lines;
}

/** Step Functions redrives what failed, was aborted or timed out; what is missing or succeeded it cannot. */
function canRedrive(waiting: FilledRecord['waiting']): boolean {
  const REDRIVEN = ['execution-failed', 'execution-aborted', 'execution-timed-out'];
  return waiting.some(({ action, why }) => action === 'handoff' && REDRIVEN.includes(why));
}

function changes({ actions }: FilledRecord): string[] {
  return actions.flatMap(({ action, mustChange }) =>
    mustChange === null ? [] : [`${action}: ${mustChange}`],
  );
}

function choices(filled: FilledRecord, options: RecordOptions): string {
  const { actions, resubmit } = filled;
  const blocks = actions.flatMap((action) => actionChoices(action, options));
  if (resubmit !== null) blocks.unshift(resubmitChoice(filled));
  if (blocks.length === 0) return 'There is nothing for you to decide now.';
  return ['What you can do', how(filled, options), ...blocks].join('\n\n');
}

function how(
  { links, leadRequestId, route }: FilledRecord,
  { stage, links: context }: RecordOptions,
): string {
  const machine =
    context === null
      ? `the state machine whose name ends in "recovery-${route}"`
      : `the state machine ${nameOf(recoveryMachineArn(context, route))}`;
  const page = links.recovery === null ? '' : ` (${links.recovery})`;
  const where = stage === 'local' ? '--endpoint URL' : `--stage ${stage}`;
  return [
    `Choose one. Start an execution of ${machine}${page} with the line of your choice as its input. Fill in "by" (your name) and "reason" (one line, nothing about the lead's person); an empty one is refused.`,
    `Or run: npx handoff decide ${leadRequestId} ACTION DECISION --route ${route} --by NAME --reason WHY ${where}`,
  ].join('\n');
}

function resubmitChoice({ run, resubmit, waiting }: FilledRecord): string {
  const lines = [
    'handoff',
    `  resubmit: Starts run ${run + 1} and ends run ${run}. What is done is not done again; for everything else the destination is read first.`,
    `    ${JSON.stringify(resubmit)}`,
  ];
  return canRedrive(waiting)
    ? [
        ...lines,
        '  Or open the execution in the console and choose Redrive: it goes on in the state in which it ended, by the same rules.',
      ].join('\n')
    : lines.join('\n');
}

function actionChoices(
  { action, choices, refusedChoices, disposition, lastDecision }: FilledAction,
  { route }: RecordOptions,
): string[] {
  if (choices.length === 0) return [];
  const pending =
    lastDecision?.result === 'pending'
      ? ` (${lastDecision.by} has decided ${lastDecision.decision}, and it is being carried out)`
      : '';
  const free = disposition === 'park' ? ' (goes on by itself; you need not choose)' : '';
  const lines = choices.flatMap(({ decision, does, approversOnly, input }) => [
    `  ${decision}: ${does}${approversOnly ? ` ${approversSentence(route)}` : ''}`,
    `    ${JSON.stringify(input)}`,
  ]);
  const refused = refusedChoices.map(({ decision, because }) => `  Not ${decision}: ${because}.`);
  return [[`${action}${pending}${free}`, ...lines, ...refused].join('\n')];
}

function approversSentence({ approvers }: RecordOptions['route']): string {
  return approvers.length === 0
    ? 'Only an approver may, and the route has none.'
    : `Only an approver may, with the name or the address in "by": ${approversOf(approvers)}.`;
}

function approversOf(approvers: RecordOptions['route']['approvers']): string {
  return approvers.map(({ name, email }) => `${name} (${email})`).join(', ');
}

const RESULTS: Readonly<Record<DecisionRecord['result'], string>> = {
  pending: 'not carried out yet',
  used: 'carried out',
  'turned-down': 'not carried out: a fresh read did not bear it',
};

function decided({ action, lastDecision }: FilledAction): string[] {
  if (lastDecision === null) return [];
  const { decision, by, at, result, evidence } = lastDecision;
  const named = evidence === null ? '' : `, evidence ${evidence}`;
  return [`${action}: ${decision} by ${by} at ${readableTime(at)}${named}; ${RESULTS[result]}.`];
}

function otherFields({ conflicts, amendments }: FilledRecord): string[] {
  return [
    ...conflicts.map(
      ({ intentHash, firstSeenAt }) =>
        `At ${readableTime(firstSeenAt)} the same id came with other fields (${intentHash}).`,
    ),
    ...amendments.map(
      ({ intentHash, by, at }) =>
        `At ${readableTime(at)} ${by} put the fields ${intentHash} in the place of the first ones.`,
    ),
  ];
}

function links({ links, execution }: FilledRecord, { stage }: RecordOptions): string[] {
  const pages = [
    `Execution ${execution}${links.execution === null ? '' : `: ${links.execution}`}`,
    ...(links.contact === null ? [] : [`Contact: ${links.contact}`]),
    ...(links.message === null ? [] : [`Message: ${links.message}`]),
  ];
  if (stage === 'local')
    return [...pages, 'Stage local runs on one machine: AWS, HubSpot and Resend do not know of it.'];
  return stage === 'test'
    ? [...pages, 'Stage test uses a sandbox: HubSpot and Resend do not know of it.']
    : pages;
}

function engineering(filled: FilledRecord, { route }: RecordOptions): string[] {
  const ids = filled.actions.flatMap(({ action, attempt, lastAttempt }) => {
    if (lastAttempt === null) return [];
    const { startedAt, by, requestId, traceId } = lastAttempt;
    const who =
      by === 'person' ? 'a person' : `request ${requestId}${traceId === null ? '' : `, trace ${traceId}`}`;
    return [`${action}: attempt ${attempt} at ${readableTime(startedAt)}, ${who}.`];
  });
  return [
    `Run ${filled.run}, accepted at ${readableTime(filled.acceptedAt)}${
      filled.closedAt === null ? '' : `, closed at ${readableTime(filled.closedAt)}`
    }.`,
    ...ids,
    `Recovery owner ${route.recoveryOwner.name}, escalation owner ${route.escalationOwner.name}${
      route.approvers.length === 0 ? ', no approvers' : `, approvers ${approversOf(route.approvers)}`
    }.`,
  ];
}

function section(title: string, lines: readonly string[]): string {
  return lines.length === 0 ? '' : [title, ...lines.map((line) => `- ${line}`)].join('\n');
}

function nameOf(arn: string): string {
  return arn.slice(arn.lastIndexOf(':') + 1);
}
