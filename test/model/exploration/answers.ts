import type { Decision } from '../../../functions/domain/decision.ts';
import type { DecideRequest, PersonsRequest } from '../../../functions/domain/decision-request.ts';
import { judgeDecision } from '../../../functions/domain/decision-rules.ts';
import { findingSeen, seenFinding } from '../../../functions/domain/recovery-choices.ts';
import type { PersonsAnswer } from '../../../functions/recovery/answer-person.ts';
import type { Ended } from './coroutine.ts';
import type { PutOp } from './ports.ts';
import { NUMBERS, type Subject } from './settings.ts';
import { demand } from './violation.ts';
import type { Answered, Ghost, Process, World } from './world.ts';

type Answers = Ghost['answers'];

function changed(answers: Answers, change: (answered: Answered) => Answered): Answers {
  return Object.fromEntries(Object.entries(answers).map(([name, answered]) => [name, change(answered)]));
}

/** Another decision was made since. */
export function overtaken(answers: Answers): Answers {
  return changed(answers, (one) => ({ ...one, overtaken: true }));
}

/** What is known of people's decisions after a conditional write that holds. */
export function answersAfter({ action, ghost }: World, { asking }: Process, op: PutOp): Answers {
  const { event, state } = op;
  const before = action.decision;
  if (event.type === 'decide' && asking) {
    const replaced = changed(overtaken(ghost.answers), (one) =>
      isOf(one, before) ? { ...one, became: 'replaced' } : one,
    );
    const decision = { ...event.decision, at: 0 };
    const written: Answered = { decision, became: 'pending', overtaken: false };
    return { ...replaced, [asking.execution]: written };
  }
  // Answered by the reconcile that heard it, or because the action came to its end.
  const became = state.decision?.id === before?.id ? null : (state.lastDecision?.result ?? null);
  const asks = event.type === 'reconcile' && event.disposition === 'ask';
  return changed(ghost.answers, (one) => {
    if (became === null || !isOf(one, before)) return { ...one, overtaken: one.overtaken || asks };
    // Taking over is answered by a question on purpose.
    return { ...one, became, overtaken: one.overtaken || became === 'turned-down' };
  });
}

function isOf(answered: Answered, decision: Decision | null): boolean {
  return answered.became === 'pending' && answered.decision.id === decision?.id;
}

function isSame(request: PersonsRequest, { kind, by, evidence, ...flags }: Decision): boolean {
  const asked = request as DecideRequest;
  return (
    asked.decision === kind &&
    asked.by === by &&
    asked.evidence === evidence &&
    asked.riskAccepted === flags.riskAccepted &&
    asked.notDone === flags.notDone
  );
}

/** Before a person's decision is written down. */
export function checkDecided(world: World, { asking }: Process, { event }: PutOp, subject: Subject): void {
  if (event.type !== 'decide' || !asking) return;
  const { action: state, ghost, now } = world;
  const { decision } = event;
  const own = ghost.answers[asking.execution];
  demand(own === undefined, 'decision', `${decision.kind} is written again after it was ${own?.became}`);
  const twice = Object.values(ghost.answers).some(
    ({ decision: other, became, overtaken }) =>
      isSame(asking.request, other) && !overtaken && (became === 'pending' || became === 'used'),
  );
  demand(!twice, 'decision', `${decision.kind} is taken twice for one answer`);
  const stops = decision.kind === 'stop' && state.decision?.kind !== 'stop';
  demand(state.decision === null || stops, 'decision', `${decision.kind} takes the place of another`);
  const { action, contract } = subject;
  const facts = { now, action, state, seen: seenFinding(state), contract, numbers: NUMBERS };
  const judgement = judgeDecision(facts, decision);
  const why = typeof judgement === 'string' ? '' : judgement.refused;
  demand(why === '', 'decision', `${decision.kind} is written on a record that does not bear it (${why})`);
  const seen = findingSeen(state);
  demand(decision.findingSeen === seen, 'decision', `decided on ${decision.findingSeen}, and it is ${seen}`);
}

/** When the function that a person started has answered. */
export function checkAnswered({ ghost }: World, { asking }: Process, ended: Ended): void {
  if (!asking || 'error' in ended) return;
  const { execution, request } = asking;
  const answer = ended.value as PersonsAnswer;
  const own = ghost.answers[execution];
  if ('refused' in answer) {
    const { error } = answer.refused;
    const stands = own?.became === 'pending' || own?.became === 'used';
    demand(!stands, 'decision', `${execution} is refused (${error}), and its decision is ${own?.became}`);
    const pending = Object.values(ghost.answers).some(
      ({ became, decision }) => became === 'pending' && isSame(request, decision),
    );
    demand(!pending, 'decision', `${execution} repeats what is written down, and is refused (${error})`);
    return;
  }
  if (!('recorded' in answer.answer)) return;
  const { recorded } = answer.answer;
  const known = Object.values(ghost.answers).some(({ decision }) => isSame(request, decision));
  const holds = recorded === 'now' ? own !== undefined : known;
  demand(holds, 'decision', `${execution} is told that it was recorded (${recorded}), and it was not`);
}
