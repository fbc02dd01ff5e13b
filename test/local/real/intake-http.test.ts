import { PutSecretValueCommand, SecretsManagerClient } from '@aws-sdk/client-secrets-manager';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { MAX_LEAD_REQUEST_BYTES } from '../../../functions/domain/lead-request.ts';
import { AwsError } from '../../../local/aws-error.ts';
import { freshProcesses, fromHttp, post, signed, signingSecret } from './intake.ts';
import { leadOf, ONE_OF_EACH, ROUTE, type Stack, settled, startStack, until } from './stack.ts';

let stack: Stack;

beforeAll(async () => {
  stack = await startStack();
}, 120_000);

afterAll(() => stack.engine.stop());

const MINUTE = 60_000;
const UNSIGNED = {
  status: 401,
  body: { title: 'The request is not signed, or its signature is not valid.', status: 401 },
};

describe('202', () => {
  test('a signed lead request is handed off; the same once more is the same', async () => {
    const lead = leadOf('posted');
    const request = signed(lead);
    expect(await post(stack, request)).toMatchObject({
      status: 202,
      body: { leadRequestId: 'posted', status: 'accepted' },
    });
    expect(await post(stack, request)).toMatchObject({ status: 202, body: { leadRequestId: 'posted' } });
    await settled(stack.ledger, 'posted');
    expect(await post(stack, request)).toMatchObject({ status: 202, body: { status: 'closed' } });
    expect(await stack.destination.effects(lead.email)).toEqual(ONE_OF_EACH);
  });

  test('while a secret is rotated the new one and the one before are valid, and no other', async () => {
    const client = new SecretsManagerClient({
      endpoint: stack.engine.url,
      region: 'us-east-1',
      credentials: { accessKeyId: 'local', secretAccessKey: 'local' },
    });
    const next = `whsec_${Buffer.from('the key that comes after the first').toString('base64')}`;
    const rotate = async (SecretString: string) => {
      await client.send(new PutSecretValueCommand({ SecretId: `local/${ROUTE}/intake`, SecretString }));
      // A process keeps secrets for a minute.
      await freshProcesses(stack, fromHttp);
    };
    const lead = leadOf('rotated');
    expect(await post(stack, signed(lead, { secret: next }))).toMatchObject(UNSIGNED);
    await rotate(next);
    expect(await post(stack, signed(lead, { secret: next }))).toMatchObject({ status: 202 });
    expect(await post(stack, signed(lead))).toMatchObject({ status: 202 });
    await rotate(next);
    expect(await post(stack, signed(lead))).toMatchObject(UNSIGNED);
    await rotate(signingSecret());
    client.destroy();
    expect(await post(stack, signed(lead))).toMatchObject({ status: 202 });
  });
});

