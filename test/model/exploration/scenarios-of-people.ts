import type { Configuration, Scenario } from './configurations.ts';
import {
  AMEND,
  CONFIRM,
  CORRECT,
  CORRECT_ADDRESS,
  EVERY_DECISION,
  RESUME,
  STOP,
  TAKE_OVER,
} from './decision-choices.ts';

/** People who decide through the function for it, while the workflow goes on and the sweep looks after what is left lying. */
export const THROUGH_FUNCTIONS = {
  decisions: [RESUME, CONFIRM, TAKE_OVER, STOP],
  fates: ['refused', 'late'],
  faultsIn: ['reconcile', 'ask', 'park', 'close', 'decide', 'ended', 'sweep'],
  closes: true,
  sweeps: true,
} as const satisfies Partial<Configuration>;

const APPROVERS = [
  { name: 'Robin', email: 'robin@revops.example.com' },
  { name: 'Mia', email: 'mia@revops.example.com' },
];

export const DECIDING: readonly Scenario[] = [
  { ...THROUGH_FUNCTIONS, title: 'a person decides', budget: { fates: 1, deciders: 1 }, expires: true },
  {
    ...THROUGH_FUNCTIONS,
    title: 'a person stops it',
    budget: { fates: 1, deciders: 1 },
    decisions: [STOP],
    decidesUnasked: true,
  },
  {
    ...THROUGH_FUNCTIONS,
    title: 'a person decides, records read in pieces',
    budget: { fates: 1, deciders: 1 },
    inPieces: true,
  },
  {
    ...THROUGH_FUNCTIONS,
    title: 'a person decides, no answer to reads',
    budget: { fates: 1, deciders: 1, unreadable: 2 },
  },
  { ...THROUGH_FUNCTIONS, title: 'a person decides twice', budget: { fates: 1, deciders: 1, repeats: 1 } },
  {
    ...THROUGH_FUNCTIONS,
    title: 'two people decide',
    budget: { fates: 1, deciders: 2 },
    fates: ['refused'],
    decisions: [RESUME, TAKE_OVER, STOP],
  },
  {
    ...THROUGH_FUNCTIONS,
    title: 'two people decide, a fault',
    budget: { fates: 1, deciders: 2, faults: 1 },
    fates: ['refused'],
    decisions: [TAKE_OVER],
    faultsIn: ['decide'],
    triesAgain: false,
  },
  {
    ...THROUGH_FUNCTIONS,
    title: 'decided while parked',
    budget: { fates: 1, deciders: 1, pauses: 1 },
    fates: ['not-connected'],
    decisions: [RESUME, TAKE_OVER],
  },
  {
    ...THROUGH_FUNCTIONS,
    title: 'a person decides, a second worker',
    budget: { fates: 1, deciders: 1, duplicates: 1 },
    fates: ['refused'],
    decisions: [RESUME, TAKE_OVER],
  },
];

/** In which another run may take the fence. */
export const RESUBMITTING: readonly Scenario[] = [
  {
    ...THROUGH_FUNCTIONS,
    title: 'a person decides, a fault',
    budget: { fates: 1, deciders: 1, faults: 1 },
    fates: ['refused'],
    decisions: [RESUME, TAKE_OVER],
    fenceMoves: true,
  },
  {
    ...THROUGH_FUNCTIONS,
    title: 'a person resubmits',
    budget: { fates: 1, resubmits: 1 },
    fates: ['refused'],
    fenceMoves: true,
  },
  {
    ...THROUGH_FUNCTIONS,
    title: 'two people resubmit',
    budget: { fates: 1, resubmits: 2 },
    fates: ['refused'],
    fenceMoves: true,
  },
  {
    ...THROUGH_FUNCTIONS,
    title: 'a person resubmits, a fault',
    budget: { fates: 1, resubmits: 1, faults: 1 },
    fates: ['refused'],
    fenceMoves: true,
  },
  {
    ...THROUGH_FUNCTIONS,
    title: 'the execution is aborted, a person resubmits',
    budget: { fates: 1, aborts: 1, resubmits: 1 },
    fates: ['refused'],
    fenceMoves: true,
  },
  {
    ...THROUGH_FUNCTIONS,
    title: 'the execution is aborted, a person decides',
    budget: { fates: 1, deciders: 1, aborts: 1 },
    fates: ['refused'],
    decisions: [RESUME, TAKE_OVER],
    fenceMoves: true,
  },
  {
    ...THROUGH_FUNCTIONS,
    title: 'the execution is aborted, a fault',
    budget: { fates: 1, aborts: 1, faults: 1 },
    fates: ['refused'],
    fenceMoves: true,
  },
];

