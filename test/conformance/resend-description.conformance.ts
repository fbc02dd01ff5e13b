import { afterEach, describe, expect, it } from 'vitest';
import { resendDomains } from '../../functions/adapters/resend/account.ts';
import { operationIdentity } from '../../functions/domain/action.ts';
import type { EmailMessage } from '../../functions/ports/emails.ts';
import type { SettingsInput } from '../../functions/sandbox/settings.ts';
import type { Exchange } from './support/recorder.ts';
import { DESCRIPTION_PATH, type ResendDescription, resendDescription } from './support/resend-description.ts';
import { closeAll, recordIdOf, secondOpinion } from './support/second-opinion.ts';

afterEach(closeAll);

const LONGEST_KEY = operationIdentity(
  { route: 'r'.repeat(12), leadRequestId: 'i'.repeat(64) },
  'send-introduction',
  99,
);
const MESSAGE: EmailMessage = {
  from: 'Ada Berg <ada.berg@sales.example.com>',
  replyTo: 'ada.berg@sales.example.com',
  to: 'jane@example.com',
  subject: 'Hello Jane',
  text: 'Hello Jane,\nI am Ada.',
  html: '<p>Hello Jane,</p><p>I am Ada &amp; happy.</p>',
};

/** What our reader makes of each event that the description knows. */
const KIND_OF: Readonly<Record<string, 'sent' | 'pending'>> = {
  bounced: 'sent',
  canceled: 'pending',
  clicked: 'sent',
  complained: 'sent',
  delivered: 'sent',
  delivery_delayed: 'sent',
  failed: 'pending',
  opened: 'sent',
  queued: 'pending',
  scheduled: 'pending',
  sent: 'sent',
  suppressed: 'pending',
};

/** The adapters' whole conversation with the sandbox, as it went over the wire. */
async function conversation(): Promise<readonly Exchange[]> {
  const { ours, bench, recorder, call } = await secondOpinion();
  recordIdOf(await ours.mailSender.send(ours.mailSender.encode(MESSAGE), call(LONGEST_KEY)));
  const others = Array.from({ length: 100 }, (_, i) => ({ ...MESSAGE, to: `joe${i}@example.com` }));
  for (const [i, other] of others.entries()) {
    await ours.mailSender.send(ours.mailSender.encode(other), call(`web/${i}/send-introduction`));
  }
  expect(await ours.mail.findSent(MESSAGE, bench.clock())).toMatchObject({ kind: 'sent' });
  await resendDomains(ours.mailAccount);
  return recorder.exchanges;
}

/** `POST /emails`, as the description writes it. */
function operationOf({ method, path }: Exchange): string {
  const described = path.replace(/^\/resend/, '').replace(/^\/emails\/[^/]+$/, '/emails/{email_id}');
  return `${method} ${described}`;
}

function wrongWith(exchange: Exchange, description: ResendDescription): string[] {
  const operation = operationOf(exchange);
  const { query, body, answer } = exchange;
  return [
    ...description.wrongInQuery(operation, query),
    ...(body === '' ? [] : description.wrongInRequest(operation, JSON.parse(body))),
    ...(answer?.status === 200 ? [] : [`answered with ${answer?.status}`]),
    ...description.wrongInAnswer(operation, JSON.parse(answer?.body ?? 'null')),
  ].map((fault) => `${operation}: ${fault}`);
}

const description = resendDescription();
if (description === null) {
  it.skip(`Resend's published description is not at ${DESCRIPTION_PATH}, so nothing is held to it`, () => {});
} else {
  describe('Resend’s published description', () => {
    it('fits what our adapters send and what the sandbox answers', async () => {
      const exchanges = await conversation();

      expect(new Set(exchanges.map(operationOf))).toEqual(
        new Set(['POST /emails', 'GET /emails', 'GET /emails/{email_id}', 'GET /domains']),
      );
      expect(exchanges.flatMap((exchange) => wrongWith(exchange, description))).toEqual([]);
    });

    it('allows a key as long as our longest', async () => {
      const [send] = await conversation();

      expect(LONGEST_KEY).toHaveLength(12 + 1 + 64 + 1 + 'send-introduction'.length + '/r99'.length);
      expect(send?.headers['idempotency-key']).toBe(LONGEST_KEY);
      expect(description.longest('POST /emails', 'Idempotency-Key')).toBe(256);
    });

    it('tells a request and an answer that are wrong', () => {
      const request = { from: MESSAGE.from, to: [], subject: 7, replyTo: MESSAGE.replyTo };

      expect(description.wrongInRequest('POST /emails', request).sort()).toEqual([
        'request/replyTo is not described',
        'request/subject must be string',
        'request/to must NOT have fewer than 1 items',
        'request/to must be string',
        'request/to must match exactly one schema in oneOf',
      ]);
      expect(
        description.wrongInQuery('GET /emails', new URLSearchParams({ limit: '101', page: '2' })),
      ).toEqual(['query/limit must be <= 100', 'query/page is not described']);
      expect(description.wrongInAnswer('GET /emails', { data: [{ to: 'jane@example.com' }] })).toEqual([
        'answer/data/0/to must be array',
      ]);
    });

    it('knows no event of a message that our reader and the sandbox do not', async () => {
      const events = description.valuesOf('Email', 'last_event');
      const { ours, bench, call } = await secondOpinion();
      const emailId = recordIdOf(
        await ours.mailSender.send(ours.mailSender.encode(MESSAGE), call(LONGEST_KEY)),
      );

      const kinds: Record<string, string> = {};
      for (const lastEvent of events) {
        await bench.person('email-event', { emailId, lastEvent });
        kinds[lastEvent] = (await ours.mail.findSent(MESSAGE, bench.clock())).kind;
      }

      expect(kinds).toEqual(KIND_OF);
    });

    it('knows no status of a domain that the sandbox does not', async () => {
      const states = description.valuesOf('ListDomainsItem', 'status');
      const domains = states.map((status, i) => ({ name: `d${i}.example.com`, status }));
      const { ours } = await secondOpinion({ settings: { domains } as SettingsInput });

      expect(states).toContain('partially_verified');
      expect(await resendDomains(ours.mailAccount)).toEqual(domains);
    });
  });
}
