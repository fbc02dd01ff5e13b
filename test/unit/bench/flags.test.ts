import { describe, expect, it } from 'vitest';
import { readFlags, WrongUsage } from '../../../local/bench-flags.ts';

describe('the flags of the benchmark', () => {
  it.each([
    [[], { leads: 50, json: false, help: false }],
    [['--leads', '7', '--json'], { leads: 7, json: true, help: false }],
    [['--help'], { leads: 50, json: false, help: true }],
  ])('%j mean %j', (args, expected) => {
    expect(readFlags(args)).toEqual(expected);
  });

  it.each([
    [['--leads', '0']],
    [['--leads', '1.5']],
    [['--leads', 'many']],
    [['--leads', '10001']],
    [['--leads']],
    [['--lead', '5']],
    [['50']],
  ])('%j are refused', (args) => {
    expect(() => readFlags(args)).toThrow(WrongUsage);
  });
});
