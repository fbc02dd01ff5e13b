import { afterAll, beforeAll, expect, it } from 'vitest';
import { hubspotCredential } from '../../../functions/adapters/hubspot/account.ts';
import { resendDomains, resendKeyAccess } from '../../../functions/adapters/resend/account.ts';
import { type SandboxServer, startSandboxServer } from '../../../functions/sandbox/server.ts';

let sandbox: SandboxServer;

beforeAll(async () => {
  sandbox = await startSandboxServer({
    port: 0,
    bearer: 'secret',
    settings: {
      domains: [
        { name: 'sales.example.com', status: 'verified' },
        { name: 'example.com', status: 'pending' },
      ],
    },
  });
});

afterAll(() => sandbox.close());

function options(vendor: 'hubspot' | 'resend', token: string) {
  return {
    baseUrl: `${sandbox.url}/${vendor}`,
    token: async () => token,
    timeoutMs: 2_000,
    clock: Date.now,
  };
}

it('reads what a HubSpot token may do', async () => {
  const reading = await hubspotCredential(options('hubspot', 'secret.read'));
  expect(reading.portalId).toBe('1000001');
  expect(reading.scopes).toContain('crm.objects.contacts.read');
  expect(reading.scopes).not.toContain('crm.objects.contacts.write');

  const writing = await hubspotCredential(options('hubspot', 'secret.write'));
  expect(writing.scopes).toContain('crm.objects.contacts.write');

  await expect(hubspotCredential(options('hubspot', 'wrong'))).rejects.toMatchObject({ code: 'credentials' });
});

it('tells a sending key from a full one and from none, without sending anything', async () => {
  expect(await resendKeyAccess(options('resend', 'secret.write'))).toBe('sending');
  expect(await resendKeyAccess(options('resend', 'secret'))).toBe('full');
  await expect(resendKeyAccess(options('resend', 'wrong'))).rejects.toMatchObject({ code: 'credentials' });

  const response = await fetch(`${sandbox.url}/inspect`, { headers: { authorization: 'Bearer secret' } });
  const { emails, requests } = (await response.json()) as {
    emails: unknown[];
    requests: { method: string; path: string }[];
  };
  expect(emails).toEqual([]);
  const sent = requests.filter(({ path }) => path.startsWith('/resend'));
  expect(sent.map(({ method }) => method)).toEqual(['GET', 'GET', 'GET']);
});

it('lists the sending domains with a full key only', async () => {
  expect(await resendDomains(options('resend', 'secret.read'))).toEqual([
    { name: 'sales.example.com', status: 'verified' },
    { name: 'example.com', status: 'pending' },
  ]);
  await expect(resendDomains(options('resend', 'secret.write'))).rejects.toMatchObject({
    code: 'credentials',
  });
});

it('says that nobody answers', async () => {
  const nowhere = { ...options('resend', 'secret'), baseUrl: 'http://127.0.0.1:1' };

  await expect(resendKeyAccess(nowhere)).rejects.toMatchObject({ code: 'connect-refused' });
  await expect(resendDomains(nowhere)).rejects.toMatchObject({ code: 'connect-refused' });
});
