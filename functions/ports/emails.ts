import type { Outcome } from '../domain/outcome.ts';
import type { WriteCall } from './contacts.ts';

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

/** Throws `DestinationUnreadable`. */
export interface EmailReader {
  /** Searches the sent messages back to `since` (epoch milliseconds) for one that equals `message`, text and html included. */
  findSent(message: EmailMessage, since: number): Promise<SentEmail>;
}

/** One request per call, never retried, never thrown. */
export interface EmailSender {
  /** The exact bytes of the request, frozen with the operation because the receiver compares them. */
  encode(message: EmailMessage): string;
  send(body: string, call: WriteCall): Promise<Outcome>;
}
