import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Context } from 'aws-lambda';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';

/** The daemon to which a function's traces go. */
const daemon = createSocket('udp4');
const traced: string[] = [];
daemon.on('message', (message) => traced.push(message.toString()));

/** A CRM that is read by email. */
const crm = createServer((_request, response) => response.end('{}'));

const logged = vi.fn((..._lines: unknown[]) => {});
for (const level of ['info', 'warn', 'error', 'debug', 'log'] as const) {
  vi.spyOn(console, level).mockImplementation(logged);
}

let observability: typeof import('../../../functions/adapters/observability.ts');
let callOnce: typeof import('../../../functions/adapters/http/effect-aware-client.ts').callOnce;
let url: string;

beforeAll(async () => {
  daemon.bind(0, '127.0.0.1');
  crm.listen(0, '127.0.0.1');
  await Promise.all([once(daemon, 'listening'), once(crm, 'listening')]);
  url = `http://127.0.0.1:${(crm.address() as AddressInfo).port}`;
  // What Lambda sets; read when the modules are loaded.
  Object.assign(process.env, {
    AWS_EXECUTION_ENV: 'AWS_Lambda_nodejs24.x',
    LAMBDA_TASK_ROOT: '/var/task',
    AWS_XRAY_DAEMON_ADDRESS: `127.0.0.1:${daemon.address().port}`,
    _X_AMZN_TRACE_ID: 'Root=1-5759e988-bd862e3fe1be46a994272793;Parent=53995c3f42cd8ad8;Sampled=1',
    POWERTOOLS_DEV: 'true',
    POWERTOOLS_LOG_LEVEL: 'DEBUG',
  });
  observability = await import('../../../functions/adapters/observability.ts');
  ({ callOnce } = await import('../../../functions/adapters/http/effect-aware-client.ts'));
});
afterAll(() => {
  crm.close();
  daemon.close();
});

const EMAIL = 'jo.lind@customer.example.com';
const EVENT = {
  route: 'web',
  leadRequestId: 'inq-1',
  execution: 'web.inq-1.1',
  attempt: 1,
  lead: { email: EMAIL },
};
const CONTEXT = { functionName: 'upsert-contact', awsRequestId: 'request-1' } as Context;

/** A handler that asks the CRM for a contact by email, and then does as it is told. */
function asking(then: () => void) {
  return observability.observed('upsert-contact', async (_event: unknown) => {
    await callOnce({
      method: 'GET',
      url: `${url}/crm/v3/objects/contacts/${EMAIL}`,
      label: '/crm/v3/objects/contacts/{email}',
      timeoutMs: 5_000,
    });
    observability.logger.info('asked');
    then();
  });
}

async function told(): Promise<string> {
  await vi.waitFor(() => expect(traced.join('')).toContain('## upsert-contact'));
  return [...traced, ...logged.mock.calls.flat().map(String)].join('\n');
}

test('a call by email leaves ids in the log and in the trace, and no email', async () => {
  await asking(() => {})(EVENT, CONTEXT);

  const everything = await told();
  expect(everything).toMatch(/"leadRequestId": ?"inq-1"/);
  expect(everything).not.toContain('jo.lind');
});

test('an error that names a person is logged by its own name', async () => {
  const failing = asking(() => {
    throw new RangeError(`no such person: ${EMAIL}`);
  });
  await expect(failing(EVENT, CONTEXT)).rejects.toThrow(RangeError);

  const everything = await told();
  expect(everything).toMatch(/"errorName": ?"RangeError"/);
  expect(everything).not.toContain('jo.lind');
});
