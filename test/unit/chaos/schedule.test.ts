import { describe, expect, it } from 'vitest';
import { STAGE_NUMBERS } from '../../../functions/domain/stage-numbers.ts';
import { type Deed, scheduleOf, settlingOf } from '../../../local/chaos-schedule.ts';
import { MISTAKES, RECOVERY_FUNCTIONS } from '../../../local/chaos-schedule-people.ts';

const TWO_MINUTES = { minutes: 2, leads: 60 };
const { landingBoundMs, httpTimeoutMs, readLagMs, searchLagMs } = STAGE_NUMBERS.local;

type DeedOf<K extends Deed['do']> = Extract<Deed, { do: K }>;

function deedsOf<K extends Deed['do']>(kind: K, seed = 5, minutes = 2): DeedOf<K>[] {
  return scheduleOf({ seed, minutes, leads: minutes * 30 })
    .map(({ deed }) => deed)
    .filter((deed): deed is DeedOf<K> => deed.do === kind);
}

describe('the schedule of a seed', () => {
  it('is the same every time, and another one for another seed', () => {
    const once = scheduleOf({ seed: 5, ...TWO_MINUTES });
    expect(scheduleOf({ seed: 5, ...TWO_MINUTES })).toEqual(once);
    expect(scheduleOf({ seed: 6, ...TWO_MINUTES })).not.toEqual(once);
  });

  it('is in order and ends in time', () => {
    const times = scheduleOf({ seed: 5, ...TWO_MINUTES }).map(({ atMs }) => atMs);
    expect(times).toEqual(times.toSorted((a, b) => a - b));
    expect(times[0]).toBeGreaterThanOrEqual(0);
    expect(times.at(-1)).toBeLessThan(120_000);
  });

  it('submits every lead once', () => {
    expect(deedsOf('submit').map(({ lead }) => lead)).toEqual(Array.from({ length: 60 }, (_, i) => i));
  });

  it('does everything that can go wrong', () => {
    const kinds = new Set(scheduleOf({ seed: 5, ...TWO_MINUTES }).map(({ deed }) => deed.do));
    expect([...kinds].sort()).toEqual([
      'again',
      'archive',
      'blind',
      'correct',
      'decide',
      'deliver',
      'fault',
      'freeze',
      'kill-engine',
      'kill-function',
      'lag',
      'lose-wait',
      'merge',
      'misdecide',
      'opt-out',
      'redrive',
      'refuse',
      'resubmit',
      'set-owner',
      'stop-action',
      'stop-at-work',
      'stop-execution',
      'strike',
      'strike-recovery',
      'submit',
      'sweep',
    ]);
  });

  it('ends the engine a few times, far from both ends and from each other', () => {
    const at = scheduleOf({ seed: 5, ...TWO_MINUTES })
      .filter(({ deed }) => deed.do === 'kill-engine')
      .map(({ atMs }) => atMs);
    expect(at).toHaveLength(3);
    expect(at[0]).toBeGreaterThanOrEqual(12_000);
    expect(at[2]).toBeLessThanOrEqual(108_000);
    expect((at[1] ?? 0) - (at[0] ?? 0)).toBeGreaterThan(10_000);
    expect((at[2] ?? 0) - (at[1] ?? 0)).toBeGreaterThan(10_000);
  });

  it('never ends the engine in a run that is too short for it to work before and after', () => {
    expect(deedsOf('kill-engine', 5, 0.4)).toEqual([]);
  });
});

