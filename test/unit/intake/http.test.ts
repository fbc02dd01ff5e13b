import fc from 'fast-check';
import { describe, expect, test, vi } from 'vitest';
import { SecretUnavailable } from '../../../functions/adapters/secrets.ts';
import type { HttpRequest } from '../../../functions/intake/receive-lead.ts';
import { WorkflowUnavailable } from '../../../functions/ports/workflow.ts';
import type { LedgerWrite } from '../../model/write-faults.ts';
import { HttpBench, NEXT_SECRET, OTHER_SECRET, request, SECRET, signed } from './http-bench.ts';
import { JO } from './intake-bench.ts';

const BODY = JSON.stringify(JO);
const UNAUTHORIZED = {
  status: 401,
  type: 'application/problem+json',
  body: { title: 'The request is not signed, or its signature is not valid.', status: 401 },
};

test('202: the lead request is accepted', async () => {
  const bench = new HttpBench();

  expect(await bench.post(request(BODY))).toEqual({
    status: 202,
    type: 'application/json',
    body: { leadRequestId: 'inq-1', status: 'accepted' },
  });
  expect(bench.running('inq-1')).toEqual(['inq-1']);
});

test('202 again for the same one: replayed with its signature, and signed anew', async () => {
  const bench = new HttpBench();
  const first = request(BODY);
  await bench.post(first);

  expect(await bench.post(first)).toMatchObject({ status: 202, body: { status: 'repeated' } });
  expect(await bench.post(request(BODY, signed(BODY, SECRET, Date.now(), 'msg_2')))).toMatchObject({
    status: 202,
    body: { status: 'repeated' },
  });
  expect(new Set(bench.workflow.started)).toEqual(new Set(['web.inq-1.1']));
});

test.each(['joined', 'asked'] as const)('202 for one that is %s', async (status) => {
  const policy = status === 'joined' ? 'join' : 'ask';
  const bench = new HttpBench({ samePerson: { policy, windowHours: 1 } });
  await bench.post(request(BODY));
  const again = JSON.stringify({ ...JO, leadRequestId: 'inq-2' });

  expect(await bench.post(request(again))).toMatchObject({
    status: 202,
    body: { leadRequestId: 'inq-2', status },
  });
});

test('a body that API Gateway encoded is the same', async () => {
  const given = { ...request(BODY), body: Buffer.from(BODY).toString('base64'), isBase64Encoded: true };

  expect(await new HttpBench().post(given)).toMatchObject({ status: 202 });
});

describe('400: what is wrong, by the name of its field', () => {
  test.each<[string, string, string | undefined, string]>([
    ['no JSON', '{"leadRequestId":', undefined, 'The body is not JSON.'],
    ['nothing', '', undefined, 'The body is not JSON.'],
    ['a list', '[]', 'leadRequestId', 'leadRequestId: is missing.'],
    [
      'null',
      'null',
      'lead request',
      'lead request: expected a JSON object with the fields of a lead request.',
    ],
    ['no id', JSON.stringify({ email: JO.email }), 'leadRequestId', 'leadRequestId: is missing.'],
    ['a wrong address', JSON.stringify({ ...JO, email: 'jo' }), 'email', 'email: expected an email address.'],
    [
      'a field that nobody knows',
      JSON.stringify({ ...JO, fristName: 'x' }),
      'fristName',
      'fristName: is not a field of a lead request.',
    ],
    [
      'a field with a name that is no word',
      JSON.stringify({ ...JO, 'jo@x': 'x' }),
      'a field',
      'a field: is not a field of a lead request.',
    ],
  ])('%s', async (_what, body, field, title) => {
    const bench = new HttpBench();

    expect(await bench.post(request(body))).toEqual({
      status: 400,
      type: 'application/problem+json',
      body: { title, status: 400, ...(field === undefined ? {} : { field }) },
    });
  });
});

