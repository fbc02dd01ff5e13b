import { graceMs } from '../../../functions/recovery/sweep-handoff.ts';
import { unheardDecision } from '../../../functions/recovery/unheard-decision.ts';
import type { Model } from './model.ts';
import type { Move } from './moves.ts';
import { NUMBERS } from './settings.ts';
import { currentFlow, type World, waitingOf } from './world.ts';

const GRACE = graceMs(NUMBERS);

/** How far back a time may still matter to the sweep. */
export const SWEEP_MEMORY_MS = GRACE + 2 * NUMBERS.parkSeconds * 1000;

/** The sweep comes where nothing runs and where it may find something to do; it comes again and again. */
export function sweepMoves(world: World, model: Model): Move[] {
  if (!model.configuration.sweeps || world.processes.length > 0 || !findsSomething(world)) return [];
  return [{ words: 'the sweep looks after it', to: () => model.sweep(world) }];
}

function findsSomething(world: World): boolean {
  if (world.closedAt !== null) return world.waiting.length > 0;
  const flow = currentFlow(world);
  if (!flow || flow.state === 'end' || waitingOf(world, 'handoff')) return true;
  return momentsOf(world).some((moment) => moment <= world.now);
}

/** From when on the sweep takes something for lost. */
export function sweepMoments(world: World, { configuration }: Model): number[] {
  if (!configuration.sweeps) return [];
  const dueAt = world.waiting.map((item) => item.dueAt ?? 0);
  return [...momentsOf(world), ...dueAt];
}

function momentsOf({ action, waiting }: World): number[] {
  const unheard = unheardDecision(action);
  const moments = unheard ? [unheard.at + GRACE + 1] : [];
  const { lastRead } = action;
  const listed = waiting.some((item) => item.action === action.action && item.token !== null);
  if (lastRead && !listed && (lastRead.disposition === 'ask' || lastRead.disposition === 'park')) {
    const extra = lastRead.disposition === 'park' && !unheard ? 2 * NUMBERS.parkSeconds * 1000 : 0;
    moments.push(lastRead.at + GRACE + extra + 1);
  }
  return moments;
}
