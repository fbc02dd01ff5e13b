import type { Decision, DecisionKind } from '../../../functions/domain/decision.ts';
import type { RouteAnswers } from '../../../functions/domain/route.ts';
import type { PeopleMove } from './people.ts';
import type { FateName } from './requests.ts';
import { SUBJECTS, type SubjectName } from './settings.ts';
import { type Budget, NO_BUDGET } from './world.ts';

export interface DecisionChoice {
  readonly kind: DecisionKind;
  readonly more?: Partial<Decision>;
}

/** What is explored: one action at one receiver, and how much may go wrong with it. */
export interface Configuration {
  readonly name: string;
  readonly subject: SubjectName;
  readonly budget: Budget;
  readonly fates: readonly FateName[];
  readonly people: readonly PeopleMove[];
  readonly decisions: readonly DecisionChoice[];
  /** People decide at any time, not only when they are asked. */
  readonly decidesUnasked: boolean;
  /** Time passes while functions run, up to their timeout. */
  readonly slowWorkers: boolean;
  readonly route: Partial<RouteAnswers>;
}

const EVERY_DECISION: readonly DecisionChoice[] = [
  { kind: 'resume' },
  { kind: 'confirm', more: { evidence: 'seen' } },
  { kind: 'take-over' },
  { kind: 'take-over', more: { riskAccepted: true } },
  { kind: 'release', more: { notDone: true } },
  { kind: 'keep-owner' },
  { kind: 'send-as-current-owner' },
  { kind: 'amend' },
  { kind: 'stop' },
];

const EVERY_FATE: readonly FateName[] = [
  'not-connected',
  'lost',
  'answer-lost',
  'late',
  'rate-limited',
  'refused',
];

const EVERY_PERSON: readonly PeopleMove[] = [
  'reassign',
  'reassign-to-ours',
  'clear-owner',
  'archive',
  'restore',
  'delete',
  'merge',
  'opt-out',
  'archive-task',
  'complete-task',
];

const QUIET: Omit<Configuration, 'name' | 'subject'> = {
  budget: NO_BUDGET,
  fates: EVERY_FATE,
  people: [],
  decisions: EVERY_DECISION,
  decidesUnasked: false,
  slowWorkers: false,
  route: {},
};

const SUBJECT_NAMES = Object.keys(SUBJECTS) as SubjectName[];

type Scenario = Partial<Omit<Configuration, 'name' | 'subject' | 'budget'>> & {
  readonly title: string;
  readonly budget: Partial<Budget>;
};

function of(subject: SubjectName, { title, budget, ...more }: Scenario): Configuration {
  return { ...QUIET, ...more, name: `${subject}, ${title}`, subject, budget: { ...NO_BUDGET, ...budget } };
}

/** A configuration of one's own. */
export function quietConfiguration(
  subject: SubjectName,
  title: string,
  budget: Partial<Budget>,
  more: Partial<Configuration> = {},
): Configuration {
  return of(subject, { title, budget, ...more });
}

/** What every receiver is explored with. */
const SCENARIOS: readonly Scenario[] = [
  { title: 'a request, a decision', budget: { fates: 1, decisions: 1 } },
  { title: 'two workers', budget: { duplicates: 1 } },
  { title: 'two workers, late landing', budget: { duplicates: 1, fates: 1 }, fates: ['late'] },
  { title: 'a fault', budget: { faults: 1 } },
  { title: 'a fault, late landing', budget: { faults: 1, fates: 1 }, fates: ['late'] },
  { title: 'a fault, a decision', budget: { faults: 1, decisions: 1 } },
  { title: 'no answer to reads', budget: { fates: 1, unreadable: 2 } },
  { title: 'a person interferes', budget: { fates: 1, people: 1 }, people: EVERY_PERSON },
  { title: 'a pause', budget: { fates: 1, pauses: 1 }, fates: ['not-connected', 'late'] },
  { title: 'an execution without the fence', budget: { strangers: 1 } },
  { title: 'a second run', budget: { takeovers: 1 } },
];

/** Small enough to visit everything. */
export const SMALL: readonly Configuration[] = SUBJECT_NAMES.flatMap((subject) =>
  SCENARIOS.map((scenario) => of(subject, scenario)),
);

/** All of it at once: still visited to the end, but not within minutes, so only by name. */
export const WHOLE: readonly Configuration[] = SUBJECT_NAMES.map((subject) =>
  of(subject, {
    title: 'two workers, a fault, late landing, a decision',
    budget: { duplicates: 1, faults: 1, fates: 1, decisions: 1 },
    fates: ['late'],
  }),
);

const WORLDS: readonly Scenario[] = [
  {
    title: 'everything',
    budget: {
      faults: 3,
      fates: 3,
      duplicates: 2,
      unreadable: 3,
      people: 2,
      decisions: 3,
      pauses: 1,
      takeovers: 1,
      strangers: 1,
    },
    people: EVERY_PERSON,
    decidesUnasked: true,
    slowWorkers: true,
  },
  {
    title: 'a bad network',
    budget: { faults: 3, fates: 4, duplicates: 2, unreadable: 3, decisions: 2 },
    fates: ['not-connected', 'lost', 'answer-lost', 'late', 'rate-limited'],
    decisions: EVERY_DECISION.filter(({ kind }) => kind !== 'stop'),
  },
];

/** Too large to visit everything: walked at random. */
export const LARGE: readonly Configuration[] = SUBJECT_NAMES.flatMap((subject) =>
  WORLDS.map((world) => of(subject, world)),
);

export const ALL: readonly Configuration[] = [...SMALL, ...WHOLE, ...LARGE];

export function configurationNamed(name: string): Configuration | undefined {
  return ALL.find((one) => one.name === name);
}
