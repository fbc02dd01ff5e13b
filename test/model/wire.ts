import type { Outcome, Performed } from '../../functions/domain/outcome.ts';
import type { Clock } from '../../functions/ports/clock.ts';
import { DestinationUnreadable } from '../../functions/ports/destination-unreadable.ts';

/** What becomes of one write request on its way to the receiver and back. */
export type Fate =
  | { readonly kind: 'answered' }
  /** No byte left. */
  | { readonly kind: 'not-connected' }
  /** The request left and never arrives. */
  | { readonly kind: 'lost' }
  /** Applied at once, the answer is lost. */
  | { readonly kind: 'answer-lost' }
  /** The answer is lost, and the request is applied so much later. */
  | { readonly kind: 'lands-late'; readonly afterMs: number }
  | { readonly kind: 'rate-limited'; readonly retryAfterMs?: number }
  | { readonly kind: 'refused'; readonly reason: string };

export interface WriteRequest {
  readonly what: string;
  readonly identity: string;
}

export interface SeenRequest extends WriteRequest {
  readonly at: number;
  readonly fate: Fate['kind'];
}

/** Where a test takes a hand between a worker and a receiver. A hook may wait (a pause point) or throw (the process dies there). */
export interface WireHooks {
  beforeWrite?(request: WriteRequest): void | Promise<void>;
  afterWrite?(request: WriteRequest): void | Promise<void>;
  beforeRead?(what: string): void | Promise<void>;
}

/** The way to one receiver: it loses, delays and refuses as planned, and lands late requests when their time has come. */
export class Wire {
  readonly name: string;
  readonly clock: Clock;
  readonly readLagMs: number;
  readonly requests: SeenRequest[] = [];
  hooks: WireHooks = {};
  unreadable = false;
  readonly #fates: Fate[] = [];
  #landingAt: number | null = null;
  #late: { readonly at: number; readonly apply: () => void }[] = [];

  constructor(name: string, clock: Clock, readLagMs: number) {
    this.name = name;
    this.clock = clock;
    this.readLagMs = readLagMs;
  }

  /** The time at which the receiver applies what it is applying: a late request's own, not that of whoever looks next. */
  now(): number {
    return this.#landingAt ?? this.clock();
  }

  /** The fates of the next requests, in order; those after them are answered. */
  plan(...fates: Fate[]): void {
    this.#fates.push(...fates);
  }

  /** @param apply what the receiver does with the request, and its answer */
  async write(request: WriteRequest, apply: () => Outcome): Promise<Outcome> {
    await this.hooks.beforeWrite?.(request);
    this.land();
    const fate = this.#fates.shift() ?? { kind: 'answered' as const };
    this.requests.push({ ...request, at: this.clock(), fate: fate.kind });
    const outcome = this.#carry(fate, apply);
    await this.hooks.afterWrite?.(request);
    return outcome;
  }

  /** @throws DestinationUnreadable */
  async read<T>(what: string, look: (asOf: number) => T): Promise<T> {
    await this.hooks.beforeRead?.(what);
    this.land();
    if (this.unreadable) throw new DestinationUnreadable(this.name, 'timeout');
    return look(this.clock() - this.readLagMs);
  }

  /** Applies the late requests whose time has come. */
  land(): void {
    const due = this.#late.filter(({ at }) => at <= this.clock());
    this.#late = this.#late.filter(({ at }) => at > this.clock());
    for (const { at, apply } of due.sort((a, b) => a.at - b.at)) {
      this.#landingAt = at;
      apply();
    }
    this.#landingAt = null;
  }

  #carry(fate: Fate, apply: () => Outcome): Outcome {
    switch (fate.kind) {
      case 'answered':
        return apply();
      case 'not-connected':
        return { outcome: 'not-applied', reason: 'connect-refused', requestLeft: false };
      case 'lost':
        return { outcome: 'unknown', reason: 'timeout' };
      case 'answer-lost':
        apply();
        return { outcome: 'unknown', reason: 'timeout' };
      case 'lands-late':
        this.#late.push({ at: this.clock() + fate.afterMs, apply: () => void apply() });
        return { outcome: 'unknown', reason: 'timeout' };
      case 'rate-limited':
        return {
          outcome: 'not-applied',
          reason: 'rate-limited',
          requestLeft: true,
          ...(fate.retryAfterMs === undefined ? {} : { retryAfterMs: fate.retryAfterMs }),
        };
      case 'refused':
        return { outcome: 'refused', reason: fate.reason };
    }
  }
}

/** A success answer that names the record. */
export function receipt(wire: Wire, recordId: string, facts: Performed['evidence']['facts'] = {}): Performed {
  return {
    outcome: 'performed',
    evidence: {
      kind: 'receipt',
      destination: wire.name,
      recordId,
      readAt: wire.now(),
      facts: { status: 200, ...facts },
    },
  };
}
