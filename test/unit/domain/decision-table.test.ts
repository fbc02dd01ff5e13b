import { describe, expect, test } from 'vitest';
import type { ActionName } from '../../../functions/domain/action.ts';
import { type ActionState, openAction } from '../../../functions/domain/action-state.ts';
import type { ReceiverContract } from '../../../functions/domain/contract.ts';
import { DECISIONS, type DecisionKind } from '../../../functions/domain/decision.ts';
import {
  type DecisionDetails,
  type Judgement,
  judgeDecision,
  type SeenFinding,
} from '../../../functions/domain/decision-rules.ts';
import { CONTRACT, contractOfKind, MAIL_CONTRACT, NUMBERS } from '../../model/settings.ts';

/** Claimed at noon, looked at an hour later: within the 24 hours of a key, but not within the two of the one that is over. */
const NOON = Date.parse('2026-05-04T12:00:00Z');
const NOW = NOON + 3_600_000;
const OVER: ReceiverContract = { ...MAIL_CONTRACT, keyWindowMs: 2 * 3_600_000 };

const CONTRACTS = {
  'key, in time': MAIL_CONTRACT,
  'key, over': OVER,
  'natural-key': CONTRACT,
  'conditional-write': contractOfKind('conditional-write'),
  'stamp-and-search': contractOfKind('stamp-and-search'),
  none: contractOfKind('none'),
} as const satisfies Record<string, ReceiverContract>;

type ContractName = keyof typeof CONTRACTS;
const CONTRACT_NAMES = Object.keys(CONTRACTS) as ContractName[];

/** An attempt whose end nobody knows. */
function unknown(action: ActionName): ActionState {
  return {
    ...openAction(action),
    phase: 'unknown',
    attempt: 1,
    version: 3,
    firstClaimAt: NOON,
    claim: {
      id: 'claim-1',
      by: { kind: 'worker', name: 'request-1' },
      at: NOON,
      deadline: NOON + 12_000,
      goneAt: NOON + 15_000,
    },
    settledAt: NOON + 8_000,
    reason: 'timeout',
    requestLeft: true,
    mayHaveLanded: true,
  };
}

/** Each decision with everything that it may need. */
const COMPLETE: Readonly<Record<DecisionKind, DecisionDetails>> = {
  resume: { kind: 'resume' },
  confirm: { kind: 'confirm', evidence: '1001' },
  'take-over': { kind: 'take-over', riskAccepted: true },
  release: { kind: 'release', notDone: true },
  'keep-owner': { kind: 'keep-owner' },
  'send-as-current-owner': { kind: 'send-as-current-owner' },
  amend: { kind: 'amend', evidence: 'b'.repeat(64) },
  stop: { kind: 'stop' },
};

function judged(
  state: ActionState,
  seen: SeenFinding,
  details: DecisionDetails,
  contract: ReceiverContract = CONTRACT,
): string {
  const judgement: Judgement = judgeDecision(
    { now: NOW, action: state.action, state, seen, contract, numbers: NUMBERS },
    details,
  );
  return typeof judgement === 'string' ? judgement : judgement.refused;
}

const saw = (code: string, absenceProven = false): SeenFinding => ({ code, absenceProven });
const ABSENT = saw('absent', true);
const UNREADABLE = saw('unclear:unreadable');

type Expected = 'allowed' | 'if-proven' | 'refused' | (string & {});

interface Row {
  readonly name: string;
  readonly seen: SeenFinding;
  /** The action that it can be shown of, where that is one alone. */
  readonly action?: ActionName;
  /** What `resume` is under each contract; all others are the same under every one. */
  readonly resume: Readonly<Record<ContractName, Expected>>;
  readonly others: Readonly<Record<Exclude<DecisionKind, 'resume'>, Expected>>;
}

const always = (expected: Expected): Row['resume'] => ({
  'key, in time': expected,
  'key, over': expected,
  'natural-key': expected,
  'conditional-write': expected,
  'stamp-and-search': expected,
  none: expected,
});

