import type { IFunction } from 'aws-cdk-lib/aws-lambda';
import {
  Choice,
  Condition,
  Errors,
  type INextable,
  Pass,
  type State,
  StateMachineFragment,
  Wait,
  WaitTime,
} from 'aws-cdk-lib/aws-stepfunctions';
import type { Construct } from 'constructs';
import type { ActionName } from '../../functions/domain/action.ts';
import type { Disposition } from '../../functions/domain/action-state.ts';
import { MAX_TURNS } from '../../functions/domain/decision-guide.ts';
import { LambdaTask } from './lambda-task.ts';
import { SAFE_TO_REPEAT, SAME_ATTEMPT_AGAIN } from './retries.ts';
import { expressionOf, groupValue, HANDOFF_PAYLOAD, withGroupValues } from './state-data.ts';

/** The default of the states language, and longer than a Standard execution may run (one year). */
const NO_TIMEOUT_SECONDS = 99_999_999;

/** The words of an action in its state names. */
const STATE_WORDS: Readonly<Record<ActionName, { action: string; reconcile: string; subject: string }>> = {
  'upsert-contact': { action: 'Upsert contact', reconcile: 'Reconcile contact', subject: 'Contact' },
  'assign-owner': { action: 'Assign owner', reconcile: 'Reconcile owner', subject: 'Owner' },
  'create-task': { action: 'Create task', reconcile: 'Reconcile task', subject: 'Task' },
  'send-introduction': {
    action: 'Send introduction',
    reconcile: 'Reconcile introduction',
    subject: 'Introduction',
  },
};

export interface ActionGroupProps {
  readonly action: ActionName;
  readonly actionFunction: IFunction;
  readonly reconcileFunction: IFunction;
  readonly askFunction: IFunction;
  readonly parkFunction: IFunction;
  readonly taskTimeoutSeconds: number;
}

/**
 * The states of one action. The action state is entered at the group's start and from the choice after its reconcile state, and
 * from nowhere else: waits, parked work, decisions, timeouts and errors all go to reconcile.
 */
export class ActionGroup extends StateMachineFragment {
  readonly startState: State;
  readonly endStates: INextable[];
  readonly #props: ActionGroupProps;
  readonly #subject: string;

  constructor(scope: Construct, props: ActionGroupProps) {
    super(scope, `${props.action} group`);
    this.#props = props;
    const { action: actionStateName, reconcile: reconcileStateName, subject } = STATE_WORDS[props.action];
    this.#subject = subject;

    const action = this.#actionState(actionStateName);
    const reconcile = this.#reconcileState(reconcileStateName);
    const wait = this.#waitState();
    const parked = this.#parkedState();
    const ask = this.#askState();
    const kept = new Pass(this, `${subject}: kept`);
    const stopped = new Pass(this, `${subject}: stopped`);

    const choice = new Choice(this, `${subject}: what now?`)
      .when(this.#disposition('keep'), kept)
      .when(this.#disposition('stop'), stopped)
      .when(this.#tooManyTurns(), ask)
      .when(this.#disposition('resume'), action)
      .when(this.#disposition('wait'), wait)
      .when(this.#disposition('park'), parked)
      .otherwise(ask);

    action.addCatch(reconcile, {
      errors: [Errors.ALL],
      outputs: this.#with({ disposition: 'null', error: '$states.errorOutput.Error' }),
    });
    reconcile.next(choice);
    reconcile.addCatch(choice, {
      errors: [Errors.ALL],
      outputs: this.#with({
        disposition: "'wait'",
        error: '$states.errorOutput.Error',
        turns: this.#nextTurn(),
        waitSeconds: this.#pause(),
      }),
    });
    wait.next(reconcile);
    for (const [state, onTimeout] of [
      [ask, { asked: `${groupValue(props.action, 'asked')} + 1` }],
      [parked, {}],
    ] as const) {
      const left = { error: '$states.errorOutput.Error', record: 'null' };
      state.next(reconcile);
      state.addCatch(reconcile, {
        errors: [Errors.TIMEOUT],
        outputs: this.#with({ ...left, ...onTimeout }),
      });
      // The function itself failed, perhaps at once: without the wait the group would spin.
      state.addCatch(wait, {
        errors: [Errors.ALL],
        outputs: this.#with({ ...left, waitSeconds: this.#pause() }),
      });
    }

    this.startState = action;
    this.endStates = [action, kept, stopped];
  }

  #actionState(stateName: string): LambdaTask {
    const { action, actionFunction, taskTimeoutSeconds } = this.#props;
    const state = new LambdaTask(this, stateName, {
      lambdaFunction: actionFunction,
      payload: { ...HANDOFF_PAYLOAD, attempt: expressionOf(action, 'attempt') },
      timeout: taskTimeoutSeconds,
      output: this.#with({ disposition: "'keep'", outcome: "'performed'", error: 'null' }),
    });
    state.addRetry(SAME_ATTEMPT_AGAIN);
    return state;
  }

  #reconcileState(stateName: string): LambdaTask {
    const { action, reconcileFunction, taskTimeoutSeconds } = this.#props;
    const state = new LambdaTask(this, stateName, {
      lambdaFunction: reconcileFunction,
      payload: {
        ...HANDOFF_PAYLOAD,
        attempt: expressionOf(action, 'attempt'),
        turns: expressionOf(action, 'turns'),
        error: expressionOf(action, 'error'),
      },
      timeout: taskTimeoutSeconds,
      // A Wait state cannot catch: its seconds are made whole and positive here, where a failure still goes to the choice.
      output: this.#with({
        disposition: '$states.result.Payload.disposition',
        attempt: '$states.result.Payload.attempt',
        reason: '$states.result.Payload.reason',
        waitSeconds: '$max([1, $ceil($states.result.Payload.waitSeconds)])',
        turns: this.#nextTurn(),
        error: 'null',
        record: '$states.result.Payload.record',
      }),
    });
    state.addRetry(SAFE_TO_REPEAT);
    return state;
  }

