import { describe, expect, test } from 'vitest';
import { website } from '../../routes/website.ts';
import { synthesizedRoutes, synthesizedStage } from './synthesize.ts';

const prod = synthesizedStage('prod');
const alarm = (name: string) =>
  prod.named('AWS::CloudWatch::Alarm', 'AlarmName', `lead-handoff-prod-${name}`);
const dimensionsOf = (name: string) =>
  alarm(name).Dimensions.map(({ Name, Value }: { Name: string; Value: unknown }) => [Name, prod.text(Value)]);
const toldBy = (name: string) => alarm(name).AlarmActions.map((topic: unknown) => prod.text(topic));

describe('a lead that waits longer than every question and escalation together', () => {
  test('is told to the escalation owner of its route', () => {
    expect(alarm('waiting-too-long-website')).toMatchObject({
      Namespace: 'LeadHandoff',
      MetricName: 'OldestWaitingSeconds',
      Statistic: 'Maximum',
      ComparisonOperator: 'GreaterThanThreshold',
      Threshold: 4 * 3600 * 4,
    });
    // The service is a dimension that Powertools adds by itself.
    expect(dimensionsOf('waiting-too-long-website').sort()).toEqual([
      ['route', 'website'],
      ['service', 'lead-handoff'],
    ]);
    expect(toldBy('waiting-too-long-website')).toEqual(['<lead-handoff-prod-escalation-website>']);
  });

  test('and so is a sweep that has stopped, after three that did not come', () => {
    expect(alarm('waiting-too-long-website')).toMatchObject({
      TreatMissingData: 'breaching',
      Period: 15 * 60,
      EvaluationPeriods: 1,
    });
    expect(prod.named('AWS::Events::Rule', 'Name', 'lead-handoff-prod-sweep').ScheduleExpression).toBe(
      'rate(5 minutes)',
    );
  });

  test("by the route's own time to answer", () => {
    const quick = synthesizedRoutes('prod', [{ ...website, askSlaSeconds: 600 }]);
    expect(
      quick.named('AWS::CloudWatch::Alarm', 'AlarmName', 'lead-handoff-prod-waiting-too-long-website')
        .Threshold,
    ).toBe(600 * 4);
  });
});

describe('at the first one within five minutes, the escalation owners of all routes are told of', () => {
  test.each([
    ['errors-sweep', 'AWS/Lambda', 'Errors', ['FunctionName', '<lead-handoff-prod-sweep>']],
    [
      'errors-execution-ended',
      'AWS/Lambda',
      'Errors',
      ['FunctionName', '<lead-handoff-prod-execution-ended>'],
    ],
    ['errors-ask', 'AWS/Lambda', 'Errors', ['FunctionName', '<lead-handoff-prod-ask>']],
    ['errors-start', 'AWS/Lambda', 'Errors', ['FunctionName', '<lead-handoff-prod-start>']],
    ['errors-from-queue', 'AWS/Lambda', 'Errors', ['FunctionName', '<lead-handoff-prod-from-queue>']],
    ['errors-from-http', 'AWS/Lambda', 'Errors', ['FunctionName', '<lead-handoff-prod-from-http>']],
    ['errors-dead-letters', 'AWS/Lambda', 'Errors', ['FunctionName', '<lead-handoff-prod-dead-letters>']],
    ['leads-api-failed', 'AWS/ApiGateway', '5xx', ['ApiId', expect.stringMatching(/^<IntakeHttpApi/)]],
    ['handoff-failed', 'AWS/States', 'ExecutionsFailed', ['StateMachineArn', '<lead-handoff-prod>']],
    ['handoff-timed-out', 'AWS/States', 'ExecutionsTimedOut', ['StateMachineArn', '<lead-handoff-prod>']],
    ['handoff-aborted', 'AWS/States', 'ExecutionsAborted', ['StateMachineArn', '<lead-handoff-prod>']],
    [
      'notice-failed-website',
      'AWS/States',
      'ExecutionsFailed',
      ['StateMachineArn', '<lead-handoff-prod-notice-website>'],
    ],
  ])('%s', (name, namespace, metric, dimension) => {
    expect(alarm(name)).toMatchObject({
      Namespace: namespace,
      MetricName: metric,
      Statistic: 'Sum',
      Period: 300,
      EvaluationPeriods: 1,
      Threshold: 1,
      ComparisonOperator: 'GreaterThanOrEqualToThreshold',
      TreatMissingData: 'notBreaching',
    });
    expect(dimensionsOf(name)).toEqual([dimension]);
    expect(toldBy(name)).toEqual(['<lead-handoff-prod-alarms>']);
  });

  test('an event that EventBridge could not deliver', () => {
    expect(alarm('undelivered')).toMatchObject({
      Namespace: 'AWS/SQS',
      MetricName: 'ApproximateNumberOfMessagesVisible',
      Statistic: 'Maximum',
      Threshold: 1,
    });
    expect(toldBy('undelivered')).toEqual(['<lead-handoff-prod-alarms>']);
  });

  test('leads that nothing takes from the queue, although all of their deliveries would be over', () => {
    expect(alarm('leads-not-taken')).toMatchObject({
      Namespace: 'AWS/SQS',
      MetricName: 'ApproximateAgeOfOldestMessage',
      Statistic: 'Maximum',
      ComparisonOperator: 'GreaterThanOrEqualToThreshold',
      Threshold: 5 * 90,
    });
    expect(dimensionsOf('leads-not-taken')).toEqual([['QueueName', '<lead-handoff-prod-leads>']]);
    expect(toldBy('leads-not-taken')).toEqual(['<lead-handoff-prod-alarms>']);
  });

  test('dead letters that nothing keeps, also while one is tried and hidden', () => {
    const { Metrics, ...how } = alarm('dead-leads-not-kept');
    expect(how).toMatchObject({
      EvaluationPeriods: 15,
      Threshold: 1,
      ComparisonOperator: 'GreaterThanOrEqualToThreshold',
      TreatMissingData: 'notBreaching',
    });
    const [sum, ...parts] = Metrics;
    expect(sum).toMatchObject({ Expression: 'hidden + visible' });
    expect(
      parts.map(({ Id, MetricStat }: { Id: string; MetricStat: never }) => [Id, MetricStat]),
    ).toMatchObject([
      ['hidden', { Period: 60, Metric: { MetricName: 'ApproximateNumberOfMessagesNotVisible' } }],
      ['visible', { Period: 60, Metric: { MetricName: 'ApproximateNumberOfMessagesVisible' } }],
    ]);
    for (const { MetricStat } of parts) {
      const queues = MetricStat.Metric.Dimensions.map(({ Value }: { Value: unknown }) => prod.text(Value));
      expect(queues).toEqual(['<lead-handoff-prod-dead-leads>']);
    }
    expect(toldBy('dead-leads-not-kept')).toEqual(['<lead-handoff-prod-alarms>']);
  });

  test('and there is no alarm that nobody hears', () => {
    const alarms = prod.all('AWS::CloudWatch::Alarm').map(({ Properties }) => Properties);
    expect(alarms).toHaveLength(16);
    for (const { AlarmActions, AlarmName } of alarms) {
      expect(AlarmActions).toHaveLength(1);
      // The topics and their key accept alarms of this name.
      expect(AlarmName).toMatch(/^lead-handoff-prod-/);
    }
  });
});
