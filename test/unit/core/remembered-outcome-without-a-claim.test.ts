import { beforeAll, expect, test, vi } from 'vitest';
import type { Outcome } from '../../../functions/domain/outcome.ts';

process.env.LEDGER_TABLE = 'ledger';
process.env.POWERTOOLS_TRACE_ENABLED = 'false';

const INPUT = { idempotencyKey: 'web/inq-1#1', intentHash: 'hash' };
const PERFORMED: Outcome = {
  outcome: 'performed',
  evidence: { kind: 'receipt', destination: 'hubspot', recordId: '9001', readAt: 1, facts: {} },
};
const UNKNOWN: Outcome = { outcome: 'unknown', reason: 'timeout' };

let trueOutcome: typeof import('../../../functions/actions/action-function.ts').trueOutcome;

beforeAll(async () => {
  ({ trueOutcome } = await import('../../../functions/actions/action-function.ts'));
});

test('an outcome that Powertools remembers and the ledger confirms is given without running anything', async () => {
  const run = vi.fn(async () => UNKNOWN);

  expect(
    await trueOutcome(
      async () => PERFORMED,
      INPUT,
      run,
      async () => true,
    ),
  ).toEqual(PERFORMED);
  expect(run).not.toHaveBeenCalled();
});

test('an outcome that Powertools remembers and the ledger knows nothing of does not count: the claim decides', async () => {
  const run = vi.fn(async () => UNKNOWN);

  expect(
    await trueOutcome(
      async () => PERFORMED,
      INPUT,
      run,
      async () => false,
    ),
  ).toEqual(UNKNOWN);
  expect(run).toHaveBeenCalledTimes(1);
});

test('an attempt that ran is not run again, whatever the ledger says of it', async () => {
  const run = vi.fn(async () => UNKNOWN);

  expect(
    await trueOutcome(
      (_input, execute) => execute(),
      INPUT,
      run,
      async () => false,
    ),
  ).toEqual(UNKNOWN);
  expect(run).toHaveBeenCalledTimes(1);
});
