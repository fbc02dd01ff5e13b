import { setTimeout as sleep } from 'node:timers/promises';
import { DescribeExecutionCommand, type ExecutionListItem, ListExecutionsCommand } from '@aws-sdk/client-sfn';
import type { AwsAccess } from '../cli/aws/access.ts';
import type { RecoveryOpened } from '../functions/domain/recovery-opened.ts';
import { STAGE_NUMBERS } from '../functions/domain/stage-numbers.ts';
import { type Books, balance, type Imbalance, type Notice } from './chaos-books.ts';
import type { Journal } from './chaos-journal.ts';
import { HANDOFF_MACHINE, machineArn, NOTICE_MACHINE, ROUTE } from './chaos-names.ts';
import { type ChaosParts, runSchedule } from './chaos-run.ts';
import type { SandboxControl } from './chaos-sandbox.ts';
import type { Scheduled } from './chaos-schedule.ts';
import { sweepsIn } from './chaos-sweeps.ts';

const LOOK_EVERY_MS = 500;
const LOOKS = 16;
const LOOK_AGAIN_AFTER_MS = 5_000;

const { functionTimeoutSeconds, taskTimeoutSeconds } = STAGE_NUMBERS.local;
/** What is younger a sweep leaves to those who may still be at it; and a sweep lasts a while itself. */
const SWEPT_AFTER_MS = (2 * functionTimeoutSeconds + taskTimeoutSeconds) * 1000 + 5_000;

/**
 * Takes every fault away. For a while people still decide; then what is under way comes to its end, and the sweep finds what was
 * lost. After `withinMs` the books are balanced as they are.
 */
export async function letSettle(
  parts: ChaosParts,
  { people, peopleMs, dataDir, withinMs }: SettleOptions,
  signal: AbortSignal,
): Promise<void> {
  const { engine, sandbox, producer, desk } = parts;
  await sandbox.clearFaults();
  await sandbox.settings({ searchLagMs: 0, keyReadLagMs: 0 });
  const giveUpAt = Date.now() + withinMs;
  await runSchedule(people, peopleMs, parts, signal);
  const quietAt = Date.now();
  const isSwept = () =>
    sweepsIn(dataDir).some(
      ({ at, left, failed }) => at > quietAt + SWEPT_AFTER_MS && left === 0 && failed === 0,
    );
  do {
    signal.throwIfAborted();
    if (engine.failure) throw engine.failure;
    await sleep(LOOK_EVERY_MS);
    await producer.look();
  } while ((producer.open > 0 || !isSwept()) && Date.now() < giveUpAt);
  await desk.hearAll();
}

export interface SettleOptions {
  /** What people still do, and for how long. */
  readonly people: readonly Scheduled[];
  readonly peopleMs: number;
  readonly dataDir: string;
  readonly withinMs: number;
}

/**
 * The books and what does not balance in them. They are read one after the other while waiting handoffs may wake up in between, so
 * an imbalance counts only when it is still there after a few more looks, and after another sweep.
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
  for (const tracked of journal.leads) {
    const { lead, accepted, refusedHashes, wrongAnswers, optedOutAt, requests, byHand } = tracked;
    const record = await aws.ledger.record({ route: ROUTE, leadRequestId: lead.leadRequestId });
    const told = { lead, accepted, wrongAnswers, optedOutAt, requests, byHand };
    leads.push({ ...told, record, refusedHashes: [...refusedHashes] });
  }
  const executions = (await executionsOf(aws, HANDOFF_MACHINE)).map(({ name = '', status = '' }) => ({
    name,
    status,
  }));
  const { stopped } = journal;
  return { leads, executions, notices: await noticesOf(aws), inspection: await sandbox.inspect(), stopped };
}

async function executionsOf({ stepFunctions }: AwsAccess, machine: string): Promise<ExecutionListItem[]> {
  const found: ExecutionListItem[] = [];
  const stateMachineArn = machineArn(machine);
  let nextToken: string | undefined;
  do {
    const page = await stepFunctions.send(
      new ListExecutionsCommand({ stateMachineArn, ...(nextToken ? { nextToken } : {}) }),
    );
    found.push(...(page.executions ?? []));
    nextToken = page.nextToken;
  } while (nextToken !== undefined);
  return found;
}

/** What people were told: the event is the input of the execution. */
async function noticesOf(aws: AwsAccess): Promise<Notice[]> {
  const found: Notice[] = [];
  for (const { executionArn, startDate } of await executionsOf(aws, NOTICE_MACHINE)) {
    const { input } = await aws.stepFunctions.send(new DescribeExecutionCommand({ executionArn }));
    const { detail } = JSON.parse(input ?? '{}') as { detail: RecoveryOpened };
    found.push({
      leadRequestId: detail.leadRequestId,
      action: detail.action,
      at: startDate?.getTime() ?? 0,
    });
  }
  return found;
}
