// biome-ignore-all lint/suspicious/noTemplateCurlyInString: this is how CloudFormation writes its placeholders
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { type AssembledStack, NotAnAssembly, readAssembly, type Template } from '../../local/assembly.ts';
import { UnresolvableValue } from '../../local/intrinsics.ts';
import { readModel } from '../../local/template.ts';
import { UnsupportedResource } from '../../local/unsupported-resource.ts';
import { ASSEMBLY } from './fixtures/engine/fixture.ts';

const ENDPOINT = 'http://127.0.0.1:4566';
const FUNCTION = {
  Type: 'AWS::Lambda::Function',
  Properties: { Runtime: 'nodejs24.x', Handler: 'index.handler', Code: { S3Key: 'code.zip' } },
};

function stack(template: Template, name = 'stack'): AssembledStack {
  return { name, template, assets: new Map([['code.zip', ASSEMBLY]]) };
}

/** The environment of a function whose only variable is the value. */
function resolvedValue(value: unknown, more: Template = {}): string | undefined {
  const worker = {
    ...FUNCTION,
    Properties: { ...FUNCTION.Properties, Environment: { Variables: { V: value } } },
  };
  const model = readModel([stack({ ...more, Resources: { ...more.Resources, Worker: worker } })], ENDPOINT);
  return model.functions.find(({ logicalId }) => logicalId === 'Worker')?.environment.V;
}

test.each([
  [{ Ref: 'AWS::AccountId' }, '000000000000'],
  [{ Ref: 'Stage' }, 'local'],
  [{ Ref: 'Queue' }, 'http://127.0.0.1:4566/000000000000/stack-Queue'],
  [{ 'Fn::GetAtt': ['Queue', 'Arn'] }, 'arn:aws:sqs:us-east-1:000000000000:stack-Queue'],
  [{ 'Fn::GetAtt': 'Machine.Name' }, 'local-machine'],
  [{ Ref: 'Machine' }, 'arn:aws:states:us-east-1:000000000000:stateMachine:local-machine'],
  [{ Ref: 'Version' }, 'arn:aws:lambda:us-east-1:000000000000:function:stack-Other:1'],
  [{ Ref: 'Alias' }, 'arn:aws:lambda:us-east-1:000000000000:function:stack-Other:live'],
  [{ 'Fn::Join': ['-', ['a', { Ref: 'Stage' }, 1]] }, 'a-local-1'],
  [{ 'Fn::Join': ['-', ['a', { Ref: 'AWS::NoValue' }, 'b']] }, 'a-b'],
  [{ 'Fn::Sub': '${Stage}/${Queue.QueueName}/${!literal}' }, 'local/stack-Queue/${literal}'],
  [{ 'Fn::Sub': ['${x}-${AWS::Region}', { x: { Ref: 'Stage' } }] }, 'local-us-east-1'],
  [{ 'Fn::Select': ['1', { 'Fn::Split': [',', 'a,b,c'] }] }, 'b'],
  [{ 'Fn::If': ['IsLocal', 'yes', 'no'] }, 'yes'],
  [{ 'Fn::If': ['IsBoth', 'yes', 'no'] }, 'no'],
  [{ 'Fn::FindInMap': ['Sizes', { Ref: 'Stage' }, 'memory'] }, '256'],
  [{ 'Fn::Base64': 'text' }, 'dGV4dA=='],
])('%j is %s', (value, expected) => {
  const template: Template = {
    Parameters: { Stage: { Type: 'String', Default: 'local' } },
    Conditions: {
      IsLocal: { 'Fn::Equals': [{ Ref: 'Stage' }, 'local'] },
      IsBoth: { 'Fn::And': [{ Condition: 'IsLocal' }, { 'Fn::Not': [{ Condition: 'IsLocal' }] }] },
    },
    Mappings: { Sizes: { local: { memory: '256' } } },
    Resources: {
      Queue: { Type: 'AWS::SQS::Queue' },
      Other: FUNCTION,
      Version: { Type: 'AWS::Lambda::Version', Properties: { FunctionName: { Ref: 'Other' } } },
      Alias: { Type: 'AWS::Lambda::Alias', Properties: { FunctionName: { Ref: 'Other' }, Name: 'live' } },
      Machine: {
        Type: 'AWS::StepFunctions::StateMachine',
        Properties: { StateMachineName: { 'Fn::Sub': '${Stage}-machine' }, DefinitionString: '{}' },
      },
    },
  };

  expect(resolvedValue(value, template)).toBe(expected);
});

