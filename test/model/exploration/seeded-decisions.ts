import type { ActionState } from '../../../functions/domain/action-state.ts';
import { Rejected, transition } from '../../../functions/domain/transition.ts';
import { executionInput } from '../../../functions/domain/workflow-data.ts';
import type { Ledger } from '../../../functions/ports/ledger.ts';
import { answerPerson } from '../../../functions/recovery/answer-person.ts';
import { openWait } from '../../../functions/recovery/open-wait.ts';
import type { RecoveryPorts } from '../../../functions/recovery/ports.ts';
import { recoveryOpened } from '../../../functions/recovery/question.ts';
import { putOnWaitingList } from '../../../functions/recovery/wait.ts';
import { KEY, runOf } from './handoff.ts';
import type { SeededBug } from './model.ts';
import { ledgerPort, type Transition } from './ports.ts';
import type { Surroundings } from './programs.ts';
import { OTHER_ADDRESS, OTHER_NAME, THROUGH_FUNCTIONS } from './scenarios-of-people.ts';
import type { Seeded } from './seeded-bugs.ts';

/** A ledger that judges events in another way. */
export const withTransition = (decide: Transition): SeededBug => ({
  around: { ledger: (io) => ledgerPort(io, decide) },
});

type Answer = Surroundings['answer'];
type Wait = Surroundings['wait'];

const SUBJECT = 'task without contract';

/** A person who decides while nothing goes wrong. */
const ONE_DECIDES = {
  subject: SUBJECT,
  budget: { fates: 1, deciders: 1 },
  more: { ...THROUGH_FUNCTIONS, fates: ['refused'], expires: true },
} as const;

/** A person who decides through a function that dies, or whose requests fail. */
const ONE_DECIDES_AND_FAILS = {
  ...THROUGH_FUNCTIONS,
  fates: ['refused'],
  decisions: [{ kind: 'take-over', more: { riskAccepted: true } }],
  faultsIn: ['decide'],
  fenceMoves: true,
} as const;

const answering =
  (change: (ports: RecoveryPorts) => RecoveryPorts): Answer =>
  (input, execution, ports) =>
    answerPerson(input, execution, change(ports));

const withLedger = (ports: RecoveryPorts, change: (ledger: Ledger) => Partial<Ledger>): RecoveryPorts => ({
  ...ports,
  ledger: { ...ports.ledger, ...change(ports.ledger) },
});

/** The record as a function sees it that looks at its actions in another way. */
const seeing = (ports: RecoveryPorts, see: (state: ActionState) => ActionState): RecoveryPorts =>
  withLedger(ports, (ledger) => ({
    record: async (key) => {
      const record = await ledger.record(key);
      return record && { ...record, actions: record.actions.map(see) };
    },
  }));

const neverHeard = (state: ActionState): ActionState => ({
  ...state,
  lastRead: state.lastRead && { ...state.lastRead, heard: null },
});

/** Completes the token that is listed now, and only then does what it should. */
const completesFirst: Answer = async (input, execution, ports) => {
  const record = await ports.ledger.record(KEY);
  const token = record?.waiting.find(({ action }) => action !== 'handoff')?.token;
  if (token) await ports.workflow.complete(token);
  const done = { ...ports.workflow, complete: async () => true };
  return answerPerson(input, execution, { ...ports, workflow: done });
};

/** The wait is listed and told, and nobody looks whether it is over already. */
const looksForNothing: Wait = async (kind, request, ports) => {
  const { destination } = ports.contractOf(request.action);
  const waiting = await putOnWaitingList(kind, request, { ...ports, destination });
  const record = await ports.ledger.record(KEY);
  if (record && kind === 'ask') await ports.events.publish(recoveryOpened(record, waiting, ports));
  return { ...waiting, answered: false };
};

/** It looks for a decision, and puts its token on the list after that. */
const looksTooEarly: Wait = async (kind, request, ports) => {
  const seen = await ports.ledger.record(KEY);
  return openWait(kind, request, {
    ...ports,
    ledger: { ...ports.ledger, record: async () => seen },
  });
};

const silent: Wait = (kind, request, ports) =>
  openWait(kind, request, {
    ...ports,
    events: { publish: (event) => ports.events.publish(event).catch(() => undefined) },
  });

/** The next run starts, and takes the fence when it runs already. */
const startsBeforeTheFence: Answer = answering((ports) =>
  withLedger(ports, (ledger) => ({
    takeFence: async (key, fromRun, execution) => {
      const input = executionInput(KEY, runOf(execution), ports.route, ports.numbers);
      await ports.workflow.start(execution, input);
      return ledger.takeFence(key, fromRun, execution);
    },
  })),
);

/** An approver who corrects a field of the lead. */
const ONE_CORRECTS = {
  subject: SUBJECT,
  budget: { fates: 1, deciders: 1 },
  more: { ...OTHER_NAME, fates: ['refused'] },
} as const;

/** The ledger, of whose writes one is forgotten. */
const without =
  (write: 'amend' | 'addConflict' | 'releasePerson'): Surroundings['ledger'] =>
  (io, decide, inPieces) => ({ ...ledgerPort(io, decide, inPieces), [write]: async () => {} });

