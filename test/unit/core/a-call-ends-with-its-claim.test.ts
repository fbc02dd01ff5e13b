import { afterAll, expect, test } from 'vitest';
import { resendSender } from '../../../functions/adapters/resend/sender.ts';
import { wireServer } from '../adapters/wire-server.ts';

const NOW = 1_000_000;
/** A mail sender that takes the request and says nothing. */
const silent = await wireServer(() => {});
afterAll(() => silent.close());

test('a call is given up when its claim ends, however long a call may take by itself', async () => {
  const sender = resendSender({
    baseUrl: silent.url,
    token: async () => 'sesame',
    timeoutMs: 20_000,
    clock: () => NOW,
  });
  const startedAt = performance.now();

  const outcome = await sender.send('{}', { identity: 'web/inq-1/send-introduction', deadline: NOW + 200 });

  expect(outcome).toEqual({ outcome: 'unknown', reason: 'timeout' });
  expect(performance.now() - startedAt).toBeLessThan(10_000);
});
