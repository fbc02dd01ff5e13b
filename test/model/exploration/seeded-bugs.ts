import type { ActionState } from '../../../functions/domain/action-state.ts';
import type { ContactSnapshot } from '../../../functions/domain/destination-records.ts';
import type { Outcome } from '../../../functions/domain/outcome.ts';
import { Rejected, transition } from '../../../functions/domain/transition.ts';
import type { Configuration } from './configurations.ts';
import type { SeededBug } from './model.ts';
import { crmPort, ledgerPort, mailPort } from './ports.ts';
import { SEEDED_DECISIONS, withTransition } from './seeded-decisions.ts';
import type { SubjectName } from './settings.ts';
import type { Budget } from './world.ts';

/** A bug, where it has to be found, and as which broken promise. */
export interface Seeded {
  readonly name: string;
  readonly subject: SubjectName;
  readonly budget: Partial<Budget>;
  readonly more?: Partial<Configuration>;
  /** The promise that breaks first, on the shortest schedule. */
  readonly breaks: string;
  readonly bug: SeededBug;
}

/** An adapter that says something else of a request without an answer. */
const timeoutsAre = (outcome: Outcome) => (told: Outcome) =>
  told.outcome === 'unknown' && told.reason === 'timeout' ? outcome : told;

const WITHOUT_EFFECT: Outcome = { outcome: 'not-applied', reason: 'timeout', requestLeft: true };

const performedAnyway: Outcome = {
  outcome: 'performed',
  evidence: { kind: 'receipt', destination: 'model', recordId: 'unseen', readAt: 0, facts: {} },
};