describe('401, the same answer to everybody who cannot sign', () => {
  const headers = signed(BODY);
  const minutes = (count: number) => Date.now() + count * 60_000;

  test.each<[string, HttpRequest]>([
    ['no headers', { ...request(BODY), headers: {} }],
    ['no signature', request(BODY, { ...headers, 'webhook-signature': '' })],
    ['no id', request(BODY, { ...headers, 'webhook-id': '' })],
    ['no time', request(BODY, { ...headers, 'webhook-timestamp': '' })],
    ['another body', request(`${BODY} `, headers)],
    ['another id', request(BODY, { ...headers, 'webhook-id': 'msg_2' })],
    [
      'another time',
      request(BODY, { ...headers, 'webhook-timestamp': String(Math.floor(Date.now() / 1000) - 60) }),
    ],
    ['another secret', request(BODY, signed(BODY, OTHER_SECRET))],
    ['another version', request(BODY, { ...headers, 'webhook-signature': 'v2,abc' })],
    ['no version', request(BODY, { ...headers, 'webhook-signature': 'v1' })],
    ['a signature of nothing', request(BODY, { ...headers, 'webhook-signature': 'v1,' })],
    ['older than five minutes', request(BODY, signed(BODY, SECRET, minutes(-5.1)))],
    ['from the future', request(BODY, signed(BODY, SECRET, minutes(5.1)))],
    [
      'a time with letters',
      request(BODY, { ...headers, 'webhook-timestamp': `${headers['webhook-timestamp']}s` }),
    ],
    ['a route that does not exist', request(BODY, headers, 'nowhere')],
    ['a route of that prototype', request(BODY, headers, 'toString')],
    ['no route', { ...request(BODY), pathParameters: undefined } as unknown as HttpRequest],
    ['no headers at all', { ...request(BODY), headers: undefined } as unknown as HttpRequest],
    ['no body', { ...request(BODY), body: undefined } as unknown as HttpRequest],
    ['signed as something that no sender was asked for', request('x', signed('x', OTHER_SECRET))],
  ])('%s', async (_what, given) => {
    const bench = new HttpBench();

    expect(await bench.post(given)).toEqual(UNAUTHORIZED);
    expect((await bench.under('inq-1')).handoff).toBeNull();
  });

  test('the body is looked at after the signature alone', async () => {
    const bench = new HttpBench();
    const parse = vi.spyOn(JSON, 'parse');
    await bench.send(request('{"leadRequestId": 1}', signed('x', OTHER_SECRET)));

    expect(parse).not.toHaveBeenCalled();
    parse.mockRestore();
  });

  test('a route that has no secret takes nothing', async () => {
    const bench = new HttpBench();
    bench.secrets = async () => [];

    expect(await bench.post(request(BODY))).toEqual(UNAUTHORIZED);
  });
});

describe('while a secret is rotated', () => {
  test.each([
    ['the new one', SECRET],
    ['the one before', NEXT_SECRET],
  ])('%s is valid', async (_what, secret) => {
    expect(await new HttpBench().post(request(BODY, signed(BODY, secret)))).toMatchObject({ status: 202 });
  });

  test('a sender may sign with both, in any order, and with versions that nobody knows', async () => {
    const headers = signed(BODY);
    const wrong = new Array(3).fill(signed(BODY, OTHER_SECRET)['webhook-signature']);
    const signatures = ['v1a,xyz', ...wrong, headers['webhook-signature']].join(' ');

    expect(
      await new HttpBench().post(request(BODY, { ...headers, 'webhook-signature': signatures })),
    ).toMatchObject({ status: 202 });
  });
});

test.each([
  ['within five minutes ago', -4.9],
  ['within five minutes ahead', 4.9],
])('a signature %s is valid', async (_what, minutes) => {
  const headers = signed(BODY, SECRET, Date.now() + minutes * 60_000);

  expect(await new HttpBench().post(request(BODY, headers))).toMatchObject({ status: 202 });
});

