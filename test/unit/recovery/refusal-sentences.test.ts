import { expect, test } from 'vitest';
import { openAction } from '../../../functions/domain/action-state.ts';
import {
  alreadyDecided,
  decisionNotPossible,
  handoffClosed,
  invalidDecision,
  nobodyIsAsked,
  notAnApprover,
  nothingToAmend,
  type Refusal,
  samePersonElsewhere,
  staleDecision,
  unknownHandoff,
} from '../../../functions/domain/decision-refusals.ts';
import type { DecisionRefusal } from '../../../functions/domain/decision-rules.ts';
import type { Handoff } from '../../../functions/domain/handoff.ts';
import { START } from '../../model/clock.ts';
import { testRoute } from '../../model/settings.ts';
import { decisionOf } from '../domain/states.ts';

const KEY = { route: 'web', leadRequestId: 'inq-1' };
const PENDING = decisionOf('resume', { by: 'Robin', at: START });
const STOP = decisionOf('stop', { by: 'Mia', at: START + 30_000 });
const CONFLICT = { firstSeenAt: START, lead: { leadRequestId: 'inq-1', email: 'jo@customer.example.com' } };

const SENTENCES: [Refusal, string, string][] = [
  [invalidDecision('by', 'is missing'), 'InvalidDecision', 'by: is missing.'],
  [
    unknownHandoff(KEY),
    'UnknownHandoff',
    'There is no handoff inq-1 on route web: check the id and the route; "waiting" lists what waits.',
  ],
  [
    handoffClosed({ ...KEY, closedAt: START } as Handoff, [openAction('create-task')]),
    'HandoffClosed',
    'The handoff web/inq-1 was closed at 2026-01-05 12:00:00Z and takes no more decisions: "show" says how it ended.',
  ],
  [
    handoffClosed({ ...KEY, closedAt: START + 60_000 } as Handoff, [
      { ...openAction('create-task'), lastDecision: { decision: PENDING, result: 'used' } },
      { ...openAction('send-introduction'), lastDecision: { decision: STOP, result: 'used' } },
    ]),
    'HandoffClosed',
    'The handoff web/inq-1 was closed at 2026-01-05 12:01:00Z and takes no more decisions: "show" says how it ended. The last decision about send-introduction: stop by Mia at 2026-01-05 12:00:30Z, carried out.',
  ],
  [
    handoffClosed({ ...KEY, closedAt: START, joinedTo: 'inq-0' } as Handoff, []),
    'HandoffClosed',
    'The handoff web/inq-1 was closed at 2026-01-05 12:00:00Z, because lead request inq-0 of the same person stands for it, and takes no more decisions: "show" says how it ended.',
  ],
  [
    decisionNotPossible('create-task', 'resume', 'already-final', {
      before: { decision: STOP, result: 'used' },
    }),
    'DecisionNotPossible',
    'resume is not possible for create-task, because it has ended. "show" says how it ended, or how it is ending. The last decision: stop by Mia at 2026-01-05 12:00:30Z, carried out.',
  ],
  [
    nobodyIsAsked(openAction('create-task')),
    'NobodyIsAsked',
    'Nobody is asked about create-task now, so there is nothing to answer. Look at "show"; only stop is possible at any time.',
  ],
  [
    nobodyIsAsked({ ...openAction('create-task'), lastDecision: { decision: PENDING, result: 'used' } }),
    'NobodyIsAsked',
    'Nobody is asked about create-task now, so there is nothing to answer. The last decision: resume by Robin at 2026-01-05 12:00:00Z, carried out. Look at "show"; only stop is possible at any time.',
  ],
  [
    staleDecision('create-task', 'unclear:unreadable', 'absent'),
    'StaleDecision',
    'Your decision about create-task rests on "the destination could not be read (unclear:unreadable)", but the last read says "the destination does not have it (absent)": look at "show" and decide on that.',
  ],
  [
    alreadyDecided('create-task', PENDING),
    'AlreadyDecided',
    'About create-task it is already decided: resume by Robin at 2026-01-05 12:00:00Z, not carried out yet. Until it is carried out, only stop may take its place.',
  ],
  [
    alreadyDecided('create-task', { ...PENDING, kind: 'stop' }),
    'AlreadyDecided',
    'About create-task it is already decided: stop by Robin at 2026-01-05 12:00:00Z, not carried out yet. Nothing takes the place of a stop.',
  ],
  [
    notAnApprover(
      'resume',
      testRoute({
        approvers: [
          { name: 'Tomas', email: 'tomas@revops.example.com' },
          { name: 'Ida', email: 'ida@revops.example.com' },
        ],
      }),
    ),
    'NotAnApprover',
    'Only an approver may decide resume here: on route web that is Tomas (tomas@revops.example.com) or Ida (ida@revops.example.com), and "by" must be the name or the email address as written here.',
  ],
  [
    decisionNotPossible('assign-owner', 'resume', 'person-changed-it', {
      seen: 'superseded:possible-overwrite',
    }),
    'DecisionNotPossible',
    'resume is not possible for assign-owner, because the owner that this handoff set is there already, in the place of a person’s. Look at "show": keep-owner says how to give the contact back.',
  ],
  [
    samePersonElsewhere({ leadRequestId: 'inq-2', acceptedAt: Date.UTC(2026, 0, 5, 12) }),
    'SamePerson',
    'The corrected address is that of another handoff, inq-2, accepted at 2026-01-05 12:00:00Z: look at that one, and stop one of the two. To hand off both, decide again with "riskAccepted": true.',
  ],
  [
    nothingToAmend(KEY, [], 'h9'),
    'NothingToAmend',
    'Lead request inq-1 never came with fields of that hash: hand the lead request in again under its id with the corrected fields, then amend.',
  ],
  [
    nothingToAmend(
      KEY,
      ['h1', 'h2', 'h3', 'h4'].map((intentHash) => ({ ...CONFLICT, intentHash })),
      'h9',
    ),
    'NothingToAmend',
    'Lead request inq-1 never came with fields of that hash: put one of these hashes, whole, into "evidence": h2, h3, h4.',
  ],
  [
    nothingToAmend(
      KEY,
      ['abc1', 'abd2', 'c3', 'd4', 'e5'].map((intentHash) => ({ ...CONFLICT, intentHash })),
      'abc',
    ),
    'NothingToAmend',
    'Lead request inq-1 never came with fields of that hash: put this hash, whole, into "evidence": abc1.',
  ],
];

