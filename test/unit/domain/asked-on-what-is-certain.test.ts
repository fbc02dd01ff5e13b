import { describe, expect, test } from 'vitest';
import { conclude } from '../../../functions/domain/conclusion.ts';
import type { Decision } from '../../../functions/domain/decision.ts';
import { decide } from '../../../functions/domain/decision-guide.ts';
import { MAIL_CONTRACT } from '../../model/settings.ts';
import { ABSENT, facts, SETTLED, superseded, TOO_EARLY } from './guide-facts.ts';
import { applied, decisionOf, inPhase, settled, T } from './states.ts';

const IDS = { event: 'event', claim: 'claim-of-robin' };

describe('a person is asked only when it is certain what the last attempt did', () => {
  test('the attempts are used up while the last one may still land', () => {
    const last = { ...settled('unknown', 'send-introduction'), attempt: 4 };
    const mail = { contract: MAIL_CONTRACT };

    expect(decide(facts(last, TOO_EARLY, { ...mail, now: SETTLED - 10_000 }))).toMatchObject({
      disposition: 'wait',
      reason: 'too-early',
      waitMs: 10_000,
    });
    expect(decide(facts(last, ABSENT, { ...mail, now: SETTLED }))).toMatchObject({
      disposition: 'ask',
      reason: 'attempts-exhausted',
    });
  });

  test('a stop meets an owner that was changed while our write may still land', () => {
    const stopping = inPhase('stopping', 'assign-owner');
    const at = (now: number) => decide(facts(stopping, superseded('owner-changed'), { now }));

    expect(at(SETTLED - 1)).toMatchObject({ disposition: 'wait', reason: 'too-early' });
    expect(at(SETTLED)).toMatchObject({ disposition: 'stop', endsAs: 'stopped' });
  });
});

test.each<[Decision['kind'], 'owner-changed' | 'possible-overwrite']>([
  ['keep-owner', 'owner-changed'],
  ['keep-owner', 'possible-overwrite'],
])('%s that was decided on something else than %s is asked again', (kind, cause) => {
  const state = applied(settled('unknown', 'assign-owner'), {
    type: 'decide',
    decision: decisionOf(kind, { findingSeen: 'superseded:contact-archived' }),
  });

  expect(conclude(facts(state, superseded(cause)), T + 1_800_000, IDS)).toMatchObject({
    verdict: { disposition: 'ask', reason: 'decision-outdated' },
    event: { decisionConsumed: true, change: { kind: 'none' } },
  });
});
