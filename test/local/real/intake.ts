import { Webhook } from 'standardwebhooks';
import type { Queue } from '../../../local/queues.ts';
import { ROUTE, type Stack, until } from './stack.ts';

/** How producers hand leads in to the running stack, by its queue and over HTTP. */

const LEADS = 'lead-handoff-local-leads';
const DEAD_LEADS = 'lead-handoff-local-dead-leads';

export const fromQueue = 'lead-handoff-local-from-queue';
export const fromHttp = 'lead-handoff-local-from-http';
export const deadLetters = 'lead-handoff-local-dead-letters';

export function queuesOf({ engine }: Stack): { leads: Queue; deadLeads: Queue } {
  const named = (name: string) => {
    const found = engine.queues.find(({ definition }) => definition.name === name);
    if (!found) throw new Error(`There is no queue ${name}.`);
    return found;
  };
  return { leads: named(LEADS), deadLeads: named(DEAD_LEADS) };
}

/** Puts messages on the queue, all at once, so that they are delivered in one batch. */
export async function produce({ engine }: Stack, ...bodies: (object | string)[]): Promise<void> {
  const Entries = bodies.map((body, i) => ({
    Id: String(i),
    MessageBody: typeof body === 'string' ? body : JSON.stringify(body),
  }));
  const response = await fetch(engine.url, {
    method: 'POST',
    headers: { 'content-type': 'application/x-amz-json-1.0', 'x-amz-target': 'AmazonSQS.SendMessageBatch' },
    body: JSON.stringify({ QueueUrl: engine.outputs.LeadsQueueUrl, Entries }),
  });
  const { Failed = [] } = (await response.json()) as { Failed?: unknown[] };
  if (!response.ok || Failed.length > 0) throw new Error(`The queue took not all: ${JSON.stringify(Failed)}`);
}

export const messageOf = (lead: object) => ({ route: ROUTE, lead });

/** As if the visibility timeouts of what was received were over: nothing else makes a test wait for 18 seconds. */
export function passVisibility(queue: Queue): void {
  for (const { receiptHandle } of queue.messages()) {
    if (receiptHandle !== undefined) queue.changeVisibility(receiptHandle, 0);
  }
}

/** The batches that a function has come to the end of, whether good or bad. */
export function deliveries({ engine }: Stack, functionName: string): number {
  return engine.logLines(functionName).filter((line) => line.startsWith('END ')).length;
}

/** Ends the idle processes of a function, so that the next request finds a new one. */
export async function freshProcesses({ engine }: Stack, functionName: string): Promise<void> {
  const pids = engine.pids(functionName);
  for (const pid of pids) process.kill(pid, 'SIGKILL');
  await until('they are gone', () => pids.every((pid) => !isAlive(pid)));
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}

/** The key that the engine gives a route's webhooks; docs/local.md says how it is made. */
export function signingSecret(route: string = ROUTE): string {
  return `whsec_${Buffer.from(`lead-handoff/local/${route}/intake`).toString('base64')}`;
}

export interface Signed {
  readonly body: string;
  readonly headers: Record<string, string>;
}

/** A lead request signed as Standard Webhooks says. */
export function signed(
  lead: object | string,
  {
    secret = signingSecret(),
    at = new Date(),
    id = 'msg_1',
  }: { secret?: string; at?: Date; id?: string } = {},
): Signed {
  const body = typeof lead === 'string' ? lead : JSON.stringify(lead);
  return {
    body,
    headers: {
      'content-type': 'application/json',
      'webhook-id': id,
      'webhook-timestamp': String(Math.floor(at.getTime() / 1000)),
      'webhook-signature': new Webhook(secret).sign(id, at, body),
    },
  };
}

export interface Answer {
  readonly status: number;
  readonly headers: Headers;
  readonly body: Record<string, unknown>;
}

export async function post({ engine }: Stack, request: Signed, route = ROUTE): Promise<Answer> {
  const url = `${engine.outputs.LeadsApiUrl}/routes/${route}/leads`;
  const response = await fetch(url, { method: 'POST', ...request });
  const body = (await response.json()) as Record<string, unknown>;
  return { status: response.status, headers: response.headers, body };
}
