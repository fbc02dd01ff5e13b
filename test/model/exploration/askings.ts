import type { Decision } from '../../../functions/domain/decision.ts';
import type { DecideRequest } from '../../../functions/domain/decision-request.ts';
import { judgeDecision } from '../../../functions/domain/decision-rules.ts';
import { findingSeen, seenFinding, takesDecision } from '../../../functions/domain/recovery-choices.ts';
import { effects } from './checks.ts';
import type { DecisionChoice } from './decision-choices.ts';
import { conflictOf, handoffOf, KEY } from './handoff.ts';
import type { Model } from './model.ts';
import type { Move } from './moves.ts';
import { NUMBERS } from './settings.ts';
import { type Asking, currentFlow, spend, type World, waitingOf } from './world.ts';

/** In the order in which they decide. */
const PEOPLE = ['Robin', 'Mia', 'Sam'];

const REASON = 'looked at it';

/** What people do through the functions of recovery, and the further tries of what failed. */
export function askingMoves(world: World, model: Model): Move[] {
  if (world.closedAt !== null) return tries(world, model);
  return [
    ...tries(world, model),
    ...decisions(world, model),
    ...repeats(world, model),
    ...resubmits(world, model),
  ];
}

/** The state machine of a person's request runs its function again; or it does not, and the person sees it fail. */
function tries(world: World, model: Model): Move[] {
  return world.again.map(({ execution, request }) => {
    const again = world.again.filter((other) => other.execution !== execution);
    return {
      words: `${execution} tries again`,
      ordinary: true,
      to: () => model.ask({ ...world, again }, { execution, request }),
    };
  });
}

function decisions(world: World, model: Model): Move[] {
  const { budget } = model.configuration;
  const left = world.budget.deciders;
  if (left === 0) return [];
  const who = PEOPLE[budget.deciders - left] ?? 'Somebody';
  return model.configuration.decisions
    .filter((choice) => mayDecide(world, choice, model))
    .map((choice) => {
      const request = requestOf(world, choice, who);
      return {
        words: `${who} decides ${inWords(choice)}`,
        to: () => model.ask(spend(world, 'deciders'), { execution: `decision-of-${who}`, request }),
      };
    });
}

/** A person decides what the record shows as possible, and says that something is done only where it is. */
function mayDecide(world: World, { kind, more }: DecisionChoice, { subject, configuration }: Model): boolean {
  const { action: state, waiting, execution, conflicts, amendments } = world;
  const { action, contract } = subject;
  // Who has taken over says by themselves that they did not do it.
  if (kind === 'release' || (kind === 'confirm' && effects(world, action) === 0)) return false;
  const handoff = handoffOf(execution, null, amendments);
  const record = { handoff, actions: [state], operations: [], waiting, conflicts: conflicts.map(conflictOf) };
  const asked = takesDecision(state, record) || waitingOf(world, 'handoff') !== null;
  if (!asked && !(kind === 'stop' && configuration.decidesUnasked)) return false;
  const facts = { now: world.now, action, state, seen: seenFinding(state), contract, numbers: NUMBERS };
  return typeof judgeDecision(facts, { kind, ...more }) === 'string';
}

function requestOf(
  { action }: World,
  { kind, more }: Pick<DecisionChoice, 'kind' | 'more'>,
  by: string,
): DecideRequest {
  const { evidence, riskAccepted, notDone } = more ?? {};
  return {
    decision: kind,
    leadRequestId: KEY.leadRequestId,
    action: action.action,
    by,
    reason: REASON,
    // The first person pastes what the record offers, the others type.
    ...(by === PEOPLE[0] ? { finding: findingSeen(action) } : {}),
    ...(evidence === undefined ? {} : { evidence }),
    ...(riskAccepted ? { riskAccepted } : {}),
    ...(notDone ? { notDone } : {}),
  };
}

function inWords({ kind, more }: DecisionChoice): string {
  const fields = kind === 'amend' && more?.evidence ? ` with ${more.evidence}` : '';
  return `${kind}${fields}${more?.riskAccepted ? ', accepting the risk' : ''}`;
}

/** Whoever is not sure that it was written down says it again. */
function repeats(world: World, model: Model): Move[] {
  if (world.budget.repeats === 0) return [];
  return Object.values(world.ghost.answers).map(({ decision }) => {
    const request = requestOf(
      world,
      { kind: decision.kind, more: decision as Partial<Decision> },
      decision.by,
    );
    const execution = `repeat-${world.budget.repeats}`;
    return {
      words: `${decision.by} decides ${inWords({ kind: decision.kind, more: decision })} once more`,
      to: () => model.ask(spend(world, 'repeats'), { execution, request }),
    };
  });
}

function resubmits(world: World, model: Model): Move[] {
  const left = world.budget.resubmits;
  if (left === 0 || !isAtRest(world, model)) return [];
  const who = PEOPLE[model.configuration.budget.resubmits - left] ?? 'Somebody';
  const { leadRequestId } = KEY;
  const asking: Asking = {
    execution: `resubmit-of-${who}`,
    request: { decision: 'resubmit', leadRequestId, by: who, reason: REASON },
  };
  return [{ words: `${who} resubmits`, to: () => model.ask(spend(world, 'resubmits'), asking) }];
}

/**
 * The workflow waits, or has ended: a second run that starts beside an action function is a configuration of its own. With people who
 * decide, no function of the workflow runs any more: what those of an earlier run may still do is explored without them.
 */
export function isAtRest(world: World, { configuration }: Model): boolean {
  const flow = currentFlow(world);
  const waits = !flow || ['ask', 'park', 'wait', 'end'].includes(flow.state);
  return waits && (configuration.budget.deciders === 0 || world.processes.every(({ asking }) => asking));
}
