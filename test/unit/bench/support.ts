import type { Run } from '../../../local/bench-history.ts';
import type { Measured } from '../../../local/bench-metrics.ts';

/** A run that keeps every budget to the brim. */
export const BRIM: Measured = {
  states: 7,
  invocations: 6,
  writes: {
    'upsert-contact': 6,
    'assign-owner': 6,
    'create-task': 6,
    'send-introduction': 6,
    start: 1,
    close: 10,
  },
  bundleBytes: {
    'upsert-contact': 650_000,
    'assign-owner': 650_000,
    'create-task': 650_000,
    'send-introduction': 650_000,
  },
  demoSeconds: 45,
  handoffsPerSecond: 4,
  handoffMs: { p50: 250, p95: 400 },
  engineBytes: 200_000_000,
};

export function runAt(at: string, values: Run['values'], leads = 50): Run {
  return { at, leads, machine: { node: '24.21.0', cpus: 2, load: 1.5 }, values };
}