test('what is signed cannot be cut elsewhere: a full stop in the id is refused', async () => {
  // Signed was `msg_1.<time>.x.<time>.{…}`: another reading of it would be the id `msg_1.<time>.x`.
  const time = String(Math.floor(Date.now() / 1000));
  const inner = signed(`x.${time}.${BODY}`);
  const given = request(BODY, { ...inner, 'webhook-id': `msg_1.${inner['webhook-timestamp']}.x` });

  expect(await new HttpBench().post(given)).toEqual(UNAUTHORIZED);
});

test('409: the same id with other fields, which are kept; and an id that is being investigated', async () => {
  const bench = new HttpBench();
  await bench.post(request(BODY));
  const other = JSON.stringify({ ...JO, firstName: 'Joanna' });

  expect(await bench.post(request(other))).toEqual({
    status: 409,
    type: 'application/problem+json',
    body: {
      title:
        'leadRequestId: inq-1 was accepted before with other fields; the first one stands, this one is kept as a conflict.',
      status: 409,
      field: 'leadRequestId',
    },
  });
  expect((await bench.under('inq-1')).conflicts).toHaveLength(1);
  await bench.deadLetter({ route: 'web', lead: { leadRequestId: 'inq-2' } });
  const investigated = JSON.stringify({ ...JO, leadRequestId: 'inq-2' });
  expect(await bench.post(request(investigated))).toMatchObject({ status: 409 });
});

describe('413: more than 64 KiB', () => {
  const padded = (bytes: number) => `${BODY}${' '.repeat(bytes - Buffer.byteLength(BODY))}`;

  test.each([
    [65_536, 202],
    [65_537, 413],
  ])('%d bytes: %d', async (bytes, status) => {
    expect(await new HttpBench().post(request(padded(bytes)))).toMatchObject({ status });
  });

  test('counted in bytes, and before anything else is looked at', async () => {
    const bench = new HttpBench();
    bench.secrets = () => Promise.reject(new RangeError('not asked for'));
    const body = 'ä'.repeat(32_769);

    expect(await bench.post({ ...request(body), headers: {} })).toMatchObject({ status: 413 });
    const encoded = Buffer.alloc(65_537).toString('base64');
    expect(await bench.post({ ...request(encoded), isBase64Encoded: true })).toMatchObject({ status: 413 });
  });
});

describe('415: anything else than JSON', () => {
  test.each([
    ['application/json', 202],
    ['Application/JSON; charset=utf-8', 202],
    ['application/json;charset="UTF-8"', 202],
    ['application/json; charset=iso-8859-1', 415],
    ['text/json', 415],
    ['application/jsonp', 415],
    ['application/x-www-form-urlencoded', 415],
    ['', 415],
  ])('%j: %d', async (type, status) => {
    const given = request(BODY, { ...signed(BODY), 'content-type': type });

    expect(await new HttpBench().post(given)).toMatchObject({ status });
  });
});

describe('503 with a time to come again', () => {
  const expectToComeAgain = async (bench: HttpBench, errorName: string) => {
    const received = await bench.send(request(BODY));
    expect(received).toMatchObject({
      errorName,
      answer: {
        statusCode: 503,
        headers: { 'content-type': 'application/problem+json', 'retry-after': '5' },
      },
    });
    expect(JSON.parse(received.answer.body ?? '')).toEqual({
      title: 'The lead request could not be accepted now; send the same again.',
      status: 503,
    });
  };

  test('the ledger gives no answer', async () => {
    const bench = new HttpBench();
    bench.ledger.hooks = { readFails: () => true };
    await expectToComeAgain(bench, 'LedgerUnavailable');
  });

  test('the workflow gives no answer; the same again goes through', async () => {
    const bench = new HttpBench();
    const start = vi.spyOn(bench.workflow, 'start').mockRejectedValueOnce(new WorkflowUnavailable(null));
    await expectToComeAgain(bench, 'WorkflowUnavailable');
    start.mockRestore();

    expect(await bench.post(request(BODY))).toMatchObject({ status: 202, body: { status: 'repeated' } });
  });

  test('the secret cannot be read', async () => {
    const bench = new HttpBench();
    bench.secrets = () => Promise.reject(new SecretUnavailable('test/web/intake'));
    await expectToComeAgain(bench, 'SecretUnavailable');
  });

  test('the events of a conflict are not taken', async () => {
    const bench = new HttpBench({ changedFields: 'tell' });
    await bench.post(request(JSON.stringify({ ...JO, firstName: 'Joanna' })));
    bench.eventsFail = true;
    await expectToComeAgain(bench, 'EventsUnavailable');
  });
});

