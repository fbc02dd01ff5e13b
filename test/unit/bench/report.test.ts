import { describe, expect, it } from 'vitest';
import { valuesOf } from '../../../local/bench-metrics.ts';
import { linesOf, reportOf } from '../../../local/bench-report.ts';
import { BRIM, runAt } from './support.ts';

const now = runAt('2026-01-06T12:00:00.000Z', valuesOf(BRIM));

function lineOf(name: string, run = now, last: typeof now | null = null) {
  return linesOf(run, last).find((line) => line.name === name);
}

describe('a line of the report', () => {
  it('compares with the last run, in per cent', () => {
    const last = runAt('2026-01-05T12:00:00.000Z', { ...now.values, demo: 30, rate: 5 });

    expect(lineOf('demo', now, last)).toMatchObject({ value: 45, last: 30, change: 50, broken: false });
    expect(lineOf('rate', now, last)).toMatchObject({ value: 4, last: 5, change: -20 });
    expect(lineOf('states', now, last)).toMatchObject({ last: 7, change: 0 });
  });

  it('compares with nothing where there was nothing', () => {
    expect(lineOf('demo')).toMatchObject({ last: null, change: null });
    expect(lineOf('demo', now, runAt('2026-01-05T12:00:00.000Z', {}))).toMatchObject({
      last: null,
      change: null,
    });
    expect(lineOf('demo', now, runAt('2026-01-05T12:00:00.000Z', { demo: 0 }))?.change).toBeNull();
  });
});

describe('the report', () => {
  it('says that every budget is kept, and under which circumstances', () => {
    const text = reportOf(now, null);

    expect(text).toMatch(/^states entered +7 +≤ 7$/m);
    expect(text).toMatch(/^bundle of create-task +650 kB +≤ 650$/m);
    expect(text).toMatch(/^writes of the close +10$/m);
    expect(text).toContain('50 leads, node 24.21.0, 2 cores, load 1.5.');
    expect(text).toContain('There is no earlier run to compare with.');
    expect(text).toContain('Every budget is kept.');
    expect(text).not.toContain('BROKEN');
  });

  it('names every budget that is broken', () => {
    const values = { ...now.values, states: 8, demo: 46.2 };
    const text = reportOf(runAt('2026-01-06T12:00:00.000Z', values), now);

    expect(text).toMatch(/^states entered +8 +≤ 7 +7 +\+14 % +BROKEN$/m);
    expect(text).toContain(
      'Budgets broken: states entered (8, at most 7), npm run demo (46.2 s, at most 45).',
    );
    expect(text).not.toContain('Every budget is kept.');
  });

  it('says when the last run was of another size', () => {
    expect(reportOf(now, runAt('2026-01-05T12:00:00.000Z', {}, 10))).toContain(
      'The last run was at 2026-01-05T12:00:00.000Z, with 10 leads, under load 1.5.',
    );
    expect(reportOf(now, now)).toContain('The last run was at 2026-01-06T12:00:00.000Z, under load 1.5.');
  });
});
