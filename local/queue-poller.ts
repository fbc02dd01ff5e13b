import { AwsError, REGION } from './aws-error.ts';
import type { InvocationResult } from './lambda-process.ts';
import type { QueueSubscription } from './model.ts';
import { md5, type Queue, type StoredMessage } from './queues.ts';

type Invoke = (functionArn: string, event: unknown) => Promise<InvocationResult>;

interface BatchResponse {
  batchItemFailures?: { itemIdentifier?: string }[];
}

/**
 * Hands the messages of a queue to a function in batches, as an event source mapping does. What the function does
 * not answer for stays hidden until its visibility timeout is over, and then comes again.
 *
 * @see https://docs.aws.amazon.com/lambda/latest/dg/services-sqs-errorhandling.html
 */
export class QueuePoller {
  readonly #subscription: QueueSubscription;
  readonly #queue: Queue;
  readonly #invoke: Invoke;
  readonly #stop = new AbortController();

  constructor(subscription: QueueSubscription, queue: Queue, invoke: Invoke) {
    this.#subscription = subscription;
    this.#queue = queue;
    this.#invoke = invoke;
  }

  start(): void {
    for (let worker = 0; worker < this.#subscription.maxConcurrency; worker += 1) void this.#poll();
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
    const result = await this.#invoked(functionArn, event);
    if (result === undefined || result.failed) return;
    const failed = partialBatches ? failedIds(result.payload, messages) : new Set<string>();
    for (const { messageId, receiptHandle } of messages) {
      if (!failed.has(messageId) && receiptHandle !== undefined) this.#queue.delete(receiptHandle);
    }
  }

  /** Undefined when the function was throttled: its messages come again, as after a failure. */
  async #invoked(functionArn: string, event: unknown): Promise<InvocationResult | undefined> {
    try {
      return await this.#invoke(functionArn, event);
    } catch (refused) {
      if (refused instanceof AwsError) return undefined;
      throw refused;
    }
  }
}

/** An identifier that is missing or unknown makes the whole batch a failure, as in AWS. */
function failedIds(payload: string, messages: StoredMessage[]): Set<string> {
  const known = new Set(messages.map(({ messageId }) => messageId));
  const response = JSON.parse(payload) as BatchResponse | null;
  const ids = (response?.batchItemFailures ?? []).map(({ itemIdentifier }) => itemIdentifier ?? '');
  return ids.every((id) => known.has(id)) ? new Set(ids) : known;
}

function recordOf(message: StoredMessage, queueArn: string): Record<string, unknown> {
  return {
    messageId: message.messageId,
    receiptHandle: message.receiptHandle,
    body: message.body,
    attributes: {
      ApproximateReceiveCount: String(message.receiveCount),
      SentTimestamp: String(message.sentAt),
      SenderId: 'local',
      ApproximateFirstReceiveTimestamp: String(message.firstReceivedAt),
    },
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
