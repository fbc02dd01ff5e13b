import { describe, expect, test } from 'vitest';
import { STAGES } from '../../functions/domain/stage-numbers.ts';
import { synthesizedStage } from './synthesize.ts';

const NAMES = [
  'ask',
  'assign-owner',
  'close',
  'create-task',
  'dead-letters',
  'decide',
  'execution-ended',
  'from-http',
  'from-queue',
  'park',
  'reconcile-assign-owner',
  'reconcile-create-task',
  'reconcile-send-introduction',
  'reconcile-upsert-contact',
  'send-introduction',
  'start',
  'sweep',
  'upsert-contact',
];

const COMMON = { STAGE: 'prod', POWERTOOLS_SERVICE_NAME: 'lead-handoff', POWERTOOLS_LOG_LEVEL: 'INFO' };
const LEDGER = { LEDGER_TABLE: '<lead-handoff-prod-ledger>' };
const IDEMPOTENCY = { IDEMPOTENCY_TABLE: '<lead-handoff-prod-idempotency>' };
const HUBSPOT = { HUBSPOT_BASE_URL: 'https://api.hubapi.com' };
const HANDOFFS = {
  STATE_MACHINE_ARN: 'arn:aws:states:eu-central-1:123456789012:stateMachine:lead-handoff-prod',
};
const RESEND = { RESEND_BASE_URL: 'https://api.resend.com' };

describe.each(STAGES)('stage %s', (stage) => {
  const synthesized = synthesizedStage(stage);
  const functions = synthesized.all('AWS::Lambda::Function').map(({ Properties }) => Properties);

  test('functions have the names that the command line calls', () => {
    const expected = stage === 'test' ? [...NAMES, 'sandbox'].sort() : NAMES;
    expect(functions.map(({ FunctionName }) => FunctionName).sort()).toEqual(
      expected.map((name) => `lead-handoff-${stage}-${name}`),
    );
  });

  test('every function runs on Node 24 on arm64 and is traced', () => {
    for (const properties of functions) {
      expect(properties).toMatchObject({
        Runtime: 'nodejs24.x',
        Architectures: ['arm64'],
        Handler: 'index.handler',
        TracingConfig: { Mode: 'Active' },
      });
    }
  });

  test('no log is kept for ever', () => {
    const days = synthesized.all('AWS::Logs::LogGroup').map(({ Properties }) => Properties.RetentionInDays);
    const machines = synthesized.all('AWS::StepFunctions::StateMachine');
    const stages = synthesized.all('AWS::ApiGatewayV2::Stage');
    const logged = functions.length + machines.length + stages.length;
    expect(days).toEqual(Array(logged).fill(stage === 'prod' ? 365 : 7));
  });

  test('the outputs name what to call', () => {
    const named = Object.entries(synthesized.template.Outputs).map(([name, { Value }]) => [
      name,
      synthesized.text(Value),
    ]);
    expect(Object.fromEntries(named)).toEqual({
      StartFunctionName: `<lead-handoff-${stage}-start>`,
      StateMachineArn: `<lead-handoff-${stage}>`,
      LedgerTableName: `<lead-handoff-${stage}-ledger>`,
      LeadsQueueUrl: `<lead-handoff-${stage}-leads>`,
      LeadsApiUrl: expect.stringMatching(/^<IntakeHttpApi/),
      ...(stage === 'test' ? { SandboxUrl: expect.stringMatching(/^https:\/\//) } : {}),
    });
  });
});

test.each([
  ['local', 3, 5],
  ['test', 15, 25],
  ['prod', 15, 25],
] as const)(
  'in %s a function ends after %i s, before the task gives up after %i s',
  (stage, functionSeconds, taskSeconds) => {
    const synthesized = synthesizedStage(stage);
    expect(synthesized.functionNamed('send-introduction').Timeout).toBe(functionSeconds);
    const [stateMachine] = synthesized.all('AWS::StepFunctions::StateMachine');
    const definition = JSON.parse(synthesized.text(stateMachine?.Properties.DefinitionString));
    expect(definition.States['Upsert contact'].TimeoutSeconds).toBe(taskSeconds);
  },
);

test.each([
  ['local', 30],
  ['test', 120],
  ['prod', 120],
] as const)('in %s the sweep has %i s: it goes through every open handoff', (stage, seconds) => {
  const synthesized = synthesizedStage(stage);
  expect(synthesized.functionNamed('sweep').Timeout).toBe(seconds);
  const [rule] = synthesized
    .all('AWS::Events::Rule')
    .filter(({ Properties }) => Properties.ScheduleExpression);
  const [, minutes] = /^rate\((\d+) minutes?\)$/.exec(rule?.Properties.ScheduleExpression) ?? [];
  expect(seconds).toBeLessThan(Number(minutes) * 60);
});

test.each([
  ['start', { ...LEDGER, ...HANDOFFS }],
  ['from-queue', { ...LEDGER, ...HANDOFFS }],
  ['from-http', { ...LEDGER, ...HANDOFFS }],
  ['dead-letters', { ...LEDGER, ...HANDOFFS }],
  ['upsert-contact', { ...LEDGER, ...IDEMPOTENCY, ...HUBSPOT }],
  ['assign-owner', { ...LEDGER, ...IDEMPOTENCY, ...HUBSPOT }],
  ['create-task', { ...LEDGER, ...IDEMPOTENCY, ...HUBSPOT }],
  ['send-introduction', { ...LEDGER, ...IDEMPOTENCY, ...HUBSPOT, ...RESEND }],
  ['reconcile-upsert-contact', { ...LEDGER, ...HANDOFFS, ...HUBSPOT }],
  ['reconcile-assign-owner', { ...LEDGER, ...HANDOFFS, ...HUBSPOT }],
  ['reconcile-create-task', { ...LEDGER, ...HANDOFFS, ...HUBSPOT }],
  ['reconcile-send-introduction', { ...LEDGER, ...HANDOFFS, ...HUBSPOT, ...RESEND }],
  ['ask', { ...LEDGER, ...HANDOFFS }],
  ['park', { ...LEDGER, ...HANDOFFS }],
  ['close', LEDGER],
  ['decide', { ...LEDGER, ...HANDOFFS }],
  ['execution-ended', { ...LEDGER, ...HANDOFFS }],
  ['sweep', { ...LEDGER, ...HANDOFFS }],
])('%s is told what it needs and no more', (name, expected) => {
  const prod = synthesizedStage('prod');
  const variables = Object.entries(prod.functionNamed(name).Environment.Variables).map(([key, value]) => [
    key,
    prod.text(value),
  ]);
  expect(Object.fromEntries(variables)).toEqual({ ...COMMON, ...expected });
});