test('a value that another stack exports is found', () => {
  const exporting = stack(
    {
      Resources: { Queue: { Type: 'AWS::SQS::Queue', Properties: { QueueName: 'shared' } } },
      Outputs: { QueueArn: { Value: { 'Fn::GetAtt': ['Queue', 'Arn'] }, Export: { Name: 'the-queue' } } },
    },
    'other',
  );
  const importing = stack({
    Resources: {
      Worker: {
        ...FUNCTION,
        Properties: {
          ...FUNCTION.Properties,
          Environment: { Variables: { V: { 'Fn::ImportValue': 'the-queue' } } },
        },
      },
    },
  });

  const model = readModel([importing, exporting], ENDPOINT);

  expect(model.functions[0]?.environment.V).toBe('arn:aws:sqs:us-east-1:000000000000:shared');
});

test.each([
  [{ 'Fn::Transform': {} }, 'the engine does not know Fn::Transform'],
  [{ Ref: 'Nobody' }, 'there is no resource or parameter Nobody'],
  [{ 'Fn::GetAtt': ['Worker', 'SnapStart'] }, 'does not know the attribute SnapStart of Worker'],
  ['{{resolve:secretsmanager:x}}', 'has no value on this machine'],
  [{ 'Fn::ImportValue': 'nowhere' }, 'no stack of this app exports nowhere'],
  [{ Ref: 'FromSsm' }, 'read from Parameter Store'],
])('%j is refused with its place', (value, sentence) => {
  const read = () =>
    resolvedValue(value, {
      Parameters: { FromSsm: { Type: 'AWS::SSM::Parameter::Value<String>', Default: '/x' } },
    });

  expect(read).toThrow(UnresolvableValue);
  expect(read).toThrow(`Worker: `);
  expect(read).toThrow(sentence);
});