test.each(SENTENCES)('%j', (refusal, error, message) => {
  expect(refusal).toMatchObject({ error, message });
});

/** Why, and what to do: what follows "resume is not possible for create-task, because". */
const WHY: Record<DecisionRefusal, string> = {
  'already-final': 'it has ended. "show" says how it ended, or how it is ending.',
  'already-done': 'it is done. There is nothing left to decide about it.',
  'taken-over':
    'somebody has taken it over; confirm or release comes first. Choose confirm if it was done by hand, release if it was not.',
  'not-taken-over': 'nobody has taken it over. Choose take-over first where you want to do it by hand.',
  'person-changed-it':
    'a person changed what it was about, and that stands. What that person did stays: choose confirm where the effect is there all the same, or stop.',
  'no-owner-to-keep': 'nobody changed the owner. Look at "show" for what is possible.',
  'not-an-introduction': 'it is no introduction. It goes with send-introduction only.',
  'nothing-was-sent': 'nothing was sent yet. Choose resume to let it go on.',
  'other-address':
    'the contact was made under another email address. Stop what is left, and hand the lead in under a new id with the right address.',
  'not-for-this-finding':
    'the destination shows something else than this needs. Look at "show" for what is possible.',
  'risk-not-accepted':
    'whether it happened is not known, and the risk was not accepted. Add "riskAccepted": true if you accept that it may happen twice.',
  'statement-missing':
    'it needs the statement that it was not done. Add "notDone": true to state that you did not do it.',
  'evidence-missing': 'it needs the id of the record. Add it as "evidence".',
  'not-proven':
    'nothing proves that it did not happen. Decide again when a read has proved that it did not happen.',
};

