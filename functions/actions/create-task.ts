import { idempotent } from '@aws-lambda-powertools/idempotency';
import { idempotencyOf } from '../adapters/idempotency.ts';
import { crmReader } from '../adapters/readers.ts';
import { crmWriter } from '../adapters/writers.ts';
import type { Outcome } from '../domain/outcome.ts';
import { type AttemptInput, actionHandler } from './action-function.ts';
import { createTaskSteps } from './steps/create-task.ts';

const idempotency = idempotencyOf('create-task');

class CreateTask {
  @idempotent(idempotency)
  attempt(_input: AttemptInput, run: () => Promise<Outcome>): Promise<Outcome> {
    return run();
  }
}

const action = new CreateTask();

export const handler = actionHandler(
  'create-task',
  (route, { stage, numbers }) =>
    createTaskSteps({
      reader: crmReader(stage, route, numbers),
      writer: crmWriter(stage, route, numbers),
      route,
      clock: Date.now,
    }),
  idempotency.config,
  (input, run) => action.attempt(input, run),
);
