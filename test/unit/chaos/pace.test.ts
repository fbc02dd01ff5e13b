import { describe, expect, it } from 'vitest';
import { isBusy, mostOpen, Pace } from '../../../local/chaos-pace.ts';
import type { Deed } from '../../../local/chaos-schedule.ts';

const kill: Deed = { do: 'kill-function', pick: 0 };
const lead: Deed = { do: 'submit', lead: 0 };

it('a machine is busy above a load of three a core', () => {
  expect(isBusy(6, 2)).toBe(false);
  expect(isBusy(6.1, 2)).toBe(true);
  expect([mostOpen(false), mostOpen(true)]).toEqual([8, 4]);
});

describe('the pace', () => {
  const allowed = (deed: Deed, busy: boolean) => {
    const pace = new Pace();
    return Array.from({ length: 6 }, () => pace.allows(deed, busy));
  };

  it('does one in three of what costs time while the machine is busy, the first one always', () => {
    expect(allowed(kill, true)).toEqual([true, false, false, true, false, false]);
  });

  it('does everything while it is not, and always submits', () => {
    expect(allowed(kill, false)).toEqual(Array(6).fill(true));
    expect(allowed(lead, true)).toEqual(Array(6).fill(true));
  });
});
