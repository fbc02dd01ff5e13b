import * as v from 'valibot';
import { ACTIONS } from './action.ts';
import { ownerRuleSchema } from './owner-rule.ts';
import { routeProblems, shown } from './route-problems.ts';
import { samePersonSchema } from './same-person.ts';
import { assertTimesNest, type Stage, type StageNumbers } from './stage-numbers.ts';
import { checkTemplate, showsReference, UnknownPlaceholder } from './template.ts';

const person = v.strictObject({
  name: v.pipe(v.string(), v.trim(), v.nonEmpty()),
  email: v.pipe(v.string(), v.email()),
});

const text = v.pipe(v.string(), v.nonEmpty());

/** A text with placeholders, all of which exist. */
const template = v.pipe(
  text,
  v.rawCheck(({ dataset, addIssue }) => {
    if (!dataset.typed) return;
    try {
      checkTemplate(dataset.value);
    } catch (error) {
      if (!(error instanceof UnknownPlaceholder)) throw error;
      addIssue({ message: error.message });
    }
  }),
);

/** Resend is read back by what the message says: two requests of one person must not look alike. */
const introductionBody = v.pipe(
  template,
  v.rawCheck(({ dataset, addIssue }) => {
    if (!dataset.typed || showsReference(dataset.value)) return;
    addIssue({ message: 'It must show {{reference}}, by which the message is found again.' });
  }),
);

const answersSchema = v.strictObject({
  name: v.pipe(v.string(), v.regex(/^[a-z][a-z0-9-]{0,11}$/)),
  /** Where the leads come from, in words. */
  source: text,
  identity: v.strictObject({
    /** Which system gives a lead request its id, and when, in words. */
    originatesIn: text,
    /** Whether the source sends the same id when it sends a lead request again. Without that only `samePerson` knows a repeat. */
    survivesRetry: v.boolean(),
  }),
  /**
   * What the source's queue or webhook promises. `at-least-once`: it sends again until it is answered. `at-most-once`: it sends
   * once, and a lead that is lost on its way is lost for this product too.
   */
  delivery: v.picklist(['at-least-once', 'at-most-once']),
  /**
   * What becomes of a request that comes under a known id with other fields. It is always refused, and kept as a conflict in the
   * record of the first one. `tell` also tells the recovery owner; `keep` leaves it at that.
   */
  changedFields: v.picklist(['tell', 'keep']),
  samePerson: samePersonSchema,
  owner: ownerRuleSchema,
  /** What happens to an owner that the contact already had. */
  existingOwner: v.picklist(['keep', 'replace']),
  /** What happens when a person changes the owner while the handoff runs. */
  changedOwner: v.picklist(['ask', 'keep']),
  /** Whether the upsert may overwrite values that the contact already has. */
  contactValues: v.picklist(['fill-blanks', 'overwrite']),
  /** Who decides uncertain actions. */
  recoveryOwner: person,
  /** Who is asked when the recovery owner does not answer in time. */
  escalationOwner: person,
  /** Who may decide what the recovery owner alone may not: corrected fields, dead letters, resumes at the approval point. */
  approvers: v.pipe(v.array(person), v.minLength(1)),
  /** How long a person who is asked has to answer; the stage's number where the route does not say. */
  askSlaSeconds: v.optional(v.pipe(v.number(), v.integer(), v.minValue(1), v.maxValue(99_999_999))),
  /** The action whose every resume needs a person; null for none. */
  approvalPoint: v.nullable(v.picklist(ACTIONS)),
  limits: v.strictObject({
    /** How often an action is tried before a person is asked; null for the stage's number. */
    attemptsPerAction: v.nullable(v.pipe(v.number(), v.integer(), v.minValue(1), v.maxValue(20))),
  }),
  /** How many parked handoffs go on per minute when their destination or the route is open again. */
  drainPerMinute: v.pipe(v.number(), v.integer(), v.minValue(1), v.maxValue(6_000)),
  /**
   * Which errors are retryable. An attempt that provably had no effect is always tried again within the limits; what else may be is
   * answered here and by `acceptSecondTask`. Here: what to do under an idempotency key while the destination cannot yet tell, or
   * cannot be read.
   */
  underSameKey: v.strictObject({
    tooEarly: v.picklist(['resume', 'wait']),
    unreadable: v.picklist(['resume', 'ask']),
  }),
  /** Whether a task found absent by search may be created again, at the risk of a second task. */
  acceptSecondTask: v.boolean(),
  crm: v.strictObject({
    adapter: v.literal('hubspot'),
    /** The number of the HubSpot account (its Hub ID), for links to contacts; without it records hold no such link. */
    portalId: v.optional(v.pipe(v.string(), v.regex(/^\d{1,20}$/))),
    /** A task property declared unique in the portal, by which tasks are found at once. */
    uniqueTaskProperty: v.optional(text),
  }),
  mail: v.strictObject({ adapter: v.literal('resend') }),
  /** How long the ledger keeps a closed handoff; 400 days where the route does not say. */
  retentionDays: v.optional(v.pipe(v.number(), v.integer(), v.minValue(1)), 400),
  task: v.strictObject({ subject: template, body: template, dueInHours: v.pipe(v.number(), v.minValue(0)) }),
  introduction: v.strictObject({
    templateVersion: template,
    from: template,
    replyTo: template,
    subject: template,
    text: introductionBody,
    html: introductionBody,
  }),
});

