import type { EmailSender } from '../../ports/emails.ts';
import type { DestinationOptions } from '../http/destination-options.ts';
import { writeOnce } from '../http/write-once.ts';
import { classify } from './classify.ts';

/**
 * Sends through Resend under the operation's identity as idempotency key: one request per call, never retried, never thrown. The
 * reasons are those of `writeOnce` and `classify`.
 *
 * @see https://resend.com/docs/api-reference/emails/send-email
 * @see https://resend.com/docs/dashboard/emails/idempotency-keys
 */
export function resendSender(options: DestinationOptions): EmailSender {
  return {
    /** Always the same text for the same message: Resend compares the bytes that come under one key. */
    encode(message) {
      return JSON.stringify({
        from: message.from,
        to: [message.to],
        reply_to: message.replyTo,
        subject: message.subject,
        text: message.text,
        html: message.html,
      });
    },
    async send(body, call) {
      const written = await writeOnce(options, call, {
        method: 'POST',
        path: '/emails',
        label: '/emails',
        headers: { 'idempotency-key': call.identity },
        body,
      });
      return 'outcome' in written ? written.outcome : classify(written.answer, options.clock());
    },
  };
}