test.each([
  [
    'an unknown type',
    { Type: 'AWS::S3::Bucket' },
    'It (AWS::S3::Bucket): the embedded engine does not know this type.',
  ],
  [
    'a custom resource',
    { Type: 'Custom::Thing' },
    'It (Custom::Thing): the embedded engine does not know this type.',
  ],
  [
    'another runtime',
    { ...FUNCTION, Properties: { ...FUNCTION.Properties, Runtime: 'python3.13' } },
    'the runtime python3.13 does not run here',
  ],
  [
    'inline code',
    { ...FUNCTION, Properties: { ...FUNCTION.Properties, Code: { ZipFile: 'exports.handler = 1' } } },
    'inline code does not run here',
  ],
  [
    'a layer',
    { ...FUNCTION, Properties: { ...FUNCTION.Properties, Layers: ['arn'] } },
    'layers are not supported',
  ],
  [
    'an express workflow',
    {
      Type: 'AWS::StepFunctions::StateMachine',
      Properties: { StateMachineType: 'EXPRESS', DefinitionString: '{}' },
    },
    'express workflows do not run here',
  ],
  [
    'a FIFO queue',
    { Type: 'AWS::SQS::Queue', Properties: { FifoQueue: true } },
    'FIFO queues are not supported',
  ],
  [
    'a queue that always polls long',
    { Type: 'AWS::SQS::Queue', Properties: { ReceiveMessageWaitTimeSeconds: 20 } },
    'the engine does not know its ReceiveMessageWaitTimeSeconds',
  ],
  [
    'a table with a stream',
    {
      Type: 'AWS::DynamoDB::Table',
      Properties: { KeySchema: [], AttributeDefinitions: [], StreamSpecification: {} },
    },
    'does not know its StreamSpecification',
  ],
  [
    'a cron schedule',
    { Type: 'AWS::Events::Rule', Properties: { ScheduleExpression: 'cron(0 8 * * ? *)' } },
    'the schedule cron(0 8 * * ? *) is not a rate',
  ],
  [
    'a target that transforms the event',
    {
      Type: 'AWS::Events::Rule',
      Properties: { Targets: [{ Arn: 'arn:aws:sns:x', Id: 'Target0', InputTransformer: {} }] },
    },
    'does not know the property InputTransformer of a target',
  ],
  [
    'a target that gets a list of parts of the event',
    {
      Type: 'AWS::Events::Rule',
      Properties: { Targets: [{ Arn: 'arn:aws:sns:x', Id: 'Target0', InputPath: '$.resources[*]' }] },
    },
    'does not know the input path $.resources[*]',
  ],
  [
    'a filtered subscription',
    {
      Type: 'AWS::Lambda::EventSourceMapping',
      Properties: { EventSourceArn: 'arn:aws:sqs:x', FunctionName: 'f', FilterCriteria: {} },
    },
    'filters are not supported',
  ],
])('%s is refused by its logical id and type', (_what, resource, sentence) => {
  const read = () => readModel([stack({ Resources: { It: resource } })], ENDPOINT);

  expect(read).toThrow(UnsupportedResource);
  expect(read).toThrow(`It (${resource.Type})`);
  expect(read).toThrow(sentence);
});

