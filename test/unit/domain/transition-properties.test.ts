import fc from 'fast-check';
import { expect, test } from 'vitest';
import { HISTORY_CAP } from '../../../functions/domain/action-history.ts';
import { type ActionState, openAction, settledOutcome } from '../../../functions/domain/action-state.ts';
import {
  type ActionEvent,
  type ReconcileChange,
  Rejected,
  transition,
} from '../../../functions/domain/transition.ts';
import { claimOf, decisionOf, grantOf, OPERATION, OUTCOMES, RECORD, T } from './states.ts';

const time = fc.integer({ min: T, max: T + 900_000 });
const attempt = fc.integer({ min: 1, max: 4 });
const id = fc.constantFrom('a', 'b', 'c', 'd');

const outcome = fc.oneof(
  fc.constantFrom(...Object.values(OUTCOMES)),
  fc.constant({ ...OUTCOMES.performed, evidence: { ...RECORD, recordId: '8000' } }),
);

const change: fc.Arbitrary<(state: ActionState) => ReconcileChange> = fc.oneof(
  fc
    .constantFrom<ReconcileChange>(
      { kind: 'none' },
      { kind: 'done', evidence: RECORD },
      { kind: 'release' },
      { kind: 'stopping', reason: 'x' },
      { kind: 'stopped', phase: 'stopped', reason: 'x', evidence: null },
      { kind: 'warn', warning: 'possible-overwrite', evidence: null },
    )
    .map((one) => () => one),
  fc
    .tuple(
      fc.constantFrom('absent' as const, 'unclear' as const, 'not-applied' as const),
      fc.boolean(),
      fc.boolean(),
      time,
    )
    .map(
      ([basis, freezeAgain, newIdentity, expiresAt]) =>
        (state: ActionState): ReconcileChange => ({
          kind: 'grant',
          grant: grantOf(state.attempt + 1, { basis, expiresAt }),
          freezeAgain,
          newIdentity,
        }),
    ),
  time.map((at) => (): ReconcileChange => ({ kind: 'take-over', claim: claimOf(`person-${at}`, at) })),
);

/** Events as workers, reconcile and people may send them, in any order and from any of them late. */
const eventOf: fc.Arbitrary<(state: ActionState) => ActionEvent> = fc.oneof(
  {
    weight: 3,
    arbitrary: fc.tuple(attempt, id, time).map(
      ([n, by, at]) =>
        (state: ActionState): ActionEvent => ({
          type: 'claim',
          attempt: n,
          claim: claimOf(`${by}-${n}`, at),
          operation: { ...OPERATION, revision: state.nextRevision },
          keyWindow: null,
        }),
    ),
  },
  {
    weight: 3,
    arbitrary: fc.tuple(attempt, id, outcome, time).map(
      ([n, by, result, at]) =>
        (): ActionEvent => ({
          type: 'settle',
          claimId: `${by}-${n}`,
          attempt: n,
          outcome: result,
          at,
        }),
    ),
  },
  {
    weight: 3,
    arbitrary: fc.tuple(change, time, fc.boolean(), fc.integer({ min: 0, max: 1 })).map(
      ([changeOf, readStartedAt, decisionConsumed, behind]) =>
        (state: ActionState): ActionEvent => ({
          type: 'reconcile',
          id: `read-${state.version}-${readStartedAt}`,
          at: readStartedAt,
          seenVersion: state.version - behind,
          readStartedAt,
          finding: 'absent',
          absenceProven: false,
          unreadable: false,
          disposition: 'wait',
          reason: 'too-early',
          change: changeOf(state),
          backOffUntil: null,
          decisionConsumed,
        }),
    ),
  },
  fc.tuple(fc.constantFrom('resume' as const, 'stop' as const), id).map(
    ([kind, by]) =>
      (): ActionEvent => ({ type: 'decide', decision: decisionOf(kind, { id: by }) }),
  ),
);

