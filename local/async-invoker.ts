import { AwsError } from './aws-error.ts';
import type { InvocationResult } from './lambda-process.ts';
import type { AsyncSettings } from './model.ts';

/** AWS waits one minute before the first retry and two before the second. */
const RETRY_DELAYS_MS = [60_000, 120_000];
/** A throttled event stays in the queue and is no try; AWS begins with one second. */
const THROTTLED_DELAY_MS = 1_000;

/** What Lambda sends to an on-failure destination. */
interface FailureRecord {
  readonly version: '1.0';
  readonly timestamp: string;
  readonly requestContext: Record<string, unknown>;
  readonly requestPayload: unknown;
  readonly responseContext: Record<string, unknown>;
  readonly responsePayload: unknown;
}

export interface AsyncInvokerOptions {
  readonly settings: readonly AsyncSettings[];
  readonly invoke: (functionName: string, event: unknown) => Promise<InvocationResult>;
  /** Takes what is left of an event after its last try. */
  readonly onFailure: (destinationArn: string, record: FailureRecord) => void;
  /** Told when an event is dropped: its function failed and nothing is configured to take it. */
  readonly onDropped: (functionName: string, result: InvocationResult) => void;
}

/**
 * Asynchronous invocation: nobody waits, failures are tried again, then go to the on-failure destination.
 *
 * @see https://docs.aws.amazon.com/lambda/latest/dg/invocation-async-error-handling.html
 */
export class AsyncInvoker {
  readonly #options: AsyncInvokerOptions;
  readonly #timers = new Set<NodeJS.Timeout>();

  constructor(options: AsyncInvokerOptions) {
    this.#options = options;
  }

  invoke(functionName: string, event: unknown): void {
    void this.#try(functionName, event, 1);
  }

  /** Forgets the retries that are still to come. */
  stop(): void {
    for (const timer of this.#timers) clearTimeout(timer);
  }

  async #try(functionName: string, event: unknown, attempt: number): Promise<void> {
    let result: InvocationResult;
    try {
      result = await this.#options.invoke(functionName, event);
    } catch (refused) {
      if (!(refused instanceof AwsError)) throw refused;
      this.#later(THROTTLED_DELAY_MS, () => this.#try(functionName, event, attempt));
      return;
    }
    if (!result.failed) return;
    const settings = this.#options.settings.find((each) => each.functionName === functionName);
    if (attempt <= (settings?.retries ?? 2)) {
      const delay = RETRY_DELAYS_MS[attempt - 1] ?? RETRY_DELAYS_MS.at(-1) ?? 0;
      this.#later(delay, () => this.#try(functionName, event, attempt + 1));
    } else if (settings?.onFailureArn === undefined) {
      this.#options.onDropped(functionName, result);
    } else {
      this.#options.onFailure(settings.onFailureArn, record(functionName, event, attempt, result));
    }
  }

  #later(delayMs: number, again: () => Promise<void>): void {
    const timer = setTimeout(() => {
      this.#timers.delete(timer);
      void again();
    }, delayMs);
    this.#timers.add(timer);
  }
}

function record(
  functionName: string,
  event: unknown,
  attempts: number,
  result: InvocationResult,
): FailureRecord {
  return {
    version: '1.0',
    timestamp: new Date().toISOString(),
    requestContext: {
      requestId: result.requestId,
      functionArn: functionName,
      condition: 'RetriesExhausted',
      approximateInvokeCount: attempts,
    },
    requestPayload: event,
    responseContext: { statusCode: 200, executedVersion: '$LATEST', functionError: 'Unhandled' },
    responsePayload: JSON.parse(result.payload),
  };
}
