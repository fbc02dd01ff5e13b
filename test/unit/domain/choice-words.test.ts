import { describe, expect, test } from 'vitest';
import type { ActionName } from '../../../functions/domain/action.ts';
import { type ActionState, openAction } from '../../../functions/domain/action-state.ts';
import { refusalInWords, whatItDoes } from '../../../functions/domain/choice-words.ts';
import {
  type DecisionDetails,
  type DecisionFacts,
  type DecisionRefusal,
  judgeDecision,
} from '../../../functions/domain/decision-rules.ts';
import { seenFinding } from '../../../functions/domain/recovery-choices.ts';
import { CONTRACTS, NUMBERS } from '../../model/settings.ts';
import { FRIDAY, uncertain } from './recovery-ledger.ts';

const HOUR = 3_600_000;
const FIRST_FIELDS = 'fedcba9876543210';

/** What a choice says that the rules allow. */
function says(state: ActionState, details: DecisionDetails): string {
  const { action } = state;
  const facts: DecisionFacts = {
    now: FRIDAY + 2 * HOUR,
    action,
    state,
    seen: seenFinding(state),
    contract: CONTRACTS[action],
    numbers: NUMBERS,
  };
  const judgement = judgeDecision(facts, details);
  if (typeof judgement !== 'string') throw new Error(`${details.kind} is refused: ${judgement.refused}`);
  return whatItDoes(details, judgement, facts, FIRST_FIELDS);
}

const unreadable = (action: ActionName, more: Partial<ActionState> = {}) =>
  uncertain(action, 'unclear:unreadable', 'unreadable', more);
const absent = (action: ActionName, more: Partial<ActionState> = {}) =>
  uncertain(action, 'absent', 'attempts-exhausted', more);
const notApplied = (action: ActionName) =>
  unreadable(action, { phase: 'not-applied', mayHaveLanded: false, reason: 'connect-refused' });

describe('resume', () => {
  test.each([
    ['upsert-contact', 'the contact is written'],
    ['assign-owner', 'the owner is set'],
    ['create-task', 'the task is created'],
    ['send-introduction', 'the introduction is sent'],
  ] as const)('lets %s go on for the first time, or again where nothing had an effect', (action, happens) => {
    expect(says(openAction(action), { kind: 'resume' })).toBe(`Lets it go on: ${happens}.`);
    expect(says(notApplied(action), { kind: 'resume' })).toBe(
      `Tries it once more: ${happens}. The attempts before had no effect.`,
    );
  });

  test.each([
    [
      'upsert-contact',
      'Reads HubSpot again and, if it is still not there, the contact is written once more.',
    ],
    ['assign-owner', 'Reads HubSpot again and, if it is still not there, the owner is set once more.'],
    [
      'create-task',
      'Reads HubSpot again and, if it is still not there, the task is created once more. A task that its search does not show would then be there twice.',
    ],
    [
      'send-introduction',
      'Reads Resend again and, if it is still not there, the introduction is sent once more.',
    ],
  ] as const)('repeats %s that was not there, unless it is there by then', (action, sentence) => {
    expect(says(absent(action), { kind: 'resume' })).toBe(sentence);
  });

  test.each([
    [
      'upsert-contact',
      'Reads HubSpot again. Only if that proves that the contact was not written, the contact is written once more; otherwise you are asked again.',
    ],
    [
      'assign-owner',
      'Reads HubSpot again. Only if that proves that the owner was not set, the owner is set once more; otherwise you are asked again.',
    ],
    [
      'create-task',
      'Reads HubSpot again. Only if that proves that the task was not created, the task is created once more; otherwise you are asked again.',
    ],
  ] as const)('repeats %s that could not be read only if it is not there', (action, sentence) => {
    expect(says(unreadable(action), { kind: 'resume' })).toBe(sentence);
  });

  test.each(['superseded:contact-archived', 'superseded:contact-deleted'])(
    'on a contact that is gone waits for the contact: %s',
    (finding) => {
      expect(says(uncertain('create-task', finding, 'contact-archived'), { kind: 'resume' })).toBe(
        'Choose this when the contact is there again. Reads HubSpot again. Only if that proves that the task was not created, the task is created once more; otherwise you are asked again.',
      );
    },
  );

  test('under a key that is still recognised sends the same again, and says until when that is so', () => {
    expect(says(unreadable('send-introduction'), { kind: 'resume' })).toBe(
      'Sends the same request again under the same key. Resend recognises a repeat until 2026-05-09 15:28:51Z, and does nothing twice.',
    );
    expect(says(unreadable('send-introduction', { firstClaimAt: null }), { kind: 'resume' })).toBe(
      'Sends the same request again under the same key. Resend recognises a repeat, and does nothing twice.',
    );
  });

  test('in the name of another owner is said, where no request of the former one left', () => {
    const state = uncertain(
      'send-introduction',
      'superseded:sender-no-longer-owner',
      'sender-no-longer-owner',
      {
        phase: 'not-applied',
        requestLeft: false,
      },
    );

    expect(says(state, { kind: 'resume' })).toBe(
      'Writes the introduction again in the name of the present owner, and sends it. No request of the former one ever left.',
    );
  });

  test.each([
    ['park', 'route-paused', ' It waits until the route is open again.'],
    ['park', 'breaker-open', ' It waits until the destination works again.'],
    ['park', 'some-reason', ''],
    ['ask', 'route-paused', ''],
  ] as const)('of what is held back: %s, %s', (disposition, reason, sentence) => {
    const state = notApplied('create-task');
    const lastRead = state.lastRead && { ...state.lastRead, disposition, reason };

    expect(says({ ...state, lastRead }, { kind: 'resume' })).toBe(
      `Tries it once more: the task is created. The attempts before had no effect.${sentence}`,
    );
  });
});

