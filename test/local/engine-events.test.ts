import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { EventBus } from '../../local/event-bus.ts';
import type { RuleDefinition, RuleTarget } from '../../local/model.ts';

const rule = (given: Partial<RuleDefinition>): RuleDefinition => ({
  logicalId: 'Rule',
  name: 'rule',
  arn: 'arn:aws:events:us-east-1:000000000000:rule/rule',
  bus: 'default',
  targets: [{ arn: 'target' }],
  ...given,
});

const delivered: [string, unknown][] = [];
const busWith = (...rules: RuleDefinition[]) =>
  new EventBus(rules, (target, payload) => delivered.push([target, payload]));

beforeEach(() => {
  delivered.length = 0;
});

describe('what a target gets', () => {
  const detail = { route: 'website', text: 'First line\nSecond line', more: null };
  const sent = (target: Omit<RuleTarget, 'arn'>) => {
    const bus = busWith(rule({ pattern: { source: ['test'] }, targets: [{ arn: 'target', ...target }] }));
    bus.put('default', 'test', 'Asked', detail);
    return delivered.map(([, payload]) => payload);
  };

  test('the event', () => {
    expect(sent({})).toMatchObject([
      { source: 'test', 'detail-type': 'Asked', detail, account: '000000000000' },
    ]);
    delivered.length = 0;
    expect(sent({ inputPath: [] })).toMatchObject([{ source: 'test', detail }]);
  });

  test('or the part that its path leads to', () => {
    expect(sent({ inputPath: ['detail', 'text'] })).toEqual([detail.text]);
    delivered.length = 0;
    expect(sent({ inputPath: ['detail-type'] })).toEqual(['Asked']);
  });

  test.each([[['detail', 'nothing']], [['detail', 'more', 'deeper']], [['nothing', 'at', 'all']]])(
    'or null, where %j leads nowhere',
    (inputPath) => {
      expect(sent({ inputPath })).toEqual([null]);
    },
  );

  test('or what the rule says', () => {
    expect(sent({ input: '{"fixed":true}' })).toEqual([{ fixed: true }]);
  });
});

describe('a schedule', () => {
  beforeEach(() => {
    vi.useFakeTimers();
  });
  afterEach(() => {
    vi.useRealTimers();
  });

  test('of one minute fires every minute until the engine stops', () => {
    const bus = busWith(rule({ everyMs: 60_000 }));
    bus.startSchedules();
    vi.advanceTimersByTime(59_999);
    expect(delivered).toEqual([]);

    vi.advanceTimersByTime(1);
    expect(delivered).toMatchObject([
      ['target', { source: 'aws.events', 'detail-type': 'Scheduled Event', detail: {} }],
    ]);
    vi.advanceTimersByTime(120_000);
    expect(delivered).toHaveLength(3);

    bus.stop();
    vi.advanceTimersByTime(600_000);
    expect(delivered).toHaveLength(3);
  });
});