/** Bugs in what people decide through the functions for it. */
export const SEEDED_DECISIONS: readonly Seeded[] = [
  {
    ...ONE_DECIDES,
    name: 'whoever registers a token does not look for a decision',
    breaks: 'heard',
    bug: { around: { wait: looksForNothing } },
  },
  {
    ...ONE_DECIDES,
    name: 'whoever registers a token looks for a decision before that',
    breaks: 'heard',
    bug: { around: { wait: looksTooEarly } },
  },
  {
    ...ONE_DECIDES,
    name: 'whoever decides does not complete the token',
    breaks: 'heard',
    bug: {
      around: {
        answer: answering((ports) => ({
          ...ports,
          workflow: { ...ports.workflow, complete: async () => false },
        })),
      },
    },
  },
  {
    ...ONE_DECIDES,
    name: 'whoever decides completes the token, and writes after that',
    breaks: 'heard',
    bug: { around: { answer: completesFirst } },
  },
  {
    ...ONE_DECIDES,
    name: 'a decision is written although the record has moved since it was judged',
    breaks: 'decision',
    bug: {
      around: {
        answer: answering((ports) =>
          withLedger(ports, (ledger) => ({
            apply: (key, event, seen) =>
              ledger.apply(
                key,
                event.type === 'decide' ? { type: 'decide', decision: event.decision } : event,
                seen,
              ),
          })),
        ),
      },
    },
  },
  {
    ...ONE_DECIDES,
    name: 'a decision that was heard and kept wakes its action again and again',
    budget: { fates: 1, deciders: 1, pauses: 1 },
    more: { ...THROUGH_FUNCTIONS, fates: ['not-connected'], decisions: [{ kind: 'resume' }] },
    breaks: 'spins',
    bug: { around: { wait: (kind, request, ports) => openWait(kind, request, seeing(ports, neverHeard)) } },
  },
  {
    ...ONE_DECIDES,
    name: 'a second decision takes the place of the first',
    budget: { fates: 1, deciders: 2 },
    more: { ...THROUGH_FUNCTIONS, fates: ['refused'] },
    breaks: 'decision',
    bug: {
      around: {
        answer: answering((ports) => seeing(ports, (state) => ({ ...state, decision: null }))),
        ledger: (io) =>
          ledgerPort(io, (state, event) =>
            transition(event.type === 'decide' ? { ...state, decision: null } : state, event),
          ),
      },
    },
  },
  {
    ...ONE_DECIDES,
    name: 'a decision that is made once more is taken for another one',
    budget: { fates: 1, deciders: 1, repeats: 1 },
    breaks: 'decision',
    bug: {
      around: { answer: answering((ports) => seeing(ports, (state) => ({ ...state, lastDecision: null }))) },
    },
  },
  {
    ...ONE_DECIDES,
    name: 'a further try of a decision is taken for another one',
    budget: { fates: 1, deciders: 1, faults: 1 },
    more: ONE_DECIDES_AND_FAILS,
    breaks: 'decision',
    bug: {
      around: {
        answer: (input, execution, ports) => answerPerson(input, `${execution} at ${ports.clock()}`, ports),
      },
    },
  },
  {
    ...ONE_DECIDES,
    name: 'nobody looks after a decision whose function died',
    budget: { fates: 1, deciders: 1, faults: 1 },
    more: { ...ONE_DECIDES_AND_FAILS, sweeps: false },
    breaks: 'heard',
    bug: {},
  },
  {
    ...ONE_DECIDES,
    name: 'a question whose event was not accepted is taken for told',
    budget: { fates: 1, faults: 1 },
    more: { ...THROUGH_FUNCTIONS, fates: ['refused'] },
    breaks: 'I10',
    bug: { around: { wait: silent } },
  },
  {
    ...ONE_DECIDES,
    name: 'the next run starts before it has the fence',
    budget: { fates: 1, resubmits: 1 },
    more: { ...THROUGH_FUNCTIONS, fates: ['refused'], fenceMoves: true, sweeps: false },
    breaks: 'I10',
    bug: { around: { answer: startsBeforeTheFence } },
  },
  {
    ...ONE_CORRECTS,
    name: 'corrected fields do not become the lead’s',
    breaks: 'fields',
    bug: { around: { ledger: without('amend') } },
  },
  {
    ...ONE_CORRECTS,
    name: 'the first fields are not kept when others take their place',
    breaks: 'fields',
    bug: { around: { ledger: without('addConflict') } },
  },
  {
    ...ONE_CORRECTS,
    name: 'the lead becomes another person’s, and stays the first one’s',
    more: { ...OTHER_ADDRESS, fates: ['refused'] },
    subject: 'contact by email',
    breaks: 'fields',
    bug: { around: { ledger: without('releasePerson') } },
  },
  {
    ...ONE_CORRECTS,
    name: 'corrected fields hold from the decision, before an attempt is claimed with them',
    breaks: 'fields',
    bug: withTransition((state, event) => {
      const next = transition(state, event);
      if (next instanceof Rejected || !next.grant?.amendment) return next;
      return { ...next, amendment: next.grant.amendment };
    }),
  },
  {
    ...ONE_CORRECTS,
    name: 'an attempt forgets the corrected fields that it was granted with',
    breaks: 'fields',
    bug: withTransition((state, event) => {
      const next = transition(state, event);
      return next instanceof Rejected || event.type !== 'claim' ? next : { ...next, amendment: null };
    }),
  },
];