describe('faults', () => {
  const faults = deedsOf('fault', 9, 20).map(({ fault }) => fault);

  it('are of every kind and meet every operation that the product uses', () => {
    expect([...new Set(faults.map(({ kind }) => kind))].sort()).toEqual([
      'apply-then-drop',
      'delay',
      'drop',
      'garbage',
      'hang',
      'land-late',
      'person-sets-owner',
      'slow-body',
      'status',
    ]);
    expect([...new Set(faults.map(({ operation }) => operation))].sort()).toEqual([
      'create-contact',
      'create-task',
      'list-emails',
      'read-contact',
      'read-email',
      'read-owner',
      'read-task',
      'search-tasks',
      'send-email',
      'set-owner',
      'update-contact',
    ]);
    expect([...new Set(faults.flatMap(({ status }) => status ?? []))].sort()).toEqual([429, 500, 503]);
  });

  it('refuse every write, so that people are asked', () => {
    const refused = deedsOf('refuse', 9, 10).map(({ fault }) => fault.operation);
    expect([...new Set(refused)].sort()).toEqual([
      'create-contact',
      'create-task',
      'send-email',
      'set-owner',
      'update-contact',
    ]);
  });

  it('leave tasks and messages in doubt for longer than reads are repeated', () => {
    const blind = deedsOf('blind', 9, 20);
    const reads = blind.flatMap(({ faults }) => faults.filter(({ kind }) => kind === 'status'));
    expect([...new Set(reads.map(({ operation }) => operation))].sort()).toEqual([
      'list-emails',
      'search-tasks',
    ]);
    for (const { times } of reads) expect(times).toBeGreaterThan(STAGE_NUMBERS.local.unreadableReads);
  });

  it('keep what the destinations promise: the landing bound and the read lags', () => {
    const late = faults.filter(({ kind }) => kind === 'land-late');
    expect(late.length).toBeGreaterThan(20);
    for (const { wire, delayMs } of late) {
      // The caller hears of a drop at once, and gives up on silence after its HTTP timeout.
      const gaveUpAfter = wire === 'hang' ? httpTimeoutMs : 0;
      expect((delayMs ?? 0) - gaveUpAfter).toBeLessThan(landingBoundMs);
    }
    for (const lag of deedsOf('lag', 9, 20)) {
      expect(lag.searchLagMs).toBeLessThan(searchLagMs);
      expect(lag.keyReadLagMs).toBeLessThan(readLagMs);
    }
  });
});

describe('people who recover leads', () => {
  const everyWay = <T>(values: readonly T[]) => [...new Set(values)].sort();

  it('decide in every way, and make every mistake', () => {
    const decides = deedsOf('decide', 9, 10);
    expect(everyWay(decides.map(({ how }) => how))).toEqual(['again', 'against', 'late', 'once']);
    expect(everyWay(decides.map(({ afterwards }) => afterwards))).toEqual(['by-hand', 'forget', 'release']);
    expect(everyWay(deedsOf('misdecide', 9, 20).map(({ as }) => as))).toEqual([...MISTAKES].sort());
  });

  it('resubmit alone and at the same time, what waits and what is under way', () => {
    const resubmits = deedsOf('resubmit', 9, 10);
    expect(everyWay(resubmits.map(({ people }) => people))).toEqual([1, 2]);
    expect(everyWay(resubmits.map(({ lead }) => lead === null))).toEqual([false, true]);
  });

  it('meet a process of every function of theirs that ends', () => {
    const struck = deedsOf('strike-recovery', 9, 10).map(({ name }) => name);
    expect(everyWay(struck)).toEqual([...RECOVERY_FUNCTIONS].sort());
  });

  it('go on for a while when nothing goes wrong any more, and nothing else does', () => {
    const settling = settlingOf({ seed: 5, minutes: 0.5 });
    expect(settlingOf({ seed: 5, minutes: 0.5 })).toEqual(settling);
    expect(everyWay(settling.map(({ deed }) => deed.do))).toEqual([
      'decide',
      'misdecide',
      'resubmit',
      'stop-action',
    ]);
    const times = settling.map(({ atMs }) => atMs);
    expect(times).toEqual(times.toSorted((a, b) => a - b));
    expect(times.at(-1)).toBeLessThan(30_000);
    const before = scheduleOf({ seed: 5, minutes: 0.5, leads: 15 }).map(({ deed }) => deed);
    expect(before).not.toEqual(expect.arrayContaining(settling.map(({ deed }) => deed)));
  });
});
