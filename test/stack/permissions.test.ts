import { describe, expect, test } from 'vitest';
import { STAGES } from '../../functions/domain/stage-numbers.ts';
import { synthesizedStage } from './synthesize.ts';

const prod = synthesizedStage('prod');
const allowed = (name: string) => prod.allowedTo(prod.functionNamed(name).Role);

const ARN = 'arn:aws:secretsmanager:eu-central-1:123456789012:secret:prod/website';
const secret = (name: string) => `secretsmanager:GetSecretValue on ${ARN}/${name}-??????`;
const ledger = (...actions: string[]) =>
  actions.map((action) => `dynamodb:${action} on <lead-handoff-prod-ledger>`);
const IDEMPOTENCY = ['DeleteItem', 'GetItem', 'PutItem', 'UpdateItem'].map(
  (action) => `dynamodb:${action} on <lead-handoff-prod-idempotency>`,
);

const ACT_ON_LEDGER = ledger('GetItem', 'PutItem', 'Query', 'UpdateItem');
const DECIDE_ON_LEDGER = ledger('DeleteItem', 'GetItem', 'PutItem', 'Query', 'UpdateItem');
const WAITING_LIST = 'dynamodb:Query on <lead-handoff-prod-ledger>/index/waiting';
const EVENTS = 'events:PutEvents on arn:aws:events:eu-central-1:123456789012:event-bus/default';

/** What Lambda does on behalf of a function with the queue whose messages it hands to it. */
const takesFrom = (queue: string) =>
  ['DeleteMessage', 'GetQueueAttributes', 'ReceiveMessage'].map(
    (action) => `sqs:${action} on <lead-handoff-prod-${queue}>`,
  );

const STATES = 'arn:aws:states:eu-central-1:123456789012';
const onHandoffs = (...actions: string[]) =>
  actions.map((action) => `states:${action} on ${STATES}:stateMachine:lead-handoff-prod`);
const onExecutions = (...actions: string[]) =>
  actions.map((action) => `states:${action} on ${STATES}:execution:lead-handoff-prod:*`);

/** What accepting a lead request takes, asking a person about it included. */
const ACCEPT = [
  ...ACT_ON_LEDGER,
  ...onHandoffs('StartExecution'),
  ...onExecutions('DescribeExecution'),
  EVENTS,
];

/** What a function may do with data and other people's systems; its logs, traces and the tables' key aside. */
const business = (name: string) => allowed(name).filter((line) => !/^(logs|xray|kms):/.test(line));

test.each([
  ['upsert-contact', [...ACT_ON_LEDGER, ...IDEMPOTENCY, secret('hubspot/read'), secret('hubspot/write')]],
  ['assign-owner', [...ACT_ON_LEDGER, ...IDEMPOTENCY, secret('hubspot/read'), secret('hubspot/write')]],
  ['create-task', [...ACT_ON_LEDGER, ...IDEMPOTENCY, secret('hubspot/read'), secret('hubspot/write')]],
  ['send-introduction', [...ACT_ON_LEDGER, ...IDEMPOTENCY, secret('hubspot/read'), secret('resend/write')]],
  ['reconcile-upsert-contact', [...DECIDE_ON_LEDGER, secret('hubspot/read')]],
  ['reconcile-assign-owner', [...DECIDE_ON_LEDGER, secret('hubspot/read')]],
  ['reconcile-create-task', [...DECIDE_ON_LEDGER, secret('hubspot/read')]],
  ['reconcile-send-introduction', [...DECIDE_ON_LEDGER, secret('hubspot/read'), secret('resend/read')]],
  ['ask', [...DECIDE_ON_LEDGER, ...onHandoffs('SendTaskSuccess'), EVENTS]],
  ['park', [...DECIDE_ON_LEDGER, ...onHandoffs('SendTaskSuccess')]],
  ['close', DECIDE_ON_LEDGER],
  ['start', ACCEPT],
  ['from-queue', [...ACCEPT, ...takesFrom('leads')]],
  ['from-http', [...ACCEPT, secret('intake')]],
  ['dead-letters', [...ledger('GetItem', 'PutItem', 'UpdateItem'), EVENTS, ...takesFrom('dead-leads')]],
  [
    'decide',
    [
      ...DECIDE_ON_LEDGER,
      WAITING_LIST,
      ...onHandoffs('SendTaskSuccess', 'StartExecution'),
      ...onExecutions('DescribeExecution', 'StopExecution'),
    ],
  ],
  ['execution-ended', [...ledger('PutItem', 'Query'), EVENTS]],
  [
    'sweep',
    [
      ...DECIDE_ON_LEDGER,
      WAITING_LIST,
      ...onHandoffs('SendTaskSuccess', 'StartExecution'),
      ...onExecutions('DescribeExecution', 'StopExecution'),
      EVENTS,
    ],
  ],
])('%s may do what it has to and no more', (name, expected) => {
  expect(business(name)).toEqual(expected.toSorted());
});

