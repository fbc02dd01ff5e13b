import { setTimeout as sleep } from 'node:timers/promises';
import { GetExecutionHistoryCommand, ListExecutionsCommand } from '@aws-sdk/client-sfn';
import type { AwsAccess } from '../cli/aws/access.ts';
import { type BookedExecution, type Books, balance, hasFailed, type Imbalance } from './chaos-books.ts';
import type { ChaosEngine } from './chaos-engine.ts';
import type { Journal } from './chaos-journal.ts';
import type { SandboxControl } from './chaos-sandbox.ts';
import { type Producer, ROUTE } from './chaos-submit.ts';

const LOOK_EVERY_MS = 500;
const LOOKS = 4;
const LOOK_AGAIN_AFTER_MS = 4_000;
const LAST_EVENTS = 40;
const LONGEST_CAUSE = 200;
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

/**
 * The books and what does not balance in them. They are read one after the other while waiting handoffs may wake up in between, so
 * an imbalance counts only when it is still there after a few more looks.
 */
export async function balancedBooks(
  aws: AwsAccess,
  sandbox: SandboxControl,
  journal: Journal,
): Promise<{ books: Books; imbalances: Imbalance[] }> {
  for (let looks = 1; ; looks++) {
    const books = await readBooks(aws, sandbox, journal);
    const imbalances = balance(books);
    if (imbalances.length === 0 || looks === LOOKS) return { books, imbalances };
    await sleep(LOOK_AGAIN_AFTER_MS);
  }
}

/** What the ledger, the executions and the destinations hold now. */
async function readBooks(aws: AwsAccess, sandbox: SandboxControl, journal: Journal): Promise<Books> {
  const leads = [];
  for (const { lead, accepted, refusedHashes, wrongAnswers, optedOutAt } of journal.leads) {
    const record = await aws.ledger.record({ route: ROUTE, leadRequestId: lead.leadRequestId });
    leads.push({ lead, accepted, record, refusedHashes: [...refusedHashes], wrongAnswers, optedOutAt });
  }
  return { leads, executions: await executionsOf(aws), inspection: await sandbox.inspect() };
}

async function executionsOf({ stepFunctions }: AwsAccess): Promise<BookedExecution[]> {
  const found: BookedExecution[] = [];
  let nextToken: string | undefined;
  do {
    const page = await stepFunctions.send(
      new ListExecutionsCommand({ stateMachineArn: MACHINE, ...(nextToken ? { nextToken } : {}) }),
    );
    for (const { name = '', status = '', executionArn } of page.executions ?? []) {
      const lastEvents = hasFailed({ status }) ? await lastEventsOf(stepFunctions, executionArn) : [];
      found.push({ name, status, lastEvents });
    }
    nextToken = page.nextToken;
  } while (nextToken !== undefined);
  return found;
}

/** Oldest first. */
async function lastEventsOf(
  stepFunctions: AwsAccess['stepFunctions'],
  executionArn: string | undefined,
): Promise<string[]> {
  const { events } = await stepFunctions.send(
    new GetExecutionHistoryCommand({ executionArn, reverseOrder: true, maxResults: LAST_EVENTS }),
  );
  return (events ?? []).reverse().map(({ timestamp, type, ...details }) => {
    const failure = Object.values(details).find((value) => typeof value === 'object' && 'error' in value);
    const entered = details.stateEnteredEventDetails?.name ?? '';
    const { error = '', cause = '' } = (failure ?? {}) as { error?: string; cause?: string };
    return `${timestamp?.toISOString()} ${type} ${entered}${error} ${cause.slice(0, LONGEST_CAUSE)}`.trimEnd();
  });
}
