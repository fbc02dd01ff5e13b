import { describe, expect, it } from 'vitest';
import { systemClock } from '../../local/interpreter/clock.ts';
import { VirtualClock } from './virtual-clock.ts';

describe.each([
  ['the system clock', systemClock],
  ['the virtual clock of the tests', new VirtualClock()],
])('%s', (_name, clock) => {
  it('ends a sleep as soon as the signal is aborted', async () => {
    const controller = new AbortController();
    const sleep = clock.sleep(365 * 24 * 3_600_000, controller.signal);

    controller.abort(new Error('nobody waits'));

    await expect(sleep).rejects.toThrow();
  });

  it('does not begin a sleep whose signal is aborted', async () => {
    await expect(clock.sleep(0, AbortSignal.abort(new Error('nobody waits')))).rejects.toThrow(
      'nobody waits',
    );
  });
});

it('the virtual clock says when nothing can happen any more', async () => {
  await expect(new VirtualClock().runUntil(new Promise(() => {}))).rejects.toThrow('Nothing is left');
});
