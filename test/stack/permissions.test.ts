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
  ['ask', DECIDE_ON_LEDGER],
  ['park', DECIDE_ON_LEDGER],
  ['close', DECIDE_ON_LEDGER],
  [
    'start',
    [
      ...ACT_ON_LEDGER,
      'states:DescribeExecution on arn:aws:states:eu-central-1:123456789012:execution:lead-handoff-prod:*',
      'states:StartExecution on <lead-handoff-prod>',
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

test('the workflow invokes its functions and nothing else', () => {
  const [stateMachine] = prod.all('AWS::StepFunctions::StateMachine');
  const invokes = prod
    .allowedTo(stateMachine?.Properties.RoleArn)
    .filter((line) => !/^(logs|xray):/.test(line));
  expect(invokes).toEqual(
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

test("the tables' key serves DynamoDB only", () => {
  const statements = prod
    .all('AWS::IAM::Policy')
    .flatMap(({ Properties }) => Properties.PolicyDocument.Statement)
    .filter(({ Action }) => [Action].flat().some((action: string) => action.startsWith('kms:')));
  expect(statements).toHaveLength(12);
  for (const { Condition } of statements) {
    expect(JSON.stringify(Condition.StringEquals['kms:ViaService'])).toContain('"dynamodb."');
  }
});
