import type { ReceiverContract } from '../../domain/contract.ts';
import type { StageNumbers } from '../../domain/stage-numbers.ts';

export const RESEND = 'resend';

/**
 * A send under a key that Resend has seen within its window is answered with the first send's answer, and not sent again; the key
 * with other bytes is refused.
 */
export function resendContract(numbers: StageNumbers): ReceiverContract {
  return {
    destination: RESEND,
    kind: 'idempotency-key',
    keyWindowMs: numbers.keyWindowMs,
    keyWindowMarginMs: numbers.keyWindowMarginMs,
    landingBoundMs: numbers.landingBoundMs,
    readLagMs: numbers.readLagMs,
    readCredentialException:
      'Resend has no read-only API key: reading sent mail needs a full-access key, so the reader is trusted to send nothing but GET requests with it.',
    sources: [
      'https://resend.com/docs/dashboard/emails/idempotency-keys',
      'https://resend.com/docs/api-reference/errors',
      'https://resend.com/docs/api-reference/emails/list-emails',
      'https://resend.com/docs/api-reference/emails/retrieve-email',
      'https://resend.com/docs/api-reference/pagination',
    ],
  };
}
