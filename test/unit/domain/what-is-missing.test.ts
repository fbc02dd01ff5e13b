import { describe, expect, test } from 'vitest';
import { ACTIONS, type ActionName } from '../../../functions/domain/action.ts';
import { type ActionState, FINAL_PHASES, openAction } from '../../../functions/domain/action-state.ts';
import { type ActionPlace, mustChange, notKnown } from '../../../functions/domain/what-is-missing.ts';
import { CONTRACTS } from '../../model/settings.ts';
import { performed, uncertain } from './recovery-ledger.ts';

function placeOf(action: ActionName): ActionPlace {
  return { route: { name: 'web' }, stage: 'prod', contract: CONTRACTS[action] };
}

describe('what nobody knows', () => {
  const unknown = (state: ActionState) => notKnown(state, placeOf(state.action));

  test.each([
    [
      'upsert-contact',
      'Whether the contact was written: HubSpot could not be read, or did not show it clearly.',
    ],
    ['assign-owner', 'Whether the owner was set: HubSpot could not be read, or did not show it clearly.'],
    ['create-task', 'Whether the task was created: HubSpot could not be read, or did not show it clearly.'],
    [
      'send-introduction',
      'Whether the introduction was sent: Resend could not be read, or did not show it clearly.',
    ],
  ] as const)('of %s that could not be read', (action, sentence) => {
    expect(unknown(uncertain(action, 'unclear:unreadable', 'unreadable'))).toBe(sentence);
  });

  test.each(FINAL_PHASES)('nothing of what is over: %s', (phase) => {
    expect(unknown(uncertain('create-task', 'unclear:unreadable', 'unreadable', { phase }))).toBeNull();
  });

  test('before a read: nothing of what was never tried', () => {
    expect(unknown(openAction('create-task'))).toBeNull();
    expect(unknown(uncertain('create-task', 'absent', 'x', { lastRead: null }))).toBe(
      'Whether the task was created: HubSpot was not read since.',
    );
  });

  test('where it was too early', () => {
    const early = (phase: ActionState['phase']) =>
      unknown(uncertain('create-task', 'unclear:too-early', 'too-early', { phase }));

    expect(early('unknown')).toBe(
      'Whether the task was created: when HubSpot was read, the request could still take effect.',
    );
    expect(early('refused')).toBe(
      'Whether the task was created: HubSpot refused the last attempt, but before 2026-05-08 16:31:28Z that proves nothing, because what was sent could still take effect.',
    );
  });

  test('of an introduction in the name of the former owner, unless none was sent', () => {
    const state = uncertain(
      'send-introduction',
      'superseded:sender-no-longer-owner',
      'sender-no-longer-owner',
    );
    const proven = state.lastRead && { ...state.lastRead, absenceProven: true };

    expect(unknown(state)).toBe('Whether the introduction was sent in the name of the former owner.');
    expect(unknown({ ...state, requestLeft: false })).toBeNull();
    expect(unknown({ ...state, lastRead: proven })).toBeNull();
  });

  test('of a contact that is gone', () => {
    for (const finding of ['superseded:contact-archived', 'superseded:contact-deleted']) {
      const state = uncertain('create-task', finding, 'contact-archived');
      const proven = state.lastRead && { ...state.lastRead, absenceProven: true };

      expect(unknown(state)).toBe(
        'Whether the contact is meant to come back, and whether the task was created before it went.',
      );
      expect(unknown({ ...state, lastRead: proven })).toBe('Whether the contact is meant to come back.');
    }
  });

  test('of a task that is not there, where one was tried', () => {
    const state = uncertain('create-task', 'absent', 'residual-risk');

    expect(unknown(state)).toBe(
      'Whether there is a task that the search of HubSpot does not show: it leaves archived ones out.',
    );
    expect(unknown({ ...state, attempt: 0 })).toBeNull();
    expect(unknown(uncertain('upsert-contact', 'absent', 'attempts-exhausted'))).toBeNull();
    expect(unknown({ ...state, lateEvidence: performed('create-task', '5005', 5_000).evidence })).toBe(
      'Which is true: an attempt reported success late, and HubSpot does not show it.',
    );
  });

  test('nothing, where a person changed the task', () => {
    expect(unknown(uncertain('create-task', 'superseded:task-changed', 'task-changed'))).toBeNull();
  });
});

