/** One value the owner field has had, as the CRM's own history tells it. */
export interface OwnerChange {
  readonly ownerId: string | null;
  /** Epoch milliseconds of the CRM's clock. Compare only with other times of the same CRM. */
  readonly at: number;
  /** Who wrote it, as a code of the CRM (`INTEGRATION` for the API, `CRM_UI` for a person, …). */
  readonly source: string;
}

/** A contact as the CRM shows it now. */
export interface ContactSnapshot {
  /** The id under which the record lives now; after a merge, the survivor's. */
  readonly id: string;
  readonly archived: boolean;
  readonly email: string | null;
  /** Non-empty property values by the CRM's property name. */
  readonly properties: Readonly<Record<string, string>>;
  readonly ownerId: string | null;
  /** Newest first. */
  readonly ownerHistory: readonly OwnerChange[];
  readonly optedOut: boolean;
}

/** The frozen task. */
export interface TaskBody {
  readonly contactId: string;
  readonly ownerId: string | null;
  /** Unique text by which the task is found again: the operation's identity. */
  readonly stamp: string;
  readonly subject: string;
  readonly body: string;
  /** Epoch milliseconds, computed once when the task was frozen. */
  readonly dueAt: number;
}

/** A task as the CRM shows it now. */
export interface TaskSnapshot {
  readonly id: string;
  readonly archived: boolean;
  readonly completed: boolean;
  readonly contactIds: readonly string[];
}

/** The introduction as a message, before it becomes a vendor's bytes. */
export interface EmailMessage {
  readonly from: string;
  readonly replyTo: string;
  readonly to: string;
  readonly subject: string;
  readonly text: string;
  readonly html: string;
}

/** What was found of a message in the mail sender's own records. */
export type SentEmail =
  | {
      readonly kind: 'sent';
      readonly id: string;
      /** Epoch milliseconds of the sender's clock. */
      readonly createdAt: number;
      readonly lastEvent: string | null;
    }
  /** Accepted but not on its way: scheduled, queued or cancelled. */
  | { readonly kind: 'pending'; readonly id: string; readonly lastEvent: string | null }
  | { readonly kind: 'none' }
  /** The sender's list is longer than we read: nothing can be concluded. */
  | { readonly kind: 'page-cap' };
