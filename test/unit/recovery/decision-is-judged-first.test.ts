import { describe, expect, test } from 'vitest';
import { canonicalHash } from '../../../functions/domain/intent.ts';
import { LEAD } from '../../model/bench.ts';
import { askedAboutTask, KEY, parkedTask, RecoveryBench, RUN_1 } from './recovery-bench.ts';

/** Everything that a refused decision must leave as it was. */
async function everything(bench: RecoveryBench): Promise<unknown> {
  return structuredClone([await bench.ledger.record(KEY), bench.workflow, bench.told]);
}

async function refusedWith(
  bench: RecoveryBench,
  asked: () => Promise<unknown>,
  error: string,
): Promise<void> {
  const before = await everything(bench);
  expect(await asked()).toMatchObject({ refused: { error } });
  expect(await everything(bench)).toEqual(before);
}

describe('a decision is refused and changes nothing', () => {
  test('for a handoff that nobody knows', async () => {
    const bench = new RecoveryBench();
    await refusedWith(bench, () => bench.person('create-task', 'resume'), 'UnknownHandoff');
  });

  test('for a handoff that is closed', async () => {
    const bench = await askedAboutTask();
    await bench.person('create-task', 'stop');
    await bench.reconcile('create-task');
    await bench.act('send-introduction', 1);
    await bench.close();
    await refusedWith(bench, () => bench.person('create-task', 'resume'), 'HandoffClosed');
    await refusedWith(bench, () => bench.resubmitted(), 'HandoffClosed');
  });

  test('for an action that is under way', async () => {
    const bench = new RecoveryBench();
    await bench.upTo('create-task');
    await bench.dyingAct('create-task', 1, 'beforeWrite');
    await refusedWith(bench, () => bench.person('create-task', 'resume'), 'NobodyIsAsked');
  });

  test('for an action whose turn has not come', async () => {
    const bench = await askedAboutTask();
    await refusedWith(bench, () => bench.person('send-introduction', 'resume'), 'NobodyIsAsked');
  });

  test.each(['stop', 'resume'])('for an action that is done: %s', async (decision) => {
    const bench = await askedAboutTask();
    await refusedWith(bench, () => bench.person('upsert-contact', decision), 'DecisionNotPossible');
  });

  test('made on another finding than the last read’s', async () => {
    const bench = await askedAboutTask();
    const decide = () => bench.person('create-task', 'resume', { finding: 'unclear:unreadable' });
    await refusedWith(bench, decide, 'StaleDecision');
  });

  test('that differs from one that is not carried out yet, and says whose that is', async () => {
    const bench = await askedAboutTask();
    await bench.person('create-task', 'resume');
    const decide = () => bench.person('create-task', 'confirm', { by: 'Mia' });

    await refusedWith(bench, decide, 'AlreadyDecided');
    expect(await decide()).toMatchObject({
      refused: { message: expect.stringMatching(/resume by Robin at 2026-01-05 12:01:40Z/) },
    });
  });

  test('that differs from a stop, also when it is one', async () => {
    const bench = await askedAboutTask();
    await bench.person('create-task', 'stop');
    const decide = () => bench.person('create-task', 'stop', { by: 'Mia' });
    await refusedWith(bench, decide, 'AlreadyDecided');
  });

  test.each([
    ['keep-owner', {}],
    ['release', { notDone: true }],
    ['send-as-current-owner', {}],
  ])('that is not possible there: %s', async (decision, more) => {
    const bench = await askedAboutTask();
    await refusedWith(bench, () => bench.person('create-task', decision, more), 'DecisionNotPossible');
  });

  test('to amend with fields that never came', async () => {
    const bench = await askedAboutTask();
    const decide = () => bench.person('create-task', 'amend', { by: 'Tomas', evidence: 'other-fields' });
    await refusedWith(bench, decide, 'NothingToAmend');
  });
});

describe('only an approver may', () => {
  const approvers = [{ name: 'Tomas Vega', email: 'tomas@revops.example.com' }];
  const changed = { ...LEAD, company: 'Lind Ltd' };
  const hash = canonicalHash({ intent: 1, lead: changed });

  async function withCorrection(): Promise<RecoveryBench> {
    const bench = await askedAboutTask(new RecoveryBench({ route: { approvers } }));
    await expect(bench.accept(changed)).rejects.toMatchObject({ name: 'LeadConflict' });
    return bench;
  }

  test.each(['Robin', 'Tomas', 'tomas@customer.example.com'])('amend: not %s', async (by) => {
    const bench = await withCorrection();
    const decide = () => bench.person('create-task', 'amend', { by, evidence: hash });
    await refusedWith(bench, decide, 'NotAnApprover');
  });

  test('amend with another address: not after there is a contact', async () => {
    const bench = await askedAboutTask(new RecoveryBench({ route: { approvers } }));
    const lead = { ...LEAD, email: 'another@customer.example.com' };
    await bench.ledger.addConflict(KEY, { intentHash: 'another', firstSeenAt: 1, lead });
    const decide = () => bench.person('create-task', 'amend', { by: 'Tomas Vega', evidence: 'another' });

    await refusedWith(bench, decide, 'DecisionNotPossible');
  });

  test('amend also where the lead’s fields stay', async () => {
    const bench = await withCorrection();
    await refusedWith(bench, () => bench.person('create-task', 'amend'), 'NotAnApprover');

    expect(await bench.person('create-task', 'amend', { by: 'Tomas Vega' })).toHaveProperty('answer');
  });

  test.each(['Tomas Vega', 'tomas vega', 'Tomas@RevOps.example.com'])('amend: %s', async (by) => {
    const bench = await withCorrection();

    expect(await bench.person('create-task', 'amend', { by, evidence: hash })).toMatchObject({
      answer: { decision: 'amend', recorded: 'now' },
    });
  });

  test('amend, but not with a hash that none of the corrections has', async () => {
    const bench = await withCorrection();
    const decide = () => bench.person('create-task', 'amend', { by: 'Tomas Vega', evidence: 'other-fields' });
    await refusedWith(bench, decide, 'NothingToAmend');
  });

  test('resume at the approval point, and everybody elsewhere', async () => {
    const route = { approvers, approvalPoint: 'create-task' as const };
    const bench = await askedAboutTask(new RecoveryBench({ route }));
    await refusedWith(bench, () => bench.person('create-task', 'resume'), 'NotAnApprover');

    expect(await bench.person('create-task', 'resume', { by: 'Tomas Vega' })).toHaveProperty('answer');
    const elsewhere = await askedAboutTask(new RecoveryBench({ route: { approvers } }));
    expect(await elsewhere.person('create-task', 'resume')).toHaveProperty('answer');
  });

  test('but whoever stops or confirms at the approval point need not be one', async () => {
    const route = { approvers, approvalPoint: 'create-task' as const };
    for (const decision of ['stop', 'confirm']) {
      const bench = await askedAboutTask(new RecoveryBench({ route }));
      expect(await bench.person('create-task', decision)).toHaveProperty('answer');
    }
  });
});

