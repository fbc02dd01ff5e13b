import { describe, expect, test } from 'vitest';
import { STAGES } from '../../functions/domain/stage-numbers.ts';
import { synthesizedStage } from './synthesize.ts';

const NAMES = [
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
  'start',
  'upsert-contact',
];

const COMMON = { STAGE: 'prod', POWERTOOLS_SERVICE_NAME: 'lead-handoff', POWERTOOLS_LOG_LEVEL: 'INFO' };
const LEDGER = { LEDGER_TABLE: '<lead-handoff-prod-ledger>' };
const IDEMPOTENCY = { IDEMPOTENCY_TABLE: '<lead-handoff-prod-idempotency>' };
const HUBSPOT = { HUBSPOT_BASE_URL: 'https://api.hubapi.com' };
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
    expect(days).toEqual(Array(functions.length + 1).fill(stage === 'prod' ? 365 : 7));
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
  ['start', { ...LEDGER, STATE_MACHINE_ARN: '<lead-handoff-prod>' }],
  ['upsert-contact', { ...LEDGER, ...IDEMPOTENCY, ...HUBSPOT }],
  ['assign-owner', { ...LEDGER, ...IDEMPOTENCY, ...HUBSPOT }],
  ['create-task', { ...LEDGER, ...IDEMPOTENCY, ...HUBSPOT }],
  ['send-introduction', { ...LEDGER, ...IDEMPOTENCY, ...HUBSPOT, ...RESEND }],
  ['reconcile-upsert-contact', { ...LEDGER, ...HUBSPOT }],
  ['reconcile-assign-owner', { ...LEDGER, ...HUBSPOT }],
  ['reconcile-create-task', { ...LEDGER, ...HUBSPOT }],
  ['reconcile-send-introduction', { ...LEDGER, ...HUBSPOT, ...RESEND }],
  ['ask', LEDGER],
  ['park', LEDGER],
  ['close', LEDGER],
])('%s is told what it needs and no more', (name, expected) => {
  const prod = synthesizedStage('prod');
  const variables = Object.entries(prod.functionNamed(name).Environment.Variables).map(([key, value]) => [
    key,
    prod.text(value),
  ]);
  expect(Object.fromEntries(variables)).toEqual({ ...COMMON, ...expected });
});
