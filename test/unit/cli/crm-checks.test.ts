import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, expect, it } from 'vitest';
import { checkCrm } from '../../../cli/doctor/crm-checks.ts';
import type { Credential, CredentialUse } from '../../../cli/doctor/secrets.ts';
import { website } from '../../../routes/website.ts';

const READS = ['crm.objects.contacts.read', 'crm.objects.owners.read'];
const WRITES = [...READS, 'crm.objects.contacts.write'];

let server: Server | undefined;

afterEach(() => {
  server?.close();
  server?.closeAllConnections();
});

/** A HubSpot with two private apps, whose scopes and portal the test says; every owner exists. */
async function checked(reader: { scopes: string[] }, writer: { scopes: string[]; hubId?: number }) {
  server = createServer(async (request, response) => {
    let body = '';
    for await (const chunk of request) body += chunk;
    if (request.url?.startsWith('/crm/v3/owners/')) {
      response.end(JSON.stringify({ id: '71', email: 'ada@sales.example.com' }));
      return;
    }
    const info = JSON.parse(body).tokenKey === 'reading' ? reader : writer;
    response.end(JSON.stringify({ hubId: 1, userId: 2, appId: 3, ...info }));
  });
  await new Promise<void>((resolve) => server?.listen(0, '127.0.0.1', resolve));
  const found = new Map<CredentialUse, Credential>([
    ['hubspot read', { secretName: 'test/website/hubspot/read', token: 'reading' }],
    ['hubspot write', { secretName: 'test/website/hubspot/write', token: 'writing' }],
  ]);
  const { port } = server.address() as AddressInfo;
  const { checks } = await checkCrm(website, `http://127.0.0.1:${port}`, { checks: [], found });
  return Object.fromEntries(checks.map(({ check, state, detail }) => [check, `${state}: ${detail}`]));
}

it('takes a reader that only reads and a writer of the same portal', async () => {
  expect(await checked({ scopes: READS }, { scopes: WRITES })).toEqual({
    'crm-read': 'ok: portal 1, reads only.',
    'crm-write': 'ok: portal 1, may write contacts and tasks.',
    owner: 'ok: owner 71 exists.',
  });
});

it('refuses a reader that may write', async () => {
  const { 'crm-read': reading } = await checked({ scopes: WRITES }, { scopes: WRITES });

  expect(reading).toBe('failed: it may also write (crm.objects.contacts.write), and readers must not.');
});

it('names the scopes that are missing', async () => {
  const found = await checked({ scopes: ['crm.objects.contacts.read'] }, { scopes: READS });

  expect(found['crm-read']).toBe('failed: it lacks crm.objects.owners.read.');
  expect(found['crm-write']).toBe('failed: it lacks crm.objects.contacts.write.');
});

it('refuses to read one portal and write another', async () => {
  const { 'crm-write': writing } = await checked({ scopes: READS }, { scopes: WRITES, hubId: 9 });

  expect(writing).toBe('failed: it writes to portal 9, and portal 1 is read.');
});
