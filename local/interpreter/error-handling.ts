import type { Catcher, ErrorHandlingState, Retrier } from './definition.ts';
import { StateFailure } from './errors.ts';
import type { JsonObject } from './json.ts';
import { type StateRun, type Step, sleepUntil } from './runtime.ts';
import { outputAndAssign } from './state-queries.ts';

const DEFAULT_MAX_ATTEMPTS = 3;
const DEFAULT_INTERVAL_SECONDS = 1;
const DEFAULT_BACKOFF_RATE = 2;

/**
 * Runs attempts of the state until one succeeds, no retrier is left, or a catcher takes the error.
 * https://docs.aws.amazon.com/step-functions/latest/dg/concepts-error-handling.html
 * @param attempt one attempt, Output and Assign included
 * @param gaveUp called when no further attempt follows, before a catcher is looked for
 * @throws StateFailure the last attempt's, when nothing catches it
 */
export async function withRetryAndCatch(
  run: StateRun<ErrorHandlingState>,
  attempt: () => Promise<Step>,
  gaveUp: () => void = () => {},
): Promise<Step> {
  for (;;) {
    try {
      await pauseBeforeRetry(run);
      return await attempt();
    } catch (failure) {
      if (!(failure instanceof StateFailure)) throw failure;
      if (planRetry(run, failure)) continue;
      gaveUp();
      return await caught(run, failure);
    }
  }
}

/**
 * Whether the error names of a retrier or catcher cover the failure. `States.Runtime` is never covered, and
 * the wildcards do not cover `States.DataLimitExceeded`, as AWS documents it. (A recording of November 2023
 * shows `States.ALL` catching a task's oversized result; the documentation is newer and stricter.)
 */
export function matches(errorEquals: readonly string[], failure: StateFailure): boolean {
  if (failure.uncatchable || failure.error === 'States.Runtime') return false;
  const names = [failure.error, failure.alsoKnownAs];
  return errorEquals.some((name) => {
    if (names.includes(name)) return true;
    if (names.includes('States.DataLimitExceeded')) return false;
    return name === 'States.ALL' || (name === 'States.TaskFailed' && !names.includes('States.Timeout'));
  });
}

/** Seconds before a retry; `retried` is how often this retrier has been used before. */
export function retryDelay(retrier: Retrier, retried: number, random: () => number): number {
  const { IntervalSeconds = DEFAULT_INTERVAL_SECONDS, BackoffRate = DEFAULT_BACKOFF_RATE } = retrier;
  const delay = Math.min(
    IntervalSeconds * BackoffRate ** retried,
    retrier.MaxDelaySeconds ?? Number.POSITIVE_INFINITY,
  );
  return retrier.JitterStrategy === 'FULL' ? delay * random() : delay;
}

async function pauseBeforeRetry({ current, scope }: StateRun): Promise<void> {
  if (current.retryAt === undefined) return;
  await sleepUntil(scope, current.retryAt);
  delete current.retryAt;
  scope.runtime.save();
}

/** Notes the next attempt, if a retrier allows one. The first retrier that matches decides. */
function planRetry({ state, current, scope }: StateRun<ErrorHandlingState>, failure: StateFailure): boolean {
  const retriers = state.Retry ?? [];
  const index = retriers.findIndex(({ ErrorEquals }) => matches(ErrorEquals, failure));
  const retrier = retriers[index];
  const retried = current.retries[index] ?? 0;
  if (retrier === undefined || retried >= (retrier.MaxAttempts ?? DEFAULT_MAX_ATTEMPTS)) return false;
  const { clock, random, save } = scope.runtime;
  current.retries = retriers.map((_, each) => (current.retries[each] ?? 0) + (each === index ? 1 : 0));
  current.retryCount += 1;
  current.retryAt = clock.now() + retryDelay(retrier, retried, random) * 1000;
  delete current.task;
  delete current.children;
  save();
  return true;
}

async function caught(run: StateRun<ErrorHandlingState>, failure: StateFailure): Promise<Step> {
  const catchers: Catcher[] = run.state.Catch ?? [];
  const index = catchers.findIndex(({ ErrorEquals }) => matches(ErrorEquals, failure));
  const catcher = catchers[index];
  if (catcher === undefined) {
    if (failure.error !== undefined) run.current.failedWith = failure.error;
    throw failure;
  }
  const errorOutput: JsonObject = { Error: failure.error ?? '', Cause: failure.cause ?? '' };
  const outputs = await outputAndAssign(run, catcher, errorOutput, { errorOutput }, `Catch[${index}]/`);
  return { ...outputs, next: catcher.Next };
}
