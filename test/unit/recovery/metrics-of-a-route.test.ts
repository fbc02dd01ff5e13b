import { afterEach, beforeEach, expect, test, vi } from 'vitest';

const printed: string[] = [];
const warned = vi.fn();

beforeEach(() => {
  vi.resetModules();
  printed.length = 0;
  warned.mockClear();
  // With POWERTOOLS_DEV metrics go to the console that a test can watch; it disables them unless told.
  vi.stubEnv('POWERTOOLS_DEV', 'true');
  vi.stubEnv('POWERTOOLS_METRICS_DISABLED', 'false');
  vi.stubEnv('POWERTOOLS_SERVICE_NAME', 'lead-handoff');
  vi.spyOn(console, 'log').mockImplementation((line: string) => void printed.push(line));
  vi.spyOn(console, 'info').mockImplementation((line: string) => void printed.push(line));
  vi.spyOn(console, 'warn').mockImplementation(warned);
});
afterEach(() => {
  vi.unstubAllEnvs();
  vi.restoreAllMocks();
});

test('loading prints nothing', async () => {
  await import('../../../functions/adapters/metrics.ts');

  expect(printed).toEqual([]);
  expect(warned).not.toHaveBeenCalled();
});

test('what waits on a route is told with the route and the service as its dimensions, zeros as well', async () => {
  const { emitRouteWaits } = await import('../../../functions/adapters/metrics.ts');
  emitRouteWaits({ route: 'web', waiting: 2, oldestSeconds: 90, parked: 1 });
  emitRouteWaits({ route: 'events', waiting: 0, oldestSeconds: 0, parked: 0 });

  const metrics = printed.map((line) => JSON.parse(line));
  expect(metrics).toMatchObject([
    {
      _aws: {
        CloudWatchMetrics: [
          {
            Namespace: 'LeadHandoff',
            Dimensions: [['service', 'route']],
            Metrics: [
              { Name: 'WaitingCount', Unit: 'Count' },
              { Name: 'OldestWaitingSeconds', Unit: 'Seconds' },
              { Name: 'ParkedCount', Unit: 'Count' },
            ],
          },
        ],
      },
      service: 'lead-handoff',
      route: 'web',
      WaitingCount: 2,
      OldestWaitingSeconds: 90,
      ParkedCount: 1,
    },
    { route: 'events', WaitingCount: 0, OldestWaitingSeconds: 0, ParkedCount: 0 },
  ]);
  expect(metrics[1]).not.toHaveProperty('web');
  expect(warned).not.toHaveBeenCalled();
});
