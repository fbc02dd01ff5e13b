import type { Clock } from './clock.ts';
import { StateFailure } from './errors.ts';
import type { Json } from './json.ts';

/**
 * One history event, in the shape that GetExecutionHistory has on the wire: `timestamp` is in seconds since
 * the epoch (with a fraction), values are JSON texts, and the details sit under `<kind>EventDetails`.
 * https://docs.aws.amazon.com/step-functions/latest/apireference/API_HistoryEvent.html
 */
export interface HistoryEvent {
  type: string;
  id: number;
  previousEventId: number;
  timestamp: number;
  [details: `${string}EventDetails`]: EventDetails;
}

export type EventDetails = { [key: string]: unknown };

/** Events per execution, the closing one included. https://docs.aws.amazon.com/step-functions/latest/dg/service-quotas.html */
export const HISTORY_LIMIT = 25_000;

/** Numbers the events of one execution and hands them on. */
export class History {
  lastId: number;
  readonly #clock: Clock;
  readonly #onEvent: (event: HistoryEvent) => void;

  /** @param lastId number of events that the execution already has (0 for a new one) */
  constructor(clock: Clock, onEvent: (event: HistoryEvent) => void, lastId: number) {
    this.#clock = clock;
    this.#onEvent = onEvent;
    this.lastId = lastId;
  }

  /**
   * Adds an event and returns its id. The last place is kept for the event that closes the execution.
   * @throws StateFailure `States.Runtime`, uncatchable, when the history is full
   */
  add(type: string, previousEventId: number, details?: [kind: string, details: EventDetails]): number {
    if (this.lastId >= HISTORY_LIMIT - 1) {
      throw new StateFailure(
        'States.Runtime',
        `The execution reached the maximum number of history events (${HISTORY_LIMIT}).`,
        { uncatchable: true },
      );
    }
    return this.close(type, previousEventId, details);
  }

  /** Adds the event that closes the execution; it always has a place. */
  close(type: string, previousEventId: number, details?: [kind: string, details: EventDetails]): number {
    this.lastId += 1;
    const event: HistoryEvent = {
      type,
      id: this.lastId,
      previousEventId,
      timestamp: this.#clock.now() / 1000,
    };
    if (details) event[`${details[0]}EventDetails`] = withoutUndefined(details[1]);
    this.#onEvent(event);
    return this.lastId;
  }
}

/** An input as event details hold it. */
export function inputText(input: Json): EventDetails {
  return { input: JSON.stringify(input), inputDetails: { truncated: false } };
}

/** An output as event details hold it. */
export function outputText(output: Json): EventDetails {
  return { output: JSON.stringify(output), outputDetails: { truncated: false } };
}

function withoutUndefined(details: EventDetails): EventDetails {
  return Object.fromEntries(Object.entries(details).filter(([, value]) => value !== undefined));
}