/** The questions of a route, and what one answer says of another; `route-questions.ts` has them in words. */
export const routeSchema = v.pipe(
  answersSchema,
  v.forward(
    v.partialCheck(
      [
        ['identity', 'survivesRetry'],
        ['samePerson', 'policy'],
      ],
      ({ identity, samePerson }) => identity.survivesRetry || samePerson.policy !== 'allow',
      'It must be "ask" or "join", because the source sends a lead request again under another id.',
    ),
    ['samePerson', 'policy'],
  ),
);

/** What a route file says; answers with a default may be left out. */
export type RouteAnswers = v.InferInput<typeof routeSchema>;

/** A configured path for leads: who answers for it, what its destinations promise, and what may be repeated. */
export type RouteSettings = Readonly<v.InferOutput<typeof routeSchema>>;

/** Route files leave questions open or answer them wrongly: one line of the message for each. */
export class InvalidRoute extends Error {
  override readonly name = 'InvalidRoute';
  /** What the file calls its route; null where it does not get that far. */
  readonly route: string | null;
  /** The lines without the place. */
  readonly problems: readonly string[];

  /** @param where the file, or the route: every line begins with it; null where the problems say it themselves */
  constructor(where: string | null, problems: readonly string[], route: string | null = null) {
    super(problems.map((problem) => (where === null ? problem : `${where}: ${problem}`)).join('\n'));
    this.problems = problems;
    this.route = route;
  }
}

/** The routes of an app, and what keeps other route files from being one. */
export interface LoadedRoutes {
  readonly routes: readonly RouteSettings[];
  /** One for each file that is no route yet; its message names the file in every line. */
  readonly broken: readonly InvalidRoute[];
}

/**
 * Checks a route file's answers.
 *
 * @throws InvalidRoute with every question that has no usable answer.
 */
export function defineRoute(answers: RouteAnswers): RouteSettings {
  const parsed = v.safeParse(routeSchema, answers);
  if (parsed.success) return parsed.output;
  const given: unknown = (answers as Partial<RouteAnswers> | undefined)?.name;
  const route = typeof given === 'string' ? given : null;
  throw new InvalidRoute(`Route ${shown(given ?? '?')}`, routeProblems(routeSchema, answers), route);
}

/** What `routes.json` in every function bundle holds: no secrets, no personal data of leads. */
export interface RoutesFile {
  readonly stage: Stage;
  readonly numbers: StageNumbers;
  readonly routes: readonly RouteSettings[];
}

/**
 * Puts the routes of a stage together.
 *
 * @throws InvalidRoute for two routes of one name; TimesDoNotNest.
 */
export function routesFile(
  stage: Stage,
  numbers: StageNumbers,
  routes: readonly RouteSettings[],
): RoutesFile {
  assertTimesNest(stage, numbers);
  const names = routes.map((route) => route.name);
  const twice = names.find((name, i) => names.indexOf(name) !== i);
  if (twice !== undefined) throw new InvalidRoute(`Route ${shown(twice)}`, ['It is defined twice.'], twice);
  if (routes.length === 0) throw new InvalidRoute('routes/', ['There is no route: add a file for one.']);
  return { stage, numbers, routes };
}

/** The name of the secret that holds a destination's credential, for reading or for writing. */
export function secretName(stage: Stage, route: string, destination: string, use: 'read' | 'write'): string {
  return `${stage}/${route}/${destination}/${use}`;
}

/** The name of the secret by which the senders of a route sign what they post. */
export function intakeSecretName(stage: Stage, route: string): string {
  return `${stage}/${route}/intake`;
}
