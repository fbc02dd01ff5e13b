import { Duration } from 'aws-cdk-lib';
import {
  Alarm,
  ComparisonOperator,
  type IMetric,
  MathExpression,
  Metric,
  Stats,
  TreatMissingData,
} from 'aws-cdk-lib/aws-cloudwatch';
import { SnsAction } from 'aws-cdk-lib/aws-cloudwatch-actions';
import type { IFunction } from 'aws-cdk-lib/aws-lambda';
import type { ITopic } from 'aws-cdk-lib/aws-sns';
import type { IStateMachine } from 'aws-cdk-lib/aws-stepfunctions';
import { Construct } from 'constructs';
import type { RoutesFile } from '../../functions/domain/route.ts';
import type { Stage } from '../../functions/domain/stage-numbers.ts';
import type { Intake } from '../constructs/intake.ts';
import type { ManualRecovery } from '../constructs/manual-recovery.ts';
import type { Notices } from '../constructs/notices.ts';

/** The sweep leaves at least one value of its metrics in each: it comes every five minutes. */
const SWEPT = Duration.minutes(15);

/** Dead letters are kept within seconds of their arrival; one that stays for so many minutes is not kept. */
const DEAD_MINUTES = 15;

export interface AlarmsProps {
  readonly stage: Stage;
  readonly routesFile: RoutesFile;
  /** The handoff workflow. */
  readonly handoffs: IStateMachine;
  readonly notices: Notices;
  readonly recovery: ManualRecovery;
  readonly intake: Intake;
  /** Functions whose errors nobody else would see, by the last part of their name. */
  readonly functions: Readonly<Record<string, IFunction>>;
}

/**
 * What must be seen although nobody looks. A route's own alarm goes to its escalation owner, the others to the escalation owners of
 * all routes.
 */
export class Alarms extends Construct {
  readonly #stage: Stage;

  constructor(scope: Construct, id: string, props: AlarmsProps) {
    super(scope, id);
    const { stage, notices, recovery, handoffs, functions } = props;
    this.#stage = stage;
    const everybody = notices.topic(
      'alarms',
      recovery.routes.map(({ route }) => route.escalationOwner.email),
    );
    notices.acceptAlarms(everybody);

    this.#waitingTooLong(props);
    this.#notTakenIn(props.intake, everybody);
    for (const { route, notice } of recovery.routes) {
      this.#atAll(
        `notice-failed-${route.name}`,
        `The people of route ${route.name} were not told of a lead that waits: lead-handoff-${stage}-notice-${route.name} failed.`,
        notice.metricFailed(),
        everybody,
      );
    }
    for (const [name, handler] of Object.entries(functions)) {
      this.#atAll(
        `errors-${name}`,
        `The function lead-handoff-${stage}-${name} failed: its log has the name of the error.`,
        handler.metricErrors(),
        everybody,
      );
    }
    for (const [how, metric] of [
      ['failed', handoffs.metricFailed()],
      ['timed-out', handoffs.metricTimedOut()],
      ['aborted', handoffs.metricAborted()],
    ] as const) {
      this.#atAll(
        `handoff-${how}`,
        `The execution of a handoff ended ${how}. Unless somebody has started it again, it is on the waiting list of its route.`,
        metric,
        everybody,
      );
    }
    this.#atAll(
      'undelivered',
      'EventBridge could not deliver an event: look at the messages of the queue and at the permissions of its target.',
      recovery.undelivered.metricApproximateNumberOfMessagesVisible(),
      everybody,
    );
  }

  /**
   * Longer than every question and escalation together. Without a value the sweep is dead, which is as bad; so a new stack raises
   * this alarm until its first sweep.
   */
  #waitingTooLong({ stage, routesFile, recovery }: AlarmsProps): void {
    const { askSlaSeconds, escalations } = routesFile.numbers;
    for (const { route, escalationTopic } of recovery.routes) {
      const alarm = new Alarm(this, `Waiting too long ${route.name}`, {
        alarmName: `lead-handoff-${stage}-waiting-too-long-${route.name}`,
        alarmDescription: `A lead of route ${route.name} has waited for a person through every escalation, or the sweep has stopped.`,
        metric: new Metric({
          namespace: 'LeadHandoff',
          metricName: 'OldestWaitingSeconds',
          dimensionsMap: { service: 'lead-handoff', route: route.name },
          statistic: Stats.MAXIMUM,
          period: SWEPT,
        }),
        comparisonOperator: ComparisonOperator.GREATER_THAN_THRESHOLD,
        threshold: (route.askSlaSeconds ?? askSlaSeconds) * (escalations + 1),
        evaluationPeriods: 1,
        treatMissingData: TreatMissingData.BREACHING,
      });
      alarm.addAlarmAction(new SnsAction(escalationTopic));
    }
  }

  /** Leads that nothing takes although they were handed in. A sender over HTTP is told, and may not send again. */
  #notTakenIn({ queue, http }: Intake, topic: ITopic): void {
    this.#atAll(
      'leads-not-taken',
      `Leads wait in the queue lead-handoff-${this.#stage}-leads for longer than all of their deliveries take.`,
      queue.leads.metricApproximateAgeOfOldestMessage(),
      topic,
      { threshold: queue.allTries.toSeconds() },
    );
    // One that is tried again and again is hidden most of the time, and visible for a moment.
    const hidden = queue.deadLeads.metricApproximateNumberOfMessagesNotVisible();
    const visible = queue.deadLeads.metricApproximateNumberOfMessagesVisible();
    this.#atAll(
      'dead-leads-not-kept',
      `Messages stay in the queue lead-handoff-${this.#stage}-dead-leads: the function dead-letters does not get them into the ledger, and nobody is asked about them.`,
      new MathExpression({
        expression: 'hidden + visible',
        usingMetrics: { hidden, visible },
        period: Duration.minutes(1),
      }),
      topic,
      { periods: DEAD_MINUTES },
    );
    this.#atAll(
      'leads-api-failed',
      `The HTTP API lead-handoff-${this.#stage}-leads could not take a lead request (status 5xx).`,
      http.api.metricServerError(),
      topic,
    );
  }

  /** An alarm at the first one within five minutes, unless told otherwise. */
  #atAll(
    name: string,
    description: string,
    metric: IMetric,
    topic: ITopic,
    { threshold = 1, periods = 1 }: { threshold?: number; periods?: number } = {},
  ): void {
    const alarm = new Alarm(this, name, {
      alarmName: `lead-handoff-${this.#stage}-${name}`,
      alarmDescription: description,
      metric,
      comparisonOperator: ComparisonOperator.GREATER_THAN_OR_EQUAL_TO_THRESHOLD,
      threshold,
      evaluationPeriods: periods,
      treatMissingData: TreatMissingData.NOT_BREACHING,
    });
    alarm.addAlarmAction(new SnsAction(topic));
  }
}