describe('a decision is taken', () => {
  test('on what the last read showed, and bound to it', async () => {
    const bench = await askedAboutTask();

    const answer = await bench.person('create-task', 'confirm', { evidence: '9001', finding: 'absent' });

    expect(answer).toEqual({
      answer: {
        leadRequestId: 'inq-1',
        action: 'create-task',
        decision: 'confirm',
        by: 'Robin',
        decidedAt: '2026-01-05T12:01:40.000Z',
        recorded: 'now',
        result: 'pending',
        carriedOn: 'answered',
        execution: RUN_1,
      },
    });
    expect(await bench.state('create-task')).toMatchObject({
      decision: {
        kind: 'confirm',
        by: 'Robin',
        reason: 'looked at it',
        evidence: '9001',
        findingSeen: 'absent',
      },
      lastDecision: { result: 'pending' },
    });
  });

  test('with the risk that a person accepts, and with what they state', async () => {
    const bench = await askedAboutTask();
    const unclear = { ...(await bench.state('create-task')), phase: 'unknown' } as const;
    const lastRead = unclear.lastRead && {
      ...unclear.lastRead,
      finding: 'unclear:unreadable',
      absenceProven: false,
    };
    bench.ledger.put(KEY, { ...unclear, lastRead });
    await refusedWith(bench, () => bench.person('create-task', 'take-over'), 'DecisionNotPossible');
    await bench.person('create-task', 'take-over', { riskAccepted: true });
    expect(await bench.state('create-task')).toMatchObject({ decision: { riskAccepted: true } });

    bench.ledger.put(KEY, { ...(await bench.state('create-task')), phase: 'taken-over', decision: null });
    await refusedWith(bench, () => bench.person('create-task', 'release'), 'DecisionNotPossible');
    await bench.person('create-task', 'release', { notDone: true });
    expect(await bench.state('create-task')).toMatchObject({ decision: { notDone: true } });
  });

  test('while its action is parked', async () => {
    const bench = await parkedTask();
    expect(await bench.person('create-task', 'take-over')).toHaveProperty('answer');
  });

  test('of who has taken the action over, also when it is not on the list', async () => {
    const bench = await askedAboutTask();
    await bench.person('create-task', 'take-over');
    await bench.reconcile('create-task');
    await bench.ledger.removeWaiting(KEY, 'create-task');

    expect(await bench.person('create-task', 'release', { notDone: true })).toHaveProperty('answer');
  });

  test('to stop, whatever goes on', async () => {
    const bench = new RecoveryBench();
    await bench.upTo('create-task');
    await bench.dyingAct('create-task', 1, 'beforeWrite');

    for (const action of ['create-task', 'send-introduction'] as const) {
      expect(await bench.person(action, 'stop')).toMatchObject({
        answer: { recorded: 'now', carriedOn: 'by-itself' },
      });
    }
  });

  test('to stop in the place of another that is not carried out yet', async () => {
    const bench = await askedAboutTask();
    await bench.person('create-task', 'resume');
    await bench.person('create-task', 'stop', { by: 'Mia' });

    expect(await bench.state('create-task')).toMatchObject({ decision: { kind: 'stop', by: 'Mia' } });
  });

  test('about an action that nobody has touched, when the execution is gone', async () => {
    const bench = await askedAboutTask();
    await bench.ends('FAILED');

    expect(await bench.person('send-introduction', 'resume', { finding: 'absent' })).toMatchObject({
      answer: { recorded: 'now', carriedOn: 'resubmitted' },
    });
  });

  test('about an action whose worker died and which was never read: as unreadable', async () => {
    const bench = new RecoveryBench();
    await bench.upTo('create-task');
    await bench.dyingAct('create-task', 1, 'beforeWrite');
    await bench.ends('TIMED_OUT');
    await bench.person('create-task', 'resume', { finding: 'unclear:unreadable' });

    expect(await bench.state('create-task')).toMatchObject({
      decision: { findingSeen: 'unclear:unreadable' },
    });
  });
});
