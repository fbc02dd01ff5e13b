import { randomUUID } from 'node:crypto';
import type { IdempotencyConfig } from '@aws-lambda-powertools/idempotency';
import type { Context } from 'aws-lambda';
import { contractOf } from '../adapters/contracts.ts';
import { dynamoDB } from '../adapters/dynamodb/client.ts';
import { DynamoDBLedger } from '../adapters/dynamodb/ledger.ts';
import { environment } from '../adapters/environment.ts';
import { observed, tracer } from '../adapters/observability.ts';
import { routeNamed, routesFile } from '../adapters/routes-file.ts';
import type { ActionName } from '../domain/action.ts';
import { settledOutcome } from '../domain/action-state.ts';
import type { ReceiverContract } from '../domain/contract.ts';
import { NotApplied, OutcomeUnknown, Refused } from '../domain/errors.ts';
import type { Outcome, Performed } from '../domain/outcome.ts';
import type { RouteSettings, RoutesFile } from '../domain/route.ts';
import { type ActionRequest, parseActionRequest } from '../domain/workflow-data.ts';
import type { Ledger } from '../ports/ledger.ts';
import { type AttemptPorts, runAttempt } from './attempt.ts';
import { prepare } from './prepare.ts';
import type { ActionSteps } from './steps/steps.ts';

/** What Powertools keys and checks an attempt on: one string, and the hash of what the lead asked for. */
export interface AttemptInput {
  /** `<route>/<leadRequestId>#<attempt>`: one record per granted attempt of the lead request. */
  readonly idempotencyKey: string;
  readonly intentHash: string;
}

/** Builds an action's steps for a route. */
export type StepsOf<A extends ActionName> = (
  route: RouteSettings,
  file: RoutesFile,
  contract: ReceiverContract,
) => ActionSteps<A>;

/** The decorated method of an action: it runs the attempt, unless Powertools remembers its outcome. */
export type DecoratedAttempt = (input: AttemptInput, run: () => Promise<Outcome>) => Promise<Outcome>;

const ledger: Ledger = new DynamoDBLedger(dynamoDB, environment('LEDGER_TABLE'));

/**
 * The handler of one action: parse, pass the gates, run the decorated attempt, and turn an outcome that is not `performed` into
 * an error that the workflow sees by name.
 *
 * @throws NotApplied, OutcomeUnknown, Refused after the attempt; before it what `prepare` and `runAttempt` throw.
 */
export function actionHandler<A extends ActionName>(
  action: A,
  stepsOf: StepsOf<A>,
  config: IdempotencyConfig,
  attempt: DecoratedAttempt,
) {
  return observed(action, async (event: unknown, context: Context) => {
    const request = parseActionRequest(event);
    const file = routesFile();
    const route = routeNamed(file.routes, request.route);
    const contract = contractOf(action, route, file.numbers);
    const steps = stepsOf(route, file, contract);
    const prepared = await prepare(action, request, context.awsRequestId, steps.freeze, {
      ledger,
      clock: Date.now,
      contract,
    });
    config.registerLambdaContext(context);
    const ports: AttemptPorts = {
      ledger,
      clock: Date.now,
      ids: randomUUID,
      numbers: file.numbers,
      route,
      remainingMs: () => context.getRemainingTimeInMillis(),
      traceId: tracer.getRootXrayTraceId(),
    };
    const input: AttemptInput = {
      idempotencyKey: `${request.route}/${request.leadRequestId}#${request.attempt}`,
      intentHash: prepared.handoff.intentHash,
    };
    const run = () => runAttempt(prepared, steps.perform, ports);
    const agrees = async (remembered: Outcome) => {
      const state = await ledger.action(prepared.key, action);
      return state.attempt >= request.attempt && settledOutcome(state.phase) === remembered.outcome;
    };
    return answer(request, await trueOutcome(attempt, input, run, agrees));
  });
}

/**
 * What Powertools remembers counts where the ledger says the same. Where it does not (a record that outlived a lead that was
 * erased, or that somebody else completed), the attempt is run: the ledger's claim decides whether anything is called.
 */
export async function trueOutcome(
  attempt: DecoratedAttempt,
  input: AttemptInput,
  run: () => Promise<Outcome>,
  agrees: (remembered: Outcome) => Promise<boolean>,
): Promise<Outcome> {
  let ran = false;
  const outcome = await keepingOutcome(attempt, input, () => {
    ran = true;
    return run();
  });
  return ran || (await agrees(outcome)) ? outcome : run();
}

/**
 * Powertools may fail after the effect (its result could not be saved) or mask an error of ours (its record could not be
 * deleted): what the attempt itself came to is kept aside and wins over any error that follows it.
 */
export async function keepingOutcome(
  attempt: DecoratedAttempt,
  input: AttemptInput,
  run: () => Promise<Outcome>,
): Promise<Outcome> {
  let own: { outcome: Outcome } | { error: unknown } | undefined;
  try {
    return await attempt(input, async () => {
      try {
        const outcome = await run();
        own = { outcome };
        return outcome;
      } catch (error) {
        own = { error };
        throw error;
      }
    });
  } catch (error) {
    if (own === undefined) throw error;
    if ('outcome' in own) return own.outcome;
    throw own.error;
  }
}

function answer(
  request: ActionRequest,
  outcome: Outcome,
): { outcome: Performed['outcome']; attempt: number } {
  switch (outcome.outcome) {
    case 'performed':
      return { outcome: 'performed', attempt: request.attempt };
    case 'not-applied':
      throw new NotApplied(outcome.reason);
    case 'unknown':
      throw new OutcomeUnknown(outcome.reason);
    case 'refused':
      throw new Refused(outcome.reason);
  }
}