describe('what is refused', () => {
  test.each([
    ['a field that is missing', { leadRequestId: 'no-email' }, 'email'],
    ['an id that cannot be one', { ...leadOf('x'), leadRequestId: 'a b' }, 'leadRequestId'],
    ['a field that nobody knows', { ...leadOf('typo'), fristName: 'A' }, 'fristName'],
  ])('400, naming %s', async (_case, lead, field) => {
    await until('nothing runs any more', () =>
      stack.engine.executions.all().every(({ status }) => status !== 'RUNNING'),
    );
    const before = { ...stack.engine.counters.writes };
    const { status, headers, body } = await post(stack, signed(lead));
    expect([status, body.status, body.field]).toEqual([400, 400, field]);
    expect(headers.get('content-type')).toBe('application/problem+json');
    expect(stack.engine.counters.writes).toEqual(before);
  });

  test.each(['', 'no JSON', '[]', '"text"', 'null'])('400 for the body %j', async (body) => {
    expect(await post(stack, signed(body))).toMatchObject({ status: 400 });
  });

  const lead = leadOf('refused');
  const request = signed(lead);
  const without = (name: string) => {
    const { [name]: _, ...headers } = request.headers;
    return { ...request, headers };
  };
  test.each([
    ['no signature', without('webhook-signature')],
    ['no time', without('webhook-timestamp')],
    ['no id', without('webhook-id')],
    ['the key of another route', signed(lead, { secret: signingSecret('partners') })],
    ['another body', { ...request, body: JSON.stringify({ ...lead, company: 'Another' }) }],
    ['a time six minutes ago', signed(lead, { at: new Date(Date.now() - 6 * MINUTE) })],
    ['a time in six minutes', signed(lead, { at: new Date(Date.now() + 6 * MINUTE) })],
  ])('401 for %s', async (_case, given) => {
    expect(await post(stack, given)).toMatchObject(UNSIGNED);
  });

  test('401 also for a route that does not exist, whatever it is signed with', async () => {
    expect(await post(stack, signed(lead, { secret: signingSecret('nowhere') }), 'nowhere')).toMatchObject(
      UNSIGNED,
    );
    expect(await stack.ledger.record({ route: ROUTE, leadRequestId: 'refused' })).toBeNull();
  });

  test('409 for the same id with other fields, which are kept as a conflict', async () => {
    await post(stack, signed(leadOf('conflict')));
    await settled(stack.ledger, 'conflict');
    const { status, body } = await post(stack, signed({ ...leadOf('conflict'), company: 'Another' }));
    expect([status, body.field]).toEqual([409, 'leadRequestId']);
    expect(JSON.stringify(body)).not.toContain('Another');
    const record = await stack.ledger.record({ route: ROUTE, leadRequestId: 'conflict' });
    expect(record?.conflicts).toHaveLength(1);
    expect(await stack.destination.effects(leadOf('conflict').email)).toEqual(ONE_OF_EACH);
  });

  test('413 for a body over 64 KiB, by the function, and over 10 MB, by API Gateway', async () => {
    const long = (bytes: number) => signed(JSON.stringify({ ...leadOf('long'), message: 'x'.repeat(bytes) }));
    expect(await post(stack, long(MAX_LEAD_REQUEST_BYTES))).toMatchObject({
      status: 413,
      body: { status: 413 },
    });
    expect(await post(stack, long(10 * 1024 * 1024))).toMatchObject({
      status: 413,
      body: { message: 'Request Entity Too Large' },
    });
  });

  test.each(['text/plain', 'application/x-www-form-urlencoded', 'application/octet-stream'])(
    '415 for %s, although it is signed',
    async (type) => {
      const request = signed(leadOf('other-type'));
      const given = { ...request, headers: { ...request.headers, 'content-type': type } };
      expect(await post(stack, given)).toMatchObject({ status: 415 });
    },
  );

  test('429 for more at once than the stage lets through, by API Gateway', async () => {
    const statuses: number[] = [];
    const since = Date.now();
    // A machine that is too busy to send them at once sends more.
    await until('some are held back', async () => {
      const unsigned = Array.from({ length: 160 }, () => post(stack, { body: '{}', headers: {} }));
      statuses.push(...(await Promise.all(unsigned)).map(({ status }) => status));
      return statuses.includes(429);
    });
    const seconds = (Date.now() - since) / 1000;
    expect(new Set(statuses)).toEqual(new Set([401, 429]));
    // 100 at once, and 50 in a second.
    const through = statuses.filter((status) => status === 401).length;
    expect(through).toBeGreaterThanOrEqual(100);
    expect(through).toBeLessThanOrEqual(Math.ceil(100 + 50 * seconds));
  });
});

test('503 with the time to try again while executions cannot be started; the same again is taken', async () => {
  const refused = vi.spyOn(stack.engine.executions, 'start').mockImplementation(() => {
    throw new AwsError('ExecutionLimitExceeded', 'Too many executions are open.');
  });
  const request = signed(leadOf('later'));
  const { status, headers } = await post(stack, request);
  refused.mockRestore();
  expect([status, headers.get('retry-after')]).toEqual([503, '5']);
  expect(await post(stack, request)).toMatchObject({ status: 202, body: { status: 'repeated' } });
  await settled(stack.ledger, 'later');
  expect(await stack.destination.effects(leadOf('later').email)).toEqual(ONE_OF_EACH);
});

test('nothing of a lead is in the log', () => {
  const said = stack.engine.logLines(fromHttp).join('\n');
  expect(said).toContain('"statusCode":409');
  for (const personal of ['Wiśniewska', 'Młyn', '555 0199', 'posted@example.com', 'Another']) {
    expect(said).not.toContain(personal);
  }
});