test.each(Object.entries(WHY) as [DecisionRefusal, string][])(
  '%s is said in a sentence that says what to do, and without its code',
  (why, sentence) => {
    const message = `resume is not possible for create-task, because ${sentence}`;

    expect(decisionNotPossible('create-task', 'resume', why)).toMatchObject({
      error: 'DecisionNotPossible',
      message,
    });
    // What is seen changes the sentence only where a person's owner was written over.
    expect(decisionNotPossible('create-task', 'resume', why, { seen: 'absent' }).message).toBe(message);
  },
);

test('where a person’s owner was written over, only what that changed is told otherwise', () => {
  const seen = 'superseded:possible-overwrite';

  expect(decisionNotPossible('assign-owner', 'take-over', 'not-for-this-finding', { seen }).message).toBe(
    'take-over is not possible for assign-owner, because the destination shows something else than this needs. Look at "show" for what is possible.',
  );
});

test.each([
  ['turned-down', 'not carried out, because a fresh read did not bear it'],
  ['too-late', 'not carried out, because the action was over before'],
  ['pending', 'not carried out yet'],
  ['used', 'carried out'],
] as const)('a last decision that is %s is told so', (result, what) => {
  const state = { ...openAction('create-task'), lastDecision: { decision: PENDING, result } };

  expect(nobodyIsAsked(state).message).toBe(
    `Nobody is asked about create-task now, so there is nothing to answer. The last decision: resume by Robin at 2026-01-05 12:00:00Z, ${what}. Look at "show"; only stop is possible at any time.`,
  );
});

test('a closed handoff whose time is not known is closed all the same', () => {
  expect(handoffClosed({ ...KEY, closedAt: null } as Handoff, []).message).toBe(
    'The handoff web/inq-1 was closed and takes no more decisions: "show" says how it ended.',
  );
});

test('the last decision about a closed handoff is the newest one, wherever it stands', () => {
  const handoff = { ...KEY, closedAt: START } as Handoff;
  const states = [
    openAction('upsert-contact'),
    { ...openAction('assign-owner'), lastDecision: { decision: STOP, result: 'used' } as const },
    { ...openAction('create-task'), lastDecision: { decision: PENDING, result: 'used' } as const },
  ];
  const last = 'The last decision about assign-owner: stop by Mia at 2026-01-05 12:00:30Z, carried out.';

  expect(handoffClosed(handoff, states).message.endsWith(`: "show" says how it ended. ${last}`)).toBe(true);
  expect(handoffClosed(handoff, states.toReversed()).message).toContain(last);
});

test('hashes are told by the newest, in whatever order the ledger holds them', () => {
  const came = (intentHash: string, after: number) => ({
    ...CONFLICT,
    intentHash,
    firstSeenAt: START + after,
  });
  const conflicts = [came('a1', 40), came('b2', 10), came('c3', 30), came('d4', 20)];

  expect(nothingToAmend(KEY, conflicts, 'h9').message).toBe(
    'Lead request inq-1 never came with fields of that hash: put one of these hashes, whole, into "evidence": d4, c3, a1.',
  );
  expect(nothingToAmend(KEY, conflicts.slice(0, 1), 'h9').message).toBe(
    'Lead request inq-1 never came with fields of that hash: put this hash, whole, into "evidence": a1.',
  );
  expect(nothingToAmend(KEY, conflicts.slice(0, 2), 'h9').message).toBe(
    'Lead request inq-1 never came with fields of that hash: put one of these hashes, whole, into "evidence": b2, a1.',
  );
});
