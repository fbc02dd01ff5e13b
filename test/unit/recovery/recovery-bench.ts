import { type ActionName, executionName } from '../../../functions/domain/action.ts';
import type { Waiting } from '../../../functions/domain/handoff.ts';
import type { RecoveryOpened } from '../../../functions/domain/recovery-opened.ts';
import { type Events, EventsUnavailable } from '../../../functions/ports/events.ts';
import { type Workflow, WorkflowUnavailable } from '../../../functions/ports/workflow.ts';
import { answerPerson } from '../../../functions/recovery/answer-person.ts';
import { executionEnded } from '../../../functions/recovery/ended-execution.ts';
import { type OpenedWait, openWait } from '../../../functions/recovery/open-wait.ts';
import type { RecoveryPorts } from '../../../functions/recovery/ports.ts';
import { sweepHandoff } from '../../../functions/recovery/sweep-handoff.ts';
import { type RouteSwept, sweepRoute } from '../../../functions/recovery/sweep-route.ts';
import { Bench, KEY } from '../../model/bench.ts';
import { NUMBERS } from '../../model/settings.ts';
import { type Interference, interfered } from './interference.ts';

export { KEY };

export const RUN_1 = executionName(KEY, 1);
export const RUN_2 = executionName(KEY, 2);
export const RUN_3 = executionName(KEY, 3);

/** 2 × function timeout + task timeout, and a millisecond. */
export const PAST_GRACE = 55_001;
export const HOURS_4 = 14_400_000;

export type WorkflowCall = 'start' | 'status' | 'stop' | 'complete';

/** Where a test takes a hand in a call of the workflow service: it may wait there, or throw. */
export interface WorkflowHooks {
  before?(call: WorkflowCall, name: string): void | Promise<void>;
  after?(call: WorkflowCall, name: string): void | Promise<void>;
}

export type Answered = Awaited<ReturnType<typeof answerPerson>>;

/** A handoff with the people around it. */
export class RecoveryBench extends Bench {
  readonly told: RecoveryOpened[] = [];
  eventsFail = false;
  workflowHooks: WorkflowHooks = {};
  interference: Interference | undefined;
  #persons = 0;

