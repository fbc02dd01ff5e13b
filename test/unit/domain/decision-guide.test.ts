import { describe, expect, test } from 'vitest';
import type { ContractKind } from '../../../functions/domain/contract.ts';
import { decide, type GuideFacts } from '../../../functions/domain/decision-guide.ts';
import type { Finding } from '../../../functions/domain/finding.ts';
import { contractOfKind, MAIL_CONTRACT, testRoute } from '../../model/settings.ts';
import { ABSENT, DONE, facts, SETTLED, superseded, TOO_EARLY, UNREADABLE } from './guide-facts.ts';
import { inPhase, open, RECORD, settled, T } from './states.ts';

const HOUR = 3_600_000;

const say = (given: GuideFacts) => {
  const { rule, disposition, reason } = decide(given);
  return `${rule} ${disposition} ${reason}`;
};

describe('rule 7: an attempt nobody knows of, by what the receiver promises', () => {
  const EMAIL = 'idempotency-key';
  test.each<[ContractKind, string, Finding, string]>([
    ['idempotency-key', 'done', DONE, '1 keep evidence-says-done'],
    ['idempotency-key', 'absent', ABSENT, '7a resume absent'],
    ['idempotency-key', 'too early', TOO_EARLY, '7b resume same-key'],
    ['idempotency-key', 'unreadable', UNREADABLE, '7c resume same-key'],
    ['natural-key', 'done', DONE, '1 keep evidence-says-done'],
    ['natural-key', 'absent', ABSENT, '7f resume absent'],
    ['natural-key', 'too early', TOO_EARLY, '7g wait too-early'],
    ['natural-key', 'unreadable', UNREADABLE, '7h wait unreadable'],
    ['conditional-write', 'done', DONE, '1 keep evidence-says-done'],
    ['conditional-write', 'absent', ABSENT, '7f resume absent'],
    ['conditional-write', 'too early', TOO_EARLY, '7g wait too-early'],
    ['conditional-write', 'unreadable', UNREADABLE, '7h wait unreadable'],
    ['stamp-and-search', 'done', DONE, '1 keep evidence-says-done'],
    ['stamp-and-search', 'absent', ABSENT, '7e resume absent'],
    ['stamp-and-search', 'too early', TOO_EARLY, '7g wait too-early'],
    ['stamp-and-search', 'unreadable', UNREADABLE, '7h wait unreadable'],
    ['none', 'done', DONE, '1 keep evidence-says-done'],
    ['none', 'absent', ABSENT, '7d ask no-contract'],
    ['none', 'too early', TOO_EARLY, '7g wait too-early'],
    ['none', 'unreadable', UNREADABLE, '7h wait unreadable'],
  ])('%s, %s', (kind, _finding, finding, expected) => {
    const action = kind === EMAIL ? 'send-introduction' : 'create-task';

    expect(say(facts(settled('unknown', action), finding, { contract: contractOfKind(kind) }))).toBe(
      expected,
    );
  });

  test.each<[string, Finding, string]>([
    ['done', DONE, '1 keep evidence-says-done'],
    ['absent', ABSENT, '7d ask key-window-over'],
    ['too early', TOO_EARLY, '7g wait too-early'],
    ['unreadable', UNREADABLE, '7h wait unreadable'],
  ])('idempotency-key, window over, %s', (_finding, finding, expected) => {
    const more = { contract: MAIL_CONTRACT, now: T + 23 * HOUR };

    expect(say(facts(settled('unknown', 'send-introduction'), finding, more))).toBe(expected);
  });

  test('the window is over when a call of now would land after it', () => {
    const at = (now: number) =>
      say(facts(settled('unknown', 'send-introduction'), ABSENT, { contract: MAIL_CONTRACT, now }));

    expect(at(T + 23 * HOUR - 72_000)).toBe('7a resume absent');
    expect(at(T + 23 * HOUR - 71_999)).toBe('7d ask key-window-over');
  });

  test('a route may want to wait and to ask although there is a key', () => {
    const route = testRoute({ underSameKey: { tooEarly: 'wait', unreadable: 'ask' } });
    const unknown = settled('unknown', 'send-introduction');
    const more = { contract: MAIL_CONTRACT, route };

    expect(say(facts(unknown, TOO_EARLY, more))).toBe('7b wait too-early');
    expect(say(facts(unknown, UNREADABLE, more))).toBe('7c ask unreadable');
  });

  test('a route that does not accept a second task is asked; so is everything that is no task', () => {
    const contract = contractOfKind('stamp-and-search');

    expect(
      say(facts(settled('unknown'), ABSENT, { contract, route: testRoute({ acceptSecondTask: false }) })),
    ).toBe('7e ask residual-risk');
    expect(say(facts(settled('unknown', 'upsert-contact'), ABSENT, { contract }))).toBe(
      '7e ask residual-risk',
    );
  });

  test('a worker that died with its claim is judged in the same way', () => {
    expect(say(facts(inPhase('claimed'), ABSENT))).toBe('7f resume absent');
    expect(say(facts(inPhase('claimed'), TOO_EARLY))).toBe('7g wait too-early');
  });

  test('unreadable is read again, later each time, three times in all; then a person is asked', () => {
    const read = (unreadableReads: number) =>
      decide(facts({ ...settled('unknown'), unreadableReads }, UNREADABLE));

    expect(read(0)).toMatchObject({ disposition: 'wait', waitMs: 10_000 });
    expect(read(1)).toMatchObject({ disposition: 'wait', waitMs: 20_000 });
    expect(read(2)).toMatchObject({ disposition: 'ask', reason: 'unreadable' });
  });
});

