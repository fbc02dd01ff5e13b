import { settleTime } from '../../../functions/domain/decision-guide.ts';
import type { Model } from './model.ts';
import type { Move } from './moves.ts';
import { sweepMoments } from './sweeps.ts';
import { afterTime } from './workflow.ts';
import type { World } from './world.ts';

/** Time goes on to the next moment at which anything can come out differently. */
export function timeMoves(world: World, model: Model): Move[] {
  const moments = interestingMoments(world, model).filter((moment) => moment > world.now);
  if (moments.length === 0) return [];
  const moment = Math.min(...moments);
  // A running function ends, or is killed, before its timeout has passed.
  if (world.processes.some(({ endsAt }) => moment > endsAt)) return [];
  // What may still land lands before its bound has passed.
  if (world.destination.late.some(({ until }) => moment > until)) return [];
  return [
    {
      words: `${(moment - world.now) / 1000} s pass`,
      ordinary: true,
      to: () => later(world, moment),
    },
  ];
}

function later(world: World, now: number): World {
  const flows = world.flows.map((flow) =>
    flow.until !== null && flow.until <= now ? afterTime(flow) : flow,
  );
  return { ...world, now, flows, again: world.again.filter(({ until }) => until >= now) };
}

function interestingMoments(world: World, model: Model): number[] {
  const { configuration, subject } = model;
  const { flows, processes, destination, action, remembered, budget } = world;
  const moments = flows.map(({ until }) => until ?? 0);
  moments.push(...world.again.map(({ until }) => until + 1), ...sweepMoments(world, model));
  // Shortly before a token times out, so that it does while a person's function runs.
  if (budget.deciders > 0 && configuration.expires)
    moments.push(...flows.map(({ token, until }) => (token ? (until ?? 0) - 2_000 : 0)));
  moments.push(...destination.late.map(({ until }) => until));
  if (configuration.slowWorkers && processes.length > 0) {
    // The last moment at which there is time enough for a call, and the end.
    moments.push(...processes.flatMap(({ endsAt }) => [endsAt - 2_500, endsAt]));
    if (action.claim) moments.push(action.claim.deadline, action.claim.goneAt + 1);
  }
  if (budget.duplicates > 0 || budget.takeovers > 0 || budget.redrives > 0) {
    moments.push((action.claim?.goneAt ?? 0) + 1, (action.grant?.expiresAt ?? 0) + 1);
    moments.push(settleTime(action, subject.contract));
    for (const { until, status } of Object.values(remembered)) {
      if (status === 'in-progress') moments.push(until + 1);
    }
  }
  return moments;
}
