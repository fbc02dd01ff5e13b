import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { bearerToken, SecretUnavailable } from '../../../functions/adapters/secrets.ts';
import { answerText, type WireServer, wireServer } from './wire-server.ts';

/** Secrets Manager's JSON protocol, as far as reading goes. */
const SECRETS: Record<string, object> = {
  'local/web/hubspot/read': { SecretString: ' sesame\n' },
  'local/web/hubspot/empty': { SecretString: '   ' },
  'local/web/hubspot/binary': { SecretBinary: Buffer.from('sesame').toString('base64') },
};

let server: WireServer;
const warnings: unknown[] = [];
const onWarning = (warning: Error) => warnings.push(warning.message);

beforeAll(async () => {
  server = await wireServer((socket, request) => {
    const { SecretId } = JSON.parse(request.body);
    const secret = SECRETS[SecretId];
    socket.end(
      secret
        ? answerText({ status: 200, json: { Name: SecretId, ...secret } })
        : answerText({
            status: 400,
            json: { __type: 'ResourceNotFoundException', message: `${SecretId} sesame` },
          }),
    );
  });
  process.on('warning', onWarning);
  for (const method of ['log', 'info', 'warn', 'error', 'debug'] as const) {
    vi.spyOn(console, method).mockImplementation((...args) => void warnings.push(args));
  }
  vi.stubEnv('AWS_ENDPOINT_URL', server.url);
  vi.stubEnv('AWS_REGION', 'eu-central-1');
  vi.stubEnv('AWS_ACCESS_KEY_ID', 'local');
  vi.stubEnv('AWS_SECRET_ACCESS_KEY', 'local');
});

afterAll(async () => {
  process.off('warning', onWarning);
  vi.restoreAllMocks();
  vi.unstubAllEnvs();
  await server.close();
});

it('reads the token once and keeps it for a while', async () => {
  const token = bearerToken('local/web/hubspot/read');
  expect(server.requests).toHaveLength(0);

  expect(await token()).toBe('sesame');
  expect(await token()).toBe('sesame');

  expect(server.requests).toHaveLength(1);
});

it.each(['local/web/hubspot/missing', 'local/web/hubspot/empty', 'local/web/hubspot/binary'])(
  'says that %s is unavailable, and nothing more',
  async (name) => {
    const error = await bearerToken(name)().catch((caught: unknown) => caught);

    expect(error).toBeInstanceOf(SecretUnavailable);
    expect(error).toMatchObject({ name: 'SecretUnavailable', secretName: name });
    expect((error as Error).message).toBe(`The secret ${name} could not be read, or is empty.`);
  },
);

it('prints nothing and warns of nothing', async () => {
  await new Promise((resolve) => setImmediate(resolve));

  expect(warnings).toEqual([]);
});