/** Without proof only a receiver that still recognises the key may be sent the same once more. */
const RESUME_WHILE_UNCLEAR: Row['resume'] = {
  'key, in time': 'allowed',
  'key, over': 'if-proven',
  'natural-key': 'if-proven',
  'conditional-write': 'if-proven',
  'stamp-and-search': 'if-proven',
  none: 'if-proven',
};

const ROWS: readonly Row[] = [
  {
    name: 'done',
    seen: saw('done'),
    resume: always('already-done'),
    others: {
      confirm: 'allowed',
      'take-over': 'already-done',
      release: 'already-done',
      'keep-owner': 'already-done',
      'send-as-current-owner': 'already-done',
      amend: 'already-done',
      stop: 'allowed',
    },
  },
  {
    name: 'absent',
    seen: ABSENT,
    resume: always('allowed'),
    others: {
      confirm: 'allowed',
      'take-over': 'allowed',
      release: 'allowed',
      'keep-owner': 'no-owner-to-keep',
      'send-as-current-owner': 'allowed',
      amend: 'allowed',
      stop: 'allowed',
    },
  },
  {
    name: 'unclear:too-early',
    seen: saw('unclear:too-early'),
    resume: RESUME_WHILE_UNCLEAR,
    others: {
      confirm: 'allowed',
      'take-over': 'allowed',
      release: 'allowed',
      'keep-owner': 'no-owner-to-keep',
      'send-as-current-owner': 'if-proven',
      amend: 'if-proven',
      stop: 'allowed',
    },
  },
  {
    name: 'unclear:unreadable',
    seen: UNREADABLE,
    resume: RESUME_WHILE_UNCLEAR,
    others: {
      confirm: 'allowed',
      'take-over': 'allowed',
      release: 'allowed',
      'keep-owner': 'no-owner-to-keep',
      'send-as-current-owner': 'if-proven',
      amend: 'if-proven',
      stop: 'allowed',
    },
  },
  {
    name: 'superseded:owner-changed',
    seen: saw('superseded:owner-changed'),
    action: 'assign-owner',
    resume: always('person-changed-it'),
    others: {
      confirm: 'allowed',
      'take-over': 'not-for-this-finding',
      release: 'allowed',
      'keep-owner': 'allowed',
      'send-as-current-owner': 'not-an-introduction',
      amend: 'person-changed-it',
      stop: 'allowed',
    },
  },
  {
    name: 'superseded:possible-overwrite',
    seen: saw('superseded:possible-overwrite'),
    action: 'assign-owner',
    resume: always('person-changed-it'),
    others: {
      confirm: 'allowed',
      'take-over': 'not-for-this-finding',
      release: 'allowed',
      'keep-owner': 'allowed',
      'send-as-current-owner': 'not-an-introduction',
      amend: 'person-changed-it',
      stop: 'allowed',
    },
  },
  {
    name: 'superseded:sender-no-longer-owner',
    seen: saw('superseded:sender-no-longer-owner'),
    action: 'send-introduction',
    resume: always('person-changed-it'),
    others: {
      confirm: 'allowed',
      'take-over': 'not-for-this-finding',
      release: 'allowed',
      'keep-owner': 'no-owner-to-keep',
      'send-as-current-owner': 'if-proven',
      amend: 'person-changed-it',
      stop: 'allowed',
    },
  },
  {
    name: 'superseded:sender-no-longer-owner, proven not sent',
    seen: saw('superseded:sender-no-longer-owner', true),
    action: 'send-introduction',
    resume: always('person-changed-it'),
    others: {
      confirm: 'allowed',
      'take-over': 'allowed',
      release: 'allowed',
      'keep-owner': 'no-owner-to-keep',
      'send-as-current-owner': 'allowed',
      amend: 'person-changed-it',
      stop: 'allowed',
    },
  },
  ...['superseded:contact-archived', 'superseded:contact-deleted'].flatMap((code): Row[] => [
    {
      name: code,
      seen: saw(code),
      action: 'send-introduction',
      resume: always('if-proven'),
      others: {
        confirm: 'allowed',
        'take-over': 'not-for-this-finding',
        release: 'allowed',
        'keep-owner': 'no-owner-to-keep',
        'send-as-current-owner': 'if-proven',
        amend: 'if-proven',
        stop: 'allowed',
      },
    },
    {
      name: `${code}, proven not sent`,
      seen: saw(code, true),
      action: 'send-introduction',
      resume: always('if-proven'),
      others: {
        confirm: 'allowed',
        'take-over': 'allowed',
        release: 'allowed',
        'keep-owner': 'no-owner-to-keep',
        'send-as-current-owner': 'allowed',
        amend: 'if-proven',
        stop: 'allowed',
      },
    },
  ]),
  {
    name: 'superseded:task-changed',
    seen: saw('superseded:task-changed'),
    action: 'create-task',
    resume: always('person-changed-it'),
    others: {
      confirm: 'allowed',
      'take-over': 'not-for-this-finding',
      release: 'allowed',
      'keep-owner': 'no-owner-to-keep',
      'send-as-current-owner': 'not-an-introduction',
      amend: 'person-changed-it',
      stop: 'allowed',
    },
  },
];

