import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { DynamoDBLedger } from '../../../functions/adapters/dynamodb/ledger.ts';
import type { ActionName } from '../../../functions/domain/action.ts';
import type { LedgerRecord } from '../../../functions/domain/handoff.ts';
import { handoffStatus } from '../../../functions/domain/handoff.ts';
import type { Ledger } from '../../../functions/ports/ledger.ts';
import type { SandboxServer } from '../../../functions/sandbox/server.ts';
import { type Engine, type EngineOptions, SANDBOX_SETTINGS, startEngine } from '../../../local/engine.ts';
import { SANDBOX_BEARER, startSandbox } from '../../../local/sandbox.ts';
import { assemblyWith } from './assembly-copy.ts';

/** The synthesized stack of stage `local`, run by real processes, with what tests ask it. */

export const ROUTE = 'website';

export const functionNames = {
  start: 'lead-handoff-local-start',
  action: (action: ActionName) => `lead-handoff-local-${action}`,
};

/** A lead that nobody else in these tests has. */
export function leadOf(leadRequestId: string) {
  return {
    leadRequestId,
    email: `${leadRequestId}@example.com`,
    firstName: 'Zofia',
    lastName: 'Wiśniewska',
    company: 'Młyn Parowy',
    phone: '+1 555 0199',
    message: 'Please call me back about the mill.',
  };
}

/** What the sandbox shows of one lead. */
export interface Effects {
  readonly contacts: number;
  readonly ownerWrites: number;
  readonly tasks: number;
  readonly emails: number;
}

export const ONE_OF_EACH: Effects = { contacts: 1, ownerWrites: 1, tasks: 1, emails: 1 };

interface Inspected {
  contacts: {
    id: string;
    email: string;
    ownerId: string | null;
    ownerHistory: { value: string; sourceType: string }[];
  }[];
  tasks: { id: string; contactIds: string[] }[];
  emails: { id: string; to: string[]; from: string; key: string | null }[];
  requests: { operation: string | null; fault?: string; applied: boolean; status: number | null }[];
}

export class Destination {
  readonly url: string;
  constructor(url: string) {
    this.url = url;
  }

  async inspect(): Promise<Inspected> {
    return (await (await fetch(`${this.url}/inspect`)).json()) as Inspected;
  }

  async plan(...faults: object[]): Promise<void> {
    await this.post('/faults', faults);
  }

  async post(path: string, body: unknown): Promise<void> {
    const response = await fetch(`${this.url}${path}`, { method: 'POST', body: JSON.stringify(body) });
    if (!response.ok) throw new Error(await response.text());
  }

  async effects(email: string): Promise<Effects> {
    const { contacts, tasks, emails } = await this.inspect();
    const mine = contacts.filter((contact) => contact.email === email);
    const ids = mine.map(({ id }) => id);
    return {
      contacts: mine.length,
      ownerWrites: mine.flatMap(({ ownerHistory }) =>
        ownerHistory.filter(({ sourceType }) => sourceType === 'INTEGRATION'),
      ).length,
      tasks: tasks.filter(({ contactIds }) => contactIds.some((id) => ids.includes(id))).length,
      emails: emails.filter(({ to }) => to.includes(email)).length,
    };
  }
}

export interface Stack {
  readonly engine: Engine;
  readonly destination: Destination;
  readonly ledger: Ledger;
}

type StackOptions = Pick<EngineOptions, 'maxProcessesPerFunction'>;

export async function startStack(options: StackOptions = {}): Promise<Stack> {
  const sandbox = await startSandbox({ port: 0, bearer: SANDBOX_BEARER, settings: SANDBOX_SETTINGS });
  const engine = await startEngineWith(sandbox, options).catch(async (error: unknown) => {
    await sandbox.close();
    throw error;
  });
  return { engine, destination: new Destination(sandbox.url), ledger: ledgerAt(engine.url) };
}

/** An engine that ends its sandbox when it stops. */
async function startEngineWith(sandbox: SandboxServer, options: StackOptions): Promise<Engine> {
  const assembly = await assemblyWith(sandbox.url);
  const engine = await startEngine({
    ...options,
    port: 0,
    sandboxUrl: sandbox.url,
    sandboxBearer: SANDBOX_BEARER,
    assembly: assembly.directory,
  }).catch((error: unknown) => {
    assembly.remove();
    throw error;
  });
  let stopping: Promise<void> | undefined;
  const stop = async () => {
    try {
      await engine.stop();
    } finally {
      assembly.remove();
      await sandbox.close();
    }
  };
  return {
    ...engine,
    stop: () => {
      stopping ??= stop();
      return stopping;
    },
  };
}

export function ledgerAt(endpoint: string): Ledger {
  const client = new DynamoDBClient({
    endpoint,
    region: 'us-east-1',
    credentials: { accessKeyId: 'local', secretAccessKey: 'local' },
  });
  return new DynamoDBLedger(client, 'lead-handoff-local-ledger');
}

export async function submit({ engine }: Stack, lead: object): Promise<Record<string, unknown>> {
  const { payload } = await engine.invoke(functionNames.start, { route: ROUTE, lead });
  return JSON.parse(payload) as Record<string, unknown>;
}

/** As long as a test waits for anything, in milliseconds. */
export const WITHIN_MS = 60_000;

/** Looks every few milliseconds; how long it takes changes nothing in what is found. */
export async function until<T>(
  what: string,
  look: () => Promise<T | null | undefined | false> | T | null | undefined | false,
  withinMs = WITHIN_MS,
  everyMs = 15,
): Promise<T> {
  const deadline = Date.now() + withinMs;
  for (;;) {
    const found = await look();
    if (found !== null && found !== undefined && found !== false) return found;
    if (Date.now() > deadline) throw new Error(`Waited too long until ${what}.`);
    await new Promise((resolve) => setTimeout(resolve, everyMs));
  }
}

/** Between two looks at the ledger or at the destination: each is work for the engine that is looked at. */
export const LOOK_EVERY_MS = 60;

/** The record once its handoff is closed, or waits for a person. */
export function settled(ledger: Ledger, leadRequestId: string): Promise<LedgerRecord> {
  const isSettled = async () => {
    const record = await ledger.record({ route: ROUTE, leadRequestId });
    const status = record && handoffStatus(record);
    return status === 'closed' || status === 'waiting' ? record : null;
  };
  return until(`${leadRequestId} is settled`, isSettled, WITHIN_MS, LOOK_EVERY_MS);
}