describe('confirm', () => {
  test.each([
    [
      'upsert-contact',
      'Takes your word that the contact was written; it is not tried again. Put the contact\'s id into "evidence": every later action works on that contact.',
    ],
    [
      'assign-owner',
      'Takes your word that the owner was set; it is not tried again. Add the owner\'s id as "evidence", and it is compared with the contact\'s.',
    ],
    [
      'create-task',
      'Takes your word that the task was created; it is not tried again. Where the record is at HubSpot, add its id as "evidence": it is looked up, and must be this lead\'s.',
    ],
    [
      'send-introduction',
      'Takes your word that the introduction was sent; it is not tried again. Where the record is at Resend, add its id as "evidence": it is looked up, and must be this lead\'s.',
    ],
  ] as const)('%s', (action, sentence) => {
    expect(says(unreadable(action), { kind: 'confirm', evidence: 'named-later' })).toBe(sentence);
  });

  test('looks up the record that was reported late', () => {
    const lateEvidence = {
      kind: 'receipt',
      destination: 'hubspot',
      recordId: '5005',
      readAt: FRIDAY,
      facts: {},
    } as const;

    expect(says(unreadable('create-task', { lateEvidence }), { kind: 'confirm', evidence: '5005' })).toBe(
      'Takes your word that the task was created; it is not tried again. The record 5005, which was reported late, is looked up.',
    );
  });
});

describe('what is done by hand', () => {
  test.each([
    ['upsert-contact', 'write the contact in the CRM', 'the contact was written'],
    ['assign-owner', 'set the owner in the CRM', 'the owner was set'],
    ['create-task', 'create the task in the CRM', 'the task was created'],
    ['send-introduction', 'write to the lead', 'the introduction was sent'],
  ] as const)('%s: the risk is named where there is one', (action, byHand, happened) => {
    expect(says(absent(action), { kind: 'take-over' })).toBe(
      `Keeps everything else away from it while you ${byHand}. Come back afterwards and choose confirm, or release.`,
    );
    expect(says(unreadable(action), { kind: 'take-over', riskAccepted: true })).toBe(
      `Keeps everything else away from it while you ${byHand}. Come back afterwards and choose confirm, or release. Whether ${happened} is not known: with "riskAccepted" you accept that it may happen twice.`,
    );
  });

  test('is given back', () => {
    expect(says(absent('create-task', { phase: 'taken-over' }), { kind: 'release', notDone: true })).toBe(
      'Gives it back: you state that you did not do it. HubSpot is read, and what is missing goes on by itself.',
    );
  });
});

describe('keep-owner', () => {
  const KEPT =
    'Leaves the owner that the CRM shows now, and counts the assignment as done. The task and the introduction go on under that owner.';

  test('leaves an owner that somebody else set', () => {
    const state = uncertain('assign-owner', 'superseded:owner-changed', 'owner-changed');

    expect(says(state, { kind: 'keep-owner' })).toBe(KEPT);
  });

  test.each([
    [{ overwrittenOwnerId: '82' }, 'set owner 82'],
    [{ overwrittenOwnerId: null }, 'clear its owner'],
    [{}, 'set the owner that was written over'],
  ])('says first how the contact is given back: %j', (facts, what) => {
    const state = uncertain('assign-owner', 'superseded:possible-overwrite', 'possible-overwrite', {
      evidence: { kind: 'record', destination: 'hubspot', recordId: '1001', readAt: FRIDAY, facts },
    });

    expect(says(state, { kind: 'keep-owner' })).toBe(
      `To give the contact back, ${what} in the CRM first, and choose this afterwards: it is read again. ${KEPT}`,
    );
  });

  test('says so too where no read has shown the owner before', () => {
    const state = uncertain('assign-owner', 'superseded:possible-overwrite', 'possible-overwrite');

    expect(says(state, { kind: 'keep-owner' })).toBe(
      `To give the contact back, set the owner that was written over in the CRM first, and choose this afterwards: it is read again. ${KEPT}`,
    );
  });
});

