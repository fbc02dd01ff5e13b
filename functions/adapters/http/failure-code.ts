import { CLOSED, DEADLINE, HttpCallFailed, TOO_LARGE } from './http-call-failed.ts';

/** The reasons that a call without an answer can have, for outcomes and for unreadable destinations. */
export type FailureCode =
  | 'request-invalid'
  | 'deadline-passed'
  | 'resolve-failed'
  | 'connect-refused'
  | 'connect-failed'
  | 'connect-timeout'
  | 'tls-failed'
  | 'timeout'
  | 'connection-reset'
  | 'connection-failed'
  | 'response-too-large'
  | 'unparsable';

/** What a failed call is called in a reason: a short code, free of hosts and personal data. */
export function failureCode(error: unknown): FailureCode {
  if (!(error instanceof HttpCallFailed)) return 'request-invalid';
  return error.requestLeft ? codeAfterSend(error) : codeBeforeSend(error);
}

function codeBeforeSend({ phase, code }: HttpCallFailed): FailureCode {
  if (code === DEADLINE) return 'connect-timeout';
  if (code.startsWith('ERR_INVALID') || code === 'ERR_UNESCAPED_CHARACTERS') return 'request-invalid';
  if (phase === 'resolve') return 'resolve-failed';
  if (phase === 'tls') return 'tls-failed';
  return code === 'ECONNREFUSED' ? 'connect-refused' : 'connect-failed';
}

function codeAfterSend({ code }: HttpCallFailed): FailureCode {
  if (code === DEADLINE) return 'timeout';
  if (code === TOO_LARGE) return 'response-too-large';
  if (code.startsWith('HPE_')) return 'unparsable';
  return [CLOSED, 'ECONNRESET', 'ECONNABORTED', 'EPIPE'].includes(code)
    ? 'connection-reset'
    : 'connection-failed';
}
