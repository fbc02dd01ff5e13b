import { describe, expect, it } from 'vitest';
import type { ActionName } from '../../../functions/domain/action.ts';
import type { DecisionKind } from '../../../functions/domain/decision.ts';
import type { FilledAction, FilledRecord } from '../../../functions/domain/filled-record.ts';
import type { Choice } from '../../../functions/domain/recovery-choices.ts';
import { chosenFrom, effectSeen } from '../../../local/chaos-choices.ts';
import { APPROVER, ROUTE } from '../../../local/chaos-names.ts';
import { website } from '../../../routes/website.ts';
import { CONTACT, EMAIL, INSPECTION, TASK } from './balanced-books.ts';

function choice(action: ActionName, decision: DecisionKind, more: Partial<Choice> = {}): Choice {
  const input = { leadRequestId: 'l1', action, decision, by: '', reason: '', finding: 'absent' } as const;
  return { decision, judgement: 'allowed', does: '', approversOnly: false, input, ...more };
}

function filledWith(
  action: ActionName,
  choices: readonly Choice[],
  phase: FilledAction['phase'] = 'refused',
): FilledRecord {
  return { actions: [{ action, phase, choices }] } as unknown as FilledRecord;
}

const choosing = (seen: string | null, notTheirs: readonly string[] = []) => ({
  seen: () => seen,
  approver: APPROVER,
  notTheirs,
});

const picks = Array.from({ length: 50 }, (_, i) => i / 50);
const decisionsOf = (filled: FilledRecord, seen: string | null) =>
  new Set(picks.map((pick) => chosenFrom(filled, choosing(seen), pick, 'Robin 1')?.input.decision));

it('the approver is one of the route', () => {
  expect(website).toMatchObject({ name: ROUTE, approvers: [{ name: APPROVER }] });
});

describe('a person chooses from the record', () => {
  const all = ['resume', 'confirm', 'take-over', 'stop'] as const;
  const choices = all.map((decision) => choice('create-task', decision));

  it('and confirms only what the destination shows', () => {
    expect(decisionsOf(filledWith('create-task', choices), '1002')).toEqual(new Set(all));
    expect(decisionsOf(filledWith('create-task', choices), null)).toEqual(
      new Set(['resume', 'take-over', 'stop']),
    );
  });

  it('and leaves to whoever has taken it over what only they can know', () => {
    const ofOthers = [...choices, choice('create-task', 'release')];
    expect(decisionsOf(filledWith('create-task', ofOthers, 'taken-over'), '1002')).toEqual(
      new Set(['resume', 'take-over', 'stop']),
    );
  });

  it('and is an approver where only an approver may', () => {
    const approval = choice('create-task', 'resume', { approversOnly: true });
    const [theirs, plain] = [approval, choice('create-task', 'resume')].map((one) =>
      chosenFrom(filledWith('create-task', [one]), choosing(null), 0, 'Robin 1'),
    );
    expect(theirs?.input.by).toBe(APPROVER);
    expect(plain?.input.by).toBe('Robin 1');
  });

  it('and puts corrected fields in place that the record offers, unless they are another person’s', () => {
    const written = choice('create-task', 'amend', { approversOnly: true });
    const corrected = { ...written, input: { ...written.input, evidence: 'corrected' } };
    const others = { ...written, input: { ...written.input, evidence: 'others' } };
    const filled = filledWith('create-task', [written, corrected, others]);
    const chosen = picks.map((pick) => chosenFrom(filled, choosing('1002', ['others']), pick, 'Robin 1'));
    expect(new Set(chosen.map((one) => one?.input.evidence))).toEqual(new Set([undefined, 'corrected']));
    expect(new Set(chosen.map((one) => one?.input.decision))).toEqual(new Set(['amend']));
  });

  it('with the input that the record offers, and the record that they saw', () => {
    const filled = filledWith('upsert-contact', [choice('upsert-contact', 'confirm')], 'unknown');
    expect(chosenFrom(filled, choosing('1001'), 0.99, 'Robin 1')).toEqual({
      input: {
        leadRequestId: 'l1',
        action: 'upsert-contact',
        decision: 'confirm',
        by: 'Robin 1',
        reason: 'Looked at it.',
        finding: 'absent',
        evidence: '1001',
      },
      riskAccepted: false,
    });
  });

  it('and says by name that it may happen twice, where the record asks for that', () => {
    const offered = choice('create-task', 'take-over');
    const risky = { ...offered, input: { ...offered.input, riskAccepted: true } as const };
    const chosen = chosenFrom(filledWith('create-task', [risky]), choosing(null), 0, 'Robin 1');
    expect(chosen).toMatchObject({ input: { riskAccepted: true }, riskAccepted: true });
  });
});

describe('a person sees at the destinations', () => {
  const tracked = { lead: { leadRequestId: 'l1', email: 'ada@example.com' }, byHand: [] };
  const filled = { route: 'website', leadRequestId: 'l1', contactId: null };

  it.each([
    ['upsert-contact', CONTACT.id],
    ['assign-owner', CONTACT.ownerId],
    ['create-task', TASK.id],
    ['send-introduction', EMAIL.id],
  ] as const)('what there is of %s', (action, recordId) => {
    expect(effectSeen(action, tracked, filled, INSPECTION)).toBe(recordId);
    expect(effectSeen(action, tracked, filled, { ...INSPECTION, contacts: [], tasks: [], emails: [] })).toBe(
      null,
    );
  });

  it('no contact that was archived', () => {
    const contacts = [{ ...CONTACT, archived: true }];
    expect(effectSeen('upsert-contact', tracked, filled, { ...INSPECTION, contacts })).toBeNull();
  });

  it('what somebody made by hand', () => {
    const made = {
      action: 'create-task',
      by: 'Robin 1',
      recordId: '2001',
      at: 1,
      riskAccepted: false,
    } as const;
    const inspection = { ...INSPECTION, tasks: [] };
    expect(effectSeen('create-task', { ...tracked, byHand: [made] }, filled, inspection)).toBe('2001');
  });
});
