import { intakeSecretName, type RouteSettings } from '../../functions/domain/route.ts';
import { asked } from '../../functions/domain/route-questions.ts';
import type { Stage, StageNumbers } from '../../functions/domain/stage-numbers.ts';
import { counted, readableSpan } from '../render/words.ts';
import { ownerRuleInWords } from './owner-rule-words.ts';

/** A question of an integration owner, and what the route answers. */
export interface Answer {
  readonly question: string;
  /** Markdown, one or more lines. */
  readonly answer: string;
}

export interface BriefContext {
  readonly stage: Stage;
  readonly numbers: StageNumbers;
}

type Answers = {
  readonly [Key in keyof RouteSettings]-?: (route: RouteSettings, context: BriefContext) => readonly Answer[];
};

/** What every question of a route file comes to in words. The compiler says when one is missing. */
const ANSWERS: Answers = {
  name: ({ name }, { stage }) => [
    one(
      asked('name'),
      `\`${name}\`, in stage \`${stage}\`. It is part of every id and every name of a secret.`,
    ),
  ],
  source: ({ source }) => [one(asked('source'), source)],
  identity: ({ identity: { originatesIn, survivesRetry } }) => [
    one(
      asked('identity.originatesIn'),
      `${originatesIn} Ids are never made up: a request without one is refused.`,
    ),
    one(
      asked('identity.survivesRetry'),
      survivesRetry
        ? 'Yes: the source sends the same id when it sends a lead request again, so a repeat is recognised by it.'
        : 'No: the source sends a lead request again under another id. Only the rule for the same person (below) knows a repeat.',
    ),
  ],
  delivery: ({ delivery }, { stage }) => [
    one(
      asked('delivery'),
      delivery === 'at-least-once'
        ? 'At least once: it sends again until it is answered. Every repeat is harmless.'
        : 'At most once: it sends once. A lead that is lost on its way is lost here too.',
    ),
    one(
      'By which ways may it send?',
      [
        `- The queue \`lead-handoff-${stage}-leads\`: at least once, in any order; a message that cannot be accepted is delivered five times and is then a dead letter.`,
        '- HTTP, `POST /routes/{route}/leads`, signed as Standard Webhooks says.',
        '- A file, with `npx handoff submit`.',
      ].join('\n'),
    ),
    one(
      'What becomes of a dead letter?',
      'It is kept with its reason, the recovery owner is asked, and no other request under its id is accepted until an approver ends the investigation. It is never sent again by itself.',
    ),
  ],
  changedFields: ({ changedFields }) => [
    one(
      asked('changedFields'),
      `It is refused, the first request stands, and the other fields are kept as a conflict in its record. The recovery owner is ${changedFields === 'tell' ? 'told at once' : 'not told; the record shows it'}.`,
    ),
  ],
  samePerson: ({ samePerson: { policy, windowHours }, recoveryOwner }) => [
    one(
      asked('samePerson'),
      {
        ask: `Within ${readableSpan(windowHours * HOUR)} of the first one it waits until the recovery owner (${recoveryOwner.name}) lets it go on or stops it.`,
        join: `Within ${readableSpan(windowHours * HOUR)} of the first one it is closed at once and points to the first.`,
        allow: 'It is handed off as well.',
      }[policy],
    ),
  ],
  owner: ({ owner }) => [
    one(
      asked('owner'),
      `${ownerRuleInWords(owner)}\n\nChosen once, when the lead request is accepted; a repeat never changes it.`,
    ),
  ],
  existingOwner: ({ existingOwner }) => [
    one(
      asked('existingOwner'),
      existingOwner === 'keep'
        ? 'That owner stays, and introduces themselves.'
        : 'The chosen owner takes their place.',
    ),
  ],
  changedOwner: ({ changedOwner }) => [
    one(
      asked('changedOwner'),
      `The person's owner is never knowingly overwritten. ${changedOwner === 'ask' ? 'The recovery owner is asked how to go on.' : 'The handoff goes on with that owner.'}`,
    ),
  ],
  contactValues: ({ contactValues }) => [
    one(
      asked('contactValues'),
      contactValues === 'fill-blanks'
        ? 'No: only blank ones are filled.'
        : "Yes: the lead request's values overwrite them.",
    ),
  ],
  limits: ({ limits }, { numbers }) => [
    one(
      asked('limits.attemptsPerAction'),
      `At most ${counted(limits.attemptsPerAction ?? numbers.attempts, 'time')}${limits.attemptsPerAction === null ? " (the stage's number)" : ''}; then a person is asked. Between attempts it pauses ${readableSpan(numbers.backOffBaseMs)} and more, up to ${readableSpan(numbers.backOffCapMs)}.`,
    ),
  ],
  underSameKey: ({ underSameKey: { tooEarly, unreadable } }) => [
    one(
      asked('underSameKey'),
      [
        '- What provably had no effect (429, connection refused, name or TLS failure): yes, within the limit.',
        '- What a person has to mend (a 4xx): no, the recovery owner is asked.',
        '- What nobody knows (a timeout, a broken connection, a 5xx, an answer that cannot be read): never blindly. The destination is read first, and only what it does not have is tried again.',
        `- Under an idempotency key, while the destination cannot tell yet: ${tooEarly === 'resume' ? 'tried again with the same key' : 'waits until it can tell'}.`,
        `- Under an idempotency key, while the destination cannot be read: ${unreadable === 'resume' ? 'tried again with the same key' : 'the recovery owner is asked'}.`,
      ].join('\n'),
    ),
  ],
  acceptSecondTask: ({ acceptSecondTask, crm }) => [
    one(
      asked('acceptSecondTask'),
      crm.uniqueTaskProperty !== undefined
        ? 'It is found by its unique property, so there is no doubt.'
        : acceptSecondTask
          ? 'Yes, after the search has had its time: the route accepts that there may be a second task.'
          : 'No: the recovery owner is asked.',
    ),
  ],
  recoveryOwner: ({ recoveryOwner }) => [
    one(asked('recoveryOwner'), `${person(recoveryOwner)}, the recovery owner.`),
  ],
  escalationOwner: ({ escalationOwner }, { numbers }) => [
    one(
      asked('escalationOwner'),
      `${person(escalationOwner)}, ${counted(numbers.escalations, 'time')} at most; after that it stays open under an alarm.`,
    ),
  ],
  askSlaSeconds: ({ askSlaSeconds }, { numbers }) => [
    one(
      asked('askSlaSeconds'),
      `${readableSpan((askSlaSeconds ?? numbers.askSlaSeconds) * 1000)}${askSlaSeconds === undefined ? " (the stage's number)" : ''}.`,
    ),
  ],
  approvers: ({ approvers }) => [
    one(
      asked('approvers'),
      `${approvers.map(person).join(', ')}. They alone correct fields, end the investigation of dead letters, and resume at the approval point.`,
    ),
  ],
  approvalPoint: ({ approvalPoint }) => [
    one(
      asked('approvalPoint'),
      approvalPoint === null ? 'No.' : `Yes: every resume of \`${approvalPoint}\` needs an approver.`,
    ),
  ],
  drainPerMinute: ({ drainPerMinute }) => [
    one(
      asked('drainPerMinute'),
      `${counted(drainPerMinute, 'handoff')} a minute, oldest first, once work can be parked: nothing pauses a route yet.`,
    ),
  ],
  crm: ({ crm: { portalId, uniqueTaskProperty } }, { stage }) => [
    one(
      asked('crm'),
      `HubSpot, ${portalId === undefined ? 'the account that its tokens belong to' : `account ${portalId}`}.${inItsPlace(stage)}`,
    ),
    one(
      asked('crm.uniqueTaskProperty'),
      uniqueTaskProperty === undefined
        ? "By a stamp in their text, through HubSpot's search."
        : `By the task property \`${uniqueTaskProperty}\`, which must be declared unique: \`npx handoff setup\` creates it.`,
    ),
  ],
  mail: (_route, { stage }) => [one(asked('mail'), `Resend.${inItsPlace(stage)}`)],
  task: ({ task }) => [
    one(
      asked('task'),
      `Due ${readableSpan(task.dueInHours * HOUR)} after it is first about to be created.\n\n${fenced(`${task.subject}\n\n${task.body}`)}`,
    ),
  ],
  introduction: ({ introduction: { from, replyTo, subject, text, html, templateVersion } }) => [
    one(
      asked('introduction'),
      [
        `Template version \`${templateVersion}\`. Every value of a lead is escaped in the HTML part.`,
        '',
        `- From: \`${from}\``,
        `- Reply-To: \`${replyTo}\``,
        `- Subject: \`${subject}\``,
        '',
        'Text:',
        '',
        fenced(text),
        '',
        'HTML:',
        '',
        fenced(html, 'html'),
      ].join('\n'),
    ),
  ],
  retentionDays: ({ retentionDays }) => [
    one(
      asked('retentionDays'),
      `${counted(retentionDays, 'day')}, the lead's personal data included; then the ledger forgets it.`,
    ),
  ],
};

