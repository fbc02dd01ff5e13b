import { beforeEach, expect, test, vi } from 'vitest';
import { NUMBERS, testRoute } from '../../model/settings.ts';

const { secrets } = vi.hoisted(() => ({ secrets: [] as string[] }));
vi.mock('../../../functions/adapters/secrets.ts', () => ({
  bearerToken: (name: string) => {
    secrets.push(name);
    return async () => name;
  },
}));

Object.assign(process.env, {
  HUBSPOT_BASE_URL: 'http://127.0.0.1:1/hubspot',
  RESEND_BASE_URL: 'http://127.0.0.1:1/resend',
});
const { crmReader, mailReader } = await import('../../../functions/adapters/readers.ts');
const { crmWriter, mailSender } = await import('../../../functions/adapters/writers.ts');

beforeEach(() => {
  secrets.length = 0;
});

test('whoever reads holds the credential that reads, whoever writes the one that writes', () => {
  crmReader('prod', testRoute(), NUMBERS);
  mailReader('prod', testRoute(), NUMBERS);
  crmWriter('prod', testRoute(), NUMBERS);
  mailSender('prod', testRoute(), NUMBERS);

  expect(secrets).toEqual([
    'prod/web/hubspot/read',
    'prod/web/resend/read',
    'prod/web/hubspot/write',
    'prod/web/resend/write',
  ]);
});
