import type { RouteAnswers } from '../../../functions/domain/route.ts';
import { type DecisionChoice, EVERY_DECISION } from './decision-choices.ts';
import type { OtherFields } from './handoff.ts';
import type { PeopleMove } from './people.ts';
import type { FateName } from './requests.ts';
import {
  CORRECTED_AND_RESUMED,
  CORRECTING,
  CORRECTING_THE_ADDRESS,
  DECIDING,
  ONE_DECIDES_ONE_RESUBMITS,
  PEOPLE_DECIDE,
  REDRIVEN_AND_RESUMED,
  REDRIVING,
  RESUBMITTING,
} from './scenarios-of-people.ts';
import { SUBJECTS, type SubjectName } from './settings.ts';
import { type Budget, NO_BUDGET, type Role } from './world.ts';

/** What is explored: one action at one receiver, and how much may go wrong with it. */
export interface Configuration {
  readonly name: string;
  readonly subject: SubjectName;
  readonly budget: Budget;
  readonly fates: readonly FateName[];
  readonly people: readonly PeopleMove[];
  /** What people decide, simply written down or through the function for it. */
  readonly decisions: readonly DecisionChoice[];
  /** The functions that faults strike. */
  readonly faultsIn: readonly Role[];
  /** `Close record` follows the action's group. */
  readonly closes: boolean;
  /** The state machine of a person's request runs its function again after an error. */
  readonly triesAgain: boolean;
  /** The sweep comes where something may be left lying. */
  readonly sweeps: boolean;
  /** A record is read in two pieces, between which anything may happen. */
  readonly inPieces: boolean;
  /** A question's time may run out while somebody decides. */
  readonly expires: boolean;
  /** Another run may take the fence through the functions for it. */
  readonly fenceMoves: boolean;
  /** Other fields that came under the id before anything else happens. */
  readonly otherFields: readonly OtherFields[];
  /** The execution may be stopped beside a function that goes on, and not only where the workflow waits. */
  readonly abortsAnywhere: boolean;
  /** People decide at any time, not only when they are asked. */
  readonly decidesUnasked: boolean;
  /** Time passes while functions run, up to their timeout. */
  readonly slowWorkers: boolean;
  readonly route: Partial<RouteAnswers>;
}

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
  faultsIn: ['act', 'reconcile', 'ask', 'park'],
  closes: false,
  triesAgain: true,
  sweeps: false,
  inPieces: false,
  expires: false,
  fenceMoves: false,
  otherFields: [],
  abortsAnywhere: false,
  decidesUnasked: false,
  slowWorkers: false,
  route: {},
};

const SUBJECT_NAMES = Object.keys(SUBJECTS) as SubjectName[];

export type Scenario = Partial<Omit<Configuration, 'name' | 'subject' | 'budget'>> & {
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

/** One for each receiver contract: what people decide does not depend on the action. */
const OF_EVERY_CONTRACT: readonly SubjectName[] = [
  'introduction by key',
  'task by search',
  'task by unique property',
  'task without contract',
  'owner by conditional write',
];

/** Runs that follow each other do not depend on the receiver either. */
const OF_TWO_CONTRACTS: readonly SubjectName[] = ['introduction by key', 'task without contract'];

/** What the lead's fields go into, each with another contract. */
const MADE_OF_FIELDS: readonly SubjectName[] = [
  'introduction by key',
  'task without contract',
  'contact by email',
];

function every(subjects: readonly SubjectName[], scenarios: readonly Scenario[]): Configuration[] {
  return subjects.flatMap((subject) => scenarios.map((scenario) => of(subject, scenario)));
}

/** Small enough to visit everything. */
export const SMALL: readonly Configuration[] = [
  ...every(SUBJECT_NAMES, SCENARIOS),
  ...every(OF_EVERY_CONTRACT, DECIDING),
  ...every(OF_TWO_CONTRACTS, [...RESUBMITTING, ...REDRIVING]),
  ...every(MADE_OF_FIELDS, CORRECTING),
  ...every(['contact by email'], CORRECTING_THE_ADDRESS),
];

/** More at once, which takes minutes or longer: only by name. */
export const WHOLE: readonly Configuration[] = [
  ...every(SUBJECT_NAMES, [
    {
      title: 'two workers, a fault, late landing, a decision',
      budget: { duplicates: 1, faults: 1, fates: 1, decisions: 1 },
      fates: ['late'],
    },
  ]),
  ...every(OF_TWO_CONTRACTS, [ONE_DECIDES_ONE_RESUBMITS, REDRIVEN_AND_RESUMED, CORRECTED_AND_RESUMED]),
];

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
  PEOPLE_DECIDE,
];

/** Too large to visit everything: walked at random. */
export const LARGE: readonly Configuration[] = SUBJECT_NAMES.flatMap((subject) =>
  WORLDS.map((world) => of(subject, world)),
);

export const ALL: readonly Configuration[] = [...SMALL, ...WHOLE, ...LARGE];

export function configurationNamed(name: string): Configuration | undefined {
  return ALL.find((one) => one.name === name);
}