test('an error that no sender can do anything about is no answer', async () => {
  const bench = new HttpBench();
  bench.secrets = () => Promise.reject(new RangeError('a mistake'));

  await expect(bench.send(request(BODY))).rejects.toThrow(RangeError);
});

describe('10,000 requests that nobody would send', () => {
  const header = fc.string({ unit: 'binary', maxLength: 40 });
  const names = fc.constantFrom(
    'webhook-id',
    'webhook-timestamp',
    'webhook-signature',
    'content-type',
    'Webhook-Signature',
    '__proto__',
    'constructor',
    'host',
  );
  const values = fc.oneof(
    header,
    fc.constantFrom('v1,', 'v1', ' ', 'v1, v1, v1,', 'application/json', 'msg_1', '0', '-1', '1e9', 'NaN'),
    fc.constant(String(Math.floor(Date.now() / 1000))),
    fc.base64String().map((text) => `v1,${text}`),
  );
  const text = fc.oneof(
    fc.string({ unit: 'binary', maxLength: 200 }),
    fc.json({ maxDepth: 4 }),
    fc.constantFrom('{', '[[[[', '{"__proto__":{"leadRequestId":"x"}}', '\u0000', '\ufeff{}', '"', 'NaN'),
    fc.integer({ min: 65_000, max: 66_000 }).map((length) => 'x'.repeat(length)),
    fc
      .dictionary(
        fc.constantFrom(
          'leadRequestId',
          'email',
          'firstName',
          'message',
          'ownerId',
          'phone',
          'x',
          '__proto__',
        ),
        fc.oneof(fc.jsonValue({ maxDepth: 1 }), fc.string({ unit: 'binary' }), fc.constant('')),
      )
      .map((fields) => JSON.stringify(fields)),
  );

  function watched(): { bench: HttpBench; writes: LedgerWrite[] } {
    const bench = new HttpBench();
    const writes: LedgerWrite[] = [];
    bench.ledger.hooks = { beforeWrite: (write) => void writes.push(write) };
    return { bench, writes };
  }

  test('not signed: refused, with nothing written and nothing started', async () => {
    const { bench, writes } = watched();
    await fc.assert(
      fc.asyncProperty(
        fc.dictionary(names, values),
        text,
        fc.boolean(),
        fc.oneof(fc.constantFrom('web', '', '__proto__'), header),
        async (headers, body, isBase64Encoded, route) => {
          const { status } = await bench.post({ headers, body, isBase64Encoded, pathParameters: { route } });
          expect([401, 413]).toContain(status);
        },
      ),
      { numRuns: 6_000 },
    );
    expect([writes, bench.workflow.started]).toEqual([[], []]);
  });

  test('signed by a sender whose program is broken: refused as well, with the field and never with its value', async () => {
    const { bench, writes } = watched();
    await fc.assert(
      fc.asyncProperty(text, async (body) => {
        const { status, body: answer } = await bench.post(request(body));
        expect([400, 413]).toContain(status);
        expect(Object.keys(answer).every((key) => ['title', 'status', 'field'].includes(key))).toBe(true);
      }),
      { numRuns: 4_000 },
    );
    expect([writes, bench.workflow.started]).toEqual([[], []]);
  });
});
