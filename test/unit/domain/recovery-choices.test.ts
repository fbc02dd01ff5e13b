import { describe, expect, test } from 'vitest';
import { ACTIONS } from '../../../functions/domain/action.ts';
import type { ActionState, Phase } from '../../../functions/domain/action-state.ts';
import { DECISIONS } from '../../../functions/domain/decision.ts';
import { Refusal } from '../../../functions/domain/decision-refusals.ts';
import { parsePersonsRequest } from '../../../functions/domain/decision-request.ts';
import { judgeDecision } from '../../../functions/domain/decision-rules.ts';
import type { LedgerRecord } from '../../../functions/domain/handoff.ts';
import {
  type Choice,
  changesAddress,
  choicesOf,
  corrections,
  findingSeen,
  seenFinding,
} from '../../../functions/domain/recovery-choices.ts';
import { statesOf } from '../../../functions/domain/recovery-record.ts';
import { CONTRACTS } from '../../model/settings.ts';
import { asked, FRIDAY, ledgerRecord, recordOptions, uncertain } from './recovery-ledger.ts';

const PHASES: readonly Phase[] = ['not-applied', 'unknown', 'refused', 'taken-over', 'stopping'];
const FINDINGS = [
  'absent',
  'unclear:too-early',
  'unclear:unreadable',
  'superseded:owner-changed',
  'superseded:possible-overwrite',
  'superseded:sender-no-longer-owner',
  'superseded:contact-archived',
  'superseded:contact-deleted',
  'superseded:task-changed',
];
const CONFLICT = {
  intentHash: 'b'.repeat(64),
  firstSeenAt: FRIDAY + 60_000,
  lead: { leadRequestId: 'inq-1', email: 'other@customer.example.com' },
};

const SAME_ADDRESS = {
  ...CONFLICT,
  intentHash: 'c'.repeat(64),
  firstSeenAt: FRIDAY + 120_000,
  lead: { ...CONFLICT.lead, email: 'jo.lind@customer.example.com' },
};

/** Every action in every phase and with every finding on which a person can be asked. */
const SITUATIONS = ACTIONS.flatMap((action) =>
  PHASES.flatMap((phase) => FINDINGS.map((finding) => uncertain(action, finding, 'some-reason', { phase }))),
);

function recordOf(state: ActionState, more: Partial<LedgerRecord> = {}): LedgerRecord {
  return ledgerRecord([state], { conflicts: [CONFLICT], ...more });
}

function possible(state: ActionState, more: Partial<LedgerRecord> = {}): readonly Choice[] {
  return choicesOf(state, recordOf(state, more), recordOptions()).possible;
}

test('every input is one that the recovery state machine takes once it is filled in, and refuses before', () => {
  let inputs = 0;
  for (const state of SITUATIONS) {
    for (const { input } of possible(state)) {
      inputs += 1;
      expect(parsePersonsRequest(input)).toBeInstanceOf(Refusal);
      const evidence = input.evidence === '' ? { evidence: '1001' } : {};
      const filled = { ...input, by: 'Robin', reason: 'looked at it', ...evidence };
      expect(parsePersonsRequest(filled)).toEqual(filled);
    }
  }
  expect(inputs).toBeGreaterThan(500);
});

test('a choice is offered exactly where the rules allow its decision, or allow it if proven', () => {
  const options = recordOptions();
  for (const state of SITUATIONS) {
    const { action } = state;
    const facts = {
      now: options.now,
      action,
      state,
      seen: seenFinding(state),
      contract: CONTRACTS[action],
      numbers: options.numbers,
    };
    const complete = { evidence: '1', riskAccepted: true, notDone: true };
    const judged = DECISIONS.map((kind) => [kind, judgeDecision(facts, { ...complete, kind })] as const);
    const allowed = judged.filter(([, judgement]) => typeof judgement === 'string');

    const offered = new Map(possible(state).map(({ decision, judgement }) => [decision, judgement]));

    expect([...offered].sort(), `${action} ${state.phase} ${state.lastRead?.finding}`).toEqual(
      allowed.sort(),
    );
  }
});

