import { Metrics, MetricUnit } from '@aws-lambda-powertools/metrics';

/** Metrics go to the log, from which CloudWatch takes them; the service is a dimension of each. */
const metrics = new Metrics({ namespace: 'LeadHandoff' });

/** What waits on a route now. */
export interface RouteWaits {
  readonly route: string;
  /** Questions to people. */
  readonly waiting: number;
  /** How long the oldest of them has waited; 0 where there is none. */
  readonly oldestSeconds: number;
  /** What waits for a destination or a route. */
  readonly parked: number;
}

/** Writes what waits on a route as one set of metrics, also where nothing does: an alarm must see that somebody looked. */
export function emitRouteWaits({ route, waiting, oldestSeconds, parked }: RouteWaits): void {
  metrics.addDimension('route', route);
  metrics.addMetric('WaitingCount', MetricUnit.Count, waiting);
  metrics.addMetric('OldestWaitingSeconds', MetricUnit.Seconds, oldestSeconds);
  metrics.addMetric('ParkedCount', MetricUnit.Count, parked);
  metrics.publishStoredMetrics();
}
