import { idempotent } from '@aws-lambda-powertools/idempotency';
import { idempotencyOf } from '../adapters/idempotency.ts';
import { crmReader } from '../adapters/readers.ts';
import { crmWriter } from '../adapters/writers.ts';
import type { Outcome } from '../domain/outcome.ts';
import { type AttemptInput, actionHandler } from './action-function.ts';
import { assignOwnerSteps } from './steps/assign-owner.ts';

const idempotency = idempotencyOf('assign-owner');

class AssignOwner {
  @idempotent(idempotency)
  attempt(_input: AttemptInput, run: () => Promise<Outcome>): Promise<Outcome> {
    return run();
  }
}

const action = new AssignOwner();

export const handler = actionHandler(
  'assign-owner',
  (route, { stage, numbers }, contract) =>
    assignOwnerSteps({
      reader: crmReader(stage, route, numbers),
      writer: crmWriter(stage, route, numbers),
      route,
      contract,
      clock: Date.now,
    }),
  idempotency.config,
  (input, run) => action.attempt(input, run),
);
