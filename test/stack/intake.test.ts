import { describe, expect, test } from 'vitest';
import { MAX_LEAD_REQUEST_BYTES } from '../../functions/domain/lead-request.ts';
import { STAGES } from '../../functions/domain/stage-numbers.ts';
import { website } from '../../routes/website.ts';
import { synthesizedRoutes, synthesizedStage } from './synthesize.ts';

const DAY = 86_400;

describe.each(STAGES)('stage %s', (stage) => {
  const synthesized = synthesizedStage(stage);
  const queue = (name: string) =>
    synthesized.named('AWS::SQS::Queue', 'QueueName', `lead-handoff-${stage}-${name}`);
  const mappingTo = (name: string) => {
    const found = synthesized
      .all('AWS::Lambda::EventSourceMapping')
      .map(({ Properties }) => Properties)
      .find(({ FunctionName }) => synthesized.text(FunctionName) === `<lead-handoff-${stage}-${name}>`);
    if (!found) throw new Error(`Nothing is delivered to ${name}.`);
    return found;
  };

  test('a lead that was delivered five times is a dead letter', () => {
    const { RedrivePolicy } = queue('leads');
    expect(RedrivePolicy.maxReceiveCount).toBe(5);
    expect(synthesized.text(RedrivePolicy.deadLetterTargetArn)).toBe(`<lead-handoff-${stage}-dead-leads>`);
    expect(queue('dead-leads').RedrivePolicy).toBeUndefined();
  });

  test('a dead letter has days left when it becomes one, because it keeps its age', () => {
    expect(queue('dead-leads').MessageRetentionPeriod).toBe(14 * DAY);
    expect(queue('leads').MessageRetentionPeriod).toBeLessThanOrEqual(10 * DAY);
  });

  test.each([
    ['from-queue', 'leads'],
    ['dead-letters', 'dead-leads'],
  ])('%s takes batches from %s, of which single messages may fail', (name, source) => {
    const { EventSourceArn, FunctionName: _, ...how } = mappingTo(name);
    expect(synthesized.text(EventSourceArn)).toBe(`<lead-handoff-${stage}-${source}>`);
    expect(how).toEqual({
      BatchSize: 10,
      FunctionResponseTypes: ['ReportBatchItemFailures'],
      ScalingConfig: { MaximumConcurrency: 10 },
    });
    // https://docs.aws.amazon.com/lambda/latest/dg/services-sqs-configure.html
    expect(queue(source).VisibilityTimeout).toBeGreaterThanOrEqual(
      6 * synthesized.functionNamed(name).Timeout,
    );
  });

  test('the queues are encrypted, and take nothing in the clear', () => {
    for (const name of ['leads', 'dead-leads']) expect(queue(name).SqsManagedSseEnabled).toBe(true);
    const policies = synthesized.all('AWS::SQS::QueuePolicy').map(({ Properties }) => Properties);
    const secured = policies.flatMap(({ Queues }) => Queues.map((each: unknown) => synthesized.text(each)));
    expect(secured).toEqual(
      expect.arrayContaining(['leads', 'dead-leads'].map((name) => `<lead-handoff-${stage}-${name}>`)),
    );
  });

  test('the largest lead request fits into a message, however its characters are escaped', () => {
    // `\u00e9` takes three times the two bytes of é; nothing grows more.
    expect(queue('leads').MaximumMessageSize).toBeGreaterThan(3 * MAX_LEAD_REQUEST_BYTES + 1_000);
  });

  test('the HTTP API has one route, to one function, and no other stage', () => {
    const only = (type: string) => {
      const [one, ...more] = synthesized.all(`AWS::ApiGatewayV2::${type}`);
      expect(more).toEqual([]);
      return one?.Properties;
    };
    expect(only('Route').RouteKey).toBe('POST /routes/{route}/leads');
    expect(only('Integration')).toMatchObject({ IntegrationType: 'AWS_PROXY', PayloadFormatVersion: '2.0' });
    expect(synthesized.text(only('Integration').IntegrationUri)).toBe(`<lead-handoff-${stage}-from-http>`);
    expect(only('Stage')).toMatchObject({
      StageName: '$default',
      AutoDeploy: true,
      DefaultRouteSettings: { ThrottlingBurstLimit: 100, ThrottlingRateLimit: 50 },
    });
  });

  test('no page in a browser may read its answers', () => {
    const [api] = synthesized.all('AWS::ApiGatewayV2::Api');
    expect(api?.Properties).toEqual({
      Name: `lead-handoff-${stage}-leads`,
      Description: expect.any(String),
      ProtocolType: 'HTTP',
    });
  });

  test('its log says nothing of who sent what', () => {
    const [httpStage] = synthesized.all('AWS::ApiGatewayV2::Stage');
    const { DestinationArn, Format } = httpStage?.Properties.AccessLogSettings ?? {};
    expect(synthesized.text(DestinationArn)).toBe(`</aws/vendedlogs/http-apis/lead-handoff-${stage}-leads>`);
    expect(Object.values(JSON.parse(Format)).sort()).toEqual([
      '$context.integrationLatency',
      '$context.integrationStatus',
      '$context.requestId',
      '$context.requestTime',
      '$context.responseLatency',
      '$context.responseLength',
      '$context.routeKey',
      '$context.status',
    ]);
  });

  test('nobody outside of the account is let in but by the signed route', () => {
    const policies = ['AWS::SQS::QueuePolicy', 'AWS::SNS::TopicPolicy']
      .flatMap((type) => synthesized.all(type))
      .flatMap(({ Properties }) => Properties.PolicyDocument.Statement);
    expect(policies.length).toBeGreaterThan(0);
    for (const { Effect, Principal } of policies) {
      if (Effect === 'Allow')
        expect(Principal).toEqual({ Service: expect.stringMatching(/amazonaws\.com$/) });
    }
    const [permission, ...more] = synthesized
      .all('AWS::Lambda::Permission')
      .filter(({ Properties }) => Properties.Principal === 'apigateway.amazonaws.com');
    expect(more).toEqual([]);
    expect(synthesized.text(permission?.Properties.SourceArn)).toMatch(
      /^arn:aws:execute-api:eu-central-1:123456789012:<IntakeHttpApi\w+>\/\*\/\*\/routes\/\{route\}\/leads$/,
    );
  });
});

test.each([
  ['prod', 'Retain'],
  ['test', 'Delete'],
  ['local', 'Delete'],
] as const)('in %s what is left in the queues is not lost with the stack: %s', (stage, policy) => {
  const queues = synthesizedStage(stage)
    .all('AWS::SQS::Queue')
    .filter(({ Properties }) => /-leads$/.test(Properties.QueueName));
  expect(queues.map(({ DeletionPolicy }) => DeletionPolicy)).toEqual([policy, policy]);
});

test('with two routes the HTTP function reads the signing secrets of both', () => {
  const prod = synthesizedRoutes('prod', [website, { ...website, name: 'partners' }]);
  const secrets = prod
    .allowedTo(prod.functionNamed('from-http').Role)
    .filter((line) => line.startsWith('secretsmanager:'));
  const arn = 'arn:aws:secretsmanager:eu-central-1:123456789012:secret:prod';
  expect(secrets).toEqual([
    `secretsmanager:GetSecretValue on ${arn}/partners/intake-??????`,
    `secretsmanager:GetSecretValue on ${arn}/website/intake-??????`,
  ]);
});
