import { randomUUID } from 'node:crypto';
import type { AsyncInvoker } from './async-invoker.ts';
import { AwsError } from './aws-error.ts';
import type { EventBus } from './event-bus.ts';
import { functionArnOf, functionNameOf } from './function-names.ts';
import { TaskFailed } from './interpreter/errors.ts';
import { isObject, type Json, type JsonObject } from './interpreter/json.ts';
import type { TaskRequest, TaskRunner } from './interpreter/runtime.ts';
import type { LambdaHost } from './lambda-host.ts';
import type { InvocationResult } from './lambda-process.ts';
import { md5, type Queues } from './queues.ts';
import { busName } from './rule-definition.ts';

/** Integrations beyond those that the interpreter always knows. */
export const INTEGRATIONS: readonly string[] = ['events:putEvents', 'sns:publish'];

export interface TaskServices {
  readonly lambda: LambdaHost;
  readonly async: AsyncInvoker;
  readonly queues: Queues;
  readonly events: EventBus;
}

/**
 * Calls what a Task state names. A function that its task no longer waits for runs on to its own timeout, as in AWS.
 *
 * @see https://docs.aws.amazon.com/step-functions/latest/dg/connect-lambda.html
 */
export class ServiceTaskRunner implements TaskRunner {
  readonly reportsStart = true;
  readonly #services: TaskServices;

  constructor(services: TaskServices) {
    this.#services = services;
  }

  async run({ resource, arguments: given, onStart }: TaskRequest): Promise<Json> {
    if (resource.includes(':function:')) return this.#callFunction(resource, given, onStart);
    const [service] = resource.replace(/^arn:aws:states:::/, '').split('.');
    const call = isObject(given) ? given : {};
    if (service === 'lambda:invoke') return this.#invoke(call, onStart);
    onStart();
    switch (service) {
      case 'sqs:sendMessage':
        return this.#sendMessage(call);
      case 'events:putEvents':
        return this.#putEvents(call);
      case 'sns:publish':
        // Nothing is emailed from a laptop; what would have been stands in the history of the execution.
        return { MessageId: randomUUID() };
      default:
        throw new Error(`No runner for ${resource}.`);
    }
  }

  async #invoke(call: JsonObject, onStart: () => void): Promise<Json> {
    const name = String(call.FunctionName);
    if (call.InvocationType === 'Event') {
      onStart();
      this.#services.async.invoke(this.#existing(name), call.Payload ?? {});
      return { StatusCode: 202 };
    }
    return {
      ExecutedVersion: '$LATEST',
      Payload: await this.#callFunction(name, call.Payload ?? {}, onStart),
      StatusCode: 200,
    };
  }

  async #callFunction(given: string, event: Json, onStart: () => void): Promise<Json> {
    const { failed, payload } = await this.#invokeFunction(this.#existing(given), event, onStart);
    if (!failed) return JSON.parse(payload) as Json;
    throw new TaskFailed({ error: (JSON.parse(payload) as { errorType: string }).errorType, cause: payload });
  }

  /** A refusal of the Lambda API is a failure that Retry sees as `Lambda.<code>`. */
  async #invokeFunction(name: string, event: Json, onStart: () => void): Promise<InvocationResult> {
    try {
      return await this.#services.lambda.invoke(name, event, onStart);
    } catch (refused) {
      if (!(refused instanceof AwsError)) throw refused;
      throw new TaskFailed({
        error: `Lambda.${refused.code}`,
        cause: `${refused.message} (Service: Lambda, Status Code: ${refused.statusCode})`,
      });
    }
  }

  #existing(given: string): string {
    const name = functionNameOf(given);
    if (this.#services.lambda.find(name)) return name;
    throw new TaskFailed({
      error: 'Lambda.ResourceNotFoundException',
      cause: `Function not found: ${functionArnOf(name)} (Service: Lambda, Status Code: 404)`,
    });
  }

  #sendMessage(call: JsonObject): Json {
    const queue = this.#services.queues.byUrl(String(call.QueueUrl));
    if (!queue) {
      throw new TaskFailed({
        error: 'SQS.QueueDoesNotExistException',
        cause: 'The specified queue does not exist.',
      });
    }
    const body = call.MessageBody ?? null;
    const text = typeof body === 'string' ? body : JSON.stringify(body);
    return { MD5OfMessageBody: md5(text), MessageId: queue.send(text).messageId };
  }

  #putEvents(call: JsonObject): Json {
    const entries = (Array.isArray(call.Entries) ? call.Entries : []) as JsonObject[];
    const accepted = entries.map(({ Detail = {}, DetailType, EventBusName, Source }) => {
      const detail = typeof Detail === 'string' ? JSON.parse(Detail) : Detail;
      const id = this.#services.events.put(busName(EventBusName), String(Source), String(DetailType), detail);
      return { EventId: id };
    });
    return { Entries: accepted, FailedEntryCount: 0 };
  }
}
