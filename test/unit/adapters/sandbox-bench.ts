import { startSandboxServer } from '../../../functions/sandbox/server.ts';
import type { SettingsInput } from '../../../functions/sandbox/settings.ts';

export interface Inspected {
  readonly contacts: readonly {
    readonly id: string;
    readonly email: string;
    readonly ownerId: string | null;
  }[];
  readonly tasks: readonly { readonly id: string }[];
  readonly emails: readonly { readonly id: string; readonly subject: string }[];
  readonly requests: readonly { readonly method: string; readonly path: string; readonly applied: boolean }[];
}

/** A sandbox whose clock stands still until the test moves it. */
export interface SandboxBench {
  readonly hubspotUrl: string;
  readonly resendUrl: string;
  readonly clock: () => number;
  advance(ms: number): void;
  readonly token: (use: 'read' | 'write' | 'full') => () => Promise<string>;
  plan(fault: object): Promise<void>;
  /** What a person does in the vendor's screens. */
  person<T>(deed: string, input: object): Promise<T>;
  inspect(): Promise<Inspected>;
  close(): Promise<void>;
}

const BEARER = 'sandbox-secret';

export async function sandboxBench(settings: SettingsInput = {}): Promise<SandboxBench> {
  let now = Date.UTC(2026, 0, 5, 12);
  const clock = () => now;
  const server = await startSandboxServer({ port: 0, bearer: BEARER, settings, clock });
  const control = async (method: string, path: string, body?: object) => {
    const answer = await fetch(`${server.url}${path}`, {
      method,
      headers: { connection: 'close' },
      ...(body ? { body: JSON.stringify(body) } : {}),
    });
    if (!answer.ok) throw new Error(`${path}: ${await answer.text()}`);
    return answer.json();
  };
  return {
    hubspotUrl: `${server.url}/hubspot`,
    resendUrl: `${server.url}/resend`,
    clock,
    advance: (ms) => {
      now += ms;
    },
    token: (use) => async () => (use === 'full' ? BEARER : `${BEARER}.${use}`),
    plan: async (fault) => void (await control('POST', '/faults', fault)),
    person: async <T>(deed: string, input: object) => (await control('POST', `/people/${deed}`, input)) as T,
    inspect: async () => (await control('GET', '/inspect')) as Inspected,
    close: () => server.close(),
  };
}
