import type { GenericSchema } from 'valibot';
import { DestinationUnreadable } from '../../ports/destination-unreadable.ts';
import { type DestinationOptions, TokenTimeout, tokenWithin } from './destination-options.ts';
import { callOnce, type HttpAnswer } from './effect-aware-client.ts';
import { failureCode } from './failure-code.ts';
import { jsonOf, parsed } from './json.ts';

/** One request of a read. */
export interface ReadRequest {
  readonly method: 'GET' | 'POST';
  /** Path and query, below the base URL. */
  readonly path: string;
  readonly label: string;
  readonly body?: string;
}

/** The requests of one read, which share its time. */
export interface ReadSession {
  /** Null where the destination says, in its own words, that there is no such record. */
  ask<T>(request: ReadRequest, schema: GenericSchema<unknown, T>): Promise<T | null>;
}

/** Who is read, and how it says that a record does not exist. A 404 that it did not write proves no absence. */
export interface ReadDestination {
  readonly name: string;
  readonly saysNotFound: (body: unknown) => boolean;
}

/**
 * Starts a read: every request of the session counts against the one `timeoutMs`.
 *
 * `ask` throws DestinationUnreadable with code `secret-unavailable`, `credentials` (401, 403), `rate-limited` (429),
 * `status-<n>`, `unparsable`, or one of the failure codes.
 */
export function readSession(destination: ReadDestination, options: DestinationOptions): ReadSession {
  const endsAt = options.clock() + options.timeoutMs;
  const timeLeft = () => endsAt - options.clock();
  const unreadable = (code: string) => new DestinationUnreadable(destination.name, code);

  const answerTo = async (request: ReadRequest): Promise<HttpAnswer> => {
    const token = await tokenWithin(options.token, timeLeft()).catch((error) => {
      throw unreadable(error instanceof TokenTimeout ? 'timeout' : 'secret-unavailable');
    });
    return callOnce({
      method: request.method,
      url: `${options.baseUrl}${request.path}`,
      label: request.label,
      headers: { authorization: `Bearer ${token}` },
      ...(request.body === undefined ? {} : { body: request.body }),
      timeoutMs: timeLeft(),
    }).catch((error) => {
      throw unreadable(failureCode(error));
    });
  };

  return {
    async ask(request, schema) {
      const answer = await answerTo(request);
      if (answer.status === 404 && destination.saysNotFound(jsonOf(answer.text))) return null;
      if (answer.status !== 200) throw unreadable(statusCode(answer.status));
      const body = parsed(schema, answer.text);
      if (body === undefined) throw unreadable('unparsable');
      return body;
    },
  };
}

function statusCode(status: number): string {
  if (status === 401 || status === 403) return 'credentials';
  return status === 429 ? 'rate-limited' : `status-${status}`;
}