  #waitState(): Wait {
    return Wait.jsonata(this, `${this.#subject}: wait`, {
      time: WaitTime.seconds(expressionOf(this.#props.action, 'waitSeconds')),
    });
  }

  /** Waits for a task token that a drain completes, or until it is time to look again. */
  #parkedState(): LambdaTask {
    return new LambdaTask(this, `${this.#subject}: parked`, {
      lambdaFunction: this.#props.parkFunction,
      payload: this.#tokenPayload(),
      timeout: '{% $states.input.limits.parkSeconds %}',
      output: this.#with({ error: 'null' }),
      waitForTaskToken: true,
    });
  }

  /**
   * Waits for a person, who finds the recovery record in the state's input; whoever leaves the state leaves the record behind. An
   * answer starts the count of turns and of questions again; each unanswered question escalates.
   */
  #askState(): LambdaTask {
    const asked = groupValue(this.#props.action, 'asked');
    return new LambdaTask(this, `${this.#subject}: ask recovery owner`, {
      lambdaFunction: this.#props.askFunction,
      payload: this.#tokenPayload(),
      timeout: `{% ${asked} < $states.input.limits.escalations ? $states.input.limits.askSlaSeconds : ${NO_TIMEOUT_SECONDS} %}`,
      output: this.#with({ asked: '0', turns: '0', error: 'null', record: 'null' }),
      waitForTaskToken: true,
    });
  }

  #tokenPayload(): Readonly<Record<string, string>> {
    const { action } = this.#props;
    return {
      ...HANDOFF_PAYLOAD,
      action,
      token: '{% $states.context.Task.Token %}',
      reason: expressionOf(action, 'reason'),
      asked: expressionOf(action, 'asked'),
      attempt: expressionOf(action, 'attempt'),
    };
  }

  #disposition(name: Disposition): Condition {
    return Condition.jsonata(`{% ${groupValue(this.#props.action, 'disposition')} = '${name}' %}`);
  }

  /** The guide asks by itself after `MAX_TURNS`; this is for when it cannot be heard, and so comes one turn later. */
  #tooManyTurns(): Condition {
    return Condition.jsonata(`{% ${groupValue(this.#props.action, 'turns')} > ${MAX_TURNS + 1} %}`);
  }

  #nextTurn(): string {
    return `${groupValue(this.#props.action, 'turns')} + 1`;
  }

  /** Longer with every turn, up to 60 times the pause: a function that stays broken must not use up the execution's events. */
  #pause(): string {
    return `$states.input.limits.pauseSeconds * $min([${this.#nextTurn()}, 60])`;
  }

  #with(values: Readonly<Record<string, string>>): string {
    return withGroupValues(this.#props.action, values);
  }
}
