import { describe, expect, test } from 'vitest';
import { LARGE, quietConfiguration, SMALL } from './exploration/configurations.ts';
import { Model } from './exploration/model.ts';
import { walk } from './exploration/random-walk.ts';
import { type Counterexample, explore } from './exploration/search.ts';
import { SEEDED } from './exploration/seeded-bugs.ts';

/** `npm run explore` visits the larger ones too. */
const QUICK = [
  'a request, a decision',
  'two workers',
  'no answer to reads',
  'a person interferes',
  'a pause',
  'an execution without the fence',
  'a person decides',
  'a person stops it',
  'a person resubmits',
  'an approver corrects it',
  'the execution is aborted, a fault',
];
const QUICK_ONES = SMALL.filter(({ name, subject }) => QUICK.includes(name.slice(subject.length + 2)));
const LIMITS = { states: 50_000, seconds: 50 };
const SEEDS = 8;

function told(counterexample: Counterexample | null): string {
  if (counterexample === null) return '';
  const { message, steps } = counterexample;
  return [message, ...steps.map((step, index) => `${index + 1}. ${step}`)].join('\n');
}

describe('whatever happens, in any order', () => {
  test.each(QUICK_ONES)('$name', async (configuration) => {
    const { complete, counterexample, states } = await explore(new Model(configuration), LIMITS);

    expect(told(counterexample)).toBe('');
    expect(complete).toBe(true);
    // A configuration in which nothing can happen proves nothing.
    expect(states).toBeGreaterThan(40);
  });
});

describe('everything at once, at random', () => {
  test.each(LARGE)('$name', async (configuration) => {
    const model = new Model(configuration);
    const schedules = new Set<string>();
    for (let seed = 1; seed <= SEEDS; seed++) {
      const { counterexample, schedule } = await walk(model, seed);
      expect(told(counterexample), `seed ${seed}`).toBe('');
      schedules.add(schedule);
    }
    // Some walks come to the same; if all did, nothing would be drawn.
    expect(schedules.size).toBeGreaterThan(1);
  });
});

describe('a bug put in on purpose is found', () => {
  test.each(SEEDED)('$name', async ({ name, subject, budget, more, bug, breaks }) => {
    const model = new Model(quietConfiguration(subject, name, budget, more), bug);
    const { counterexample } = await explore(model, LIMITS);

    expect(counterexample?.invariant).toBe(breaks);
    expect(counterexample?.steps.length).toBeGreaterThan(0);
  });

  test('and its schedule is the same when it is walked again', async () => {
    const seeded = SEEDED.find(({ name }) => name.startsWith('a timeout is taken for "had'));
    if (!seeded) throw new Error('The seeded bug is gone.');
    const { name, subject, budget, bug } = seeded;
    const configuration = quietConfiguration(subject, name, budget);

    const first = await explore(new Model(configuration, bug), LIMITS);
    const second = await explore(new Model(configuration, bug), LIMITS);

    expect(first.counterexample).toEqual(second.counterexample);
  });
});
