import type { LeadKey } from '../../functions/domain/action.ts';
import type { WaitingSubject } from '../../functions/domain/handoff.ts';
import type { ActionEvent } from '../../functions/domain/transition.ts';

/** One conditional write of the ledger, as a hook sees it. */
export interface LedgerWrite {
  readonly what:
    | 'apply'
    | 'freeze'
    | 'accept'
    | 'conflict'
    | 'amend'
    | 'take-fence'
    | 'draw-ticket'
    | 'claim-person'
    | 'release-person'
    | 'join'
    | 'add-dead-letter'
    | 'resolve-dead-letter'
    | 'close'
    | 'put-waiting'
    | 'remove-waiting';
  readonly key: LeadKey;
  readonly action: WaitingSubject | null;
  readonly event: ActionEvent['type'] | null;
}

/**
 * What goes wrong with a write.
 *
 * `before`: it never arrives. `after`: it is applied and its answer is lost. `met-again`: it is applied, its answer is lost, and the
 * SDK's own retry meets it.
 */
export type WriteFault = 'before' | 'after' | 'met-again';

/** Where a test takes a hand in the ledger. A hook may wait (a pause point) or throw (the process dies there). */
export interface LedgerHooks {
  fault?(write: LedgerWrite): WriteFault | null;
  beforeWrite?(write: LedgerWrite): void | Promise<void>;
  afterWrite?(write: LedgerWrite): void | Promise<void>;
  /** True: this read gives no answer. */
  readFails?(
    what: 'handoff' | 'action' | 'record' | 'operation' | 'waiting' | 'open' | 'gates' | 'under-id',
  ): boolean;
}

/** A fault for the next write that matches, and for no other. */
export function once(fault: WriteFault, matches: (write: LedgerWrite) => boolean): LedgerHooks {
  let used = false;
  return {
    fault(write) {
      if (used || !matches(write)) return null;
      used = true;
      return fault;
    },
  };
}

/** Matches the write of one event of an action. */
export function writeOf(event: ActionEvent['type']) {
  return (write: LedgerWrite) => write.event === event;
}
