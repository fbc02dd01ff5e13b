import { Rejected, transition } from '../../../functions/domain/transition.ts';
import { overtaken } from './answers.ts';
import { effects } from './checks.ts';
import type { DecisionChoice } from './decision-choices.ts';
import type { Model } from './model.ts';
import type { Move } from './moves.ts';
import { shortened } from './ports.ts';
import { afterToken } from './workflow.ts';
import { currentFlow, spend, type World, waitingOf, withFlow } from './world.ts';

/** Decisions that are simply written down; their token is completed in another move, or by the function that registers it. */
export function decisionMoves(world: World, model: Model): Move[] {
  const { action, ghost } = world;
  if (ghost.personHolds) return mayActByHand(world, model) ? byHand(world, model) : [];
  if (world.budget.decisions === 0) return [];
  const waiting = waitingOf(world);
  const asked = waiting?.kind === 'ask' && world.flows.some(({ state }) => state === 'ask');
  return model.configuration.decisions.flatMap((choice) => {
    if (choice.kind !== 'stop' && !asked && !model.configuration.decidesUnasked) return [];
    // A person says that it is done only where it is.
    if (choice.kind === 'confirm' && effects(world, action.action) === 0) return [];
    return decided(world, choice, model).map(({ words, to }) => ({
      words,
      to: () => spend(to, 'decisions'),
    }));
  });
}

/** With several people, what one of them does by hand waits until nobody is deciding: what it comes to is explored with one. */
function mayActByHand({ processes }: World, { configuration }: Model): boolean {
  return configuration.budget.deciders < 2 || !processes.some(({ asking }) => asking);
}

/** Who has taken the action over does it or not, and says so. */
function byHand(world: World, model: Model): Move[] {
  const { ghost, action } = world;
  const say = (choice: DecisionChoice): Move[] =>
    decided(world, choice, model).map(({ words, to }) => ({ words, to: () => answeredAtOnce(to, model) }));
  if (ghost.byHand) return say({ kind: 'confirm', more: { evidence: 'by-hand' } });
  const doIt: Move = {
    words: 'the person does it by hand',
    to: () => ({ ...world, ghost: { ...ghost, byHand: true } }),
  };
  // Whoever has said that they did not do it does not do it afterwards.
  if (action.decision?.kind === 'release') return [];
  return [doIt, ...say({ kind: 'release', more: { notDone: true } })];
}

/** The world with a decision written down; none where the record does not take it. */
function decided(world: World, { kind, more = {} }: DecisionChoice, model: Model) {
  const { action, ghost } = world;
  const decision = model.decision(world, kind, more);
  const after = transition(action, { type: 'decide', decision });
  if (after instanceof Rejected || after === action) return [];
  const words = `a person decides ${kind}${more.riskAccepted ? ', accepting the risk' : ''}`;
  const written = { ...world, action: shortened(after) };
  return [{ words, to: { ...written, ghost: { ...ghost, answers: overtaken(ghost.answers) } } }];
}

/** Where decisions go through the function for it, one that is simply written down does all that the function would do. */
function answeredAtOnce(world: World, { configuration }: Model): World {
  const flow = currentFlow(world);
  const answers = configuration.budget.deciders > 0 && flow?.token && flow.token === waitingOf(world)?.token;
  return answers ? withFlow(world, afterToken(flow)) : world;
}