describe('an HTTP API', () => {
  const API_PARTS: Record<string, { Type: string; Properties: Record<string, unknown> }> = {
    Intake: FUNCTION,
    Api: { Type: 'AWS::ApiGatewayV2::Api', Properties: { Name: 'leads', ProtocolType: 'HTTP' } },
    Integration: {
      Type: 'AWS::ApiGatewayV2::Integration',
      Properties: {
        ApiId: { Ref: 'Api' },
        IntegrationType: 'AWS_PROXY',
        IntegrationUri: { 'Fn::GetAtt': ['Intake', 'Arn'] },
        PayloadFormatVersion: '2.0',
      },
    },
    Route: {
      Type: 'AWS::ApiGatewayV2::Route',
      Properties: {
        ApiId: { Ref: 'Api' },
        RouteKey: 'POST /leads',
        Target: { 'Fn::Join': ['/', ['integrations', { Ref: 'Integration' }]] },
      },
    },
    Stage: {
      Type: 'AWS::ApiGatewayV2::Stage',
      Properties: { ApiId: { Ref: 'Api' }, StageName: '$default', AutoDeploy: true },
    },
  };
  const read = (changed: string, properties: Record<string, unknown>) => {
    const part = API_PARTS[changed] as { Type: string; Properties: object };
    const resource = { ...part, Properties: { ...part.Properties, ...properties } };
    return readModel([stack({ Resources: { ...API_PARTS, [changed]: resource } })], ENDPOINT).httpApis;
  };

  test('is read with its routes, its function and its limits', () => {
    const limits = { ThrottlingBurstLimit: 100, ThrottlingRateLimit: 50 };
    expect(read('Stage', { DefaultRouteSettings: limits, AccessLogSettings: {} })).toEqual([
      {
        logicalId: 'Api',
        id: 'leads',
        url: `${ENDPOINT}/_apigateway/leads`,
        routes: [
          {
            key: 'POST /leads',
            method: 'POST',
            segments: ['leads'],
            functionArn: 'arn:aws:lambda:us-east-1:000000000000:function:stack-Intake',
            timeoutMs: 30_000,
          },
        ],
        throttle: { burst: 100, perSecond: 50 },
      },
    ]);
  });

  test("names its function by itself or by API Gateway's address of it", () => {
    const invocations = [
      'arn:aws:apigateway:us-east-1:lambda:path/2015-03-31/functions/',
      { 'Fn::GetAtt': ['Intake', 'Arn'] },
      '/invocations',
    ];
    expect(read('Integration', { IntegrationUri: { 'Fn::Join': ['', invocations] } })).toMatchObject([
      { routes: [{ functionArn: 'arn:aws:lambda:us-east-1:000000000000:function:stack-Intake' }] },
    ]);
  });

  test.each([
    ['Api', { ProtocolType: 'WEBSOCKET' }, 'its protocol WEBSOCKET is not HTTP'],
    ['Api', { CorsConfiguration: {} }, 'the engine does not know its CorsConfiguration'],
    ['Api', { Body: {} }, 'the engine does not know its Body'],
    ['Integration', { IntegrationType: 'HTTP_PROXY' }, 'its type HTTP_PROXY is not AWS_PROXY'],
    ['Integration', { PayloadFormatVersion: '1.0' }, 'its payload format 1.0 is not 2.0'],
    ['Integration', { RequestParameters: {} }, 'the engine does not know its RequestParameters'],
    [
      'Integration',
      { IntegrationUri: 'https://example.com' },
      'its target https://example.com is not a function',
    ],
    ['Route', { AuthorizationType: 'JWT' }, 'its authorization JWT is not NONE'],
    ['Route', { RouteKey: '$default' }, 'the engine does not know the route key $default'],
    ['Route', { RouteKey: 'GET /{proxy+}' }, 'the engine does not know the route key GET /{proxy+}'],
    [
      'Route',
      { Target: 'integrations/other' },
      'its target integrations/other is not an integration of its API',
    ],
    ['Route', { ApiId: 'other' }, 'its API other is not in its stack'],
    ['Stage', { ApiId: 'other' }, 'it has no stage, so nobody can call it'],
    ['Stage', { StageName: 'v1' }, 'its name v1 is not $default'],
    ['Stage', { AutoDeploy: false }, 'it is not deployed by itself, so it has no routes'],
    ['Stage', { StageVariables: {} }, 'the engine does not know its StageVariables'],
    [
      'Stage',
      { DefaultRouteSettings: { LoggingLevel: 'INFO' } },
      'does not know the route setting LoggingLevel',
    ],
    ['Stage', { DefaultRouteSettings: { ThrottlingRateLimit: 1 } }, 'it limits the burst or the rate alone'],
  ])('whose %s has %j is refused: %s', (part, properties, sentence) => {
    expect(() => read(part, properties)).toThrow(UnsupportedResource);
    expect(() => read(part, properties)).toThrow(sentence);
  });

  test('needs a name of its own, which its address is made of', () => {
    const { Api, ...others } = API_PARTS;
    expect(() =>
      readModel([stack({ Resources: { ...others, Api, Again: Api } as never })], ENDPOINT),
    ).toThrow('there are two named leads');
  });
});

describe('what a queue or an API refers to', () => {
  const mapping = (properties: object) => ({
    Type: 'AWS::Lambda::EventSourceMapping',
    Properties: {
      EventSourceArn: { 'Fn::GetAtt': ['Queue', 'Arn'] },
      FunctionName: { Ref: 'Intake' },
      ...properties,
    },
  });
  const read = (properties: object) =>
    readModel(
      [
        stack({
          Resources: { Queue: { Type: 'AWS::SQS::Queue' }, Intake: FUNCTION, It: mapping(properties) },
        }),
      ],
      ENDPOINT,
    );

  test('is there', () => {
    expect(read({ ScalingConfig: { MaximumConcurrency: 10 } }).queueSubscriptions).toMatchObject([
      { batchSize: 10, maxConcurrency: 10, partialBatches: false },
    ]);
  });

  test.each([
    [{ FunctionName: 'other' }, 'there is no arn:aws:lambda:us-east-1:000000000000:function:other here'],
    [{ EventSourceArn: 'arn:aws:sqs:x' }, 'there is no arn:aws:sqs:x here'],
    [{ MaximumBatchingWindowInSeconds: 5 }, 'the engine does not know its MaximumBatchingWindowInSeconds'],
  ])('or is refused: %j', (properties, sentence) => {
    expect(() => read(properties)).toThrow(UnsupportedResource);
    expect(() => read(properties)).toThrow(sentence);
  });
});