test('every choice says in whole sentences what it does', () => {
  for (const state of SITUATIONS) {
    for (const { does } of possible(state)) {
      expect(does).toMatch(/^[A-Z][^{}]*\.$/);
      expect(does).not.toMatch(/undefined|null|NaN| {2}|\.\./);
    }
  }
});

test('to confirm the contact its id has to be filled in; of other records it may be added', () => {
  const confirm = (action: (typeof ACTIONS)[number]) =>
    possible(uncertain(action, 'unclear:unreadable', 'unreadable')).find(
      ({ decision }) => decision === 'confirm',
    )?.input;

  expect(confirm('upsert-contact')).toMatchObject({ evidence: '' });
  expect(confirm('create-task')).not.toHaveProperty('evidence');
});

test('an input holds nothing that its decision does not need', () => {
  const state = uncertain('create-task', 'absent', 'some-reason', { phase: 'taken-over' });

  expect(possible(state).map(({ input }) => input)).toStrictEqual([
    {
      leadRequestId: 'inq-1',
      action: 'create-task',
      decision: 'confirm',
      by: '',
      reason: '',
      finding: 'absent',
    },
    {
      leadRequestId: 'inq-1',
      action: 'create-task',
      decision: 'release',
      by: '',
      reason: '',
      finding: 'absent',
      notDone: true,
    },
    {
      leadRequestId: 'inq-1',
      action: 'create-task',
      decision: 'stop',
      by: '',
      reason: '',
      finding: 'absent',
    },
  ]);
});

describe('what is refused is told where a person might expect it', () => {
  const refused = (state: ActionState) =>
    choicesOf(state, recordOf(state, { conflicts: [SAME_ADDRESS] }), recordOptions()).refused;

  test('of what somebody has taken over', () => {
    expect(refused(uncertain('send-introduction', 'absent', 'x', { phase: 'taken-over' }))).toEqual([
      { decision: 'resume', why: 'taken-over' },
      { decision: 'take-over', why: 'taken-over' },
      { decision: 'send-as-current-owner', why: 'taken-over' },
      { decision: 'amend', why: 'taken-over' },
    ]);
  });

  test('of what somebody changed, once for each decision', () => {
    expect(refused(uncertain('assign-owner', 'superseded:owner-changed', 'owner-changed'))).toEqual([
      { decision: 'resume', why: 'person-changed-it' },
      { decision: 'take-over', why: 'not-for-this-finding' },
      { decision: 'amend', why: 'person-changed-it' },
    ]);
  });
});

test('at the approval point resume is for approvers, and amend is everywhere', () => {
  const state = uncertain('create-task', 'absent', 'approval-point');
  const forApprovers = (approvalPoint: 'create-task' | 'send-introduction') =>
    choicesOf(state, recordOf(state), recordOptions({ route: { approvalPoint } }))
      .possible.filter(({ approversOnly }) => approversOnly)
      .map(({ decision, input }) => [decision, input.evidence]);

  expect(forApprovers('create-task')).toEqual([
    ['resume', undefined],
    ['amend', undefined],
  ]);
  expect(forApprovers('send-introduction')).toEqual([['amend', undefined]]);
});

