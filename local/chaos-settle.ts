import { setTimeout as sleep } from 'node:timers/promises';
import { ListExecutionsCommand } from '@aws-sdk/client-sfn';
import type { AwsAccess } from '../cli/aws/access.ts';
import type { Books } from './chaos-books.ts';
import type { ChaosEngine } from './chaos-engine.ts';
import type { Journal } from './chaos-journal.ts';
import type { SandboxControl } from './chaos-sandbox.ts';
import { type Producer, ROUTE } from './chaos-submit.ts';

const LOOK_EVERY_MS = 500;
const MACHINE = 'arn:aws:states:us-east-1:000000000000:stateMachine:lead-handoff-local';

/** Takes every fault away and lets what is under way come to its end; after `withinMs` the books are balanced as they are. */
export async function letSettle(
  { engine, sandbox, producer }: { engine: ChaosEngine; sandbox: SandboxControl; producer: Producer },
  withinMs: number,
  signal: AbortSignal,
): Promise<void> {
  await sandbox.clearFaults();
  await sandbox.settings({ searchLagMs: 0, keyReadLagMs: 0 });
  const giveUpAt = Date.now() + withinMs;
  do {
    signal.throwIfAborted();
    if (engine.failure) throw engine.failure;
    await sleep(LOOK_EVERY_MS);
    await producer.look();
  } while (producer.open > 0 && Date.now() < giveUpAt);
}

/** What the ledger, the executions and the destinations hold now. */
export async function readBooks(aws: AwsAccess, sandbox: SandboxControl, journal: Journal): Promise<Books> {
  const leads = [];
  for (const { lead, accepted, refusedHashes, wrongAnswers, optedOutAt } of journal.leads) {
    const record = await aws.ledger.record({ route: ROUTE, leadRequestId: lead.leadRequestId });
    leads.push({ lead, accepted, record, refusedHashes: [...refusedHashes], wrongAnswers, optedOutAt });
  }
  return { leads, executions: await executionsOf(aws), inspection: await sandbox.inspect() };
}

async function executionsOf({ stepFunctions }: AwsAccess): Promise<Books['executions']> {
  const found: { name: string; status: string }[] = [];
  let nextToken: string | undefined;
  do {
    const page = await stepFunctions.send(
      new ListExecutionsCommand({ stateMachineArn: MACHINE, ...(nextToken ? { nextToken } : {}) }),
    );
    for (const { name = '', status = '' } of page.executions ?? []) found.push({ name, status });
    nextToken = page.nextToken;
  } while (nextToken !== undefined);
  return found;
}
