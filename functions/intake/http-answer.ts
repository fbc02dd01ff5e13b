import type { APIGatewayProxyStructuredResultV2 } from 'aws-lambda';
import { SecretUnavailable } from '../adapters/secrets.ts';
import { LeadConflict, UnderInvestigation } from '../domain/errors.ts';
import { InvalidLeadRequest } from '../domain/lead-request.ts';
import { EventsUnavailable } from '../ports/events.ts';
import { LedgerUnavailable } from '../ports/ledger.ts';
import { WorkflowUnavailable } from '../ports/workflow.ts';
import type { Accepted } from './accept-lead.ts';

/** What a sender is told of a request that was not accepted (RFC 9457); it repeats nothing that was sent. */
export interface Problem {
  readonly title: string;
  readonly status: number;
  /** The field of the lead request that is wrong. */
  readonly field?: string;
}

/** Seconds after which a sender may try again. */
const RETRY_AFTER = '5';

export type HttpAnswer = APIGatewayProxyStructuredResultV2 & { readonly statusCode: number };

export function acceptedAnswer({ leadRequestId, status }: Accepted): HttpAnswer {
  const headers = { 'content-type': 'application/json' };
  return { statusCode: 202, headers, body: JSON.stringify({ leadRequestId, status }) };
}

export function problem(status: number, title: string, field?: string): HttpAnswer {
  const body: Problem = { title, status, ...(field === undefined ? {} : { field }) };
  const headers = {
    'content-type': 'application/problem+json',
    ...(status === 503 ? { 'retry-after': RETRY_AFTER } : {}),
  };
  return { statusCode: status, headers, body: JSON.stringify(body) };
}

const NO_ANSWER = [LedgerUnavailable, WorkflowUnavailable, EventsUnavailable, SecretUnavailable];

/** The answer to a request that ended with this error; null for an error that no sender can do anything about. */
export function answerToError(error: unknown): HttpAnswer | null {
  if (error instanceof InvalidLeadRequest) return problem(400, error.message, error.field);
  if (error instanceof LeadConflict || error instanceof UnderInvestigation) {
    return problem(409, error.message, 'leadRequestId');
  }
  if (NO_ANSWER.some((kind) => error instanceof kind)) {
    return problem(503, 'The lead request could not be accepted now; send the same again.');
  }
  return null;
}
