import { describe, expect, test } from 'vitest';
import { STAGES } from '../../functions/domain/stage-numbers.ts';
import { website } from '../../routes/website.ts';
import { synthesizedRoutes, synthesizedStage } from './synthesize.ts';

const PEOPLE = {
  recovery: 'robin.okafor@revops.example.com',
  escalation: 'mia.lindqvist@revops.example.com',
};

describe.each(STAGES)('stage %s', (stage) => {
  const synthesized = synthesizedStage(stage);
  const rule = (name: string) =>
    synthesized.named('AWS::Events::Rule', 'Name', `lead-handoff-${stage}-${name}`);
  const targetsOf = (name: string) =>
    rule(name).Targets.map(({ Arn }: { Arn: unknown }) => synthesized.text(Arn));

  test('each route has a state machine for decisions and one that tells its people', () => {
    const names = synthesized.all('AWS::StepFunctions::StateMachine').map(({ Properties }) => Properties);
    // The embedded engine names the first one when it greets.
    expect(names.map(({ StateMachineName }) => StateMachineName)).toEqual([
      `lead-handoff-${stage}`,
      `lead-handoff-${stage}-recovery-website`,
      `lead-handoff-${stage}-notice-website`,
    ]);
  });

  test('every state machine is Standard, traced, and logged without its data', () => {
    for (const { Properties } of synthesized.all('AWS::StepFunctions::StateMachine')) {
      expect(Properties).toMatchObject({
        StateMachineType: 'STANDARD',
        TracingConfiguration: { Enabled: true },
        LoggingConfiguration: { Level: 'ALL', IncludeExecutionData: false },
      });
      const [{ CloudWatchLogsLogGroup: logs }] = Properties.LoggingConfiguration.Destinations;
      expect(synthesized.text(logs.LogGroupArn)).toBe(
        `</aws/vendedlogs/states/${Properties.StateMachineName}>`,
      );
    }
  });

  test('a question to a person starts what tells the people of its route', () => {
    expect(rule('recovery-website')).toMatchObject({
      State: 'ENABLED',
      EventPattern: {
        source: ['lead-handoff'],
        'detail-type': ['recovery.opened'],
        detail: { route: ['website'] },
      },
    });
    expect(targetsOf('recovery-website')).toEqual([`<lead-handoff-${stage}-notice-website>`]);
  });

  test('an execution of a handoff that ended badly is told to the function', () => {
    const { source, detail, 'detail-type': type } = rule('execution-ended').EventPattern;
    expect([source, type]).toEqual([['aws.states'], ['Step Functions Execution Status Change']]);
    expect(detail.status).toEqual(['FAILED', 'ABORTED', 'TIMED_OUT']);
    expect(detail.stateMachineArn.map((arn: unknown) => synthesized.text(arn))).toEqual([
      `<lead-handoff-${stage}>`,
    ]);
    expect(targetsOf('execution-ended')).toEqual([`<lead-handoff-${stage}-execution-ended>`]);
  });

  test('the sweep comes by itself, and a failed one is not tried again', () => {
    expect(rule('sweep').ScheduleExpression).toBe(stage === 'local' ? 'rate(1 minute)' : 'rate(5 minutes)');
    expect(targetsOf('sweep')).toEqual([`<lead-handoff-${stage}-sweep>`]);
    const asynchronous = synthesized
      .all('AWS::Lambda::EventInvokeConfig')
      .map(({ Properties }) => Properties);
    expect(
      asynchronous.map(({ FunctionName, MaximumRetryAttempts }) => [
        synthesized.text(FunctionName),
        MaximumRetryAttempts,
      ]),
    ).toEqual([[`<lead-handoff-${stage}-sweep>`, 0]]);
  });

  test('what EventBridge cannot deliver is kept for two weeks', () => {
    const targets = synthesized.all('AWS::Events::Rule').flatMap(({ Properties }) => Properties.Targets);
    expect(targets).toHaveLength(3);
    for (const { DeadLetterConfig } of targets) {
      expect(synthesized.text(DeadLetterConfig.Arn)).toBe(`<lead-handoff-${stage}-undelivered>`);
    }
    expect(
      synthesized.named('AWS::SQS::Queue', 'QueueName', `lead-handoff-${stage}-undelivered`),
    ).toMatchObject({
      SqsManagedSseEnabled: true,
      MessageRetentionPeriod: 1_209_600,
    });
  });

  test('people are emailed on topics that are encrypted and take nothing in the clear', () => {
    const topics = synthesized.all('AWS::SNS::Topic').map(({ Properties }) => Properties);
    expect(topics.map(({ TopicName }) => TopicName).sort()).toEqual(
      ['alarms', 'escalation-website', 'recovery-website'].map((name) => `lead-handoff-${stage}-${name}`),
    );
    for (const { KmsMasterKeyId } of topics) {
      expect(KmsMasterKeyId).toEqual({ 'Fn::GetAtt': [expect.stringMatching(/^NoticesKey/), 'Arn'] });
    }
    const subscriptions = synthesized
      .all('AWS::SNS::Subscription')
      .map(({ Properties: { TopicArn, Protocol, Endpoint } }) => [
        synthesized.text(TopicArn),
        Protocol,
        Endpoint,
      ]);
    expect(subscriptions.sort()).toEqual([
      [`<lead-handoff-${stage}-alarms>`, 'email', PEOPLE.escalation],
      [`<lead-handoff-${stage}-escalation-website>`, 'email', PEOPLE.escalation],
      [`<lead-handoff-${stage}-recovery-website>`, 'email', PEOPLE.recovery],
    ]);
    const policies = synthesized.all('AWS::SNS::TopicPolicy').map(({ Properties }) => Properties);
    for (const { PolicyDocument } of policies) {
      expect(PolicyDocument.Statement[0]).toMatchObject({
        Effect: 'Deny',
        Principal: '*',
        Condition: { Bool: { 'aws:SecureTransport': 'false' } },
      });
    }
  });
});

