/** An allowed answer, and what it means. */
export type Choice = readonly [answer: string | boolean | null, meaning: string];

/** A question of a route file, in the words of whoever answers for the integration. */
export interface RouteQuestion {
  readonly question: string;
  /** The allowed answers, where they can be counted. */
  readonly choices?: readonly Choice[];
  /** What is expected, where the answers cannot be counted; a group of questions is said by the questions under it. */
  readonly expects?: string;
  /** What holds where the answer is left out; only such answers may be. */
  readonly otherwise?: string;
}

const OWNER_ID = "an owner's id in the CRM";
const WORDS = 'a text';
const NAME = 'a name';
const ADDRESS = 'an email address';
const VALUES = 'a list of at least one text';
const ANY = 'any value';

const QUESTIONS = {
  name: {
    question: 'What is the route called?',
    expects: '1 to 12 lower-case letters, digits and dashes, beginning with a letter',
  },
  source: { question: 'Where do the leads come from?', expects: WORDS },
  identity: { question: 'What is the id of a lead request worth?' },
  'identity.originatesIn': { question: 'Where does the id of a lead request come from?', expects: WORDS },
  'identity.survivesRetry': {
    question: 'Does the id survive a retry?',
    choices: [
      [true, 'the source sends the same id when it sends a lead request again'],
      [false, 'it sends another id; then `samePerson.policy` must be `"ask"` or `"join"`'],
    ],
  },
  delivery: {
    question: 'What does the source promise about delivery?',
    choices: [
      ['at-least-once', 'it sends again until it is answered'],
      ['at-most-once', 'it sends once; a lead that is lost on its way is lost here too'],
    ],
  },
  changedFields: {
    question: 'What happens when a known id comes with other fields?',
    choices: [
      ['tell', 'it is refused and kept as a conflict, and the recovery owner is told'],
      ['keep', 'it is refused and kept as a conflict'],
    ],
  },
  samePerson: { question: 'What happens when the same person comes under another id?' },
  'samePerson.policy': {
    question: 'What becomes of the second lead request?',
    choices: [
      ['ask', 'it waits until the recovery owner lets it go on or stops it'],
      ['join', 'it is closed at once, and points to the first one'],
      ['allow', 'it is handed off as well'],
    ],
  },
  'samePerson.windowHours': {
    question: 'From how many hours on have two requests of one person nothing to do with each other?',
    expects: 'a number from 0.01 to 8760',
  },
  owner: {
    question: 'Who becomes the owner of a lead?',
    expects: 'an object with a rule and what that rule asks for',
  },
  'owner.rule': {
    question: 'By which rule is the owner chosen?',
    choices: [
      ['fixed', 'always the same one'],
      ['from-request', 'the one that the lead request names in `ownerId`'],
      ['round-robin', 'each in turn, by weight'],
      ['first-match', 'the first rule that fits the fields of the lead decides'],
    ],
  },
  'owner.ownerId': { question: 'Rule `fixed`: who gets every lead?', expects: OWNER_ID },
  'owner.fallbackOwnerId': {
    question: 'Rule `from-request`: who gets the leads that name no owner?',
    expects: OWNER_ID,
  },
  'owner.owners': {
    question: 'Rule `round-robin`: who takes turns?',
    expects: 'a list of 1 to 50 owners, each named once',
  },
  'owner.owners[]': { question: 'Rule `round-robin`: who is it, and with which share?' },
  'owner.owners[].ownerId': { question: 'Rule `round-robin`: who is it?', expects: OWNER_ID },
  'owner.owners[].weight': {
    question: 'Rule `round-robin`: which share is theirs? Weight 2 gets twice the leads of weight 1.',
    expects: 'a whole number from 1 to 100',
  },
  'owner.rules': {
    question: 'Rule `first-match`: which rules, in which order?',
    expects: 'a list of at least one rule',
  },
  'owner.rules[]': { question: 'Rule `first-match`: whose are which leads?' },
  'owner.rules[].when': {
    question:
      'Rule `first-match`: which leads? Every field named must fit by one of its values, in any case.',
    expects: 'at least one of country, companySize, language, emailDomain',
  },
  'owner.rules[].when.country': { question: 'Which countries?', expects: VALUES, otherwise: ANY },
  'owner.rules[].when.companySize': { question: 'Which company sizes?', expects: VALUES, otherwise: ANY },
  'owner.rules[].when.language': { question: 'Which languages?', expects: VALUES, otherwise: ANY },
  'owner.rules[].when.emailDomain': {
    question: 'Addresses at which domains, subdomains included?',
    expects: VALUES,
    otherwise: ANY,
  },
  'owner.rules[].ownerId': { question: 'Rule `first-match`: who gets these leads?', expects: OWNER_ID },
  'owner.defaultOwnerId': {
    question: 'Rule `first-match`: who gets the leads that no rule fits?',
    expects: OWNER_ID,
  },
  existingOwner: {
    question: 'What if the contact has an owner already?',
    choices: [
      ['keep', 'that owner stays, and introduces themselves'],
      ['replace', 'the chosen owner takes their place'],
    ],
  },
  changedOwner: {
    question: 'What if a person changes the owner while the handoff runs?',
    choices: [
      ['ask', "the person's owner stays, and the recovery owner is asked how to go on"],
      ['keep', "the person's owner stays, and the handoff goes on with them"],
    ],
  },
  contactValues: {
    question: 'May values of an existing contact be changed?',
    choices: [
      ['fill-blanks', 'no: only blank ones are filled'],
      ['overwrite', "yes: the lead request's values overwrite them"],
    ],
  },
  limits: { question: 'How far does an action go by itself?' },
  'limits.attemptsPerAction': {
    question: 'How often is an action tried?',
    expects: "a whole number from 1 to 20, or null for the stage's number",
  },
  underSameKey: { question: 'Which errors are retried?' },
  'underSameKey.tooEarly': {
    question: 'What is done under an idempotency key while the destination cannot tell yet?',
    choices: [
      ['resume', 'it is tried again with the same key'],
      ['wait', 'it waits until the destination can tell'],
    ],
  },
  'underSameKey.unreadable': {
    question: 'What is done under an idempotency key while the destination cannot be read?',
    choices: [
      ['resume', 'it is tried again with the same key'],
      ['ask', 'the recovery owner is asked'],
    ],
  },
  acceptSecondTask: {
    question: 'May a task that was not found be created again?',
    choices: [
      [true, 'yes, after the search has had its time: there may be a second task'],
      [false, 'no: the recovery owner is asked'],
    ],
  },
  drainPerMinute: {
    question: 'How fast does parked work go on?',
    expects: 'a whole number of handoffs a minute from 1 to 6000',
  },
  recoveryOwner: { question: 'Who decides uncertain actions?' },
  'recoveryOwner.name': { question: 'What is the recovery owner called?', expects: NAME },
  'recoveryOwner.email': { question: 'Where is the recovery owner written to?', expects: ADDRESS },
  askSlaSeconds: {
    question: 'How long has a person to answer?',
    expects: 'a whole number of seconds from 1 to 99999999',
    otherwise: "the stage's number",
  },
  escalationOwner: { question: 'Who is asked when there is no answer?' },
  'escalationOwner.name': { question: 'What is the escalation owner called?', expects: NAME },
  'escalationOwner.email': { question: 'Where is the escalation owner written to?', expects: ADDRESS },
  approvers: { question: 'Who may approve?', expects: 'a list of at least one person' },
  'approvers[]': { question: 'Who may approve?' },
  'approvers[].name': { question: 'What is the approver called?', expects: NAME },
  'approvers[].email': { question: "Which is the approver's address?", expects: ADDRESS },
  approvalPoint: {
    question: 'Is there a point that nothing passes again without approval?',
    choices: [
      [null, 'no'],
      ['upsert-contact', 'every resume of this action needs an approver'],
      ['assign-owner', 'the same of this one'],
      ['create-task', 'the same of this one'],
      ['send-introduction', 'the same of this one'],
    ],
  },
  crm: { question: 'Which CRM?' },
  'crm.adapter': { question: 'Which CRM is it?', choices: [['hubspot', 'HubSpot']] },
  'crm.portalId': {
    question: 'Which HubSpot account (Hub ID), for links to contacts?',
    expects: 'a text of 1 to 20 digits',
    otherwise: 'records hold no such link',
  },
  'crm.uniqueTaskProperty': {
    question: 'By what are tasks found again?',
    expects: 'the name of a task property that is declared unique in the account',
    otherwise: "by a stamp in their text, through HubSpot's search",
  },
  mail: { question: 'Which mail sender?' },
  'mail.adapter': { question: 'Which mail sender is it?', choices: [['resend', 'Resend']] },
  task: { question: 'What does the follow-up task say?' },
  'task.subject': { question: 'What is the subject of the task?', expects: 'a template' },
  'task.body': { question: 'What is the text of the task?', expects: 'a template' },
  'task.dueInHours': {
    question: 'How many hours after it is first about to be created is the task due?',
    expects: 'a number from 0',
  },
  introduction: { question: 'What does the introduction say?' },
  'introduction.templateVersion': {
    question: 'Which version of the texts is this? It is kept with what was sent.',
    expects: WORDS,
  },
  'introduction.from': { question: 'Who sends the introduction?', expects: 'a template' },
  'introduction.replyTo': { question: 'Where do answers to the introduction go?', expects: 'a template' },
  'introduction.subject': { question: 'What is the subject of the introduction?', expects: 'a template' },
  'introduction.text': {
    question: 'What is its text?',
    expects: 'a template that shows {{reference}}',
  },
  'introduction.html': {
    question: 'What is its HTML?',
    expects: 'a template that shows {{reference}}',
  },
  retentionDays: {
    question: 'How long is a closed handoff kept?',
    expects: 'a whole number of days from 1',
    otherwise: '400 days',
  },
} satisfies Readonly<Record<string, RouteQuestion>>;

