import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import {
  type ExecutionHandle,
  type ExecutionResult,
  startExecution,
} from '../../local/interpreter/execution.ts';
import type { HistoryEvent } from '../../local/interpreter/history.ts';
import { isObject, type Json, type JsonObject } from '../../local/interpreter/json.ts';
import { parseDefinition } from '../../local/interpreter/parse-definition.ts';
import { type Behaviour, RecordedServices } from './recorded-services.ts';
import { VirtualClock } from './virtual-clock.ts';

/** Recorded AWS histories, kept beside the repository because of their own licence. */
export const RECORDINGS = path.resolve(import.meta.dirname, '../../../shared/states-recordings');

/** One recorded execution; the README beside the recordings describes the fields. */
export interface Recording {
  name: string;
  queryLanguage: 'JSONata' | 'JSONPath' | 'mixed';
  definition: JsonObject;
  input: Json;
  actions?: { whileIn: string }[];
  tasks: { [arn: string]: { behaviour: Behaviour } };
  expect: {
    status: string;
    output?: Json;
    error?: string;
    cause?: Json;
    eventsOrder: 'exact' | 'one-interleaving' | 'branches-sorted' | 'not-recorded';
    lostEvents?: number;
    events: JsonObject[] | null;
    assignedVariables?: { state: string; variables: JsonObject }[];
  };
}

export function loadRecordings(): Recording[] {
  if (!existsSync(RECORDINGS)) return [];
  return readdirSync(RECORDINGS)
    .filter((file) => file.endsWith('.json'))
    .map((file) => JSON.parse(readFileSync(path.join(RECORDINGS, file), 'utf8')));
}

export interface Replay {
  result: ExecutionResult;
  events: JsonObject[];
  assignedVariables: { state: string; variables: JsonObject }[];
}

/** Runs the recording's state machine against its stubs in virtual time. */
export async function replay(
  recording: Recording,
  definition: JsonObject = recording.definition,
): Promise<Replay> {
  const clock = new VirtualClock();
  const events: HistoryEvent[] = [];
  const services = new RecordedServices(recording.tasks, clock);
  const handle: ExecutionHandle = startExecution({
    definition: parseDefinition(definition),
    input: recording.input,
    context: {
      executionArn: 'arn:aws:states:us-east-1:111111111111:execution:the-machine:the-run',
      executionName: 'the-run',
      roleArn: 'arn:aws:iam::111111111111:role/the-role',
      startTime: new Date(clock.now()).toISOString(),
      stateMachineArn: 'arn:aws:states:us-east-1:111111111111:stateMachine:the-machine',
      stateMachineName: 'the-machine',
    },
    tasks: services,
    clock,
    ids: () => crypto.randomUUID(),
    onEvent(event) {
      events.push(event);
      const entered = (event.stateEnteredEventDetails as { name?: string } | undefined)?.name;
      if (recording.actions?.some(({ whileIn }) => whileIn === entered)) setImmediate(() => handle.stop());
    },
  });
  services.handle = handle;
  const result = await clock.runUntil(handle.result);
  const recorded = events.map((event) => asRecorded(event, events));
  return { result, events: recorded, assignedVariables: recorded.filter(hasAssigned).map(assigned) };
}

function hasAssigned(event: JsonObject): boolean {
  return isObject(event.assignedVariables);
}

function assigned({ state, assignedVariables }: JsonObject): { state: string; variables: JsonObject } {
  return { state: state as string, variables: assignedVariables as JsonObject };
}

/** The event in the form of the recordings. */
function asRecorded(event: HistoryEvent, all: HistoryEvent[]): JsonObject {
  const key = Object.keys(event).find((field): field is `${string}EventDetails` =>
    field.endsWith('EventDetails'),
  );
  const details = (key ? event[key] : {}) as JsonObject;
  const recorded: JsonObject = { type: event.type, after: event.previousEventId };
  const state =
    details.name ?? details.state ?? (/^(Task|LambdaFunction)/.test(event.type) && ownerOf(event, all));
  if (state) recorded.state = state;
  for (const field of [
    'index',
    'length',
    'timeoutInSeconds',
    'heartbeatInSeconds',
    'error',
    'cause',
    'location',
  ]) {
    if (details[field] !== undefined) recorded[field] = details[field];
  }
  for (const field of ['input', 'parameters', 'output']) {
    if (details[field] !== undefined) recorded[field] = JSON.parse(details[field] as string);
  }
  if (/Scheduled$/.test(event.type)) recorded.resource = resourceOf(details);
  if (isObject(details.assignedVariables)) {
    const parsed = Object.entries(details.assignedVariables).map(([name, text]) => [
      name,
      JSON.parse(text as string),
    ]);
    recorded.assignedVariables = Object.fromEntries(parsed);
  }
  if (event.type === 'ExecutionStarted') delete recorded.input;
  if (event.type === 'ExecutionSucceeded') delete recorded.output;
  if (event.type === 'ExecutionFailed') delete recorded.cause;
  return recorded;
}

function resourceOf({ resource, resourceType }: JsonObject): string {
  return resourceType === undefined ? String(resource) : `${resourceType}:${resource}`;
}

function ownerOf(event: HistoryEvent, all: HistoryEvent[]): string | undefined {
  const before = all.find(({ id }) => id === event.previousEventId);
  const entered = before?.stateEnteredEventDetails as { name?: string } | undefined;
  return entered?.name ?? (before && ownerOf(before, all));
}