test("CloudWatch publishes and encrypts for this stage's alarms only", () => {
  const prod = synthesizedStage('prod');
  const [key] = Object.entries(prod.template.Resources).filter(([id]) => /^NoticesKey/.test(id));
  const statements = [
    ...(key?.[1].Properties.KeyPolicy.Statement ?? []),
    ...prod.all('AWS::SNS::TopicPolicy').flatMap(({ Properties }) => Properties.PolicyDocument.Statement),
  ].filter(({ Effect, Principal }) => Effect === 'Allow' && Principal.Service !== undefined);
  expect(statements).toHaveLength(3);
  for (const { Principal, Condition } of statements) {
    expect(Principal.Service).toBe('cloudwatch.amazonaws.com');
    expect(prod.text(Condition.StringEquals['aws:SourceAccount'])).toBe('123456789012');
    expect(prod.text(Condition.ArnLike['aws:SourceArn'])).toBe(
      'arn:aws:cloudwatch:eu-central-1:123456789012:alarm:lead-handoff-prod-*',
    );
  }
});

describe('two routes', () => {
  const partners = {
    ...website,
    name: 'partners',
    recoveryOwner: { name: 'Ana Duarte', email: 'ana.duarte@revops.example.com' },
    askSlaSeconds: 600,
  };
  const prod = synthesizedRoutes('prod', [website, partners]);

  test('each has its own people, decisions and policy', () => {
    const names = (type: string, property: string) =>
      prod.all(type).map(({ Properties }) => Properties[property]);
    expect(names('AWS::IAM::ManagedPolicy', 'ManagedPolicyName')).toEqual([
      'lead-handoff-prod-produce',
      'lead-handoff-prod-recover-website',
      'lead-handoff-prod-recover-partners',
    ]);
    expect(names('AWS::StepFunctions::StateMachine', 'StateMachineName')).toEqual([
      'lead-handoff-prod',
      'lead-handoff-prod-recovery-website',
      'lead-handoff-prod-notice-website',
      'lead-handoff-prod-recovery-partners',
      'lead-handoff-prod-notice-partners',
    ]);
    const subscribed = prod
      .all('AWS::SNS::Subscription')
      .map(({ Properties: { TopicArn, Endpoint } }) => [prod.text(TopicArn), Endpoint]);
    expect(subscribed).toContainEqual([
      '<lead-handoff-prod-recovery-partners>',
      'ana.duarte@revops.example.com',
    ]);
    // One escalation owner of two routes gets each alarm once.
    expect(subscribed.filter(([topic]) => topic === '<lead-handoff-prod-alarms>')).toHaveLength(1);
  });

  test('who may decide for one may not decide for the other', () => {
    const [policy] = prod
      .all('AWS::IAM::ManagedPolicy')
      .filter(({ Properties }) => Properties.ManagedPolicyName.endsWith('-partners'));
    const lines = policy === undefined ? [] : prod.allowedBy([policy]);
    expect(lines.filter((line) => line.startsWith('states:StartExecution'))).toEqual([
      'states:StartExecution on <lead-handoff-prod-recovery-partners>',
    ]);
    expect(lines.join()).not.toContain('website');
  });

  test('each decides for its own route, whatever is typed', () => {
    for (const route of ['website', 'partners']) {
      const { DefinitionString } = prod.named(
        'AWS::StepFunctions::StateMachine',
        'StateMachineName',
        `lead-handoff-prod-recovery-${route}`,
      );
      const { States } = JSON.parse(prod.text(DefinitionString));
      expect(States.Decide.Arguments.Payload.route).toBe(route);
    }
  });
});
