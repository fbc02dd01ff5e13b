import { describe, expect, it } from 'vitest';
import { trailOf } from '../../../local/chaos-trail.ts';
import { entry } from './balanced-books.ts';

describe('the audit trail tells of decisions', () => {
  it('what waited at each step, and what became of it', () => {
    const { steps, waiting } = trailOf([
      entry('00:01.000', 'claimed', 'worker'),
      entry('00:02.000', 'refused', 'permissions'),
      entry('00:03.000', 'ask', 'absent · permissions'),
      entry('00:04.000', 'decided-resume', 'Robin 1'),
      entry('00:04.500', 'wait', 'unclear:too-early · too-early'),
      entry('00:05.000', 'ask', 'superseded:contact-deleted · decision-outdated'),
      entry('00:06.000', 'decided-take-over', 'Robin 2'),
      entry('00:07.000', 'take-over', 'absent · taken-over'),
      entry('00:08.000', 'ask', 'absent · taken-over'),
      entry('00:09.000', 'decided-release', 'Robin 2'),
      entry('00:10.000', 'release', 'absent · released'),
      entry('00:11.000', 'grant', 'absent · not-applied', 2),
      entry('00:12.000', 'claimed', 'worker', 3),
      entry('00:13.000', 'decided-stop', 'Robin 3'),
    ]);
    expect(steps).toEqual([
      { step: 'claimed', attempt: 1, waiting: null },
      { step: 'decided', decision: 'resume', waiting: null },
      { step: 'turned-down', waiting: 'resume' },
      { step: 'decided', decision: 'take-over', waiting: null },
      { step: 'carried-out', decision: 'take-over', waiting: 'take-over' },
      { step: 'decided', decision: 'release', waiting: null },
      { step: 'carried-out', decision: 'release', waiting: 'release' },
      { step: 'ended', waiting: null },
      { step: 'claimed', attempt: 3, waiting: null },
      { step: 'decided', decision: 'stop', waiting: null },
    ]);
    expect(waiting).toBe('stop');
  });

  it('that a stop is heard once and ends later', () => {
    const { steps, waiting } = trailOf([
      entry('00:01.000', 'decided-stop', 'Robin 1'),
      entry('00:02.000', 'stopping', 'unclear:too-early · too-early'),
      entry('00:03.000', 'stopped', 'absent · stopped-by-person'),
    ]);
    expect(steps.map(({ step }) => step)).toEqual(['decided', 'carried-out', 'ended']);
    expect(waiting).toBeNull();
  });
});