describe.each(ROWS)('$name', ({ seen, action = 'send-introduction', resume, others }) => {
  const expected = { resume, ...others };
  const cells = DECISIONS.flatMap((kind) =>
    CONTRACT_NAMES.map((contract) => {
      const value = expected[kind];
      return { kind, contract, expected: typeof value === 'string' ? value : value[contract] };
    }),
  );

  test.each(cells)('$kind under $contract: $expected', ({ kind, contract, expected }) => {
    // Only what a person has taken over can be given back.
    const state = unknown(action);
    const asked: ActionState = kind === 'release' ? { ...state, phase: 'taken-over' } : state;

    expect(judged(asked, seen, COMPLETE[kind], CONTRACTS[contract])).toBe(expected);
  });
});

describe('the same finding in another state', () => {
  const never: Partial<ActionState> = {
    phase: 'open',
    attempt: 0,
    firstClaimAt: null,
    claim: null,
    settledAt: null,
    requestLeft: false,
    mayHaveLanded: false,
  };
  const noEffect: Partial<ActionState> = { phase: 'not-applied', mayHaveLanded: false };

  test.each<[string, Partial<ActionState>, SeenFinding, Record<DecisionKind, Expected>]>([
    [
      'never tried',
      never,
      ABSENT,
      {
        resume: 'allowed',
        confirm: 'allowed',
        'take-over': 'allowed',
        release: 'not-taken-over',
        'keep-owner': 'no-owner-to-keep',
        'send-as-current-owner': 'nothing-was-sent',
        amend: 'nothing-was-sent',
        stop: 'allowed',
      },
    ],
    [
      'proven to have had no effect, and unreadable now',
      noEffect,
      UNREADABLE,
      {
        resume: 'allowed',
        confirm: 'allowed',
        'take-over': 'allowed',
        release: 'not-taken-over',
        'keep-owner': 'no-owner-to-keep',
        'send-as-current-owner': 'if-proven',
        amend: 'allowed',
        stop: 'allowed',
      },
    ],
    [
      'the last attempt had none, but an earlier one is in doubt',
      { phase: 'not-applied', mayHaveLanded: true },
      UNREADABLE,
      {
        resume: 'if-proven',
        confirm: 'allowed',
        'take-over': 'allowed',
        release: 'not-taken-over',
        'keep-owner': 'no-owner-to-keep',
        'send-as-current-owner': 'if-proven',
        amend: 'if-proven',
        stop: 'allowed',
      },
    ],
    [
      'the sender is no longer the owner, and no request ever left',
      { ...noEffect, requestLeft: false },
      saw('superseded:sender-no-longer-owner', true),
      {
        resume: 'allowed',
        confirm: 'allowed',
        'take-over': 'allowed',
        release: 'not-taken-over',
        'keep-owner': 'no-owner-to-keep',
        'send-as-current-owner': 'allowed',
        amend: 'person-changed-it',
        stop: 'allowed',
      },
    ],
    [
      'refused, and not there',
      { phase: 'refused', mayHaveLanded: false },
      ABSENT,
      {
        resume: 'allowed',
        confirm: 'allowed',
        'take-over': 'allowed',
        release: 'not-taken-over',
        'keep-owner': 'no-owner-to-keep',
        'send-as-current-owner': 'allowed',
        amend: 'allowed',
        stop: 'allowed',
      },
    ],
    [
      'taken over',
      { phase: 'taken-over' },
      ABSENT,
      {
        resume: 'taken-over',
        confirm: 'allowed',
        'take-over': 'taken-over',
        release: 'allowed',
        'keep-owner': 'no-owner-to-keep',
        'send-as-current-owner': 'taken-over',
        amend: 'taken-over',
        stop: 'allowed',
      },
    ],
    [
      'being stopped',
      { phase: 'stopping' },
      UNREADABLE,
      {
        resume: 'already-final',
        confirm: 'allowed',
        'take-over': 'already-final',
        release: 'already-final',
        'keep-owner': 'already-final',
        'send-as-current-owner': 'already-final',
        amend: 'already-final',
        stop: 'already-final',
      },
    ],
    [
      'performed',
      { phase: 'performed' },
      saw('done'),
      {
        resume: 'already-done',
        confirm: 'already-done',
        'take-over': 'already-done',
        release: 'already-done',
        'keep-owner': 'already-done',
        'send-as-current-owner': 'already-done',
        amend: 'already-done',
        stop: 'already-done',
      },
    ],
    ...(['stopped', 'stopped-but-done', 'stopped-unclear'] as const).map(
      (phase): [string, Partial<ActionState>, SeenFinding, Record<DecisionKind, Expected>] => [
        phase,
        { phase },
        ABSENT,
        {
          resume: 'already-final',
          confirm: 'already-final',
          'take-over': 'already-final',
          release: 'already-final',
          'keep-owner': 'already-final',
          'send-as-current-owner': 'already-final',
          amend: 'already-final',
          stop: 'already-final',
        },
      ],
    ),
  ])('%s', (_, changes, seen, expected) => {
    const state = { ...unknown('send-introduction'), ...changes };

    const found = DECISIONS.map((kind) => [kind, judged(state, seen, COMPLETE[kind])]);

    expect(Object.fromEntries(found)).toEqual(expected);
  });
});

