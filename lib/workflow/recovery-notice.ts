import type { ITopic } from 'aws-cdk-lib/aws-sns';
import { Choice, Condition, type StateMachine, TaskInput } from 'aws-cdk-lib/aws-stepfunctions';
import { SnsPublish } from 'aws-cdk-lib/aws-stepfunctions-tasks';
import { Construct } from 'constructs';
import type { Stage } from '../../functions/domain/stage-numbers.ts';
import { loggedStateMachine } from './logged-state-machine.ts';
import { TELL_AGAIN } from './retries.ts';

export interface RecoveryNoticeProps {
  readonly stage: Stage;
  readonly route: string;
  readonly recoveryTopic: ITopic;
  readonly escalationTopic: ITopic;
}

/**
 * Hands the recovery record in a `recovery.opened` event to the people who read it, as plain text under a subject of its own.
 *
 * A rule that targets a topic itself sends JSON: the record would arrive as one line in quotes, with `\n` and `\"` in it, and what
 * is meant to be pasted could not be. https://docs.aws.amazon.com/eventbridge/latest/userguide/eb-transform-target-input.html
 */
export class RecoveryNotice extends Construct {
  readonly stateMachine: StateMachine;

  constructor(scope: Construct, id: string, props: RecoveryNoticeProps) {
    super(scope, id);
    const { stage, route, recoveryTopic, escalationTopic } = props;
    const definition = new Choice(this, 'Escalated?')
      .when(
        Condition.jsonata('{% $states.input.detail.escalated = true %}'),
        this.#tell('Tell escalation owner', escalationTopic),
      )
      .otherwise(this.#tell('Tell recovery owner', recoveryTopic));
    this.stateMachine = loggedStateMachine(this, {
      stage,
      name: `lead-handoff-${stage}-notice-${route}`,
      definition,
    });
  }

  #tell(stateName: string, topic: ITopic): SnsPublish {
    const state = SnsPublish.jsonata(this, stateName, {
      topic,
      // At most 100 characters: https://docs.aws.amazon.com/sns/latest/api/API_Publish.html.
      subject:
        "{% 'Lead Handoff: ' & $states.input.detail.route & '/' & $states.input.detail.leadRequestId %}",
      message: TaskInput.fromText('{% $states.input.detail.text %}'),
      outputs: '{% $states.result.MessageId %}',
    });
    state.addRetry(TELL_AGAIN);
    return state;
  }
}
