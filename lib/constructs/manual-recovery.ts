import { Duration, Validations } from 'aws-cdk-lib';
import { Rule, Schedule } from 'aws-cdk-lib/aws-events';
import { LambdaFunction, SfnStateMachine } from 'aws-cdk-lib/aws-events-targets';
import type { IFunction } from 'aws-cdk-lib/aws-lambda';
import type { Topic } from 'aws-cdk-lib/aws-sns';
import { Queue, QueueEncryption } from 'aws-cdk-lib/aws-sqs';
import type { IStateMachine, StateMachine } from 'aws-cdk-lib/aws-stepfunctions';
import { Construct } from 'constructs';
import { EVENT_SOURCE, RECOVERY_OPENED } from '../../functions/domain/recovery-opened.ts';
import type { RouteSettings, RoutesFile } from '../../functions/domain/route.ts';
import type { Stage } from '../../functions/domain/stage-numbers.ts';
import { RecoveryDecision } from '../workflow/recovery-decision.ts';
import { RecoveryNotice } from '../workflow/recovery-notice.ts';
import type { Notices } from './notices.ts';
import { RecoveryPolicy } from './recovery-policy.ts';

export interface ManualRecoveryProps {
  readonly stage: Stage;
  readonly routesFile: RoutesFile;
  /** The handoff workflow. */
  readonly handoffs: IStateMachine;
  readonly notices: Notices;
  readonly decide: IFunction;
  readonly executionEnded: IFunction;
  readonly sweep: IFunction;
  readonly sweepMinutes: number;
}

/** What one route has for the people who recover its leads. */
export interface RouteRecovery {
  readonly route: RouteSettings;
  readonly escalationTopic: Topic;
  readonly notice: StateMachine;
}

/**
 * How stuck leads come to people and their decisions back: for each route a state machine that takes decisions, a policy for those
 * who may start it, and emails to the recovery and the escalation owner; for all of them the rules that see executions end and the
 * sweep that finds what was lost.
 */
export class ManualRecovery extends Construct {
  readonly routes: readonly RouteRecovery[];
  /** Takes the events that EventBridge could not deliver. */
  readonly undelivered: Queue;

  constructor(scope: Construct, id: string, props: ManualRecoveryProps) {
    super(scope, id);
    this.undelivered = this.#undeliveredQueue(props.stage);
    this.routes = props.routesFile.routes.map((route) => this.#recoveryOf(route, props));
    this.#watchExecutions(props);
    this.#scheduleSweep(props);
  }

  #recoveryOf(route: RouteSettings, props: ManualRecoveryProps): RouteRecovery {
    const { stage, handoffs, notices, decide, routesFile } = props;
    const { name, recoveryOwner, escalationOwner } = route;
    const decision = new RecoveryDecision(this, `Decision ${name}`, {
      stage,
      route: name,
      decide,
      taskTimeoutSeconds: routesFile.numbers.taskTimeoutSeconds,
    }).stateMachine;
    new RecoveryPolicy(this, `Policy ${name}`, { stage, route: name, decision, handoffs });
    const escalationTopic = notices.topic(`escalation-${name}`, [escalationOwner.email]);
    notices.acceptAlarms(escalationTopic);
    const notice = new RecoveryNotice(this, `Notice ${name}`, {
      stage,
      route: name,
      recoveryTopic: notices.topic(`recovery-${name}`, [recoveryOwner.email]),
      escalationTopic,
    }).stateMachine;
    notices.grantKey(notice);
    new Rule(this, `Opened ${name}`, {
      ruleName: `lead-handoff-${stage}-recovery-${name}`,
      description: `Tells the people of route ${name} that a lead waits for a decision.`,
      eventPattern: {
        source: [EVENT_SOURCE],
        detailType: [RECOVERY_OPENED],
        detail: { route: [name] },
      },
      targets: [new SfnStateMachine(notice, { deadLetterQueue: this.undelivered })],
    });
    return { route, escalationTopic, notice };
  }

  /** https://docs.aws.amazon.com/step-functions/latest/dg/eventbridge-integration.html */
  #watchExecutions({ stage, handoffs, executionEnded }: ManualRecoveryProps): void {
    new Rule(this, 'Execution ended', {
      ruleName: `lead-handoff-${stage}-execution-ended`,
      description: 'Puts handoffs whose execution failed on the waiting list.',
      eventPattern: {
        source: ['aws.states'],
        detailType: ['Step Functions Execution Status Change'],
        detail: {
          stateMachineArn: [handoffs.stateMachineArn],
          status: ['FAILED', 'ABORTED', 'TIMED_OUT'],
        },
      },
      targets: [new LambdaFunction(executionEnded, { deadLetterQueue: this.undelivered })],
    });
  }

  #scheduleSweep({ stage, sweep, sweepMinutes }: ManualRecoveryProps): void {
    new Rule(this, 'Sweep', {
      ruleName: `lead-handoff-${stage}-sweep`,
      description: 'Finds the handoffs that nothing else would bring to anybody.',
      schedule: Schedule.rate(Duration.minutes(sweepMinutes)),
      targets: [new LambdaFunction(sweep, { deadLetterQueue: this.undelivered })],
    });
  }

  #undeliveredQueue(stage: Stage): Queue {
    const queue = new Queue(this, 'Undelivered', {
      queueName: `lead-handoff-${stage}-undelivered`,
      encryption: QueueEncryption.SQS_MANAGED,
      enforceSSL: true,
      retentionPeriod: Duration.days(14),
    });
    Validations.of(queue).acknowledge({
      id: 'AwsSolutions-SQS3',
      reason: 'It is the dead-letter queue of the rules; an alarm watches it.',
    });
    return queue;
  }
}
