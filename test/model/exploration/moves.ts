import type { Decision } from '../../../functions/domain/decision.ts';
import { settleTime } from '../../../functions/domain/decision-guide.ts';
import { Rejected, transition } from '../../../functions/domain/transition.ts';
import { effects } from './checks.ts';
import { SECOND_RUN, STRANGER } from './handoff.ts';
import type { Model } from './model.ts';
import { peopleMoves } from './people.ts';
import { type AnyOp, changes, isConstant, landing, waysOf } from './requests.ts';
import { afterTime, afterToken, newFlow } from './workflow.ts';
import { type Process, spend, type World, withFlow } from './world.ts';

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
  const { duplicates, takeovers, strangers } = world.budget;
  if (duplicates > 0 || takeovers > 0 || strangers > 0 || world.flows.length > 1) return false;
  const { pending, ended } = model.positions.at(process.position);
  if (ended) return true;
  const [op] = pending.values();
  if (pending.size !== 1 || op?.name !== 'remember' || !process.claimed) return false;
  return !world.processes.some(
    (other) => other !== process && other.role === 'act' && other.attempt === process.attempt,
  );
}

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
    if (isConstant(world, op)) continue;
    if (changes(op as AnyOp)) mayDie = true;
    for (const [number, way] of waysAt(world, process, op as AnyOp, model).entries()) {
      moves.push({
        ...(number === 0 ? { ordinary: true } : op.name === 'write' ? { fate: true } : {}),
        words: `${process.name} (${process.role} ${process.attempt}) ${way.words}`,
        to: () => (way.failed ? Promise.reject(way.failed) : model.answer(way, process, index)),
      });
    }
  }
  if (!mayDie || world.budget.faults === 0) return moves;
  const awaited = world.flows.some(({ awaits }) => awaits === process.name);
  moves.push({
    words: `${process.name} (${process.role} ${process.attempt}) dies`,
    to: () => model.deliver(spend(world, 'faults'), process, { error: 'Lambda.Unknown' }),
  });
  if (awaited && process.role === 'act' && !ended) {
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
  const { waiting, action } = world;
  if (asking && waiting?.kind === 'ask' && action.decision) {
    moves.push({
      words: 'the task token is completed',
      ordinary: true,
      to: () => withFlow(world, afterToken(asking)),
    });
  }
  const parked = world.flows.find(({ state }) => state === 'park');
  if (parked && waiting?.kind === 'park' && !world.paused) {
    moves.push({ words: 'the drain releases it', to: () => withFlow(world, afterToken(parked)) });
  }
  if (world.budget.pauses > 0 && !world.paused) {
    moves.push({
      words: 'the route is paused',
      to: () => ({ ...spend(world, 'pauses'), paused: true }),
    });
  }
  if (world.paused) moves.push({ words: 'the route is opened', to: () => ({ ...world, paused: false }) });
  moves.push(...decisions(world, model));
  return moves;
}

function decisions(world: World, model: Model): Move[] {
  const { action, waiting, ghost } = world;
  const decide = (kind: Decision['kind'], more: Partial<Decision>, free: boolean): Move[] => {
    const decision = model.decision(world, kind, more);
    const after = transition(action, { type: 'decide', decision });
    if (after instanceof Rejected) return [];
    const decided = { ...world, action: { ...after, history: after.history.slice(-1) } };
    const words = `a person decides ${kind}${more.riskAccepted ? ', accepting the risk' : ''}`;
    return [{ words, to: () => (free ? decided : spend(decided, 'decisions')) }];
  };
  if (ghost.personHolds) {
    if (ghost.byHand) return decide('confirm', { evidence: 'by-hand' }, true);
    const byHand: Move = {
      words: 'the person does it by hand',
      to: () => ({ ...world, ghost: { ...ghost, byHand: true } }),
    };
    // Whoever has said that they did not do it does not do it afterwards.
    if (action.decision?.kind === 'release') return [];
    return [byHand, ...decide('release', { notDone: true }, true)];
  }
  if (world.budget.decisions === 0) return [];
  const asked = waiting?.kind === 'ask' && world.flows.some(({ state }) => state === 'ask');
  return model.configuration.decisions.flatMap((choice) => {
    if (choice.kind !== 'stop' && !asked && !model.configuration.decidesUnasked) return [];
    // A person says that it is done only where it is.
    if (choice.kind === 'confirm' && effects(world, action.action) === 0) return [];
    return decide(choice.kind, choice.more ?? {}, false);
  });
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

/** Time goes on to the next moment at which anything can come out differently. */
function timeMoves(world: World, model: Model): Move[] {
  const moments = interestingMoments(world, model).filter((moment) => moment > world.now);
  if (moments.length === 0) return [];
  const moment = Math.min(...moments);
  // A running function ends, or is killed, before its timeout has passed.
  if (world.processes.some(({ endsAt }) => moment > endsAt)) return [];
  // What may still land lands before its bound has passed.
  if (world.destination.late.some(({ until }) => moment > until)) return [];
  return [{ words: `${(moment - world.now) / 1000} s pass`, ordinary: true, to: () => later(world, moment) }];
}

function later(world: World, now: number): World {
  const flows = world.flows.map((flow) =>
    flow.until !== null && flow.until <= now ? afterTime(flow) : flow,
  );
  return { ...world, now, flows };
}

function interestingMoments(world: World, { configuration, subject }: Model): number[] {
  const { flows, processes, destination, action, remembered } = world;
  const moments = flows.map(({ until }) => until ?? 0);
  moments.push(...destination.late.map(({ until }) => until));
  if (configuration.slowWorkers && processes.length > 0) {
    // The last moment at which there is time enough for a call, and the end.
    moments.push(...processes.flatMap(({ endsAt }) => [endsAt - 2_500, endsAt]));
    if (action.claim) moments.push(action.claim.deadline, action.claim.goneAt + 1);
  }
  if (world.budget.duplicates > 0 || world.budget.takeovers > 0) {
    moments.push((action.claim?.goneAt ?? 0) + 1, (action.grant?.expiresAt ?? 0) + 1);
    moments.push(settleTime(action, subject.contract));
    for (const { until, status } of Object.values(remembered)) {
      if (status === 'in-progress') moments.push(until + 1);
    }
  }
  return moments;
}
