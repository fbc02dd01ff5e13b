import { askingMoves, isAtRest } from './askings.ts';
import type { Ended } from './coroutine.ts';
import { decisionMoves } from './decisions.ts';
import { SECOND_RUN, STRANGER } from './handoff.ts';
import type { Model } from './model.ts';
import { peopleMoves } from './people.ts';
import { isConstant } from './reductions.ts';
import { type AnyOp, changes, landing, mayFail, waysOf } from './requests.ts';
import { sweepMoves } from './sweeps.ts';
import { timeMoves } from './time.ts';
import { afterToken, newFlow, redriven } from './workflow.ts';
import { aborted } from './workflow-service.ts';
import { currentFlow, type Process, type Role, spend, type World, waitingOf, withFlow } from './world.ts';

/** Something that may happen next. */
export interface Move {
  readonly words: string;
  /** Nothing goes wrong and nobody interferes. */
  readonly ordinary?: true;
  /** A request to the destination does not simply succeed. */
  readonly fate?: true;
  readonly to: () => World | Promise<World>;
}

/** Everything that may happen in this world. */
export function movesOf(world: World, model: Model): Move[] {
  const first = world.processes.find((process) => mayGoFirst(world, process, model));
  if (first) return processMoves(world, first, model);
  return [
    ...world.processes.flatMap((process) => processMoves(world, process, model)),
    ...landings(world, model),
    ...operatorMoves(world, model),
    ...askingMoves(world, model),
    ...abortMoves(world, model),
    ...redriveMoves(world),
    ...sweepMoves(world, model),
    ...peopleMoves(world, model.configuration.people),
    ...deliveries(world, model),
    ...timeMoves(world, model),
  ];
}

/**
 * What this function does next is seen by nobody else, and does not depend on when it happens: every order with the others comes to
 * the same, so one is enough. So it is with a result on its way to the workflow, and with Powertools' record of a claimed attempt that
 * nobody else is delivered.
 */
function mayGoFirst(world: World, process: Process, model: Model): boolean {
  const { duplicates, takeovers, strangers, aborts, resubmits, redrives } = world.budget;
  if (duplicates > 0 || takeovers > 0 || strangers > 0 || world.flows.length > 1) return false;
  const { pending, ended } = model.positions.at(process.position);
  if (ended) return !endsWait(world, process, ended) && aborts + resubmits + redrives === 0;
  const [op] = pending.values();
  if (pending.size !== 1 || op?.name !== 'remember' || !process.claimed || aborts + redrives > 0)
    return false;
  return !world.processes.some(
    (other) => other !== process && other.role === 'act' && other.attempt === process.attempt,
  );
}

/** Its error ends a wait, and whoever completes the token of that wait would see it. */
export function endsWait(world: World, { role }: Process, ended: Ended): boolean {
  const waits = role === 'ask' || role === 'park';
  return waits && 'error' in ended && world.processes.some(({ asking }) => asking);
}

/** The workflow may give up on these while they run: on the others it waits longer than they can. */
const MAY_GO_ON: readonly Role[] = ['act', 'ask', 'park'];

function processMoves(world: World, process: Process, model: Model): Move[] {
  const { pending, ended } = model.positions.at(process.position);
  const moves: Move[] = [];
  if (ended) {
    const words = 'value' in ended ? 'returns' : `returns ${ended.error}`;
    moves.push({
      words: `${process.name} ${words}`,
      ordinary: true,
      to: () => model.deliver(world, process, ended),
    });
  }
  let mayDie = ended !== null;
  for (const [index, op] of pending) {
    if (isConstant(world, process, op, model.surface)) continue;
    if (changes(op as AnyOp)) mayDie = true;
    for (const [number, way] of waysAt(world, process, op as AnyOp, model).entries()) {
      moves.push({
        ...(number === 0 ? { ordinary: true } : op.name === 'write' ? { fate: true } : {}),
        words: `${process.name} (${process.role} ${process.attempt}) ${way.words}`,
        to: () => (way.failed ? Promise.reject(way.failed) : model.answer(way, process, index)),
      });
    }
  }
  if (!mayDie || !mayFail(world, process, model.surface)) return moves;
  const awaited = world.flows.some(({ awaits }) => awaits === process.name);
  moves.push({
    words: `${process.name} (${process.role} ${process.attempt}) dies`,
    to: () => model.deliver(spend(world, 'faults'), process, { error: 'Lambda.Unknown' }),
  });
  if (awaited && !ended && MAY_GO_ON.includes(process.role)) {
    moves.push({
      words: `the workflow loses sight of ${process.name}, which goes on`,
      to: () => model.loseSight(world, process),
    });
  }
  return moves;
}

