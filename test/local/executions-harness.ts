import type { ExecutionRecord } from '../../local/execution-record.ts';
import { Executions, type ExecutionsOptions } from '../../local/executions.ts';
import type { Json } from '../../local/interpreter/json.ts';
import { Journal } from '../../local/journal.ts';
import { type Answer, FUNCTION, LAMBDA_WITH_TOKEN } from './interpreter-harness.ts';
import { VirtualClock } from './virtual-clock.ts';

export const MACHINE = 'arn:aws:states:us-east-1:000000000000:stateMachine:machine';
export const DAY_MS = 24 * 3_600_000;

/** Work, then a question; the input's `first` may send it straight to the question. */
const STATES = {
  Work: {
    Type: 'Task',
    Resource: FUNCTION,
    Next: 'Ask',
  },
  Ask: { Type: 'Task', Resource: LAMBDA_WITH_TOKEN, TimeoutSeconds: 60, End: true },
};

export function executionArn(name: string): string {
  return `arn:aws:states:us-east-1:000000000000:execution:machine:${name}`;
}

/** Executions of one machine in virtual time, with every service and function played by `answer`. */
export interface ExecutionsTrial {
  readonly executions: Executions;
  readonly clock: VirtualClock;
  /** The token that the execution was last given. */
  token(record: ExecutionRecord): string;
  /** Goes on in a new engine that has the journal and the time. */
  restart(answer?: Answer): ExecutionsTrial;
}

const opened: Executions[] = [];

/** Ends what the test has opened, so that nothing runs on after it. */
export function suspendExecutions(): void {
  for (const executions of opened.splice(0)) executions.suspend();
}

export function openExecutions(
  answer: Answer = () => null,
  options: Partial<ExecutionsOptions> & { states?: object; directory?: string; clock?: VirtualClock } = {},
): ExecutionsTrial {
  const { states = STATES, directory, clock = new VirtualClock(), ...more } = options;
  const definition = JSON.stringify({
    QueryLanguage: 'JSONata',
    StartAt: Object.keys(states)[0],
    States: states,
  });
  const machine = { logicalId: 'Machine', name: 'machine', arn: MACHINE, roleArn: 'role', definition };
  const executions = new Executions({
    stateMachines: [machine],
    journal: new Journal(directory),
    tasks: { run: async (request): Promise<Json> => await answer(request) },
    clock,
    ids: () => crypto.randomUUID(),
    ...more,
  });
  executions.resume();
  opened.push(executions);
  return {
    executions,
    clock,
    token: ({ tokens }) => [...tokens].at(-1) ?? '',
    restart(next = answer) {
      executions.suspend();
      return openExecutions(next, { ...options, clock });
    },
  };
}