test('a queue has the limits of its properties, or those of AWS', () => {
  const Properties = { VisibilityTimeout: 18, MessageRetentionPeriod: 60, MaximumMessageSize: 2_000 };
  const { queues } = readModel(
    [
      stack({
        Resources: { One: { Type: 'AWS::SQS::Queue', Properties }, Two: { Type: 'AWS::SQS::Queue' } },
      }),
    ],
    ENDPOINT,
  );

  expect(queues).toMatchObject([
    { visibilitySeconds: 18, retentionSeconds: 60, maxMessageBytes: 2_000 },
    { visibilitySeconds: 30, retentionSeconds: 345_600, maxMessageBytes: 1_048_576 },
  ]);
});

test('what does nothing here is listed with the reason, and conditions leave resources out', () => {
  const model = readModel(readAssembly(ASSEMBLY), ENDPOINT);

  expect(model.inert).toContainEqual({
    logicalId: 'Role',
    type: 'AWS::IAM::Role',
    why: 'permissions are not enforced here; the stack tests read them',
  });
  expect(model.functions.map(({ name }) => name)).toEqual([
    'fixture-worker',
    'fixture-ask',
    'fixture-intake',
  ]);
  expect(model.outputs.WorkerName).toBe('fixture-worker');
});

test('a target may say what happens when it cannot be reached, and who may reach it', () => {
  const { rules } = readModel(
    [
      stack({
        Resources: {
          Rule: {
            Type: 'AWS::Events::Rule',
            Properties: {
              ScheduleExpression: 'rate(1 minute)',
              Targets: [
                {
                  Arn: 'arn:aws:lambda:us-east-1:000000000000:function:worker',
                  Id: 'Target0',
                  RoleArn: 'arn:aws:iam::000000000000:role/events',
                  RetryPolicy: { MaximumRetryAttempts: 2 },
                  DeadLetterConfig: { Arn: 'arn:aws:sqs:us-east-1:000000000000:undelivered' },
                },
                { Arn: 'arn:aws:sns:x', Id: 'Target1', InputPath: '$.detail.text' },
                { Arn: 'arn:aws:sns:y', Id: 'Target2', InputPath: '$' },
              ],
            },
          },
        },
      }),
    ],
    ENDPOINT,
  );

  expect(rules).toMatchObject([
    {
      everyMs: 60_000,
      targets: [
        { arn: 'arn:aws:lambda:us-east-1:000000000000:function:worker' },
        { arn: 'arn:aws:sns:x', inputPath: ['detail', 'text'] },
        { arn: 'arn:aws:sns:y', inputPath: [] },
      ],
    },
  ]);
});

test('definition substitutions are laid into the definition', () => {
  const { stateMachines } = readModel(
    [
      stack({
        Resources: {
          Machine: {
            Type: 'AWS::StepFunctions::StateMachine',
            Properties: {
              DefinitionString: '{"Comment":"${Where}, not ${Else}"}',
              DefinitionSubstitutions: { Where: { Ref: 'AWS::Region' } },
            },
          },
        },
      }),
    ],
    ENDPOINT,
  );

  expect(stateMachines[0]?.definition).toBe('{"Comment":"us-east-1, not ${Else}"}');
});

test('a directory that is no cloud assembly is named', () => {
  const directory = mkdtempSync(join(tmpdir(), 'not-an-assembly-'));

  expect(() => readAssembly(directory)).toThrow(NotAnAssembly);
  expect(() => readAssembly(directory)).toThrow(join(directory, 'manifest.json'));

  rmSync(directory, { recursive: true });
});
