import type { EmailMessage, SentEmail } from '../domain/destination-records.ts';
import type { Outcome } from '../domain/outcome.ts';
import type { WriteCall } from './contacts.ts';

export type { EmailMessage, SentEmail } from '../domain/destination-records.ts';

/** Throws `DestinationUnreadable`. */
export interface EmailReader {
  /** Searches the sent messages back to `since` (epoch milliseconds) for one that equals `message`, text and html included. */
  findSent(message: EmailMessage, since: number): Promise<SentEmail>;
  /** The message of that id, where `to` is its one recipient; `none` otherwise. */
  findById(id: string, to: string): Promise<SentEmail>;
}

/** One request per call, never retried, never thrown. */
export interface EmailSender {
  /** The exact bytes of the request, frozen with the operation because the receiver compares them. */
  encode(message: EmailMessage): string;
  send(body: string, call: WriteCall): Promise<Outcome>;
}
