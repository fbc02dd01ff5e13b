import type { ActionName } from '../../domain/action.ts';
import type { Outcome } from '../../domain/outcome.ts';
import { DestinationUnreadable } from '../../ports/destination-unreadable.ts';
import type { Perform } from '../attempt.ts';
import type { Freeze } from '../prepare.ts';

/** What is particular to one action: how its operation is frozen, and how it calls the destination. */
export interface ActionSteps<A extends ActionName> {
  readonly freeze: Freeze<A>;
  readonly perform: Perform<A>;
}

/** A read before the write that gave no answer: nothing was changed, so the attempt had no effect. */
export async function unlessUnreadable(read: () => Promise<Outcome>): Promise<Outcome> {
  try {
    return await read();
  } catch (error) {
    if (!(error instanceof DestinationUnreadable)) throw error;
    return {
      outcome: 'not-applied',
      reason: `${error.destination}-unreadable-${error.code}`,
      requestLeft: false,
    };
  }
}
