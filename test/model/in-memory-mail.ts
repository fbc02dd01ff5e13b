import type { Outcome } from '../../functions/domain/outcome.ts';
import type { Clock } from '../../functions/ports/clock.ts';
import type { WriteCall } from '../../functions/ports/contacts.ts';
import type { EmailMessage, EmailReader, EmailSender, SentEmail } from '../../functions/ports/emails.ts';
import { receipt, Wire } from './wire.ts';

export interface SentMessage {
  readonly id: string;
  readonly at: number;
  readonly key: string;
  readonly message: EmailMessage;
}

export interface MailOptions {
  readonly keyWindowMs: number;
  readonly readLagMs: number;
}

/** A mail sender that knows a key for a while: the same bytes are sent once, other bytes under it are refused. */
export class InMemoryMail implements EmailReader, EmailSender {
  readonly wire: Wire;
  readonly sent: SentMessage[] = [];
  readonly #keyWindowMs: number;
  readonly #keys = new Map<string, { readonly bytes: string; readonly at: number; readonly id: string }>();

  constructor(clock: Clock, { keyWindowMs, readLagMs }: MailOptions) {
    this.wire = new Wire('resend', clock, readLagMs);
    this.#keyWindowMs = keyWindowMs;
  }

  encode(message: EmailMessage): string {
    return JSON.stringify(message);
  }

  send(bytes: string, { identity }: WriteCall): Promise<Outcome> {
    return this.wire.write({ what: 'send', identity }, () => {
      const now = this.wire.now();
      const known = this.#keys.get(identity);
      if (known && now < known.at + this.#keyWindowMs) {
        return known.bytes === bytes
          ? receipt(this.wire, known.id)
          : { outcome: 'unknown', reason: 'key-used-with-other-bytes' };
      }
      const id = `email-${this.sent.length + 1}`;
      this.sent.push({ id, at: now, key: identity, message: JSON.parse(bytes) });
      this.#keys.set(identity, { bytes, at: now, id });
      return receipt(this.wire, id);
    });
  }

  findById(id: string, to: string): Promise<SentEmail> {
    return this.wire.read('sent message', (asOf) => {
      const found = this.sent.find((one) => one.at <= asOf && one.id === id && one.message.to === to);
      return found ? { kind: 'sent', id, createdAt: found.at, lastEvent: 'delivered' } : { kind: 'none' };
    });
  }

  findSent(message: EmailMessage, since: number): Promise<SentEmail> {
    return this.wire.read('sent messages', (asOf) => {
      const found = this.sent.findLast(
        (one) => one.at <= asOf && one.at >= since && this.encode(one.message) === this.encode(message),
      );
      return found
        ? { kind: 'sent', id: found.id, createdAt: found.at, lastEvent: 'delivered' }
        : { kind: 'none' };
    });
  }
}
