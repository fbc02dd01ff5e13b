import type { ChoiceState, FailState, PassState, SucceedState, WaitState } from './definition.ts';
import { StateFailure } from './errors.ts';
import { type StateRun, type Step, sleepUntil } from './runtime.ts';
import { causeIn, outputAndAssign, query, queryAs, queryInteger } from './state-queries.ts';

/** Longest Wait, in seconds. https://docs.aws.amazon.com/step-functions/latest/dg/state-wait.html */
const LONGEST_WAIT = 99_999_999;
const RFC3339 = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(\.\d+)?(Z|[+-]\d{2}:\d{2})$/;

export async function runPass(run: StateRun<PassState>): Promise<Step> {
  return { ...(await outputAndAssign(run, run.state, run.current.input)), next: run.state.Next };
}

export async function runSucceed(run: StateRun<SucceedState>): Promise<Step> {
  return { ...(await outputAndAssign(run, run.state, run.current.input)), next: undefined };
}

/** @throws StateFailure always: that is what a Fail is for */
export async function runFail(run: StateRun<FailState>): Promise<never> {
  const { Error: error, Cause: cause } = run.state;
  throw new StateFailure(
    error === undefined ? undefined : ((await queryAs(run, 'string', error, 'Error')) as string),
    cause === undefined ? undefined : ((await queryAs(run, 'string', cause, 'Cause')) as string),
  );
}

/** The first rule whose Condition is true decides; the state's own Output and Assign belong to Default. */
export async function runChoice(run: StateRun<ChoiceState>): Promise<Step> {
  const { Choices, Default } = run.state;
  for (const [index, rule] of Choices.entries()) {
    const path = `Choices[${index}]/`;
    if (await queryAs(run, 'boolean', rule.Condition, `${path}Condition`)) {
      return { ...(await outputAndAssign(run, rule, run.current.input, {}, path)), next: rule.Next };
    }
  }
  if (Default === undefined) {
    const problem = 'Failed to transition out of the state. The state does not point to a next state.';
    throw new StateFailure('States.NoChoiceMatched', causeIn(run, problem));
  }
  return { ...(await outputAndAssign(run, run.state, run.current.input)), next: Default };
}

/** The end of a Wait is fixed when it begins, so a resumed Wait does not begin anew. */
export async function runWait(run: StateRun<WaitState>): Promise<Step> {
  const { current, scope } = run;
  if (current.waitUntil === undefined) {
    current.waitUntil = await endOfWait(run);
    scope.runtime.save();
  }
  await sleepUntil(scope, current.waitUntil);
  return { ...(await outputAndAssign(run, run.state, current.input)), next: run.state.Next };
}

async function endOfWait(run: StateRun<WaitState>): Promise<number> {
  const { Seconds, Timestamp } = run.state;
  if (Seconds !== undefined) {
    const seconds = await queryInteger(run, Seconds, 'Seconds', [0, LONGEST_WAIT]);
    return run.scope.runtime.clock.now() + seconds * 1000;
  }
  const text = String(await query(run, Timestamp ?? '', 'Timestamp'));
  const time = Date.parse(text);
  if (!RFC3339.test(text) || Number.isNaN(time)) {
    throw new StateFailure(
      'States.Runtime',
      causeIn(run, `The Timestamp '${text}' is not in the RFC 3339 format.`),
    );
  }
  return time;
}
