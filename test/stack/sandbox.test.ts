import { describe, expect, test } from 'vitest';
import { synthesizedStage } from './synthesize.ts';

const urlsOf = (synthesized: ReturnType<typeof synthesizedStage>) => {
  const { HUBSPOT_BASE_URL, RESEND_BASE_URL } =
    synthesized.functionNamed('send-introduction').Environment.Variables;
  return [HUBSPOT_BASE_URL, RESEND_BASE_URL];
};

describe('stage test deploys its sandbox', () => {
  const stage = synthesizedStage('test');

  test('as one instance, because its state is in memory', () => {
    expect(stage.functionNamed('sandbox').ReservedConcurrentExecutions).toBe(1);
  });

  test('behind a function URL that needs no AWS signature', () => {
    expect(stage.all('AWS::Lambda::Url').map(({ Properties }) => Properties.AuthType)).toEqual(['NONE']);
  });

  test('which reads its own bearer secret and nothing else', () => {
    const { Environment, Role } = stage.functionNamed('sandbox');
    expect(Environment.Variables.SANDBOX_SECRET_NAME).toBe('test/sandbox');
    expect(stage.allowedTo(Role).filter((line) => !/^(logs|xray):/.test(line))).toEqual([
      'secretsmanager:GetSecretValue on arn:aws:secretsmanager:eu-central-1:123456789012:secret:test/sandbox-??????',
    ]);
  });

  test('and is the only destination', () => {
    const host = { 'Fn::Select': [2, { 'Fn::Split': ['/', expect.anything()] }] };
    expect(urlsOf(stage)).toEqual([
      { 'Fn::Join': ['', ['https://', host, '/hubspot']] },
      { 'Fn::Join': ['', ['https://', host, '/resend']] },
    ]);
  });
});

test('a sandbox that runs elsewhere is used instead', () => {
  const stage = synthesizedStage('test', { sandboxUrl: 'http://10.0.0.7:4580/' });
  expect(urlsOf(stage)).toEqual(['http://10.0.0.7:4580/hubspot', 'http://10.0.0.7:4580/resend']);
  expect(stage.all('AWS::Lambda::Url')).toEqual([]);
});

test('stage local talks to the sandbox of the embedded engine', () => {
  expect(urlsOf(synthesizedStage('local'))).toEqual([
    'http://127.0.0.1:4580/hubspot',
    'http://127.0.0.1:4580/resend',
  ]);
});

test('production has no sandbox and no public function', () => {
  const stage = synthesizedStage('prod');
  expect(stage.all('AWS::Lambda::Url')).toEqual([]);
  const callers = stage.all('AWS::Lambda::Permission').map(({ Properties }) => Properties.Principal);
  expect([...new Set(callers)].sort()).toEqual(['apigateway.amazonaws.com', 'events.amazonaws.com']);
  expect(JSON.stringify(stage.template)).not.toContain('sandbox');
});