/** A request that breaks a promise is a move as well: taking it reports the promise. */
function waysAt(world: World, process: Process, op: AnyOp, model: Model) {
  try {
    return waysOf(world, process, op, model.surface).map((way) => ({ ...way, failed: null }));
  } catch (failed) {
    return [{ words: `makes its request (${op.name})`, world, answer: null, failed: failed as Error }];
  }
}

function landings(world: World, model: Model): Move[] {
  return world.destination.late.map(({ op }, index) => ({
    words: `the late request lands (${op.what})`,
    to: () => {
      const late = world.destination.late.filter((_, other) => other !== index);
      const without = { ...world, destination: { ...world.destination, late } };
      return landing(without, op, model.surface)[0];
    },
  }));
}

function operatorMoves(world: World, model: Model): Move[] {
  const moves: Move[] = [];
  const asking = world.flows.find(({ state }) => state === 'ask');
  const waiting = waitingOf(world);
  const { action } = world;
  const throughFunction = model.configuration.budget.deciders > 0;
  if (asking?.token && asking.token === waiting?.token && action.decision && !throughFunction) {
    moves.push({
      words: 'the task token is completed',
      ordinary: true,
      to: () => withFlow(world, afterToken(asking)),
    });
  }
  const parked = world.flows.find(({ state }) => state === 'park');
  if (parked?.token && parked.token === waiting?.token && !world.paused) {
    moves.push({ words: 'the drain releases it', to: () => withFlow(world, afterToken(parked)) });
  }
  if (world.budget.pauses > 0 && !world.paused) {
    moves.push({
      words: 'the route is paused',
      to: () => ({ ...spend(world, 'pauses'), paused: true }),
    });
  }
  if (world.paused) moves.push({ words: 'the route is opened', to: () => ({ ...world, paused: false }) });
  return [...moves, ...decisionMoves(world, model)];
}

/** The same attempt delivered once more, another execution, an execution that has no say. */
function deliveries(world: World, model: Model): Move[] {
  const moves: Move[] = [];
  const [main] = world.flows;
  if (main && world.budget.duplicates > 0 && !world.quietSince) {
    for (const attempt of new Set([main.attempt, Math.max(1, main.attempt - 1)])) {
      moves.push({
        words: `attempt ${attempt} is delivered once more`,
        to: () => model.deliverAgain(spend(world, 'duplicates'), newFlow(main.execution), attempt),
      });
    }
  }
  const another = (what: 'takeovers' | 'strangers', execution: string, words: string): Move[] =>
    world.budget[what] === 0
      ? []
      : [
          {
            words,
            to: () => ({
              ...spend(world, what),
              execution: what === 'takeovers' ? execution : world.execution,
              flows: [...world.flows, newFlow(execution)],
            }),
          },
        ];
  return [
    ...moves,
    ...another('takeovers', SECOND_RUN, 'a second run takes the fence and starts'),
    ...another('strangers', STRANGER, 'an execution without the fence starts'),
  ];
}

/** Somebody may stop the execution in the console now. */
export function mayBeAborted(world: World, model: Model): boolean {
  const flow = currentFlow(world);
  if (world.budget.aborts === 0 || !flow || flow.state === 'end') return false;
  return model.configuration.abortsAnywhere || isAtRest(world, model);
}

/** The service tells of an execution that was stopped. */
function abortMoves(world: World, model: Model): Move[] {
  const flow = currentFlow(world);
  if (!flow || !mayBeAborted(world, model)) return [];
  return [
    {
      words: 'the execution is aborted',
      to: () => model.tellEnded(withFlow(spend(world, 'aborts'), aborted(flow))),
    },
  ];
}

/** Somebody redrives an execution that did not succeed, whether it is the current one or not. */
export function redriveMoves(world: World): Move[] {
  if (world.budget.redrives === 0) return [];
  return world.flows
    .filter(({ endedIn }) => endedIn !== null)
    .map((flow) => ({
      words: `${flow.execution} is redriven, from ${flow.endedIn}`,
      to: () => withFlow(spend(world, 'redrives'), redriven(flow, world.now)),
    }));
}
