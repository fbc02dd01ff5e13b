import { DynamoDBClient, PutItemCommand } from '@aws-sdk/client-dynamodb';
import type { ActionName } from '../../../functions/domain/action.ts';
import type { LedgerRecord, Waiting } from '../../../functions/domain/handoff.ts';
import type { ExecutionRecord } from '../../../local/execution-record.ts';
import { type Effects, LOOK_EVERY_MS, ROUTE, type Stack, until, WITHIN_MS } from './stack.ts';

/** What tests of recovery ask of the running stack: where an execution stands, and what a person decides. */

export const HANDOFF_MACHINE = 'arn:aws:states:us-east-1:000000000000:stateMachine:lead-handoff-local';
export const RECOVERY_MACHINE = `${HANDOFF_MACHINE}-recovery-${ROUTE}`;

/** The names of an action's states, and the request by which its function changes the destination. */
export interface ActionStates {
  readonly action: ActionName;
  readonly state: string;
  readonly reconcile: string;
  /** Before the names of the other states: `<subject>: wait`, `parked`, `ask recovery owner`. */
  readonly subject: string;
  readonly operation: string;
}

export const ACTION_STATES: readonly ActionStates[] = [
  {
    action: 'upsert-contact',
    state: 'Upsert contact',
    reconcile: 'Reconcile contact',
    subject: 'Contact',
    operation: 'create-contact',
  },
  {
    action: 'assign-owner',
    state: 'Assign owner',
    reconcile: 'Reconcile owner',
    subject: 'Owner',
    operation: 'set-owner',
  },
  {
    action: 'create-task',
    state: 'Create task',
    reconcile: 'Reconcile task',
    subject: 'Task',
    operation: 'create-task',
  },
  {
    action: 'send-introduction',
    state: 'Send introduction',
    reconcile: 'Reconcile introduction',
    subject: 'Introduction',
    operation: 'send-email',
  },
];

/** Who decides in these tests, and why. */
export const ROBIN = { by: 'Robin Okafor', reason: 'Looked at the destination.' };

/** An answer that a destination refuses a request with for good: a person is asked. */
export const REFUSED = { kind: 'status', status: 400, body: {} };

/** Between two looks at an execution, which costs nothing: no state may be missed that is quickly left. */
const WATCH_EVERY_MS = 3;

/** Starts an execution of the route's recovery state machine, as a person does in the console; resolves when it has ended. */
export async function decided({ engine }: Stack, request: object): Promise<ExecutionRecord> {
  const record = engine.executions.start(RECOVERY_MACHINE, undefined, JSON.stringify(request));
  await ended(record);
  return record;
}

/** The answer to a decision that was taken. Throws the refusal. */
export async function taken(stack: Stack, request: object): Promise<Record<string, unknown>> {
  const { end } = await decided(stack, request);
  if (end?.status !== 'SUCCEEDED') throw new Error(`Refused: ${end?.error}: ${end?.cause}`);
  return JSON.parse(end.output ?? 'null') as Record<string, unknown>;
}

/** The handoff's execution of that run, as soon as there is one. */
export function handoffExecution({ engine }: Stack, id: string, run = 1): Promise<ExecutionRecord> {
  const arn = `${HANDOFF_MACHINE.replace(':stateMachine:', ':execution:')}:${ROUTE}.${id}.${run}`;
  return until(`run ${run} of ${id} has begun`, () =>
    engine.executions.all().find(({ start }) => start.arn === arn),
  );
}

/** Resolves when the execution has ended, whatever its end. */
export async function ended(record: ExecutionRecord): Promise<void> {
  await until(`${record.start.name} has ended`, () => record.status !== 'RUNNING');
}

/** Whether the execution has entered the state and not left it. */
export function standsIn({ events }: ExecutionRecord, state: string): boolean {
  const last = events.findLast(
    ({ stateEnteredEventDetails: entered, stateExitedEventDetails: exited }) =>
      entered?.name === state || exited?.name === state,
  );
  return last?.stateEnteredEventDetails !== undefined;
}

/** Resolves while the execution stands in the state. */
export async function standing(record: ExecutionRecord, state: string): Promise<void> {
  const stands = () => {
    if (standsIn(record, state)) return true;
    if (record.status === 'RUNNING') return false;
    throw new Error(`${record.start.name} never stood in ${state}.`);
  };
  await until(`${record.start.name} stands in ${state}`, stands, WITHIN_MS, WATCH_EVERY_MS);
}

/**
 * Resolves when the execution waits in the state for somebody to answer, and nothing else of it is under way: the function that wrote
 * the token has returned too. The token can be read from the ledger before the engine has counted that write.
 */
export async function standingOnlyIn(record: ExecutionRecord, state: string): Promise<void> {
  const { events } = record;
  const alone = () => {
    const names = events
      .filter(({ type }) => type.endsWith('StateEntered') && type !== 'ParallelStateEntered')
      .map(({ stateEnteredEventDetails: entered }) => String(entered?.name));
    const submitted = events.some(
      ({ type, id }) => type === 'TaskSubmitted' && stateAt(events, id) === state,
    );
    return (
      submitted && standsIn(record, state) && names.every((name) => name === state || !standsIn(record, name))
    );
  };
  await until(`${record.start.name} stands in ${state} alone`, alone);
}

