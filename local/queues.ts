import { createHash, randomUUID } from 'node:crypto';
import type { QueueDefinition } from './model.ts';
import { QueueStore } from './queue-store.ts';

export interface StoredMessage {
  readonly messageId: string;
  readonly body: string;
  readonly attributes: Record<string, unknown>;
  readonly sentAt: number;
  visibleAt: number;
  /** In all queues together. */
  receiveCount: number;
  receiptHandle: string | undefined;
  firstReceivedAt: number | undefined;
  /** For a dead letter: the queue that it comes from, and how often it was received there. */
  readonly movedFrom?: { readonly arn: string; readonly receiveCount: number };
}

/** One standard queue: visibility, delays, retention, and the move to the dead-letter queue. */
export class Queue {
  readonly definition: QueueDefinition;
  readonly #messages = new Map<string, StoredMessage>();
  readonly #deadLetters: (arn: string) => Queue | undefined;
  readonly #wakers = new Set<() => void>();
  readonly #store: QueueStore;

  constructor(
    definition: QueueDefinition,
    deadLetters: (arn: string) => Queue | undefined,
    store: QueueStore = new QueueStore(),
  ) {
    this.definition = definition;
    this.#deadLetters = deadLetters;
    this.#store = store;
    for (const message of store.load()) this.#messages.set(message.messageId, message);
  }

  send(
    body: string,
    options: { delaySeconds?: number; attributes?: Record<string, unknown> } = {},
  ): StoredMessage {
    const now = Date.now();
    const message: StoredMessage = {
      messageId: randomUUID(),
      body,
      attributes: options.attributes ?? {},
      sentAt: now,
      visibleAt: now + (options.delaySeconds ?? this.definition.delaySeconds) * 1000,
      receiveCount: 0,
      receiptHandle: undefined,
      firstReceivedAt: undefined,
    };
    this.#add(message);
    return message;
  }

  /** Takes up to `max` visible messages and hides them; waits up to `waitMs` for the first. */
  async receive(
    max: number,
    visibilitySeconds: number,
    waitMs: number,
    signal?: AbortSignal,
  ): Promise<StoredMessage[]> {
    const until = Date.now() + waitMs;
    for (;;) {
      const taken = this.#take(max, visibilitySeconds);
      const left = until - Date.now();
      if (taken.length > 0 || left <= 0 || signal?.aborted) return taken;
      await this.#change(Math.min(left, this.#nextVisibleIn()), signal);
    }
  }

  /** Deletes what this receipt handle was given for; an old handle deletes nothing, as in AWS. */
  delete(receiptHandle: string): void {
    const message = this.#byReceipt(receiptHandle);
    if (message) this.#forget(message);
  }

  changeVisibility(receiptHandle: string, seconds: number): void {
    const message = this.#byReceipt(receiptHandle);
    if (!message) return;
    message.visibleAt = Date.now() + seconds * 1000;
    this.#store.keep(message);
    this.#wake();
  }