describe('what a decision needs besides its kind', () => {
  const task = unknown('create-task');

  test('to confirm the contact is to name it: every later action works on it', () => {
    const contact = unknown('upsert-contact');
    expect(judged(contact, ABSENT, { kind: 'confirm' })).toBe('evidence-missing');
    expect(judged(contact, ABSENT, { kind: 'confirm', evidence: '1001' })).toBe('allowed');
    expect(judged(task, ABSENT, { kind: 'confirm' })).toBe('allowed');
  });

  test.each([
    [saw('unclear:too-early'), 'risk-not-accepted'],
    [UNREADABLE, 'risk-not-accepted'],
    [{ code: null, absenceProven: false }, 'risk-not-accepted'],
    [ABSENT, 'allowed'],
  ])('to take over on %j without accepting the risk: %s', (seen, expected) => {
    expect(judged(task, seen, { kind: 'take-over' })).toBe(expected);
  });

  test('to release is to state that it was not done', () => {
    const taken: ActionState = { ...task, phase: 'taken-over' };
    expect(judged(taken, UNREADABLE, { kind: 'release' })).toBe('statement-missing');
  });

  test('to amend needs no corrected fields: what the route says may have been corrected', () => {
    expect(judged(task, ABSENT, { kind: 'amend' })).toBe('allowed');
  });

  test('under a key too, what was never read has to be read first', () => {
    const seen = { code: null, absenceProven: false };
    expect(judged(unknown('send-introduction'), seen, { kind: 'resume' }, MAIL_CONTRACT)).toBe('if-proven');
  });

  test('to keep an owner is about the owner, and to send anew about the introduction', () => {
    const changed = saw('superseded:owner-changed');
    expect(judged(unknown('create-task'), changed, { kind: 'keep-owner' })).toBe('no-owner-to-keep');
    expect(judged(task, ABSENT, { kind: 'send-as-current-owner' })).toBe('not-an-introduction');
  });
});
