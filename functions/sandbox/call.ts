import { APP_IDS, type Credential, type Keyring } from './auth.ts';
import { integration, type Source } from './property-history.ts';
import type { SandboxState } from './state.ts';
import type { Ids } from './wire.ts';

/** A request after routing, as a route's code sees it. */
export interface Call {
  readonly state: SandboxState;
  /** The moment at which the request takes effect, epoch milliseconds. */
  readonly now: number;
  readonly ids: Ids;
  readonly keyring: Keyring;
  readonly credential: Credential | null;
  /** The decoded variable parts of the path. */
  readonly params: readonly string[];
  readonly query: URLSearchParams;
  readonly headers: Readonly<Record<string, string | undefined>>;
  readonly rawBody: string;
}

/** The parsed body; undefined when it is not JSON. */
export function jsonBody(call: Pick<Call, 'rawBody'>): unknown {
  try {
    return JSON.parse(call.rawBody);
  } catch {
    return undefined;
  }
}

/** The variable part of the path at this position; '' when there is none. */
export function param(call: Pick<Call, 'params'>, position: number): string {
  return call.params[position] ?? '';
}

/** A list that clients send either as `a,b` or as a repeated parameter. */
export function listParameter(query: URLSearchParams, name: string): string[] {
  return query
    .getAll(name)
    .flatMap((value) => value.split(','))
    .map((value) => value.trim())
    .filter((value) => value !== '');
}

/** Whom a property's history names for a write by this request: the app whose key it carries. */
export function writerOf(call: Pick<Call, 'credential'>): Source {
  return integration(APP_IDS[call.credential ?? 'full']);
}