describe('rules 1 to 6, in their order', () => {
  test('1: what is done is kept, whatever else is the case', () => {
    const everything = {
      executionCurrent: false,
      stoppedDependency: 'upsert-contact',
      routePaused: true,
      breakerOpen: true,
      turns: 401,
    } as const;

    expect(say(facts(inPhase('performed'), UNREADABLE, everything))).toBe('1 keep performed');
    expect(say(facts(settled('refused'), DONE, everything))).toBe('1 keep evidence-says-done');
    expect(say(facts(inPhase('taken-over'), DONE))).toBe('1 keep evidence-says-done');
  });

  test('1s: what a person stopped stays stopped, also for an execution that is not current', () => {
    expect(say(facts(inPhase('stopped'), ABSENT, { executionCurrent: false }))).toBe(
      '1s stop stopped-by-person',
    );
    expect(say(facts(inPhase('stopped-unclear'), DONE))).toBe('1s stop stopped-by-person');
  });

  test('2: an execution that is not current stops, before anything is waited for', () => {
    const more = { executionCurrent: false, now: T + 1_000 };

    expect(say(facts(inPhase('claimed'), UNREADABLE, more))).toBe('2 stop not-current');
    expect(say(facts(open(), ABSENT, { ...more, routePaused: true }))).toBe('2 stop not-current');
  });

  test('3: while a worker may run its end is waited for, up to and with the last millisecond', () => {
    const claimed = inPhase('claimed', 'send-introduction');
    const at = (now: number) => decide(facts(claimed, TOO_EARLY, { contract: MAIL_CONTRACT, now }));

    expect(at(T + 1_000)).toMatchObject({ rule: '3', disposition: 'wait', waitMs: 14_001 });
    expect(at(T + 15_000)).toMatchObject({ rule: '3', disposition: 'wait', waitMs: 2_000 });
    expect(at(T + 15_001)).toMatchObject({ rule: '7b', reason: 'back-off' });
    expect(at(T + 17_000)).toMatchObject({ rule: '7b', disposition: 'resume' });
  });

  test('3 comes before what a person changed', () => {
    expect(say(facts(inPhase('claimed', 'assign-owner'), superseded('owner-changed'), { now: T + 1 }))).toBe(
      '3 wait worker-may-run',
    );
  });

  test('3s: a stop ends when what was done is certain', () => {
    const stopping = inPhase('stopping');
    const at = (finding: Finding, now = SETTLED) => {
      const { disposition, endsAs } = decide(facts(stopping, finding, { now }));
      return endsAs ?? disposition;
    };

    expect(at(DONE, T + 20_000)).toBe('stopped-but-done');
    expect(at(TOO_EARLY, SETTLED - 1)).toBe('wait');
    expect(at(UNREADABLE, SETTLED - 1)).toBe('wait');
    expect(at(ABSENT)).toBe('stopped');
    expect(at(superseded('owner-changed'))).toBe('stopped');
    for (const cause of ['contact-archived', 'contact-deleted', 'sender-no-longer-owner'] as const) {
      expect(at(superseded(cause))).toBe('stopped-unclear');
      expect(at(superseded(cause, true))).toBe('stopped');
    }
    expect(at(superseded('task-changed'))).toBe('stopped-but-done');
    expect(at(superseded('possible-overwrite'))).toBe('stopped-but-done');
    expect(at(UNREADABLE)).toBe('wait');
    expect(decide(facts({ ...stopping, unreadableReads: 2 }, UNREADABLE, { now: SETTLED })).endsAs).toBe(
      'stopped-unclear',
    );
  });

  test.each([
    ['ask', '4e ask owner-changed'],
    ['keep', '4a keep owner-changed-by-person'],
  ] as const)('4: an owner that a person changed, where the route says %s', (changedOwner, expected) => {
    const more = { route: testRoute({ changedOwner }) };

    expect(say(facts(settled('unknown', 'assign-owner'), superseded('owner-changed'), more))).toBe(expected);
    expect(say(facts(settled('not-applied', 'assign-owner'), superseded('owner-changed'), more))).toBe(
      expected,
    );
  });

  test('4: an overwritten owner is asked about whatever the route says', () => {
    const more = { route: testRoute({ changedOwner: 'keep' }) };

    expect(say(facts(settled('unknown', 'assign-owner'), superseded('possible-overwrite'), more))).toBe(
      '4e ask possible-overwrite',
    );
  });

  test.each(['contact-archived', 'contact-deleted'] as const)('4: %s asks', (cause) => {
    expect(say(facts(settled('unknown', 'upsert-contact'), superseded(cause)))).toBe(`4e ask ${cause}`);
  });

  test('4: a task that a person changed is kept', () => {
    expect(say(facts(settled('unknown'), superseded('task-changed')))).toBe('4b keep task-changed-by-person');
  });

  describe('4: the frozen sender is no longer the owner', () => {
    const gone = superseded('sender-no-longer-owner');
    const mail = { contract: MAIL_CONTRACT };

    test('and no request ever left: freeze again, resume', () => {
      const state = { ...settled('not-applied', 'send-introduction'), requestLeft: false };

      expect(decide(facts(state, gone, mail))).toMatchObject({
        rule: '4c',
        disposition: 'resume',
        reason: 'owner-changed',
        freezeAgain: true,
      });
    });

    test('and one did leave: wait until it has landed, then ask; never the same bytes', () => {
      const state = settled('unknown', 'send-introduction');

      expect(say(facts(state, gone, { ...mail, now: SETTLED - 1 }))).toBe('4d wait too-early');
      expect(say(facts(state, gone, { ...mail, now: SETTLED }))).toBe('4e ask sender-no-longer-owner');
    });

    test('and one left but was provably refused: ask', () => {
      expect(say(facts(settled('not-applied', 'send-introduction'), gone, mail))).toBe(
        '4e ask sender-no-longer-owner',
      );
    });

    test('and a worker died with it: as if it had left', () => {
      expect(say(facts(inPhase('claimed', 'send-introduction'), gone, { ...mail, now: T + 20_000 }))).toBe(
        '4d wait too-early',
      );
    });

    test('and a person has taken it over: the person is asked, the machine does not go on', () => {
      const state = { ...inPhase('taken-over', 'send-introduction'), requestLeft: false };

      expect(say(facts(state, gone, mail))).toBe('4e ask sender-no-longer-owner');
    });

    test('and nobody can be introduced: ask', () => {
      const state = { ...settled('not-applied', 'send-introduction'), requestLeft: false };

      expect(say(facts(state, gone, { ...mail, lastError: 'OwnerUnknown' }))).toBe('4e ask owner-unknown');
    });
  });

  test('5: refused is asked about, with its reason', () => {
    expect(say(facts(settled('refused'), ABSENT))).toBe('5b ask permissions');
    expect(say(facts(settled('refused'), TOO_EARLY, { now: T + 2_000 }))).toBe('5b ask permissions');
  });

  test('5: opted out stops', () => {
    const state = { ...settled('refused', 'send-introduction'), reason: 'opted-out' };

    expect(decide(facts(state, TOO_EARLY, { now: T + 2_000 }))).toMatchObject({
      rule: '5a',
      disposition: 'stop',
      reason: 'opted-out',
      endsAs: 'stopped',
    });
  });

  test('5: opted out after an attempt in doubt stops when that is certain', () => {
    const state = { ...settled('refused', 'send-introduction'), reason: 'opted-out', mayHaveLanded: true };

    expect(say(facts(state, TOO_EARLY, { now: SETTLED - 1 }))).toBe('5a wait too-early');
    expect(decide(facts(state, ABSENT))).toMatchObject({ endsAs: 'stopped', reason: 'opted-out' });
    expect(decide(facts({ ...state, unreadableReads: 2 }, UNREADABLE))).toMatchObject({
      endsAs: 'stopped-unclear',
      reason: 'opted-out',
    });
  });

  test('5: what needs a stopped contact stops; what needs a stopped owner asks', () => {
    expect(decide(facts(open(), ABSENT, { stoppedDependency: 'upsert-contact' }))).toMatchObject({
      rule: '5c',
      disposition: 'stop',
      reason: 'upsert-contact-stopped',
      endsAs: 'stopped',
    });
    expect(say(facts(open('send-introduction'), ABSENT, { stoppedDependency: 'assign-owner' }))).toBe(
      '5c ask owner-stopped',
    );
  });

  test('5: an owner that the CRM does not know is asked about', () => {
    expect(say(facts(open('send-introduction'), ABSENT, { lastError: 'OwnerUnknown' }))).toBe(
      '5d ask owner-unknown',
    );
  });

  test('5: taken over waits for the person', () => {
    expect(say(facts(inPhase('taken-over'), ABSENT))).toBe('5e ask taken-over');
    expect(say(facts(inPhase('taken-over'), UNREADABLE))).toBe('5e ask taken-over');
  });

  test('5: a late success that the destination does not show is asked about', () => {
    const state = { ...settled('unknown'), lateEvidence: { ...RECORD, recordId: '8000' } };

    expect(say(facts(state, ABSENT))).toBe('5f ask late-evidence');
  });

  test.each(['idempotency-key', 'natural-key', 'conditional-write', 'stamp-and-search', 'none'] as const)(
    '6: never claimed, or provably not applied, resumes at once under %s',
    (kind) => {
      const more = { contract: contractOfKind(kind), now: T + 1_800_000 };

      expect(say(facts({ ...open(), backOff: { attempt: 0, until: 0 } }, ABSENT, more))).toBe(
        '6 resume never-claimed',
      );
      expect(say(facts(settled('not-applied'), UNREADABLE, more))).toBe('6 resume not-applied');
    },
  );

  test('6: not while an earlier attempt is in doubt', () => {
    const state = { ...settled('not-applied'), mayHaveLanded: true };

    expect(say(facts(state, TOO_EARLY))).toBe('7g wait too-early');
    expect(say(facts(state, UNREADABLE))).toBe('7h wait unreadable');
  });
});
