import type { IFunction } from 'aws-cdk-lib/aws-lambda';
import { Choice, Condition, Fail, type StateMachine, Succeed } from 'aws-cdk-lib/aws-stepfunctions';
import { Construct } from 'constructs';
import type { Stage } from '../../functions/domain/stage-numbers.ts';
import { LambdaTask } from './lambda-task.ts';
import { loggedStateMachine } from './logged-state-machine.ts';
import { RECORD_AGAIN } from './retries.ts';

export interface RecoveryDecisionProps {
  readonly stage: Stage;
  /** The route that decisions are for, whatever their input says. */
  readonly route: string;
  readonly decide: IFunction;
  readonly taskTimeoutSeconds: number;
}

/**
 * Where a person decides: each execution takes one decision as its input and answers with what became of it. There is one per
 * route, so that IAM says who may decide for which route.
 */
export class RecoveryDecision extends Construct {
  readonly stateMachine: StateMachine;

  constructor(scope: Construct, id: string, props: RecoveryDecisionProps) {
    super(scope, id);
    const { stage, route, decide, taskTimeoutSeconds } = props;
    const record = new LambdaTask(this, 'Decide', {
      lambdaFunction: decide,
      payload: {
        route,
        request: '{% $states.input %}',
        execution: '{% $states.context.Execution.Name %}',
      },
      timeout: taskTimeoutSeconds,
      output: '{% $states.result.Payload %}',
    });
    record.addRetry(RECORD_AGAIN);
    const refused = Fail.jsonata(this, 'Refused', {
      error: '{% $states.input.refused.error %}',
      cause: '{% $states.input.refused.message %}',
    });
    const done = Succeed.jsonata(this, 'Done', { outputs: '{% $states.input.answer %}' });
    const definition = record.next(
      new Choice(this, 'Refused?')
        .when(Condition.jsonata('{% $exists($states.input.refused) %}'), refused)
        .otherwise(done),
    );
    this.stateMachine = loggedStateMachine(this, {
      stage,
      name: `lead-handoff-${stage}-recovery-${route}`,
      definition,
    });
  }
}