test('an introduction in the name of the present owner is another message', () => {
  expect(says(absent('send-introduction'), { kind: 'send-as-current-owner' })).toBe(
    'Reads Resend again and, if it still does not show the former one, writes a new introduction in the name of the owner that the CRM shows then, and sends it. Resend takes it for another message, and would not notice a repeat.',
  );
  expect(says(unreadable('send-introduction'), { kind: 'send-as-current-owner' })).toBe(
    'Reads Resend again. Only if that proves that the introduction was not sent, a new introduction is written in the name of the owner that the CRM shows then, and sent; otherwise you are asked again.',
  );
});

describe('amend', () => {
  const HASH = '0123456789abcdef';

  test('writes the request anew, or puts corrected fields in the place of the first ones', () => {
    expect(says(notApplied('create-task'), { kind: 'amend' })).toBe(
      "The request is written anew from the lead's fields and the route's settings as they are deployed now, and the task is created once more.",
    );
    expect(says(notApplied('create-task'), { kind: 'amend', evidence: HASH })).toBe(
      "The corrected fields 0123456789ab take the place of the lead's (for this and every later action), and the task is created once more.",
    );
  });

  test('tells the fields that came first from corrected ones', () => {
    expect(says(notApplied('create-task'), { kind: 'amend', evidence: FIRST_FIELDS })).toBe(
      'The first fields fedcba987654 come back into their place (for this and every later action), and the task is created once more.',
    );
  });

  test('looks once more for what was not there', () => {
    expect(says(absent('create-task'), { kind: 'amend' })).toBe(
      "Reads HubSpot again and, if it is still not there, the request is written anew from the lead's fields and the route's settings as they are deployed now, and the task is created once more.",
    );
  });

  test('holds only if nothing is there, where that is not known', () => {
    expect(says(unreadable('create-task'), { kind: 'amend', evidence: HASH })).toBe(
      "Reads HubSpot again. Only if that proves that the task was not created, the corrected fields 0123456789ab take the place of the lead's (for this and every later action), and the task is created once more; otherwise you are asked again.",
    );
  });
});

describe('stop', () => {
  test.each([
    [
      'upsert-contact',
      'No contact is written any more, and everything that needs it ends too: owner, task, introduction.',
      'the contact was written',
    ],
    [
      'assign-owner',
      'No owner is set any more. The task goes on; the introduction asks separately, because it needs an owner.',
      'the owner was set',
    ],
    ['create-task', 'No task is created any more. The introduction goes on.', 'the task was created'],
    ['send-introduction', 'No introduction is sent any more. The task goes on.', 'the introduction was sent'],
  ] as const)(
    '%s, with a word on what may come out where that is not certain',
    (action, stopped, happened) => {
      expect(says(openAction(action), { kind: 'stop' })).toBe(stopped);
      expect(says(notApplied(action), { kind: 'stop' })).toBe(stopped);
      expect(says(absent(action), { kind: 'stop' })).toBe(stopped);
      expect(says(unreadable(action), { kind: 'stop' })).toBe(
        `${stopped} Should it turn out that ${happened}, the record will say so.`,
      );
    },
  );
});

test.each<[DecisionRefusal, string]>([
  ['already-final', 'it has ended'],
  ['already-done', 'it is done'],
  ['taken-over', 'somebody has taken it over; confirm or release comes first'],
  ['not-taken-over', 'nobody has taken it over'],
  ['person-changed-it', 'a person changed what it was about, and that stands'],
  ['no-owner-to-keep', 'nobody changed the owner'],
  ['not-an-introduction', 'it is no introduction'],
  ['nothing-was-sent', 'nothing was sent yet'],
  ['other-address', 'the contact was made under another email address'],
  ['not-for-this-finding', 'the destination shows something else than this needs'],
  ['risk-not-accepted', 'whether it happened is not known, and the risk was not accepted'],
  ['statement-missing', 'it needs the statement that it was not done'],
  ['evidence-missing', 'it needs the id of the record'],
  ['not-proven', 'nothing proves that it did not happen'],
])('%s is said after "because"', (why, words) => {
  expect(refusalInWords(why)).toBe(words);
  expect(refusalInWords(why, 'superseded:task-changed')).toBe(words);
});

test('what a person changed does not stand where our owner is in its place', () => {
  expect(refusalInWords('person-changed-it', 'superseded:possible-overwrite')).toBe(
    'the owner that this handoff set is there already, in the place of a person’s',
  );
  expect(refusalInWords('not-for-this-finding', 'superseded:possible-overwrite')).toBe(
    'the destination shows something else than this needs',
  );
});
