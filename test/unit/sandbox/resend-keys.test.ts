import { describe, expect, test } from 'vitest';
import { type Bench, bench, EMAIL } from './support.ts';

const KEY = { 'idempotency-key': 'web/lead-1/send-introduction' };
const send = (b: Bench, body: unknown = EMAIL, headers: Record<string, string> = KEY) =>
  b.resend('POST', '/emails', body, headers);
const sentCount = async (b: Bench): Promise<number> =>
  (await b.control('GET', '/inspect')).json.emails.length;

describe('an idempotency key', () => {
  test('with the same payload gets the first answer and sends nothing more', async () => {
    const b = bench();
    const first = await send(b);
    b.pass(3_600_000);
    const second = await send(b);
    expect(second.status).toBe(200);
    expect(second.json).toEqual(first.json);
    expect(await sentCount(b)).toBe(1);
    const { requests } = (await b.control('GET', '/inspect')).json;
    expect(requests.map((one: { applied: boolean }) => one.applied)).toEqual([true, false]);
  });

  test('with another payload is a conflict and sends nothing', async () => {
    const b = bench();
    await send(b);
    const other = await send(b, { ...EMAIL, subject: 'Hello again' });
    expect(other.status).toBe(409);
    expect(other.json).toMatchObject({ statusCode: 409, name: 'invalid_idempotent_request' });
    expect(await sentCount(b)).toBe(1);
  });

  test('compares bytes, not meaning', async () => {
    const b = bench();
    await send(b, JSON.stringify(EMAIL));
    const spaced = await send(b, JSON.stringify(EMAIL, null, 1));
    expect(spaced.json.name).toBe('invalid_idempotent_request');
  });

  test('is remembered for 24 hours and not a moment longer', async () => {
    const b = bench();
    const first = await send(b);
    b.pass(24 * 3_600_000 - 1);
    const inside = await send(b);
    b.pass(1);
    const outside = await send(b);
    expect(inside.json.id).toBe(first.json.id);
    expect(outside.json.id).not.toBe(first.json.id);
    expect(await sentCount(b)).toBe(2);
  });

  test('is remembered as long as the setting says', async () => {
    const b = bench({ settings: { keyWindowMs: 60_000 } });
    await send(b);
    b.pass(60_000);
    await send(b, { ...EMAIL, subject: 'Another' });
    expect(await sentCount(b)).toBe(2);
  });

  test('is not burned by a refused request', async () => {
    const b = bench();
    const refused = await send(b, { ...EMAIL, to: 'nobody' });
    const corrected = await send(b);
    expect([refused.status, corrected.status]).toEqual([422, 200]);
  });

  test.each([
    ['empty', ''],
    ['of 257 characters', 'k'.repeat(257)],
  ])('that is %s is refused', async (_, key) => {
    const b = bench();
    const refused = await send(b, EMAIL, { 'idempotency-key': key });
    expect(refused.status).toBe(400);
    expect(refused.json.name).toBe('invalid_idempotency_key');
  });

  test('of 256 characters is taken', async () => {
    const b = bench();
    expect((await send(b, EMAIL, { 'idempotency-key': 'k'.repeat(256) })).status).toBe(200);
  });

  test('in flight is another conflict, until the first request has landed', async () => {
    const b = bench();
    await b.control('POST', '/faults', { operation: 'send-email', kind: 'land-late', delayMs: 5_000 });
    const first = await send(b);
    b.pass(4_999);
    const during = await send(b);
    const duringOther = await send(b, { ...EMAIL, subject: 'Another' });
    const sentDuring = await sentCount(b);
    b.pass(1);
    const after = await send(b);

    expect(first.response.delivery).toEqual({ kind: 'drop' });
    expect([during.status, during.json.name]).toEqual([409, 'concurrent_idempotent_requests']);
    expect(duringOther.json.name).toBe('invalid_idempotent_request');
    expect(sentDuring).toBe(0);
    expect(after.status).toBe(200);
    const { emails } = (await b.control('GET', '/inspect')).json;
    expect(emails).toHaveLength(1);
    expect(emails[0]).toMatchObject({
      id: after.json.id,
      key: 'web/lead-1/send-introduction',
      acceptedAt: '2026-03-01T09:00:05.000Z',
    });
  });

  test('is in flight while the first answer is late, though its message is out', async () => {
    const b = bench();
    await b.control('POST', '/faults', { operation: 'send-email', kind: 'delay', delayMs: 5_000 });
    const first = await send(b);
    const during = await send(b);
    b.pass(5_000);
    const after = await send(b);
    expect(first.response.delivery).toEqual({ kind: 'answer-late', delayMs: 5_000 });
    expect(during.json.name).toBe('concurrent_idempotent_requests');
    expect(after.json.id).toBe(first.json.id);
    expect(await sentCount(b)).toBe(1);
  });

  test('left out, every request sends', async () => {
    const b = bench();
    await send(b, EMAIL, {});
    await send(b, EMAIL, {});
    expect(await sentCount(b)).toBe(2);
  });
});
