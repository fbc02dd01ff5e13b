import { describe, expect, test } from 'vitest';
import type { DecideEvent } from '../../../functions/domain/action-events.ts';
import { Rejected, transition } from '../../../functions/domain/transition.ts';
import { applied, decisionOf, reconcileEvent, settled } from './states.ts';

const decide = (seenVersion: number): DecideEvent => ({
  type: 'decide',
  decision: decisionOf('resume'),
  seenVersion,
});

describe('a decision that was judged on one version of the record', () => {
  const asked = settled('refused');

  test('is written on that version', () => {
    expect(transition(asked, decide(asked.version))).toMatchObject({
      decision: { kind: 'resume' },
      version: asked.version + 1,
    });
  });

  test('is void on every other: it has to be judged again', () => {
    const moved = applied(asked, reconcileEvent(asked, { kind: 'none' }));

    for (const version of [asked.version, moved.version + 1]) {
      expect(transition(moved, decide(version))).toEqual(new Rejected('changed-since-read'));
    }
  });

  test('is met again wherever the record has moved since it was written', () => {
    const decided = applied(asked, decide(asked.version));
    const moved = applied(decided, reconcileEvent(decided, { kind: 'none' }, { decisionConsumed: true }));

    expect(transition(moved, decide(asked.version))).toBe(moved);
  });
});