/** Every question of a route file by its path; `[]` stands for the items of a list. */
export const ROUTE_QUESTIONS: Readonly<Record<string, RouteQuestion>> = QUESTIONS;

/** What a question of a route file asks, in words. */
export function asked(path: keyof typeof QUESTIONS): string {
  return QUESTIONS[path].question;
}

/** The question at a path such as `approvers[0].email`; what a list holds is asked for by the list. */
export function questionAt(path: string): RouteQuestion | undefined {
  const pattern = patternOf(path);
  return ROUTE_QUESTIONS[pattern] ?? ROUTE_QUESTIONS[pattern.replace(/\[\]$/, '')];
}

/** What may be answered at a path, to go after "expected". */
export function expectedAt(path: string): string {
  const asked = ROUTE_QUESTIONS[patternOf(path)];
  // The items of a list of texts are no questions of their own.
  if (asked === undefined) return WORDS;
  if (asked.choices) return either(asked.choices.map(([answer]) => JSON.stringify(answer)));
  return asked.expects ?? `an object with ${questionsUnder(path).join(', ')}`;
}

/** The names of the questions directly under a path; the empty path is the whole route. */
export function questionsUnder(path: string): string[] {
  const start = path === '' ? '' : `${patternOf(path)}.`;
  return Object.keys(ROUTE_QUESTIONS)
    .filter((one) => one.startsWith(start))
    .map((one) => one.slice(start.length))
    .filter((rest) => /^\w+$/.test(rest));
}

function patternOf(path: string): string {
  return path.replaceAll(/\[\d+\]/g, '[]');
}

function either(answers: readonly string[]): string {
  return answers.length < 2 ? answers.join() : `${answers.slice(0, -1).join(', ')} or ${answers.at(-1)}`;
}
