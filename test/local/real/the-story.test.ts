import { afterAll, beforeAll, expect, test } from 'vitest';
import { ACTIONS, type ActionName } from '../../../functions/domain/action.ts';
import type { LedgerRecord } from '../../../functions/domain/handoff.ts';
import type { ShownRecord } from '../../../functions/recovery/answer-person.ts';
import { closed, decided, handoffExecution, taken, waitsFor } from './recovery.ts';
import { leadOf, ONE_OF_EACH, ROUTE, type Stack, startStack, submit } from './stack.ts';

/**
 * The story that this product is about: the contact is confirmed although its answer was lost; a person changes the owner later; and
 * whether the introduction went out is not known. Replaying the route would send it twice, or under the wrong owner, or take the
 * lead away from the new one.
 */

/** The owner that the route chose, and the one that a person chose later. */
const CHOSEN = '71';
const LATER = '82';

let stack: Stack;

beforeAll(async () => {
  stack = await startStack();
}, 120_000);

afterAll(() => stack.engine.stop());

/** @param introduction what becomes of the send, of which no answer comes back either way */
async function begin(id: string, introduction: 'apply-then-drop' | 'drop'): Promise<void> {
  const match = { email: leadOf(id).email };
  await stack.destination.plan(
    { operation: 'create-contact', kind: 'apply-then-drop', match },
    { operation: 'send-email', kind: introduction, match },
    { operation: 'send-email', kind: 'person-sets-owner', ownerId: LATER, when: 'after', match },
  );
  expect(await submit(stack, leadOf(id))).toMatchObject({ status: 'accepted' });
}

/** What the CRM and the mail sender hold of the lead. */
async function destinationsShow(id: string) {
  const { email } = leadOf(id);
  const { contacts, tasks, emails } = await stack.destination.inspect();
  const contact = contacts.find((each) => each.email === email);
  return {
    contact,
    task: tasks.find(({ contactIds }) => contactIds.includes(contact?.id ?? '')),
    emails: emails.filter(({ to }) => to.includes(email)),
  };
}

function action(record: LedgerRecord | null, name: ActionName) {
  const state = record?.actions.find((each) => each.action === name);
  if (!state) throw new Error(`Nothing was written of ${name}.`);
  return state;
}

/** Every action is performed, on the word of the destination about the very record that it holds. */
async function expectDestinationEvidence(id: string, record: LedgerRecord): Promise<void> {
  const { contact, task, emails } = await destinationsShow(id);
  const evidence = ACTIONS.map((name) => {
    const { phase, evidence: shown } = action(record, name);
    return [name, phase, shown?.destination, shown?.recordId];
  });
  expect(evidence).toEqual([
    ['upsert-contact', 'performed', 'hubspot', contact?.id],
    ['assign-owner', 'performed', 'hubspot', contact?.id],
    ['create-task', 'performed', 'hubspot', task?.id],
    ['send-introduction', 'performed', 'resend', emails[0]?.id],
  ]);
  const kinds = record.actions.map(({ evidence: shown }) => shown?.kind);
  expect(kinds.every((kind) => kind === 'receipt' || kind === 'record')).toBe(true);
  // Its answer was lost, so that only a read can have confirmed it.
  expect(action(record, 'upsert-contact')).toMatchObject({ attempt: 1, evidence: { kind: 'record' } });
  for (const { evidence: shown } of record.actions) {
    expect(shown?.readAt).toBeLessThanOrEqual(record.handoff.closedAt ?? 0);
  }
}

/** Set once by us, then by the person, and by nobody since. */
async function expectOwnerStays(id: string): Promise<void> {
  const { contact } = await destinationsShow(id);
  expect(contact?.ownerId).toBe(LATER);
  expect(contact?.ownerHistory.map(({ value, sourceType }) => [value, sourceType])).toEqual([
    [LATER, 'CRM_UI'],
    [CHOSEN, 'INTEGRATION'],
  ]);
}

test.concurrent('the introduction had gone out: it is confirmed by evidence, and nobody has to do anything', async () => {
  const id = 'story-sent';
  await begin(id, 'apply-then-drop');
  const record = await closed(stack, id);

  const introduction = action(record, 'send-introduction');
  expect(introduction).toMatchObject({ attempt: 1, lastRead: { finding: 'done', disposition: 'keep' } });
  expect(introduction.evidence).toMatchObject({
    kind: 'record',
    facts: { senderOwnerId: CHOSEN, currentOwnerId: LATER },
  });
  await expectDestinationEvidence(id, record);
  await expectOwnerStays(id);
  expect(await stack.destination.effects(leadOf(id).email)).toEqual(ONE_OF_EACH);
  expect((await handoffExecution(stack, id)).status).toBe('SUCCEEDED');
}, 120_000);

test.concurrent('it had not: it is sent once, under the present owner, because a person decided so', async () => {
  const id = 'story-not-sent';
  const key = { route: ROUTE, leadRequestId: id };
  await begin(id, 'drop');
  expect(await waitsFor(stack, id, 'send-introduction')).toMatchObject({ why: 'sender-no-longer-owner' });

  // Everything else is done, and still the record is not closed.
  const before = await stack.ledger.record(key);
  expect(before?.handoff.closedAt).toBeNull();
  expect(action(before, 'send-introduction')).toMatchObject({ phase: 'unknown', evidence: null });
  expect(await stack.destination.effects(leadOf(id).email)).toEqual({ ...ONE_OF_EACH, emails: 0 });

  // What the person reads: nothing was sent, the same message never goes out, a new one may.
  const { record: shown } = (await taken(stack, {
    decision: 'show',
    leadRequestId: id,
  })) as unknown as ShownRecord;
  expect(shown.owner).toMatchObject({ chosenOwnerId: CHOSEN, changedSince: expect.any(String) });
  const asked = shown.actions.find((each) => each.action === 'send-introduction');
  expect(asked?.refusedChoices).toContainEqual(
    expect.objectContaining({ decision: 'resume', why: 'person-changed-it' }),
  );
  const choice = asked?.choices.find(({ decision }) => decision === 'send-as-current-owner');
  expect(choice).toMatchObject({
    judgement: 'allowed',
    input: { finding: 'superseded:sender-no-longer-owner' },
  });

  const person = { by: 'Robin Okafor', reason: 'The new owner takes over.' };
  const resumed = await decided(stack, { ...choice?.input, decision: 'resume', ...person });
  expect(resumed.end).toMatchObject({ status: 'FAILED', error: 'DecisionNotPossible' });
  expect(action(await stack.ledger.record(key), 'send-introduction').decision).toBeNull();
  const answer = await taken(stack, { ...choice?.input, ...person });
  expect(answer).toMatchObject({ recorded: 'now', carriedOn: 'answered' });

  const record = await closed(stack, id);
  const introduction = action(record, 'send-introduction');
  expect(introduction).toMatchObject({
    replacement: 2,
    // On a busy machine the answer may come too late; then the message is found by reading back.
    evidence: { kind: expect.stringMatching(/^(receipt|record)$/) },
    lastDecision: { decision: { kind: 'send-as-current-owner', by: person.by }, result: 'used' },
  });
  const { emails } = await destinationsShow(id);
  expect(emails).toMatchObject([{ from: expect.stringContaining('ben.okoro@sales.example.com') }]);
  expect(emails[0]?.key).toContain('/r2');
  await expectDestinationEvidence(id, record);
  await expectOwnerStays(id);
  expect(await stack.destination.effects(leadOf(id).email)).toEqual(ONE_OF_EACH);
}, 120_000);
