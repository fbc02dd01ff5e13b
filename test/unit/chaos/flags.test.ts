import { describe, expect, it } from 'vitest';
import { readFlags, WrongUsage } from '../../../local/chaos-flags.ts';

const anySeed = () => 77;

describe('the flags of chaos', () => {
  it.each([
    [[], { minutes: 2, seed: 77, leads: 60, json: false, help: false }],
    [['--minutes', '0.5', '--seed', '0'], { minutes: 0.5, seed: 0, leads: 15, json: false, help: false }],
    [['--leads', '7', '--json'], { minutes: 2, seed: 77, leads: 7, json: true, help: false }],
    [['--help'], { minutes: 2, seed: 77, leads: 60, json: false, help: true }],
  ])('%j mean %j', (args, expected) => {
    expect(readFlags(args, anySeed)).toEqual(expected);
  });

  it.each([
    [['--minutes', '0']],
    [['--minutes', '61']],
    [['--minutes', 'two']],
    [['--seed', '-1']],
    [['--seed', '1.5']],
    [['--seed', '2147483648']],
    [['--leads', '0']],
    [['--leads', '5001']],
    [['--seeds', '1']],
    [['5']],
  ])('%j are refused', (args) => {
    expect(() => readFlags(args, anySeed)).toThrow(WrongUsage);
  });
});