interface Step {
  readonly before: ActionState;
  readonly event: ActionEvent;
  readonly result: ActionState | Rejected;
}

function walk(events: readonly ((state: ActionState) => ActionEvent)[]): Step[] {
  let state = openAction('create-task');
  return events.map((eventFor) => {
    const event = eventFor(state);
    const result = transition(state, event);
    const step = { before: state, event, result };
    if (!(result instanceof Rejected)) state = result;
    return step;
  });
}

function always(check: (steps: Step[]) => void): void {
  fc.assert(
    fc.property(fc.array(eventOf, { minLength: 1, maxLength: 60 }), (events) => check(walk(events))),
    { numRuns: 1_500 },
  );
}

type Accepted = Step & { readonly result: ActionState };

const accepted = (step: Step): step is Accepted =>
  !(step.result instanceof Rejected) && step.result !== step.before;

test('an event is turned down, changes nothing, or makes exactly one new version with one more line of history', () => {
  always((steps) => {
    for (const step of steps) {
      if (!accepted(step)) continue;
      const { before, result } = step;
      expect(result.version).toBe(before.version + 1);
      expect(result.history.length).toBe(Math.min(before.history.length + 1, HISTORY_CAP));
    }
  });
});

test('I1: an attempt is claimed once, whoever asks and in whatever order', () => {
  always((steps) => {
    const claims = steps
      .filter(accepted)
      .filter(({ before, result }) => result.claim?.id !== before.claim?.id)
      .map(({ result }) => result.attempt);
    expect(claims).toEqual([...new Set(claims)].sort((a, b) => a - b));
  });
});

test('I2: a later attempt is claimed only on its own unexpired grant, which is gone afterwards', () => {
  always((steps) => {
    for (const step of steps) {
      if (step.event.type !== 'claim' || !accepted(step) || step.event.attempt === 1) continue;
      const { grant } = step.before;
      expect(grant?.attempt).toBe(step.event.attempt);
      expect(grant?.expiresAt).toBeGreaterThanOrEqual(step.event.claim.at);
      expect(step.result.grant).toBeNull();
    }
  });
});

test('I2: a grant rests on a read that began when the last worker could no longer run', () => {
  always((steps) => {
    for (const step of steps) {
      const { before, event } = step;
      if (event.type !== 'reconcile' || event.change.kind !== 'grant' || !accepted(step)) continue;
      if (before.phase === 'claimed') expect(event.readStartedAt).toBeGreaterThan(before.claim?.goneAt ?? 0);
      if (before.settledAt !== null) expect(event.readStartedAt).toBeGreaterThanOrEqual(before.settledAt);
    }
  });
});

test('a late result replaces neither a newer claim nor what a newer attempt said', () => {
  always((steps) => {
    for (const step of steps) {
      const { before, event } = step;
      if (event.type !== 'settle' || !accepted(step) || before.claim?.id === event.claimId) continue;
      const { result } = step;
      expect(result.claim).toBe(before.claim);
      expect(result.attempt).toBe(before.attempt);
      if (before.phase === 'claimed' || before.phase === 'unknown') expect(result.phase).toBe(before.phase);
    }
  });
});

test('what is final stays final, and a success is never forgotten', () => {
  always((steps) => {
    for (const step of steps) {
      if (!accepted(step)) continue;
      const { before, result } = step;
      if (settledOutcome(before.phase) === 'performed') expect(result.phase).toBe('performed');
      if (before.phase.startsWith('stopped')) expect(result.phase).toMatch(/^stopped/);
      if (before.evidence) expect(result.evidence).not.toBeNull();
      if (before.lateEvidence) expect(result.lateEvidence).not.toBeNull();
    }
  });
});

test('every event that is met again changes nothing', () => {
  always((steps) => {
    for (const step of steps) {
      if (!accepted(step)) continue;
      expect(transition(step.result, step.event)).toBe(step.result);
    }
  });
});