describe('what must change', () => {
  const remedy = (action: ActionName, reason: string, more: Partial<ActionState> = {}) =>
    mustChange(uncertain(action, 'absent', reason, more), placeOf(action));
  const OTHER_ADDRESS =
    ' The email address is the one field that cannot be corrected any more, because the contact was made under it: where it is wrong, stop what is left, and hand the lead in as a new lead request, under an id of its own.';
  const correct = (name: string) =>
    `${name} does not accept what was sent. Where a field of the lead is wrong, hand the lead in again under the same id with that field corrected; amend can then be chosen here.`;

  test.each<[string, string, string]>([
    [
      'credentials',
      'Put a valid token into the secret prod/web/hubspot/write.',
      'Put a valid token into the secret prod/web/resend/write.',
    ],
    [
      'permissions',
      'Give the token in the secret prod/web/hubspot/write the permission that it lacks; "npx handoff doctor web --stage prod" names it.',
      'Give the token in the secret prod/web/resend/write the permission that it lacks; "npx handoff doctor web --stage prod" names it.',
    ],
    [
      'invalid-access',
      'Give the token in the secret prod/web/hubspot/write the access that it lacks.',
      'Give the token in the secret prod/web/resend/write the access that it lacks.',
    ],
    [
      'secret-unavailable',
      'The secret prod/web/hubspot/write must be there and readable.',
      'The secret prod/web/resend/write must be there and readable.',
    ],
    [
      'daily-quota-exceeded',
      'Raise the quota at HubSpot, or wait until it starts anew.',
      'Raise the quota at Resend, or wait until it starts anew.',
    ],
    [
      'monthly-quota-exceeded',
      'Raise the quota at HubSpot, or wait until it starts anew.',
      'Raise the quota at Resend, or wait until it starts anew.',
    ],
    [
      'evidence-not-found',
      'Confirm again with the id of this lead\'s record at HubSpot; leave "evidence" out where it was done elsewhere, as from your own mailbox.',
      'Confirm again with the id of this lead\'s record at Resend; leave "evidence" out where it was done elsewhere, as from your own mailbox.',
    ],
    ['breaker-open', 'HubSpot must work again.', 'Resend must work again.'],
    ['route-paused', 'The route must be opened again.', 'The route must be opened again.'],
    [
      'unreadable',
      'HubSpot must be readable again; "npx handoff doctor web --stage prod" says what is wrong.',
      'Resend and HubSpot must be readable again; "npx handoff doctor web --stage prod" says what is wrong.',
    ],
    ...['resolve-failed', 'connect-refused', 'connect-failed', 'connect-timeout', 'tls-failed'].map(
      (reason): [string, string, string] => [
        reason,
        'HubSpot must be reachable again.',
        'Resend must be reachable again.',
      ],
    ),
    ...['invalid-request', 'validation-error', 'missing-required-field', 'invalid-parameter'].map(
      (reason): [string, string, string] => [
        reason,
        correct('HubSpot'),
        `${correct('Resend')}${OTHER_ADDRESS}`,
      ],
    ),
  ])('%s', (reason, ofContact, ofIntroduction) => {
    expect(remedy('upsert-contact', reason)).toBe(ofContact);
    expect(remedy('send-introduction', reason)).toBe(ofIntroduction);
  });

  test.each<[string, string]>([
    ...['record-not-found', 'contact-archived', 'contact-deleted'].map((reason): [string, string] => [
      reason,
      'Restore the contact in HubSpot, or stop the action.',
    ]),
    ['sender-not-verified', "Verify the sender's domain at Resend."],
    [
      'invalid-from-address',
      'Correct the From address of the introduction in the route file, and deploy. Then choose amend: resume would send the same message again.',
    ],
    [
      'owner-unknown',
      'HubSpot does not know the contact’s owner as an active user. Give the contact another owner, or activate this one.',
    ],
    [
      'owner-stopped',
      'The introduction goes out in the name of the contact’s owner: look in HubSpot whether the contact has the right one.',
    ],
  ])('for the introduction, %s', (reason, sentence) => {
    expect(remedy('send-introduction', reason)).toBe(sentence);
  });

  test('what a destination refused without a word that we know', () => {
    expect(remedy('upsert-contact', 'invalid-phone', { phase: 'refused' })).toBe(correct('HubSpot'));
    expect(remedy('create-task', 'invalid-phone', { phase: 'refused' })).toBe(
      `${correct('HubSpot')}${OTHER_ADDRESS}`,
    );
    expect(remedy('create-task', 'status-451', { phase: 'refused' })).toBe(
      'HubSpot refused it; what it asks for must be mended before it can go on.',
    );
    expect(remedy('create-task', 'not-invalid-here', { phase: 'refused' })).toBe(
      'HubSpot refused it; what it asks for must be mended before it can go on.',
    );
    expect(remedy('create-task', 'invalid-phone', { phase: 'unknown' })).toBeNull();
  });

  test('what the last attempt met, where all of them are used up', () => {
    expect(remedy('create-task', 'attempts-exhausted', { reason: 'connect-refused' })).toBe(
      'HubSpot must be reachable again.',
    );
    expect(remedy('create-task', 'residual-risk', { reason: 'connect-refused' })).toBeNull();
    expect(remedy('create-task', 'attempts-exhausted', { reason: null })).toBeNull();
  });

  test.each(ACTIONS)('nothing, where %s was never read', (action) => {
    expect(mustChange(openAction(action), placeOf(action))).toBeNull();
  });

  test('in the stage of the person who reads it', () => {
    const place = { ...placeOf('create-task'), stage: 'local', endpoint: 'http://127.0.0.1:4599' } as const;

    expect(mustChange(uncertain('create-task', 'unclear:unreadable', 'unreadable'), place)).toBe(
      'HubSpot must be readable again; "npx handoff doctor web --endpoint http://127.0.0.1:4599" says what is wrong.',
    );
  });
});