export const SEEDED: readonly Seeded[] = [
  {
    name: 'the ledger writes without its condition',
    subject: 'task without contract',
    budget: { duplicates: 1 },
    breaks: 'I4',
    bug: { surface: { unconditional: true } },
  },
  {
    name: 'a claim that was lost to another worker counts as ours',
    subject: 'task without contract',
    budget: { duplicates: 1, faults: 1 },
    breaks: 'I1',
    bug: {
      around: {
        ledger: (io) => {
          const real = ledgerPort(io);
          return {
            ...real,
            apply: async (key, event, seen) => {
              const result = await real.apply(key, event, seen);
              return event.type === 'claim' && result instanceof Rejected ? seen : result;
            },
          };
        },
      },
    },
  },
  {
    name: 'only Powertools keeps the claim',
    subject: 'task without contract',
    budget: {},
    breaks: 'I1',
    bug: {
      around: {
        ledger: (io) => {
          const real = ledgerPort(io);
          return {
            ...real,
            apply: async (key, event, seen) => (event.type === 'claim' ? seen : real.apply(key, event, seen)),
          };
        },
      },
    },
  },
  {
    name: 'a claim needs no grant',
    subject: 'task without contract',
    budget: { fates: 1, decisions: 1 },
    breaks: 'I2',
    bug: {
      ...withTransition((state, event) =>
        event.type === 'claim' && state.attempt > 0 && event.attempt > state.attempt
          ? transition({ ...state, grant: grantForAll(state, event.attempt) }, event)
          : transition(state, event),
      ),
      // The workflow tries again by itself.
      flow: (flow) =>
        flow.state === 'reconcile' && flow.error === 'OutcomeUnknown'
          ? { ...flow, state: 'act', attempt: flow.attempt + 1 }
          : flow,
    },
  },
  {
    name: 'the functions believe that a worker is gone sooner than it is',
    subject: 'introduction by key',
    budget: { faults: 1 },
    breaks: 'I2',
    bug: { around: { numbers: (numbers) => ({ ...numbers, functionTimeoutSeconds: 0 }) } },
  },
  {
    name: 'the declared landing bound is too short',
    subject: 'task by search',
    budget: { fates: 1 },
    breaks: 'I4',
    bug: { around: { contract: (contract) => ({ ...contract, landingBoundMs: 0 }) } },
  },
  {
    name: 'the declared read lag is too short',
    subject: 'task by search',
    budget: { fates: 1 },
    breaks: 'I4',
    bug: { around: { contract: (contract) => ({ ...contract, readLagMs: 0 }) } },
  },
  {
    name: '"not found" is taken for absent at once',
    subject: 'task by unique property',
    budget: { fates: 1 },
    breaks: 'I4',
    bug: {
      around: {
        read: (read) => (operation, state, times) => read(operation, state, { ...times, settleAt: 0 }),
      },
    },
  },
  {
    name: 'a read without an answer is taken for "not found"',
    subject: 'task by search',
    budget: { fates: 1, unreadable: 1 },
    breaks: 'I4',
    bug: {
      around: {
        crm: (io) => {
          const real = crmPort(io);
          return { ...real, findByStamp: (stamp) => real.findByStamp(stamp).catch(() => null) };
        },
      },
    },
  },
  {
    name: 'a timeout is taken for "had no effect"',
    subject: 'task without contract',
    budget: { fates: 1 },
    breaks: 'I4',
    bug: {
      around: {
        crm: (io) => {
          const real = crmPort(io);
          return {
            ...real,
            createTask: async (task, call) => timeoutsAre(WITHOUT_EFFECT)(await real.createTask(task, call)),
          };
        },
      },
    },
  },
  {
    name: 'a timeout is taken for "performed"',
    subject: 'introduction by key',
    budget: { fates: 1 },
    breaks: 'true word',
    bug: {
      around: {
        mail: (io) => {
          const real = mailPort(io);
          return {
            ...real,
            send: async (bytes, call) => timeoutsAre(performedAnyway)(await real.send(bytes, call)),
          };
        },
      },
    },
  },
  {
    name: 'every attempt carries an identity of its own',
    subject: 'introduction by key',
    budget: { fates: 1 },
    breaks: 'I5',
    bug: {
      around: {
        mail: (io) => {
          const real = mailPort(io);
          return {
            ...real,
            send: (bytes, call) => real.send(bytes, { ...call, identity: `${call.identity}/${io.id()}` }),
          };
        },
      },
    },
  },
  {
    name: 'other bytes go out under the same identity',
    subject: 'introduction by key',
    budget: { fates: 1 },
    breaks: 'I5',
    bug: {
      around: {
        mail: (io) => {
          const real = mailPort(io);
          return { ...real, send: (bytes, call) => real.send(`${bytes} at ${io.clock()}`, call) };
        },
      },
    },
  },
  {
    name: 'an error of Powertools after the call wins over the outcome',
    subject: 'task by search',
    budget: { faults: 1 },
    breaks: 'I3',
    bug: { around: { keep: (attempt, input, run) => attempt(input, run) } },
  },
  {
    name: 'the owner is not read again before the introduction',
    subject: 'introduction by key',
    budget: { people: 1 },
    more: { people: ['reassign'], slowWorkers: true },
    breaks: 'I7',
    bug: {
      around: {
        crm: (io) => {
          const real = crmPort(io);
          let first: Promise<ContactSnapshot | null> | null = null;
          return {
            ...real,
            findById(id) {
              first ??= real.findById(id);
              return first;
            },
          };
        },
      },
    },
  },
  {
    name: 'the owner is written without looking',
    subject: 'owner by conditional write',
    budget: { people: 1 },
    more: { people: ['reassign'] },
    breaks: 'I7',
    bug: {
      around: {
        crm: (io) => {
          const real = crmPort(io);
          return {
            ...real,
            findById: async (id) => {
              const contact = await real.findById(id);
              return contact && { ...contact, ownerId: null, ownerHistory: [] };
            },
          };
        },
      },
    },
  },
  {
    name: 'taking over does not take the claim',
    subject: 'task without contract',
    budget: { fates: 1, decisions: 1 },
    breaks: 'I12',
    bug: withTransition((state, event) => {
      const next = transition(state, event);
      if (next instanceof Rejected || event.type !== 'reconcile' || event.change.kind !== 'take-over')
        return next;
      return { ...next, phase: 'not-applied', claim: state.claim, attempt: state.attempt };
    }),
  },
  {
    name: 'the fence is not looked at',
    subject: 'task by search',
    budget: { strangers: 1 },
    breaks: 'I13',
    bug: { surface: { everyoneIsCurrent: true } },
  },
  {
    name: 'the wait for a worker that died has no end',
    subject: 'task by unique property',
    budget: { faults: 1 },
    breaks: 'I10',
    bug: {
      flow: (flow) =>
        flow.state === 'wait' && flow.reason === 'worker-may-run' ? { ...flow, until: null } : flow,
    },
  },
  {
    name: 'the group ends on a wait',
    subject: 'task without contract',
    budget: { fates: 1 },
    breaks: 'I10',
    bug: { flow: (flow) => (flow.state === 'wait' ? { ...flow, state: 'end', end: 'keep' } : flow) },
  },
  {
    name: 'a decision is consumed and never heard',
    subject: 'task without contract',
    budget: { fates: 1, decisions: 1 },
    breaks: 'decision',
    bug: withTransition((state, event) => transition({ ...state, decision: null }, event)),
  },
  ...SEEDED_DECISIONS,
];

function grantForAll(state: ActionState, attempt: number): ActionState['grant'] {
  return {
    attempt,
    evidenceHash: '',
    readStartedAt: state.claim?.goneAt ?? 0,
    expiresAt: Number.MAX_SAFE_INTEGER,
    basis: 'absent',
    decisionId: null,
  };
}
