import { DescribeExecutionCommand, ExecutionDoesNotExist, ListExecutionsCommand } from '@aws-sdk/client-sfn';
import type { AwsAccess } from './access.ts';
import { handoffMachine } from './state-machine.ts';

/** The status of an execution that Step Functions does not know, or no longer: it forgets 90 days after the end. */
export const DOES_NOT_EXIST = 'DOES_NOT_EXIST';

const GOES_ON = new Set(['RUNNING', 'PENDING_REDRIVE']);

/** It ended and does nothing any more, whoever waits for it. */
export function hasEnded(status: string | null | undefined): status is string {
  return typeof status === 'string' && !GOES_ON.has(status);
}

const PATIENCE_MS = 4_000;
/** More executions than this are looked for among the running ones first. */
const FEW = 8;
/** Step Functions lets an account describe 300 at once, then 15 a second. */
const MOST_DESCRIBED = 64;
const PAGES = 10;
const PAGE_SIZE = 1_000;

/**
 * The status of each named execution, in Step Functions' own words or DOES_NOT_EXIST. One that Step Functions did not tell in
 * time, or may not tell these credentials, is left out: nothing that a person came for depends on it.
 */
export async function executionStatuses(
  aws: AwsAccess,
  names: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  const statuses = new Map<string, string>();
  const asked = [...new Set(names)];
  if (asked.length === 0) return statuses;
  const abortSignal = AbortSignal.timeout(PATIENCE_MS);
  try {
    const machine = await handoffMachine(aws, { abortSignal });
    if (machine === null) return statuses;
    if (asked.length > FEW) {
      const running = await runningExecutions(aws, machine, abortSignal);
      for (const name of asked) if (running.has(name)) statuses.set(name, 'RUNNING');
    }
    const others = asked.filter((name) => !statuses.has(name)).slice(0, MOST_DESCRIBED);
    const described = others.map(async (name) => {
      const executionArn = `${machine.replace(':stateMachine:', ':execution:')}:${name}`;
      statuses.set(name, await statusOf(aws, executionArn, abortSignal));
    });
    await Promise.allSettled(described);
  } catch {
    // What was told until then is told.
  }
  return statuses;
}

async function runningExecutions(
  { stepFunctions }: AwsAccess,
  stateMachineArn: string,
  abortSignal: AbortSignal,
): Promise<ReadonlySet<string>> {
  const names = new Set<string>();
  let nextToken: string | undefined;
  for (let i = 0; i < PAGES; i++) {
    const page = await stepFunctions.send(
      new ListExecutionsCommand({
        stateMachineArn,
        statusFilter: 'RUNNING',
        maxResults: PAGE_SIZE,
        nextToken,
      }),
      { abortSignal },
    );
    for (const { name } of page.executions ?? []) if (name !== undefined) names.add(name);
    nextToken = page.nextToken;
    if (nextToken === undefined) break;
  }
  return names;
}

async function statusOf(aws: AwsAccess, executionArn: string, abortSignal: AbortSignal): Promise<string> {
  return (await describedExecution(aws, executionArn, abortSignal)).status;
}

/** An execution's status and times, in epoch milliseconds. One that does not exist has the status DOES_NOT_EXIST and no times. */
export async function describedExecution(
  { stepFunctions }: AwsAccess,
  executionArn: string,
  abortSignal: AbortSignal,
): Promise<{ status: string; startedAt: number | null; endedAt: number | null }> {
  try {
    const command = new DescribeExecutionCommand({ executionArn, includedData: 'METADATA_ONLY' });
    const { status, startDate, stopDate } = await stepFunctions.send(command, { abortSignal });
    if (status === undefined) throw new TypeError('An execution without a status.');
    return { status, startedAt: startDate?.getTime() ?? null, endedAt: stopDate?.getTime() ?? null };
  } catch (error) {
    if (!(error instanceof ExecutionDoesNotExist)) throw error;
    return { status: DOES_NOT_EXIST, startedAt: null, endedAt: null };
  }
}
