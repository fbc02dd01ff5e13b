import type { LeadKey } from './action.ts';
import type { WaitingSubject } from './handoff.ts';

/** The source of this product's events, and the type of the one that a question to a person makes. */
export const EVENT_SOURCE = 'lead-handoff';
export const RECOVERY_OPENED = 'recovery.opened';

/** A person is asked. Ids, codes and the text of the recovery record; no personal data of the lead. */
export interface RecoveryOpened extends LeadKey {
  readonly action: WaitingSubject;
  /** Reason code. */
  readonly why: string;
  /** The address of the person who is asked. */
  readonly who: string;
  /** 0: the recovery owner is asked first; n: the n-th escalation. */
  readonly asked: number;
  readonly escalated: boolean;
  /** ISO 8601; null after the last escalation. */
  readonly dueAt: string | null;
  /** The recovery record as text. */
  readonly text: string;
}
