import { bearerToken, sameText } from './auth.ts';
import { ControlRefusal, check } from './control-schema.ts';
import { faultSchema, type PlannedFault, plan } from './faults.ts';
import { inspect } from './inspect.ts';
import { act } from './people.ts';
import { reset } from './reset.ts';
import type { Workbench } from './sandbox.ts';
import { settingsSchema, withSettings } from './settings.ts';
import type { Answer, SandboxRequest } from './wire.ts';

/** The sandbox's own API: look inside, plan faults, play people, start over. Errors are `{error}`, one sentence. */
export function handleControl(bench: Workbench, request: SandboxRequest, path: string): Answer {
  try {
    authorize(bench, request);
    return { status: 200, body: dispatch(bench, request, path), applied: false };
  } catch (error) {
    if (!(error instanceof ControlRefusal)) throw error;
    return { status: error.status, body: { error: error.message }, applied: false };
  }
}

function authorize({ controlToken }: Workbench, { headers }: SandboxRequest): void {
  if (controlToken === undefined) return;
  const token = bearerToken(headers.authorization);
  if (token === null || !sameText(token, controlToken)) {
    throw new ControlRefusal(401, 'The control API needs the control token as a bearer token.');
  }
}

function dispatch(bench: Workbench, request: SandboxRequest, path: string): unknown {
  const [, personAction] = /^\/people\/([a-z-]+)$/.exec(path) ?? [];
  if (personAction !== undefined) {
    requireMethod(request, 'POST');
    return act(bench.state, personAction, bodyOf(request), bench.clock());
  }
  switch (path) {
    case '/inspect':
      requireMethod(request, 'GET');
      return inspect(bench.state);
    case '/faults':
      requireMethod(request, 'GET', 'POST', 'DELETE');
      return faults(bench, request);
    case '/settings':
      requireMethod(request, 'POST');
      bench.state.settings = withSettings(bench.state.settings, check(settingsSchema, bodyOf(request)));
      return { settings: bench.state.settings };
    case '/reset':
      requireMethod(request, 'POST');
      return reset(bench, request.body.trim() === '' ? {} : bodyOf(request));
    default:
      throw new ControlRefusal(404, `The sandbox has no ${path}.`);
  }
}

function faults({ state }: Workbench, request: SandboxRequest): unknown {
  if (request.method === 'POST') {
    const body = bodyOf(request);
    const planned = (Array.isArray(body) ? body : [body]).map((one) => plan(check(faultSchema, one)));
    state.faults.push(...planned);
  }
  if (request.method === 'DELETE') state.faults.length = 0;
  return { faults: state.faults.map(faultOnTheWire) };
}

function faultOnTheWire({ fault, skipsLeft, timesLeft }: PlannedFault): Record<string, unknown> {
  return { ...fault, skip: skipsLeft, times: timesLeft };
}

function bodyOf({ body }: SandboxRequest): unknown {
  try {
    return JSON.parse(body);
  } catch {
    throw new ControlRefusal(400, 'The body is wrong: it is not JSON.');
  }
}

function requireMethod({ method }: SandboxRequest, ...allowed: readonly string[]): void {
  if (!allowed.includes(method)) throw new ControlRefusal(405, `Only ${allowed.join(', ')} works here.`);
}