describe('I9: readers cannot write', () => {
  test.each(STAGES)(
    'no reconcile function of stage %s may read a secret that writes, or the sandbox secret',
    (stage) => {
      const synthesized = synthesizedStage(stage);
      const readers = synthesized
        .all('AWS::Lambda::Function')
        .map(({ Properties }) => Properties)
        .filter(({ FunctionName }) => FunctionName.includes('-reconcile-'));
      expect(readers).toHaveLength(4);
      for (const { Role } of readers) {
        const secrets = synthesized.allowedTo(Role).filter((line) => line.includes(':secret:'));
        expect(secrets.length).toBeGreaterThan(0);
        expect(secrets.filter((line) => !line.endsWith('/read-??????'))).toEqual([]);
      }
    },
  );
});

/** What a state machine may do; its logs and traces aside. */
function stateMachineMay(name: string): string[] {
  const { RoleArn } = prod.named('AWS::StepFunctions::StateMachine', 'StateMachineName', name);
  return prod.allowedTo(RoleArn).filter((line) => !/^(logs|xray):/.test(line));
}

test('the workflow invokes its functions and nothing else', () => {
  expect(stateMachineMay('lead-handoff-prod')).toEqual(
    [
      'ask',
      'assign-owner',
      'close',
      'create-task',
      'park',
      'reconcile-assign-owner',
      'reconcile-create-task',
      'reconcile-send-introduction',
      'reconcile-upsert-contact',
      'send-introduction',
      'upsert-contact',
    ].map((name) => `lambda:InvokeFunction on <lead-handoff-prod-${name}>`),
  );
});

test('what takes decisions invokes the function that records them and nothing else', () => {
  expect(stateMachineMay('lead-handoff-prod-recovery-website')).toEqual([
    'lambda:InvokeFunction on <lead-handoff-prod-decide>',
  ]);
});

test("what tells a route's people publishes on its two topics and nothing else", () => {
  const lines = stateMachineMay('lead-handoff-prod-notice-website');
  expect(lines.filter((line) => !line.startsWith('kms:'))).toEqual([
    'sns:Publish on <lead-handoff-prod-escalation-website>',
    'sns:Publish on <lead-handoff-prod-recovery-website>',
  ]);
});

const policiesNamed = (name: string) =>
  prod.all('AWS::IAM::ManagedPolicy').filter(({ Properties }) => Properties.ManagedPolicyName === name);

test('there is a policy for producers, and one for those who recover the leads of a route', () => {
  const names = prod.all('AWS::IAM::ManagedPolicy').map(({ Properties }) => Properties.ManagedPolicyName);
  expect(names.sort()).toEqual(['lead-handoff-prod-produce', 'lead-handoff-prod-recover-website']);
});

test('a producer puts messages on the queue of leads, and no more', () => {
  expect(prod.allowedBy(policiesNamed('lead-handoff-prod-produce'))).toEqual([
    'sqs:SendMessage on <lead-handoff-prod-leads>',
  ]);
});

