import type { Context } from 'aws-lambda';
import { emitRouteWaits } from '../adapters/metrics.ts';
import { logger, observed } from '../adapters/observability.ts';
import { routesFile } from '../adapters/routes-file.ts';
import { accountPorts } from './account-ports.ts';
import { nameOf, type RouteSwept, sweepRoute } from './sweep-route.ts';

/** Milliseconds that are kept for the handoff that is being looked at, and for the metrics. */
const RESERVE_MS = 12_000;

/** Some handoffs, or a whole route, could not be looked after; the log names them. The next sweep tries again. */
class SweepIncomplete extends Error {
  override readonly name = 'SweepIncomplete';
}

/** The handler behind the schedule: every route in turn, each with an equal share of the time that is left. */
export const handler = observed('sweep', async (_event: unknown, context: Context) => {
  const file = routesFile();
  const failures: string[] = [];
  for (const [i, route] of file.routes.entries()) {
    const start = context.getRemainingTimeInMillis();
    const share = (start - RESERVE_MS) / (file.routes.length - i);
    const remainingMs = () => share - (start - context.getRemainingTimeInMillis());
    try {
      const swept = await sweepRoute({ ...accountPorts(route, file), random: Math.random, remainingMs });
      report(swept);
      failures.push(...swept.failed.map(({ errorName }) => errorName));
    } catch (error) {
      const errorName = nameOf(error);
      logger.warn('route not swept', { sweptRoute: route.name, errorName });
      failures.push(errorName);
    }
  }
  if (failures.length > 0) throw new SweepIncomplete(`${failures.length} could not be looked after.`);
});

function report({ looked, left, failed, waits }: RouteSwept): void {
  for (const { leadRequestId, errorName } of failed) {
    logger.warn('handoff not swept', { sweptRoute: waits.route, leadRequestId, errorName });
  }
  logger.info('route swept', { sweptRoute: waits.route, looked, left, failed: failed.length });
  emitRouteWaits(waits);
}
