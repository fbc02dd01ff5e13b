import { AwsError } from './aws-error.ts';
import type { ExecutionRecord } from './execution-record.ts';
import { HISTORY_LIMIT } from './interpreter/history.ts';
import type { Redrive } from './journal.ts';

const DAY_MS = 24 * 3_600_000;
const REDRIVABLE_PERIOD_MS = 14 * DAY_MS;
const LONGEST_EXECUTION_MS = 365 * DAY_MS;
const REMEMBERED_TOKENS = 10;
const TOKEN_VALID_MS = 15 * 60_000;
const CLIENT_TOKEN = /^[!-~]{1,64}$/;

/**
 * Why the execution cannot be redriven now, in AWS's words; undefined when it can.
 *
 * @see https://docs.aws.amazon.com/step-functions/latest/dg/redrive-executions.html#redrive-eligibility
 * @see https://docs.aws.amazon.com/step-functions/latest/apireference/API_DescribeExecution.html (`redriveStatusReason`)
 */
export function notRedrivable(
  { end, start, events, snapshot }: ExecutionRecord,
  now: number,
): string | undefined {
  if (end === undefined) return 'Execution is RUNNING and cannot be redriven';
  if (end.status === 'SUCCEEDED') return 'Execution is SUCCEEDED and cannot be redriven';
  // One place for ExecutionRedriven and one for another event.
  if (events.length >= HISTORY_LIMIT - 1) return 'Execution history event limit exceeded';
  if (now - start.startDate > LONGEST_EXECUTION_MS) return 'Execution has exceeded the max execution time';
  if (now - end.stopDate > REDRIVABLE_PERIOD_MS) return 'Execution redrivable period exceeded';
  return snapshot ? undefined : 'Execution was started before the launch of RedriveExecution';
}

/** The redrive members of DescribeExecution and of EventBridge's status change. Dates are milliseconds since the epoch. */
export function redriveState(record: ExecutionRecord, now: number) {
  const reason = notRedrivable(record, now);
  const date = record.redrives.at(-1)?.date;
  return {
    redriveCount: record.redrives.length,
    ...(date !== undefined && { redriveDate: date }),
    redriveStatus: reason === undefined ? 'REDRIVABLE' : 'NOT_REDRIVABLE',
    ...(reason !== undefined && { redriveStatusReason: reason }),
  };
}

/**
 * The earlier redrive that this client token made: one of the last 10, not older than 15 minutes. It is looked for
 * before the status is, so a repeated request never redrives twice.
 *
 * @see https://docs.aws.amazon.com/step-functions/latest/apireference/API_RedriveExecution.html
 * @throws AwsError `ValidationException` for a token that AWS does not take
 */
export function earlierRedrive(
  record: ExecutionRecord,
  clientToken: string | undefined,
  now: number,
): Redrive | undefined {
  if (clientToken === undefined) return undefined;
  if (!CLIENT_TOKEN.test(clientToken)) {
    throw new AwsError(
      'ValidationException',
      "1 validation error detected: Value at 'clientToken' failed to satisfy constraint: Member must satisfy regular expression pattern: [!-~]+ and have a length between 1 and 64",
    );
  }
  return record.redrives
    .filter((each) => each.clientToken !== undefined)
    .slice(-REMEMBERED_TOKENS)
    .find((each) => each.clientToken === clientToken && now - each.date < TOKEN_VALID_MS);
}