test('a person who recovers leads of a route starts its decisions and sees its executions, and no more', () => {
  const policies = policiesNamed('lead-handoff-prod-recover-website');
  const executions = [
    `${STATES}:execution:lead-handoff-prod-recovery-website:*`,
    `${STATES}:execution:lead-handoff-prod:website.*`,
  ];
  const machines = ['<lead-handoff-prod-recovery-website>', '<lead-handoff-prod>'];
  expect(prod.allowedBy(policies)).toEqual(
    [
      'states:StartExecution on <lead-handoff-prod-recovery-website>',
      'states:ListStateMachines on *',
      ...['DescribeStateMachine', 'ListExecutions'].flatMap((action) =>
        machines.map((machine) => `states:${action} on ${machine}`),
      ),
      ...['DescribeExecution', 'DescribeStateMachineForExecution', 'GetExecutionHistory'].flatMap((action) =>
        executions.map((name) => `states:${action} on ${name}`),
      ),
    ].sort(),
  );
});

test('EventBridge starts what tells people and calls two functions; API Gateway calls one', () => {
  const called = prod
    .all('AWS::Lambda::Permission')
    .map(({ Properties }) => [Properties.Principal, prod.text(Properties.FunctionName)]);
  expect(called.sort()).toEqual([
    ['apigateway.amazonaws.com', '<lead-handoff-prod-from-http>'],
    ['events.amazonaws.com', '<lead-handoff-prod-execution-ended>'],
    ['events.amazonaws.com', '<lead-handoff-prod-sweep>'],
  ]);
  const [rule] = prod
    .all('AWS::Events::Rule')
    .filter(({ Properties }) => Properties.Name === 'lead-handoff-prod-recovery-website');
  expect(prod.allowedTo(rule?.Properties.Targets[0].RoleArn)).toEqual([
    'states:StartExecution on <lead-handoff-prod-notice-website>',
  ]);
});

test('only traces and log delivery go to no particular resource', () => {
  const everywhere = prod
    .all('AWS::IAM::Policy')
    .flatMap(({ Properties }) => Properties.PolicyDocument.Statement)
    .filter(({ Resource }) => [Resource].flat().includes('*'))
    .flatMap(({ Action }) => Action as string[]);
  expect([...new Set(everywhere)].sort()).toEqual([
    'logs:CreateLogDelivery',
    'logs:DeleteLogDelivery',
    'logs:DescribeLogGroups',
    'logs:DescribeResourcePolicies',
    'logs:GetLogDelivery',
    'logs:ListLogDeliveries',
    'logs:PutResourcePolicy',
    'logs:UpdateLogDelivery',
    'xray:GetSamplingRules',
    'xray:GetSamplingTargets',
    'xray:PutTelemetryRecords',
    'xray:PutTraceSegments',
  ]);
});

test('no action is named with a wildcard', () => {
  const actions = prod
    .all('AWS::IAM::Policy')
    .flatMap(({ Properties }) => Properties.PolicyDocument.Statement)
    .flatMap(({ Action }) => Action as string | string[]);
  expect(actions.filter((action) => action.includes('*'))).toEqual([]);
});

test.each([
  ["the tables' key serves DynamoDB only", /^TablesKey/, 18, 'dynamodb.'],
  ["the notices' key serves SNS only", /^NoticesKey/, 1, 'sns.'],
])('%s', (_what, key, times, service) => {
  const statements = prod
    .all('AWS::IAM::Policy')
    .flatMap(({ Properties }) => Properties.PolicyDocument.Statement)
    .filter(({ Action }) => [Action].flat().some((action: string) => action.startsWith('kms:')))
    .filter(({ Resource }) => key.test(Resource['Fn::GetAtt'][0]));
  expect(statements).toHaveLength(times);
  for (const { Condition } of statements) {
    expect(JSON.stringify(Condition.StringEquals['kms:ViaService'])).toContain(`"${service}"`);
  }
});