/** In which an execution that was aborted or has failed goes on from where it stood. */
export const REDRIVING: readonly Scenario[] = [
  {
    ...THROUGH_FUNCTIONS,
    title: 'the execution is aborted and redriven',
    budget: { fates: 1, aborts: 1, redrives: 1 },
    fates: ['refused'],
    abortsAnywhere: true,
    fenceMoves: true,
  },
  {
    ...THROUGH_FUNCTIONS,
    title: 'the execution is aborted and redriven, a person stops it',
    budget: { fates: 1, deciders: 1, aborts: 1, redrives: 1 },
    fates: ['refused'],
    decisions: [STOP],
    fenceMoves: true,
  },
  {
    ...THROUGH_FUNCTIONS,
    title: 'the execution is aborted and redriven, a person resubmits',
    budget: { fates: 1, aborts: 1, redrives: 1, resubmits: 1 },
    fates: ['refused'],
    sweeps: false,
    fenceMoves: true,
  },
  {
    ...THROUGH_FUNCTIONS,
    title: 'the execution is aborted and redriven, a fault',
    budget: { fates: 1, aborts: 1, redrives: 1, faults: 1 },
    fates: ['refused'],
    faultsIn: ['reconcile', 'ask', 'close', 'ended', 'sweep'],
    fenceMoves: true,
  },
];

/** In which the lead request came again under its id with other fields, and an approver may put them in the place of the first ones. */
export const OTHER_NAME: Partial<Configuration> = {
  ...THROUGH_FUNCTIONS,
  route: { approvers: APPROVERS },
  otherFields: ['other-name'],
  decisions: [AMEND, CORRECT],
};

/** The same with another address, which makes the lead another person's. */
export const OTHER_ADDRESS: Partial<Configuration> = {
  ...OTHER_NAME,
  route: { approvers: APPROVERS, samePerson: { policy: 'ask', windowHours: 24 } },
  otherFields: ['other-address'],
  decisions: [CORRECT_ADDRESS],
};

export const CORRECTING: readonly Scenario[] = [
  { ...OTHER_NAME, title: 'an approver corrects it', budget: { fates: 1, deciders: 1 } },
  {
    ...OTHER_NAME,
    title: 'an approver corrects it, a fault',
    budget: { fates: 1, deciders: 1, faults: 1 },
    fates: ['refused'],
    decisions: [CORRECT],
    faultsIn: ['act', 'reconcile'],
  },
  {
    ...OTHER_NAME,
    title: 'an approver corrects it, another person decides',
    budget: { fates: 1, deciders: 2 },
    fates: ['refused'],
    decisions: [CORRECT, RESUME, STOP],
    decidesUnasked: true,
  },
];

export const CORRECTING_THE_ADDRESS: readonly Scenario[] = [
  {
    ...OTHER_ADDRESS,
    title: 'an approver corrects the address, a fault',
    budget: { fates: 1, deciders: 1, faults: 1 },
    fates: ['refused'],
    faultsIn: ['act', 'reconcile'],
  },
];

/** Passed, but not within seconds, so only by name. */
export const ONE_DECIDES_ONE_RESUBMITS: Scenario = {
  ...THROUGH_FUNCTIONS,
  title: 'one decides, one resubmits',
  budget: { fates: 1, deciders: 1, resubmits: 1 },
  fates: ['refused'],
  decisions: [RESUME, TAKE_OVER],
  fenceMoves: true,
};

/** A correction whose attempt nobody claimed, and another decision after it. Passed as well. */
export const CORRECTED_AND_RESUMED: Scenario = {
  ...OTHER_NAME,
  title: 'an approver corrects it, another person resumes it, a fault',
  budget: { fates: 1, deciders: 2, faults: 1 },
  fates: ['refused'],
  decisions: [CORRECT, RESUME],
  faultsIn: ['act', 'reconcile'],
};

/** Too large to visit everything within minutes: four million states were, and nothing was broken. */
export const REDRIVEN_AND_RESUMED: Scenario = {
  ...THROUGH_FUNCTIONS,
  title: 'the execution is aborted and redriven, a person resumes it',
  budget: { fates: 1, deciders: 1, aborts: 1, redrives: 1 },
  fates: ['refused'],
  decisions: [RESUME],
  fenceMoves: true,
};

/** Too large to visit everything. */
export const PEOPLE_DECIDE: Scenario = {
  ...THROUGH_FUNCTIONS,
  title: 'people decide',
  budget: {
    faults: 3,
    fates: 3,
    duplicates: 1,
    unreadable: 2,
    deciders: 3,
    repeats: 2,
    pauses: 1,
    resubmits: 1,
    aborts: 1,
    redrives: 1,
  },
  fates: ['not-connected', 'lost', 'answer-lost', 'late', 'rate-limited', 'refused'],
  faultsIn: ['act', 'reconcile', 'ask', 'park', 'close', 'decide', 'ended', 'sweep'],
  decisions: [...EVERY_DECISION, CORRECT],
  otherFields: ['other-name'],
  route: { approvers: APPROVERS },
  decidesUnasked: true,
  slowWorkers: true,
  expires: true,
  fenceMoves: true,
};
