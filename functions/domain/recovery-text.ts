import { decideLine, resubmitLine, showLine } from './command-line.ts';
import { type FilledAction, type FilledRecord, filledRecord, type RecordOptions } from './filled-record.ts';
import type { LedgerRecord } from './handoff.ts';
import { recoveryMachineArn } from './links.ts';
import type { DecisionRecord, WaitingRecord } from './recovery-record.ts';
import { SAME_PERSON } from './same-person.ts';
import { known } from './what-is-known.ts';
import { inWords, readableTime } from './words.ts';

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
  const sections = [...listed('What is known', known(filled)), ...sectionsBesidesKnown(filled, options)];
  return [opening(filled, options), ...sections.map(({ title, text }) => `${title}\n${text}`)].join('\n\n');
}

export interface Section {
  readonly title: string;
  /** One or more lines. */
  readonly text: string;
}

/** The parts of the text that follow what is known, in their order; a part that has nothing to say is left out. */
export function sectionsBesidesKnown(filled: FilledRecord, options: RecordOptions): readonly Section[] {
  return [
    ...listed('What is not known', unknown(filled)),
    ...listed('What must change first', changes(filled)),
    { title: 'What you can do', text: choices(filled, options) },
    ...listed('Decided before', [...filled.actions.flatMap(decided), ...resubmitted(filled)]),
    ...listed('Other fields under the same id', otherFields(filled)),
    ...listed('Links', links(filled, options)),
    ...listed('For the engineer', engineering(filled, options)),
  ];
}

function listed(title: string, lines: readonly string[]): Section[] {
  return lines.length === 0 ? [] : [{ title, text: lines.map((line) => `- ${line}`).join('\n') }];
}

function opening(filled: FilledRecord, options: RecordOptions): string {
  const { route, leadRequestId, sourceReference, joinedTo } = filled;
  const source = sourceReference === null ? '' : `, which its source calls "${sourceReference}"`;
  const state = standing(filled);
  const other = joinedTo === null ? [] : [`What became of that one: ${showLine(joinedTo, route, options)}`];
  return [
    `${route}/${leadRequestId} ${state}`,
    '',
    `This is lead request ${leadRequestId} of route ${route}${source}.`,
    ...other,
    ...filled.waiting.map((item) => waitingSentence(item, options)),
  ].join('\n');
}