/** The state in which an event happened: back through the history to where it was entered. */
export function stateAt(events: ExecutionRecord['events'], id: number): unknown {
  const event = events[id - 1];
  const entered = event?.stateEnteredEventDetails;
  return event && !entered ? stateAt(events, event.previousEventId) : entered?.name;
}

/** Stops an execution where it stands; the state must not have been left meanwhile. */
export function stopIn({ engine }: Stack, record: ExecutionRecord, state: string): void {
  if (!standsIn(record, state)) throw new Error(`${record.start.name} has left ${state}.`);
  engine.executions.stop(record.start.arn, 'Stopped', 'By a test.');
}

/** What waits of the action in its current execution, once somebody can be answered. */
export function waitsFor({ ledger }: Stack, id: string, action: ActionName): Promise<Waiting> {
  const waits = async () => {
    const record = await ledger.record({ route: ROUTE, leadRequestId: id });
    const execution = record?.handoff.execution;
    return record?.waiting.find((each) => {
      return each.action === action && each.token !== null && each.execution === execution;
    });
  };
  return until(`${action} of ${id} waits`, waits, WITHIN_MS, LOOK_EVERY_MS);
}

/** The record once the handoff is closed, and the execution that closed it has ended. Throws with what stands in the way. */
export async function closed(stack: Stack, id: string, run = 1): Promise<LedgerRecord> {
  const execution = await handoffExecution(stack, id, run);
  await ended(execution).catch(() => {});
  const record = await stack.ledger.record({ route: ROUTE, leadRequestId: id });
  if (execution.status === 'SUCCEEDED' && record?.handoff.closedAt) return record;
  const waits = record?.waiting.map(({ action, kind, why }) => {
    const decided = record.actions.find((state) => state.action === action)?.lastDecision;
    return `${action} ${kind} ${why}${decided ? ` (${decided.decision.kind} ${decided.result})` : ''}`;
  });
  throw new Error(
    `${execution.start.name} is ${execution.status}, and waits: ${waits?.join(', ') || 'nothing'}.`,
  );
}

/** Resolves when the destination shows the effects. */
export async function shows({ destination }: Stack, email: string, effects: Partial<Effects>): Promise<void> {
  const shown = async () => {
    const seen = await destination.effects(email);
    return Object.entries(effects).every(([effect, count]) => seen[effect as keyof Effects] === count);
  };
  await until(`the destination shows ${JSON.stringify(effects)}`, shown, WITHIN_MS, LOOK_EVERY_MS);
}

/** Pauses the route, or opens it, as the ledger's gate reads it. */
export async function setRoute({ engine }: Stack, state: 'paused' | 'open'): Promise<void> {
  const client = new DynamoDBClient({
    endpoint: engine.url,
    region: 'us-east-1',
    credentials: { accessKeyId: 'local', secretAccessKey: 'local' },
  });
  await client.send(
    new PutItemCommand({
      TableName: 'lead-handoff-local-ledger',
      Item: { pk: { S: `ROUTE#${ROUTE}` }, sk: { S: 'STATE' }, state: { S: state } },
    }),
  );
  client.destroy();
}

/** Holds the function's processes still while `during` runs; they go on whatever comes of it. */
export async function frozen<T>(
  { engine }: Stack,
  functionName: string,
  during: () => Promise<T>,
): Promise<T> {
  const pids = engine.pids(functionName);
  if (pids.length === 0) throw new Error(`${functionName} has no process to hold still.`);
  for (const pid of pids) process.kill(pid, 'SIGSTOP');
  try {
    return await during();
  } finally {
    for (const pid of pids) thaw(pid);
  }
}

/** Ends the function's processes in the middle of what they do. */
export function killed({ engine }: Stack, functionName: string): void {
  for (const pid of engine.pids(functionName)) process.kill(pid, 'SIGKILL');
}

/**
 * Ends a function's processes right after the next write to the ledger, which must be its own. The engine runs in this process, so
 * that nothing else that the function asks for has been answered by then.
 */
export async function killedAtWrite<T>(stack: Stack, functionName: string, begin: () => T): Promise<T> {
  const written = () => stack.engine.counters.writes['lead-handoff-local-ledger'] ?? 0;
  const before = written();
  const begun = begin();
  const deadline = Date.now() + WITHIN_MS;
  while (written() === before) {
    if (Date.now() > deadline) throw new Error(`${functionName} wrote nothing.`);
    await new Promise((resolve) => setImmediate(resolve));
  }
  killed(stack, functionName);
  return begun;
}

/** One that was ended meanwhile needs no thawing. */
function thaw(pid: number): void {
  try {
    process.kill(pid, 'SIGCONT');
  } catch {}
}

/**
 * Runs every item, at most so many at once: they shall meet what was planned for them, and not each other's cold starts.
 *
 * @returns the end of each, to be awaited where it is judged
 */
export function fewAtOnce<T, R>(
  items: readonly T[],
  atOnce: number,
  run: (item: T) => Promise<R>,
): ReadonlyMap<T, Promise<R>> {
  const places: Promise<unknown>[] = Array.from({ length: atOnce }, () => Promise.resolve());
  const ends = items.map((item, i): [T, Promise<R>] => {
    const place = i % atOnce;
    const end = (places[place] as Promise<unknown>).then(() => run(item));
    places[place] = end.catch(() => {});
    return [item, end];
  });
  return new Map(ends);
}
