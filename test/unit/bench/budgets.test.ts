import { describe, expect, it, test } from 'vitest';
import { brokenBudgets, type Measured, valuesOf } from '../../../local/bench-metrics.ts';
import { BRIM } from './support.ts';

const broken = (found: Measured) => brokenBudgets(valuesOf(found)).map(({ name }) => name);

describe('a budget', () => {
  it('that is used up to the brim is kept', () => {
    expect(broken(BRIM)).toEqual([]);
  });

  const writes = (more: object) => ({ writes: { ...BRIM.writes, ...more } });
  const bundles = (more: object) => ({ bundleBytes: { ...BRIM.bundleBytes, ...more } });
  it.each<[string, Partial<Measured>]>([
    ['states', { states: 8 }],
    ['invocations', { invocations: 7 }],
    ['writes.upsert-contact', writes({ 'upsert-contact': 7 })],
    ['writes.assign-owner', writes({ 'assign-owner': 7 })],
    ['writes.create-task', writes({ 'create-task': 7 })],
    ['writes.send-introduction', writes({ 'send-introduction': 7 })],
    ['bundle.upsert-contact', bundles({ 'upsert-contact': 650_001 })],
    ['bundle.assign-owner', bundles({ 'assign-owner': 650_001 })],
    ['bundle.create-task', bundles({ 'create-task': 650_001 })],
    ['bundle.send-introduction', bundles({ 'send-introduction': 650_001 })],
    ['demo', { demoSeconds: 45.001 }],
  ])('of %s is broken by one more', (name, more) => {
    expect(broken({ ...BRIM, ...more })).toEqual([name]);
  });

  it('has none: the writes of start and close, the times, the rate and the memory', () => {
    const slow: Measured = {
      ...BRIM,
      writes: { ...BRIM.writes, start: 999, close: 999 },
      handoffMs: { p50: 99_999, p95: 99_999 },
      handoffsPerSecond: 0.001,
      engineBytes: 1e12,
    };
    expect(broken(slow)).toEqual([]);
  });

  it('whose number is missing is broken', () => {
    const { states: _, ...values } = valuesOf(BRIM);
    expect(brokenBudgets(values).map(({ name }) => name)).toEqual(['states']);
    expect(brokenBudgets({ ...values, states: Number.NaN }).map(({ name }) => name)).toEqual(['states']);
  });
});

test('numbers are given in the unit of their budget, to a tenth', () => {
  expect(valuesOf({ ...BRIM, demoSeconds: 22.31, handoffMs: { p50: 1.01, p95: 2 } })).toMatchObject({
    states: 7,
    'writes.close': 10,
    'bundle.create-task': 650,
    demo: 22.4,
    'handoffMs.p50': 1.1,
    'handoffMs.p95': 2,
    engine: 200,
  });
});
