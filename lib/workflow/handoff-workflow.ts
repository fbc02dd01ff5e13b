import type { IFunction } from 'aws-cdk-lib/aws-lambda';
import { Parallel, type StateMachine } from 'aws-cdk-lib/aws-stepfunctions';
import { Construct } from 'constructs';
import type { ActionName } from '../../functions/domain/action.ts';
import type { Stage } from '../../functions/domain/stage-numbers.ts';
import { ActionGroup } from './action-group.ts';
import { LambdaTask } from './lambda-task.ts';
import { loggedStateMachine } from './logged-state-machine.ts';
import { CLOSE_AGAIN } from './retries.ts';
import { HANDOFF_PAYLOAD, mergeBranches } from './state-data.ts';

export interface HandoffWorkflowProps {
  readonly stage: Stage;
  readonly taskTimeoutSeconds: number;
  readonly actions: Readonly<Record<ActionName, IFunction>>;
  readonly reconciles: Readonly<Record<ActionName, IFunction>>;
  readonly ask: IFunction;
  readonly park: IFunction;
  readonly close: IFunction;
}

/** Upsert contact → Assign owner → (Create task | Send introduction) → Close record, for every route. */
export class HandoffWorkflow extends Construct {
  readonly stateMachine: StateMachine;
  readonly #props: HandoffWorkflowProps;

  constructor(scope: Construct, id: string, props: HandoffWorkflowProps) {
    super(scope, id);
    this.#props = props;
    const definition = this.#group('upsert-contact')
      .next(this.#group('assign-owner'))
      .next(this.#parallel('create-task', 'send-introduction'))
      .next(this.#closeState());
    this.stateMachine = loggedStateMachine(this, {
      stage: props.stage,
      name: `lead-handoff-${props.stage}`,
      definition,
    });
  }

  #group(action: ActionName): ActionGroup {
    const { actions, reconciles, ask, park, taskTimeoutSeconds } = this.#props;
    return new ActionGroup(this, {
      action,
      actionFunction: actions[action],
      reconcileFunction: reconciles[action],
      askFunction: ask,
      parkFunction: park,
      taskTimeoutSeconds,
    });
  }

  #parallel(...actions: ActionName[]): Parallel {
    const parallel = Parallel.jsonata(this, 'Create task and send introduction', {
      outputs: mergeBranches(actions),
    });
    for (const action of actions) parallel.branch(this.#group(action));
    return parallel;
  }

  /** A close that keeps failing fails the execution, where it is seen. */
  #closeState(): LambdaTask {
    const state = new LambdaTask(this, 'Close record', {
      lambdaFunction: this.#props.close,
      payload: HANDOFF_PAYLOAD,
      timeout: this.#props.taskTimeoutSeconds,
      output: '{% $states.input %}',
    });
    state.addRetry(CLOSE_AGAIN);
    return state;
  }
}
