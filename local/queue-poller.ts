import { AwsError, REGION } from './aws-error.ts';
import type { InvocationResult } from './lambda-process.ts';
import type { QueueSubscription } from './model.ts';
import { md5, type Queue, type StoredMessage, systemAttributes } from './queues.ts';

type Invoke = (functionArn: string, event: unknown) => Promise<InvocationResult>;

/** Between two tries of a batch that the function was throttled for. */
const THROTTLED_DELAY_MS = 1_000;

/**
 * Hands the messages of a queue to a function in batches, as an event source mapping does. What the function has not taken stays
 * hidden until its visibility timeout is over, and then comes again.
 *
 * @see https://docs.aws.amazon.com/lambda/latest/dg/services-sqs-errorhandling.html
 */
export class QueuePoller {
  readonly #subscription: QueueSubscription;
  readonly #queue: Queue;
  readonly #invoke: Invoke;
  readonly #stop = new AbortController();

  readonly #atOnce: number;

  /**
   * @param processes how many invocations of the function can run at once. A batch beyond them would only wait for a process while
   *   the visibility timeout of its messages runs, so it stays in the queue.
   */
  constructor(subscription: QueueSubscription, queue: Queue, invoke: Invoke, processes: number) {
    this.#subscription = subscription;
    this.#queue = queue;
    this.#invoke = invoke;
    this.#atOnce = Math.min(subscription.maxConcurrency, processes);
  }

  start(): void {
    for (let worker = 0; worker < this.#atOnce; worker += 1) void this.#poll();
  }

  stop(): void {
    this.#stop.abort();
  }

  async #poll(): Promise<void> {
    const { signal } = this.#stop;
    const { batchSize } = this.#subscription;
    while (!signal.aborted) {
      const { visibilitySeconds } = this.#queue.definition;
      const messages = await this.#queue.receive(batchSize, visibilitySeconds, 20_000, signal);
      if (messages.length > 0 && !signal.aborted) await this.#deliver(messages);
    }
  }

  async #deliver(messages: StoredMessage[]): Promise<void> {
    const { functionArn, queueArn, partialBatches } = this.#subscription;
    const event = { Records: messages.map((message) => recordOf(message, queueArn)) };
    const hiddenUntil = Math.min(...messages.map(({ visibleAt }) => visibleAt));
    const result = await this.#invoked(functionArn, event, hiddenUntil);
    if (result === undefined || result.failed) return;
    const failed = partialBatches ? failedIds(result.payload, messages) : new Set<string>();
    for (const { messageId, receiptHandle } of messages) {
      if (!failed.has(messageId) && receiptHandle !== undefined) this.#queue.delete(receiptHandle);
    }
  }

  /** Undefined when the function was throttled for as long as the messages were hidden: they come again, as after a failure. */
  async #invoked(
    functionArn: string,
    event: unknown,
    hiddenUntil: number,
  ): Promise<InvocationResult | undefined> {
    while (!this.#stop.signal.aborted) {
      try {
        return await this.#invoke(functionArn, event);
      } catch (refused) {
        if (!(refused instanceof AwsError)) throw refused;
        if (Date.now() + THROTTLED_DELAY_MS >= hiddenUntil) return undefined;
        await new Promise<void>((resolve) => setTimeout(resolve, THROTTLED_DELAY_MS).unref());
      }
    }
    return undefined;
  }
}

/**
 * The messages that come again. An answer without failures takes all of them, also where it says nothing at all; one that cannot be
 * understood takes none.
 */
function failedIds(payload: string, messages: StoredMessage[]): Set<string> {
  const all = new Set(messages.map(({ messageId }) => messageId));
  const response = JSON.parse(payload) as unknown;
  if (response === null) return new Set();
  if (typeof response !== 'object' || Array.isArray(response)) return all;
  const { batchItemFailures: failures } = response as { batchItemFailures?: unknown };
  if (failures === undefined || failures === null) return new Set();
  if (!Array.isArray(failures)) return all;
  const ids = failures.map((failure) => (failure as { itemIdentifier?: unknown } | null)?.itemIdentifier);
  return ids.every((id) => typeof id === 'string' && all.has(id)) ? new Set(ids as string[]) : all;
}

function recordOf(message: StoredMessage, queueArn: string): Record<string, unknown> {
  return {
    messageId: message.messageId,
    receiptHandle: message.receiptHandle,
    body: message.body,
    attributes: systemAttributes(message),
    messageAttributes: recordAttributes(message.attributes),
    md5OfBody: md5(message.body),
    eventSource: 'aws:sqs',
    eventSourceARN: queueArn,
    awsRegion: REGION,
  };
}

function recordAttributes(attributes: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(attributes).map(([name, value]) => {
      const { StringValue, BinaryValue, DataType } = value as Record<string, string>;
      return [name, { stringValue: StringValue, binaryValue: BinaryValue, dataType: DataType }];
    }),
  );
}