  counts(): { visible: number; hidden: number; delayed: number } {
    this.#forgetOld();
    const now = Date.now();
    const all = [...this.#messages.values()];
    const waiting = all.filter(({ visibleAt }) => visibleAt > now);
    const hidden = waiting.filter(({ receiveCount }) => receiveCount > 0).length;
    return { visible: all.length - waiting.length, hidden, delayed: waiting.length - hidden };
  }

  /** Everything that is in the queue now, hidden or not. */
  messages(): StoredMessage[] {
    this.#forgetOld();
    return [...this.#messages.values()].map((message) => ({ ...message }));
  }

  purge(): void {
    for (const message of [...this.#messages.values()]) this.#forget(message);
  }

  #take(max: number, visibilitySeconds: number): StoredMessage[] {
    this.#forgetOld();
    const now = Date.now();
    const taken: StoredMessage[] = [];
    for (const message of this.#messages.values()) {
      if (taken.length >= max) break;
      if (message.visibleAt > now || this.#moveToDeadLetters(message)) continue;
      message.receiveCount += 1;
      message.firstReceivedAt ??= now;
      message.receiptHandle = randomUUID();
      message.visibleAt = now + visibilitySeconds * 1000;
      this.#store.keep(message);
      taken.push({ ...message });
    }
    return taken;
  }

  /**
   * A message keeps its id, its age and the count of its receives when it moves; it is in both queues before it is in one, so that a
   * kill in between loses nothing.
   *
   * https://docs.aws.amazon.com/AWSSimpleQueueService/latest/SQSDeveloperGuide/sqs-dead-letter-queues.html
   */
  #moveToDeadLetters(message: StoredMessage): boolean {
    const { redrive, arn } = this.definition;
    const { receiveCount, movedFrom } = message;
    const receivedHere = receiveCount - (movedFrom?.receiveCount ?? 0);
    if (!redrive || receivedHere < redrive.maxReceiveCount) return false;
    const target = this.#deadLetters(redrive.deadLetterArn);
    if (!target) return false;
    const visibleAt = Date.now();
    target.#add({ ...message, visibleAt, receiptHandle: undefined, movedFrom: { arn, receiveCount } });
    this.#forget(message);
    return true;
  }

  #add(message: StoredMessage): void {
    this.#store.keep(message);
    this.#messages.set(message.messageId, message);
    this.#wake();
  }

  /** What is older than the queue keeps its messages is gone, dead letters by the time when they were first sent. */
  #forgetOld(): void {
    const sentBefore = Date.now() - this.definition.retentionSeconds * 1000;
    for (const message of [...this.#messages.values()]) {
      if (message.sentAt < sentBefore) this.#forget(message);
    }
  }

  #forget({ messageId }: StoredMessage): void {
    this.#messages.delete(messageId);
    this.#store.delete(messageId);
  }

  #byReceipt(receiptHandle: string): StoredMessage | undefined {
    for (const message of this.#messages.values()) {
      if (message.receiptHandle === receiptHandle) return message;
    }
    return undefined;
  }

  #nextVisibleIn(): number {
    let next = Date.now() + 20_000;
    for (const { visibleAt } of this.#messages.values()) next = Math.min(next, visibleAt);
    return Math.max(1, next - Date.now());
  }

  #change(ms: number, signal?: AbortSignal): Promise<void> {
    return new Promise((resolve) => {
      const done = () => {
        clearTimeout(timer);
        this.#wakers.delete(done);
        signal?.removeEventListener('abort', done);
        resolve();
      };
      const timer = setTimeout(done, ms);
      this.#wakers.add(done);
      signal?.addEventListener('abort', done);
    });
  }

  #wake(): void {
    for (const waker of [...this.#wakers]) waker();
  }
}

/** The queues of the template, by ARN, by name and by URL. */
export class Queues {
  readonly #byArn = new Map<string, Queue>();

  /** @param fileOf where a queue is kept, by its name; absent: in memory */
  constructor(
    definitions: readonly QueueDefinition[],
    fileOf: (name: string) => string | undefined = () => undefined,
  ) {
    for (const definition of definitions) {
      const store = new QueueStore(fileOf(definition.name));
      this.#byArn.set(definition.arn, new Queue(definition, (arn) => this.#byArn.get(arn), store));
    }
  }

  all(): Queue[] {
    return [...this.#byArn.values()];
  }

  byArn(arn: string): Queue | undefined {
    return this.#byArn.get(arn);
  }

  byName(name: string): Queue | undefined {
    return this.all().find(({ definition }) => definition.name === name);
  }

  /** The last part of a queue URL is the queue's name, whatever host the caller used. */
  byUrl(url: string): Queue | undefined {
    return this.byName(url.split('/').at(-1) ?? '');
  }
}

/** https://docs.aws.amazon.com/AWSSimpleQueueService/latest/APIReference/API_ReceiveMessage.html */
export function systemAttributes(message: StoredMessage): Record<string, string> {
  const { receiveCount, sentAt, firstReceivedAt, movedFrom } = message;
  return {
    ApproximateReceiveCount: String(receiveCount),
    SentTimestamp: String(sentAt),
    SenderId: 'local',
    ApproximateFirstReceiveTimestamp: String(firstReceivedAt),
    ...(movedFrom && { DeadLetterQueueSourceArn: movedFrom.arn }),
  };
}

export function md5(text: string): string {
  return createHash('md5').update(text).digest('hex');
}
