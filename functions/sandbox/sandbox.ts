import { createKeyring } from './auth.ts';
import type { Call } from './call.ts';
import { handleControl } from './control.ts';
import { record } from './request-log.ts';
import { type Match, matchRoute } from './routes.ts';
import { defaultSettings, type SettingsInput, withSettings } from './settings.ts';
import { createState, type SandboxState } from './state.ts';
import { operationOf, serveVendor } from './vendor-request.ts';
import {
  ANSWER,
  type Answer,
  type Clock,
  type Ids,
  type SandboxRequest,
  type SandboxResponse,
} from './wire.ts';

export interface SandboxOptions {
  readonly clock: Clock;
  /** Makes UUIDs; everything random comes from here. */
  readonly ids: Ids;
  /** The secret S; the keys are S, `S.read` and `S.write`. */
  readonly bearer: string;
  /** When set, the control API wants it as a bearer token; when not, the control API is open. */
  readonly controlToken?: string;
  readonly settings?: SettingsInput;
}

export interface Sandbox {
  handle(request: SandboxRequest): Promise<SandboxResponse>;
}

/** Holds the state while requests come in, and replaces it at a reset. */
export interface Workbench {
  state: SandboxState;
  readonly initialSettings: SettingsInput;
  readonly clock: Clock;
  readonly ids: Ids;
  readonly controlToken: string | undefined;
}

/** One sandbox destination, without a network. Throws a `TypeError` without a `bearer`. */
export function createSandbox(options: SandboxOptions): Sandbox {
  const keyring = createKeyring(options.bearer);
  const initialSettings = options.settings ?? {};
  const bench: Workbench = {
    state: createState(withSettings(defaultSettings, initialSettings)),
    initialSettings,
    clock: options.clock,
    ids: options.ids,
    controlToken: options.controlToken,
  };
  return {
    handle: async (request) => {
      const now = bench.clock();
      landDueEffects(bench.state, now);
      const [path = '', query = ''] = split(request.target);
      const match = matchRoute(request.method, path);
      if (!match)
        return onTheWire({ answer: handleControl(bench, request, path), delivery: ANSWER }, null, null);
      const call: Call = {
        state: bench.state,
        now,
        ids: bench.ids,
        keyring,
        credential: keyring.identify(request.headers.authorization),
        params: match.params,
        query: new URLSearchParams(query),
        headers: request.headers,
        rawBody: request.body,
      };
      return serve(match, call, request, path);
    },
  };
}

function serve(match: Match, call: Call, request: SandboxRequest, path: string): SandboxResponse {
  const entry = record(call.state.log, {
    at: new Date(call.now).toISOString(),
    method: request.method,
    path,
    operation: operationOf(match, call),
    credential: call.credential,
    status: null,
    applied: false,
  });
  const outgoing = serveVendor(match, call, request.target, entry);
  return onTheWire(outgoing, entry.operation, entry.fault ?? null);
}

/** Effects that were given up on land at their time, in order, before anything later is looked at. */
function landDueEffects(state: SandboxState, now: number): void {
  const due = state.lateEffects.filter(({ dueAt }) => dueAt <= now).sort((a, b) => a.dueAt - b.dueAt);
  if (due.length === 0) return;
  const waiting = state.lateEffects.filter(({ dueAt }) => dueAt > now);
  state.lateEffects.splice(0, state.lateEffects.length, ...waiting);
  for (const { dueAt, land } of due) land(dueAt);
}

function split(target: string): [string, string] {
  const mark = target.indexOf('?');
  return mark === -1 ? [target, ''] : [target.slice(0, mark), target.slice(mark + 1)];
}

function onTheWire(
  { answer, delivery }: { answer: Answer; delivery: SandboxResponse['delivery'] },
  operation: string | null,
  fault: string | null,
): SandboxResponse {
  const hasBody = answer.body !== undefined;
  return {
    status: answer.status,
    headers: { ...(hasBody ? { 'content-type': 'application/json;charset=utf-8' } : {}), ...answer.headers },
    body: !hasBody ? '' : answer.raw ? String(answer.body) : JSON.stringify(answer.body),
    delivery,
    about: { operation, fault },
  };
}