  readonly #events: Events = {
    publish: async (event) => {
      if (this.eventsFail) throw new EventsUnavailable('full');
      this.told.push(event);
    },
  };

  readonly #workflow: Workflow = {
    start: (name, input) => this.#called('start', name, () => this.workflow.start(name, input)),
    status: (name) => this.#called('status', name, () => this.workflow.status(name)),
    stop: (name) => this.#called('stop', name, () => this.workflow.stop(name)),
    complete: (token) => this.#called('complete', token, () => this.workflow.complete(token)),
  };

  async #called<T>(call: WorkflowCall, name: string, then: () => Promise<T>): Promise<T> {
    await this.workflowHooks.before?.(call, name);
    const answer = await then();
    await this.workflowHooks.after?.(call, name);
    return answer;
  }

  recovery(more: Partial<RecoveryPorts> = {}): RecoveryPorts {
    const interference = () => this.interference;
    return {
      ledger: interfered(this.ledger, interference),
      workflow: interfered(this.#workflow, interference),
      events: interfered(this.#events, interference),
      clock: this.clock.now,
      route: this.route,
      stage: 'test',
      numbers: NUMBERS,
      links: {
        stateMachineArn: 'arn:aws:states:eu-central-1:123456789012:stateMachine:lead-handoff-test',
      },
      contractOf: (action) => this.contracts[action],
      ...more,
    };
  }

  /** A person starts an execution of the route's recovery state machine; of another name each time, unless told. */
  answer(input: unknown, execution = `person-${++this.#persons}`): Promise<Answered> {
    return answerPerson(input, execution, this.recovery());
  }

  /** A person decides about an action. */
  person(action: ActionName, decision: string, more: object = {}, execution?: string): Promise<Answered> {
    const input = { leadRequestId: 'inq-1', action, decision, by: 'Robin', reason: 'looked at it', ...more };
    return this.answer(input, execution);
  }

  resubmitted(execution?: string): Promise<Answered> {
    const input = { leadRequestId: 'inq-1', decision: 'resubmit', by: 'Robin', reason: 'it failed' };
    return this.answer(input, execution);
  }

  /** The workflow enters an ask or a park state, and waits behind a new token. */
  enters(
    kind: Waiting['kind'],
    action: ActionName,
    { token = `token-${action}`, asked = 0, reason = 'permissions', execution = RUN_1 } = {},
  ): Promise<OpenedWait> {
    this.workflow.tokens.add(token);
    const request = { ...KEY, run: 1, execution, action, token, reason, asked, attempt: 1 };
    return openWait(kind, request, this.recovery());
  }

  ends(
    status: 'FAILED' | 'ABORTED' | 'TIMED_OUT',
    execution = RUN_1,
  ): Promise<Awaited<ReturnType<typeof executionEnded>>> {
    this.workflow.statuses.set(execution, status);
    this.workflow.tokens.clear();
    return this.tellsOfTheEnd(status, execution);
  }

  /** EventBridge says that an execution ended, whatever is so by now. */
  tellsOfTheEnd(
    status: 'FAILED' | 'ABORTED' | 'TIMED_OUT',
    execution = RUN_1,
  ): Promise<Awaited<ReturnType<typeof executionEnded>>> {
    return executionEnded(KEY, { execution, status, key: KEY }, this.recovery());
  }

  sweep(): Promise<void> {
    return sweepHandoff(KEY, this.recovery());
  }

  sweepRoute(more: { remainingMs?: () => number; random?: () => number } = {}): Promise<RouteSwept> {
    return sweepRoute({ ...this.recovery(), random: () => 0, remainingMs: () => 60_000, ...more });
  }

  async waiting(): Promise<readonly Waiting[]> {
    return (await this.ledger.record(KEY))?.waiting ?? [];
  }

  async waitingOf(subject: Waiting['action']): Promise<Waiting | undefined> {
    return (await this.waiting()).find(({ action }) => action === subject);
  }

  /** The executions that are running. */
  running(): string[] {
    return [...this.workflow.statuses].filter(([, status]) => status === 'RUNNING').map(([name]) => name);
  }

  async current(): Promise<string | undefined> {
    return (await this.ledger.handoff(KEY))?.execution;
  }
}

/** The task was refused, and a person is asked; the workflow waits behind `token-create-task`. */
export async function askedAboutTask(bench = new RecoveryBench()): Promise<RecoveryBench> {
  await toldToAsk(bench);
  await bench.enters('ask', 'create-task');
  bench.told.length = 0;
  return bench;
}

/** Reconcile has said `ask`, and the ask state is not entered yet. */
export async function toldToAsk(bench = new RecoveryBench()): Promise<RecoveryBench> {
  await bench.upTo('create-task');
  bench.crm.wire.plan({ kind: 'refused', reason: 'permissions' });
  await bench.act('create-task', 1);
  bench.clock.advance(100_000);
  await bench.reconcile('create-task');
  return bench;
}

/** The task is parked, because its route is paused. */
export async function parkedTask(bench = new RecoveryBench()): Promise<RecoveryBench> {
  await bench.upTo('create-task');
  bench.ledger.pauseRoute('web');
  await bench.reconcile('create-task');
  await bench.enters('park', 'create-task', { reason: 'route-paused' });
  return bench;
}

/** Fails the next call of this kind, before it reaches the service or after it took effect. */
export function failing(call: WorkflowCall, moment: 'before' | 'after'): WorkflowHooks {
  let used = false;
  return {
    [moment]: (seen: WorkflowCall) => {
      if (used || seen !== call) return;
      used = true;
      throw new WorkflowUnavailable('no answer');
    },
  };
}
