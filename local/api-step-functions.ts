import { AwsError } from './aws-error.ts';
import { type JsonService, unknownOperation } from './endpoint.ts';
import type { ExecutionRecord, ExecutionStatus } from './execution-record.ts';
import type { Executions } from './executions.ts';
import type { HistoryEvent } from './interpreter/history.ts';
import type { StateMachineDefinition } from './model.ts';
import { page } from './paging.ts';
import { redriveState } from './redrives.ts';

type Body = Record<string, unknown>;

const STATUSES: readonly string[] = [
  'RUNNING',
  'SUCCEEDED',
  'FAILED',
  'TIMED_OUT',
  'ABORTED',
] satisfies ExecutionStatus[];
const FROM_TEMPLATE = ' It runs the state machines of the synthesized app: change the app instead.';
const REFUSED: Readonly<Record<string, string>> = {
  CreateStateMachine: FROM_TEMPLATE,
  UpdateStateMachine: FROM_TEMPLATE,
  DeleteStateMachine: FROM_TEMPLATE,
};

/**
 * AWS Step Functions: executions, their histories, task tokens, and what state machines there are.
 *
 * @see https://docs.aws.amazon.com/step-functions/latest/apireference/API_Operations.html
 */
export function stepFunctionsApi(
  executions: Executions,
  stateMachines: readonly StateMachineDefinition[],
  now: () => number,
): JsonService {
  const startedAt = now();
  const operations: Record<string, (body: Body) => unknown> = {
    StartExecution: ({ stateMachineArn, name, input }) => {
      const { start } = executions.start(
        required('stateMachineArn', stateMachineArn),
        text(name),
        text(input),
      );
      return { executionArn: start.arn, startDate: start.startDate / 1000 };
    },
    StopExecution: ({ executionArn, error, cause }) => {
      const record = executions.stop(required('executionArn', executionArn), text(error), text(cause));
      return { stopDate: (record.end?.stopDate ?? 0) / 1000 };
    },
    RedriveExecution: ({ executionArn, clientToken }) => {
      const { date } = executions.redrive(required('executionArn', executionArn), text(clientToken));
      return { redriveDate: date / 1000 };
    },
    DescribeExecution: ({ executionArn }) =>
      described(executions.find(required('executionArn', executionArn)), now()),
    ListExecutions: (body) => list(executions, body),
    GetExecutionHistory: (body) => history(executions, body),
    SendTaskSuccess: ({ taskToken, output }) => {
      executions.succeedTask(required('taskToken', taskToken), required('output', output));
      return {};
    },
    SendTaskFailure: ({ taskToken, error, cause }) => {
      executions.failTask(required('taskToken', taskToken), text(error), text(cause));
      return {};
    },
    SendTaskHeartbeat: ({ taskToken }) => {
      executions.heartbeat(required('taskToken', taskToken));
      return {};
    },
    ListStateMachines: () => ({
      stateMachines: stateMachines.map(({ arn, name }) => ({
        stateMachineArn: arn,
        name,
        type: 'STANDARD',
        creationDate: startedAt / 1000,
      })),
    }),
    DescribeStateMachine: ({ stateMachineArn }) => {
      const machine = executions.stateMachine(required('stateMachineArn', stateMachineArn));
      return {
        stateMachineArn: machine.arn,
        name: machine.name,
        status: 'ACTIVE',
        definition: machine.definition,
        roleArn: machine.roleArn,
        type: 'STANDARD',
        creationDate: startedAt / 1000,
      };
    },
    DescribeStateMachineForExecution: ({ executionArn }) => {
      const { start } = executions.find(required('executionArn', executionArn));
      return {
        stateMachineArn: start.stateMachineArn,
        name: start.stateMachineName,
        definition: start.definition,
        roleArn: start.roleArn,
        updateDate: startedAt / 1000,
      };
    },
  };
  return async (operation, body) => {
    const run = Object.hasOwn(operations, operation) ? operations[operation] : undefined;
    if (!run) throw unknownOperation(`Step Functions ${operation}`, REFUSED[operation]);
    return { body: run(body) };
  };
}

function described(record: ExecutionRecord, now: number): Body {
  const { end, start } = record;
  const { redriveStatus, redriveStatusReason } = redriveState(record, now);
  return {
    ...summary(record),
    redriveStatus,
    ...(redriveStatusReason !== undefined && { redriveStatusReason }),
    input: start.input,
    inputDetails: { included: true },
    ...(end?.output !== undefined && { output: end.output, outputDetails: { included: true } }),
    ...(end?.error !== undefined && { error: end.error }),
    ...(end?.cause !== undefined && { cause: end.cause }),
  };
}

function summary(record: ExecutionRecord): Body {
  const { end, start, redrives } = record;
  const last = redrives.at(-1);
  return {
    executionArn: start.arn,
    stateMachineArn: start.stateMachineArn,
    name: start.name,
    status: record.status,
    startDate: start.startDate / 1000,
    ...(end && { stopDate: end.stopDate / 1000 }),
    redriveCount: redrives.length,
    ...(last && { redriveDate: last.date / 1000 }),
  };
}

function list(executions: Executions, body: Body): Body {
  const { arn } = executions.stateMachine(required('stateMachineArn', body.stateMachineArn));
  const { statusFilter } = body;
  if (statusFilter !== undefined && !STATUSES.includes(String(statusFilter))) {
    throw new AwsError('ValidationException', `statusFilter must be one of ${STATUSES.join(', ')}.`);
  }
  if (body.redriveFilter !== undefined) {
    throw new AwsError('ValidationException', 'redriveFilter is only supported with a mapRunArn.');
  }
  const found = executions
    .all()
    .filter(({ start, status }) => start.stateMachineArn === arn && (statusFilter ?? status) === status)
    .sort((a, b) => b.start.startDate - a.start.startDate);
  const { items, nextToken } = page(found, body);
  return { executions: items.map(summary), ...(nextToken !== undefined && { nextToken }) };
}

function history(executions: Executions, body: Body): Body {
  const { events } = executions.find(required('executionArn', body.executionArn));
  const ordered = body.reverseOrder === true ? events.toReversed() : events;
  const { items, nextToken } = page(ordered, body);
  const shown = body.includeExecutionData === false ? items.map(withoutData) : items;
  return { events: shown, ...(nextToken !== undefined && { nextToken }) };
}

function withoutData(event: HistoryEvent): Body {
  const hidden = new Set(['input', 'output', 'parameters']);
  return Object.fromEntries(
    Object.entries(event).map(([key, value]) => [
      key,
      typeof value === 'object'
        ? Object.fromEntries(Object.entries(value).filter(([name]) => !hidden.has(name)))
        : value,
    ]),
  );
}

function required(name: string, value: unknown): string {
  if (typeof value === 'string') return value;
  throw new AwsError(
    'ValidationException',
    `1 validation error detected: Value at '${name}' failed to satisfy constraint: Member must not be null`,
  );
}

function text(value: unknown): string | undefined {
  return value === undefined || value === null ? undefined : String(value);
}