const HOUR = 3_600_000;

/** The questions in the order in which an integration owner asks them. */
export const SECTIONS: readonly (readonly [title: string, keys: readonly (keyof RouteSettings)[]])[] = [
  ['Where the leads come from', ['name', 'source', 'identity', 'delivery', 'changedFields', 'samePerson']],
  ['Who owns a lead', ['owner', 'existingOwner', 'changedOwner', 'contactValues']],
  ['What is repeated, and what is not', ['underSameKey', 'limits', 'acceptSecondTask', 'drainPerMinute']],
  ['Who decides', ['recoveryOwner', 'askSlaSeconds', 'escalationOwner', 'approvers', 'approvalPoint']],
  ['What is written and sent', ['crm', 'mail', 'task', 'introduction', 'retentionDays']],
];

export interface Section {
  readonly title: string;
  readonly answers: readonly Answer[];
}

/** Every question of a route with its answer, by subject. */
export function sectionsOf(route: RouteSettings, context: BriefContext): readonly Section[] {
  return SECTIONS.map(([title, keys]) => ({
    title,
    answers: keys.flatMap((key) => ANSWERS[key](route, context)),
  }));
}

/** The questions that the sections answer. */
export const ANSWERED: readonly string[] = SECTIONS.flatMap(([, keys]) => keys);

/** The questions that a route file has. */
export const QUESTIONS: readonly string[] = Object.keys(ANSWERS);

export function intakeSecretOf(route: RouteSettings, { stage }: BriefContext): string {
  return intakeSecretName(stage, route.name);
}

/** Only production talks to the vendors. */
function inItsPlace(stage: Stage): string {
  return stage === 'prod' ? '' : ` In stage \`${stage}\` a sandbox stands in its place.`;
}

function one(question: string, answer: string): Answer {
  return { question, answer };
}

function person({ name, email }: { readonly name: string; readonly email: string }): string {
  return `${name} (${email})`;
}

/** A block of text as it is, whatever is in it. */
function fenced(text: string, language = 'text'): string {
  const longest = Math.max(0, ...[...text.matchAll(/`+/g)].map(([ticks]) => ticks.length));
  const fence = '`'.repeat(Math.max(3, longest + 1));
  return `${fence}${language}\n${text}\n${fence}`;
}
