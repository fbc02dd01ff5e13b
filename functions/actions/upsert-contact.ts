import { idempotent } from '@aws-lambda-powertools/idempotency';
import { contactProperties } from '../adapters/hubspot/properties.ts';
import { idempotencyOf } from '../adapters/idempotency.ts';
import { crmReader } from '../adapters/readers.ts';
import { crmWriter } from '../adapters/writers.ts';
import type { Outcome } from '../domain/outcome.ts';
import { type AttemptInput, actionHandler } from './action-function.ts';
import { upsertContactSteps } from './steps/upsert-contact.ts';

const idempotency = idempotencyOf('upsert-contact');

class UpsertContact {
  @idempotent(idempotency)
  attempt(_input: AttemptInput, run: () => Promise<Outcome>): Promise<Outcome> {
    return run();
  }
}

const action = new UpsertContact();

export const handler = actionHandler(
  'upsert-contact',
  (route, { stage, numbers }, contract) =>
    upsertContactSteps({
      reader: crmReader(stage, route, numbers),
      writer: crmWriter(stage, route, numbers),
      toProperties: contactProperties,
      route,
      contract,
      clock: Date.now,
    }),
  idempotency.config,
  (input, run) => action.attempt(input, run),
);
