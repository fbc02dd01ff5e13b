import type { Configuration, Scenario } from './configurations.ts';
import { CONFIRM, EVERY_DECISION, RESUME, STOP, TAKE_OVER } from './decision-choices.ts';

/** People who decide through the function for it, while the workflow goes on and the sweep looks after what is left lying. */
export const THROUGH_FUNCTIONS = {
  decisions: [RESUME, CONFIRM, TAKE_OVER, STOP],
  fates: ['refused', 'late'],
  faultsIn: ['reconcile', 'ask', 'park', 'close', 'decide', 'ended', 'sweep'],
  closes: true,
  sweeps: true,
} as const satisfies Partial<Configuration>;

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

/** Passed, but not within seconds, so only by name. */
export const ONE_DECIDES_ONE_RESUBMITS: Scenario = {
  ...THROUGH_FUNCTIONS,
  title: 'one decides, one resubmits',
  budget: { fates: 1, deciders: 1, resubmits: 1 },
  fates: ['refused'],
  decisions: [RESUME, TAKE_OVER],
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
  },
  fates: ['not-connected', 'lost', 'answer-lost', 'late', 'rate-limited', 'refused'],
  faultsIn: ['act', 'reconcile', 'ask', 'park', 'close', 'decide', 'ended', 'sweep'],
  decisions: EVERY_DECISION,
  decidesUnasked: true,
  slowWorkers: true,
  expires: true,
  fenceMoves: true,
};