function standing({ status, waiting, joinedTo }: FilledRecord): string {
  const asked = waiting.filter(({ kind }) => kind === 'ask').map(({ action }) => action);
  switch (status) {
    case 'closed':
      return joinedTo === null
        ? 'is closed.'
        : `is closed: lead request ${joinedTo} of the same person stands for it, and nothing was done for this one.`;
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

function waitingSentence(item: WaitingRecord, options: RecordOptions): string {
  const { route, now } = options;
  const { action, kind, who, why, rival, since, dueAt } = item;
  if (kind === 'park') {
    const until = dueAt === null ? '' : `, and is looked at again at ${readableTime(dueAt)}`;
    return `${action} is parked since ${readableTime(since)}: ${inWords(why)}${until}.`;
  }
  const subject = action === 'handoff' ? 'The handoff as a whole' : action;
  const due =
    dueAt === null
      ? ' Nobody else is asked any more: it waits until somebody decides.'
      : Date.parse(dueAt) < now
        ? ` An answer was due by ${readableTime(dueAt)}.`
        : ` Please answer by ${readableTime(dueAt)}; then ${route.escalationOwner.email} is asked.`;
  const other = rival === undefined ? '' : ` That one is ${rival}: ${showLine(rival, route.name, options)}`;
  return `${subject} waits for ${who} since ${readableTime(since)}: ${inWords(why)}.${due}${other}`;
}

function unknown({ actions, canRedrive, execution }: FilledRecord): string[] {
  const lines = actions.flatMap(({ action, notKnown }) =>
    notKnown === null ? [] : [`${action}: ${notKnown}`],
  );
  if (canRedrive) {
    lines.push(
      `Why the execution ${execution} ended: its page in the console shows the state in which it did.`,
    );
  }
  return lines;
}

function changes({ actions }: FilledRecord): string[] {
  return actions.flatMap(({ action, mustChange }) =>
    mustChange === null ? [] : [`${action}: ${mustChange}`],
  );
}

function choices(filled: FilledRecord, options: RecordOptions): string {
  const { actions, resubmit } = filled;
  const blocks = actions.flatMap((action) => actionChoices(action, options));
  if (resubmit !== null) blocks.unshift(resubmitChoice(filled, options));
  if (filled.joinedTo !== null) return 'Nothing: nothing will be done for this one.';
  if (blocks.length === 0) return 'Nothing: no decision is asked for now.';
  return [how(filled, options), ...blocks].join('\n\n');
}

function how({ links, route }: FilledRecord, { links: context }: RecordOptions): string {
  const machine =
    context === null
      ? `the state machine whose name ends in "recovery-${route}"`
      : `the state machine ${nameOf(recoveryMachineArn(context, route))}`;
  const page = links.recovery === null ? '' : ` (${links.recovery})`;
  return [
    `Choose one. Start an execution of ${machine}${page} with the line of your choice in braces as its input, or run the command under it.`,
    `Fill in "by" (your name) and "reason" (one line, nothing about the lead's person); an empty one is refused.`,
  ].join('\n');
}

function resubmitChoice(
  { run, resubmit, canRedrive, waiting, leadRequestId, route }: FilledRecord,
  options: RecordOptions,
): string {
  const again = [JSON.stringify(resubmit), resubmitLine(leadRequestId, route, options)];
  if (waiting.some(({ why }) => why === SAME_PERSON)) {
    // Everything needs the contact, so stopping it ends the handoff.
    const stop = { leadRequestId, action: 'upsert-contact', decision: 'stop', by: '', reason: '' } as const;
    return [
      'handoff',
      '  resubmit: Lets it go on. Nothing was done for it yet.',
      ...again.map(pasted),
      '  stop: Nothing is done for it, and it is closed.',
      ...[JSON.stringify(stop), decideLine(stop, route, options)].map(pasted),
    ].join('\n');
  }
  return [
    'handoff',
    `  resubmit: Starts run ${run + 1} and ends run ${run}. What is done is not done again; for everything else the destination is read first.`,
    ...again.map(pasted),
    ...(canRedrive
      ? [
          '  Or open the execution in the console and choose Redrive: it goes on in the state in which it ended, by the same rules.',
        ]
      : []),
  ].join('\n');
}

function actionChoices(
  { action, choices, refusedChoices, disposition, lastDecision }: FilledAction,
  options: RecordOptions,
): string[] {
  const { route } = options;
  if (choices.length === 0) return [];
  const pending =
    lastDecision?.result === 'pending'
      ? ` (${lastDecision.by} has decided ${lastDecision.decision}, and it is being carried out)`
      : '';
  const free = disposition === 'park' ? ' (goes on by itself; you need not choose)' : '';
  const lines = choices.flatMap(({ decision, does, approversOnly, input }) => [
    `  ${decision}: ${does}${approversOnly ? ` ${approversSentence(route)}` : ''}`,
    ...[JSON.stringify(input), decideLine(input, route.name, options)].map(pasted),
  ]);
  const refused = refusedChoices.map(({ decision, because }) => `  Not ${decision}: ${because}.`);
  return [[`${action}${pending}${free}`, ...lines, ...refused].join('\n')];
}

/** A line to copy, as a choice shows it. */
function pasted(line: string): string {
  return `    ${line}`;
}

function approversSentence({ approvers }: RecordOptions['route']): string {
  return `Only an approver may, with the name or the address in "by": ${approversOf(approvers)}.`;
}

function approversOf(approvers: RecordOptions['route']['approvers']): string {
  return approvers.map(({ name, email }) => `${name} (${email})`).join(', ');
}

const RESULTS: Readonly<Record<DecisionRecord['result'], string>> = {
  pending: 'not carried out yet',
  used: 'carried out',
  'turned-down': 'not carried out: a fresh read did not bear it',
  'too-late': 'not carried out: the action was over before',
};

function decided({ action, lastDecision }: FilledAction): string[] {
  if (lastDecision === null) return [];
  const { decision, by, at, result, evidence } = lastDecision;
  const named = evidence === null ? '' : `, evidence ${evidence}`;
  return [`${action}: ${decision} by ${by} at ${readableTime(at)}${named}; ${RESULTS[result]}.`];
}

function resubmitted({ resubmissions }: FilledRecord): string[] {
  return resubmissions.map(({ run, by, at }) => `Run ${run} was asked for by ${by} at ${readableTime(at)}.`);
}

/** So many requests of one id are told one by one: the newest. */
const MOST_TOLD = 10;

function otherFields({ conflicts, amendments }: FilledRecord): string[] {
  return [
    ...(conflicts.length > MOST_TOLD
      ? [`Of ${conflicts.length} the newest ${MOST_TOLD} are told here.`]
      : []),
    ...conflicts
      .toSorted((a, b) => a.firstSeenAt.localeCompare(b.firstSeenAt))
      .slice(-MOST_TOLD)
      .map(
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
    `Recovery owner ${route.recoveryOwner.name}, escalation owner ${route.escalationOwner.name}, approvers ${approversOf(route.approvers)}.`,
  ];
}

function nameOf(arn: string): string {
  return arn.slice(arn.lastIndexOf(':') + 1);
}
