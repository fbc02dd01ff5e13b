import { describe, expect, test } from 'vitest';
import { assertTimesNest, STAGE_NUMBERS, STAGES } from '../../../functions/domain/stage-numbers.ts';

const PROD = STAGE_NUMBERS.prod;

test.each(STAGES)('the times of stage %s nest', (stage) => {
  expect(() => assertTimesNest(stage, STAGE_NUMBERS[stage])).not.toThrow();
});

test('production has the numbers that the docs print', () => {
  expect(PROD).toEqual({
    httpTimeoutMs: 8_000,
    claimDeadlineMs: 12_000,
    functionTimeoutSeconds: 15,
    taskTimeoutSeconds: 25,
    landingBoundMs: 60_000,
    readLagMs: 10_000,
    searchLagMs: 60_000,
    backOffBaseMs: 10_000,
    backOffCapMs: 900_000,
    backOffFloorMs: 2_000,
    attempts: 4,
    grantExpiryMs: 600_000,
    askSlaSeconds: 14_400,
    escalations: 3,
    parkSeconds: 900,
    keyWindowMs: 86_400_000,
    keyWindowMarginMs: 3_600_000,
    unreadableReads: 20,
  });
});

test('stage test has them too, but waits less for a destination and for a person', () => {
  expect(STAGE_NUMBERS.test).toEqual({
    ...PROD,
    backOffBaseMs: 5_000,
    backOffCapMs: 600_000,
    askSlaSeconds: 3_600,
    parkSeconds: 300,
  });
});

test('on a machine of one’s own every time is short enough to wait for', () => {
  expect(STAGE_NUMBERS.local).toEqual({
    httpTimeoutMs: 1_000,
    claimDeadlineMs: 2_000,
    functionTimeoutSeconds: 3,
    taskTimeoutSeconds: 5,
    landingBoundMs: 1_000,
    readLagMs: 500,
    searchLagMs: 500,
    backOffBaseMs: 200,
    backOffCapMs: 2_000,
    backOffFloorMs: 200,
    attempts: 4,
    grantExpiryMs: 30_000,
    askSlaSeconds: 60,
    escalations: 3,
    parkSeconds: 5,
    keyWindowMs: 60_000,
    keyWindowMarginMs: 5_000,
    unreadableReads: 20,
  });
});

describe('times that do not nest are an error at synthesis', () => {
  test.each([
    [
      'a call as long as its claim',
      { httpTimeoutMs: 12_000 },
      'httpTimeoutMs must be shorter than claimDeadlineMs',
    ],
    [
      'a claim as long as its function',
      { claimDeadlineMs: 15_000 },
      'claimDeadlineMs must be shorter than functionTimeoutSeconds',
    ],
    [
      'a function as long as its task',
      { functionTimeoutSeconds: 25 },
      'functionTimeoutSeconds must be shorter than taskTimeoutSeconds',
    ],
    [
      'a margin that leaves nothing of the key window',
      { keyWindowMarginMs: 86_400_000 },
      'keyWindowMarginMs must be shorter than keyWindowMs',
    ],
  ])('%s', (_what, numbers, message) => {
    expect(() => assertTimesNest('prod', { ...PROD, ...numbers })).toThrow(
      expect.objectContaining({ name: 'TimesDoNotNest', message: `Stage prod: ${message}.` }),
    );
  });
});
