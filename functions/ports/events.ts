import type { RecoveryOpened } from '../domain/recovery-opened.ts';

/** Tells the outside that something happened; who listens is not known here. */
export interface Events {
  /** @throws EventsUnavailable */
  publish(event: RecoveryOpened): Promise<void>;
}

/** The event was not accepted, or nobody knows whether it was. Publishing it again is safe: people may read it twice. */
export class EventsUnavailable extends Error {
  override readonly name = 'EventsUnavailable';

  constructor(cause: unknown) {
    super('The event could not be published.', { cause });
  }
}