describe('corrected fields', () => {
  const conflicts = [CONFLICT, SAME_ADDRESS];

  test('with another address are offered for the contact alone', () => {
    const offered = (action: 'upsert-contact' | 'create-task') =>
      possible(uncertain(action, 'absent', 'x'), { conflicts })
        .filter(({ decision }) => decision === 'amend')
        .map(({ input }) => input.evidence);

    expect(offered('upsert-contact')).toEqual([undefined, SAME_ADDRESS.intentHash, CONFLICT.intentHash]);
    expect(offered('create-task')).toEqual([undefined, SAME_ADDRESS.intentHash]);
  });

  test('change the address where the ones of that hash do', () => {
    const { handoff } = ledgerRecord([]);
    const changes = (hash: string | undefined) => changesAddress('create-task', hash, { handoff, conflicts });

    expect(changes(CONFLICT.intentHash)).toBe(true);
    expect(changes(SAME_ADDRESS.intentHash)).toBe(false);
    expect(changes('d'.repeat(64))).toBe(false);
    expect(changes(undefined)).toBe(false);
  });

  test('are none of those that the action was made of, whatever its other bodies were made of', () => {
    const operation = { revision: 2, identity: 'web/inq-1/create-task', bodyHash: 'hash' };
    const frozen = (action: 'create-task' | 'assign-owner', revision: number, fieldsHash: string) => ({
      ...(ledgerRecord([]).operations[0] as LedgerRecord['operations'][number]),
      action,
      revision,
      fieldsHash,
    });
    const operations = [
      frozen('assign-owner', 2, CONFLICT.intentHash),
      frozen('create-task', 1, CONFLICT.intentHash),
      frozen('create-task', 2, SAME_ADDRESS.intentHash),
    ];
    const state = uncertain('create-task', 'absent', 'x', { operation });

    expect(corrections({ ...ledgerRecord([]), conflicts, operations }, state)).toEqual([CONFLICT]);
  });
});

test('a risk is accepted only where there is one', () => {
  const takeOver = (finding: string) =>
    possible(uncertain('create-task', finding, 'some-reason')).find(
      ({ decision }) => decision === 'take-over',
    )?.input;

  expect(takeOver('absent')).not.toHaveProperty('riskAccepted');
  expect(takeOver('unclear:unreadable')).toMatchObject({ riskAccepted: true });
});

describe('nobody is asked', () => {
  const state = uncertain('create-task', 'absent', 'residual-risk');

  test.each<[string, ActionState, Partial<LedgerRecord>]>([
    [
      'about what is only waited for',
      {
        ...state,
        lastRead: { ...(state.lastRead as NonNullable<ActionState['lastRead']>), disposition: 'wait' },
      },
      {},
    ],
    ['about what is done', { ...state, phase: 'performed' }, { waiting: [asked('create-task', 'absent')] }],
    ['about what was stopped', { ...state, phase: 'stopped-unclear' }, {}],
    [
      'in a handoff that is closed',
      state,
      { handoff: { ...ledgerRecord([]).handoff, closedAt: FRIDAY + 1 } },
    ],
  ])('%s', (_, of, more) => {
    expect(choicesOf(of, recordOf(of, more), recordOptions())).toEqual({
      asked: false,
      possible: [],
      refused: [],
    });
  });

  test('but about what is parked a person may decide', () => {
    const lastRead = state.lastRead && { ...state.lastRead, disposition: 'park' as const };

    expect(possible({ ...state, lastRead }).length).toBeGreaterThan(0);
  });

  test('but what is on the waiting list is, whatever the last read said', () => {
    const open = { ...state, lastRead: null };

    expect(possible(open, { waiting: [asked('create-task', 'unreadable')] }).length).toBeGreaterThan(0);
  });
});

test('a person sees absence proven where nothing was tried, or where the last read proves it', () => {
  const read = uncertain('create-task', 'superseded:contact-deleted', 'x');
  const proving = { ...read, lastRead: read.lastRead && { ...read.lastRead, absenceProven: true } };
  const [untouched] = statesOf({ actions: [] }) as [ActionState];

  expect(seenFinding(untouched)).toEqual({ code: 'absent', absenceProven: true });
  expect(seenFinding(read)).toEqual({ code: 'superseded:contact-deleted', absenceProven: false });
  expect(seenFinding(proving)).toEqual({ code: 'superseded:contact-deleted', absenceProven: true });
  expect(seenFinding({ ...read, lastRead: null })).toEqual({ code: null, absenceProven: false });
});

test('what a decision is bound to', () => {
  const [untouched] = statesOf({ actions: [] }) as [ActionState];
  expect(findingSeen(untouched)).toBe('absent');
  expect(findingSeen(uncertain('create-task', 'superseded:task-changed', 'x'))).toBe(
    'superseded:task-changed',
  );
  expect(findingSeen(uncertain('create-task', 'absent', 'x', { lastRead: null }))).toBe('unclear:unreadable');
});
