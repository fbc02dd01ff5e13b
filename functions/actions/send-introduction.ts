import { idempotent } from '@aws-lambda-powertools/idempotency';
import { idempotencyOf } from '../adapters/idempotency.ts';
import { crmReader } from '../adapters/readers.ts';
import { mailSender } from '../adapters/writers.ts';
import type { Outcome } from '../domain/outcome.ts';
import { type AttemptInput, actionHandler } from './action-function.ts';
import { sendIntroductionSteps } from './steps/send-introduction.ts';

const idempotency = idempotencyOf('send-introduction');

class SendIntroduction {
  @idempotent(idempotency)
  attempt(_input: AttemptInput, run: () => Promise<Outcome>): Promise<Outcome> {
    return run();
  }
}

const action = new SendIntroduction();

export const handler = actionHandler(
  'send-introduction',
  (route, { stage, numbers }) =>
    sendIntroductionSteps({
      reader: crmReader(stage, route, numbers),
      sender: mailSender(stage, route, numbers),
      route,
    }),
  idempotency.config,
  (input, run) => action.attempt(input, run),
);
