import { describe, expect, test } from 'vitest';
import {
  assertTimesNest,
  STAGE_NUMBERS,
  STAGES,
  TimesDoNotNest,
} from '../../../functions/domain/stage-numbers.ts';

const PROD = STAGE_NUMBERS.prod;

test.each(STAGES)('the times of stage %s nest', (stage) => {
  expect(() => assertTimesNest(stage, STAGE_NUMBERS[stage])).not.toThrow();
});

test('production has the numbers that the docs print', () => {
  expect(PROD).toMatchObject({
    httpTimeoutMs: 8_000,
    claimDeadlineMs: 12_000,
    functionTimeoutSeconds: 15,
    taskTimeoutSeconds: 25,
    landingBoundMs: 60_000,
    readLagMs: 10_000,
    backOffBaseMs: 10_000,
    backOffCapMs: 900_000,
    backOffFloorMs: 2_000,
    attempts: 4,
    grantExpiryMs: 600_000,
    askSlaSeconds: 14_400,
    escalations: 3,
    keyWindowMs: 86_400_000,
    keyWindowMarginMs: 3_600_000,
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
    expect(() => assertTimesNest('prod', { ...PROD, ...numbers })).toThrow(TimesDoNotNest);
    expect(() => assertTimesNest('prod', { ...PROD, ...numbers })).toThrow(`Stage prod: ${message}.`);
  });
});
