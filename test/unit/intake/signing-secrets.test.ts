import { type GetSecretValueCommand, ResourceNotFoundException } from '@aws-sdk/client-secrets-manager';
import { describe, expect, test } from 'vitest';
import { signingSecrets } from '../../../functions/adapters/signing-secrets.ts';
import { isSigningSecret } from '../../../functions/adapters/webhook-signature.ts';
import { FakeClock } from '../../model/clock.ts';
import { NEXT_SECRET, SECRET } from './http-bench.ts';

const NAME = 'test/web/intake';
const missing = new ResourceNotFoundException({ message: 'no such version', $metadata: {} });

/** Secrets Manager with these versions of every secret; an error is thrown. */
function vault(versions: Readonly<Record<string, string | Error | undefined>>) {
  const clock = new FakeClock();
  const asked: string[] = [];
  const client = {
    async send({ input }: GetSecretValueCommand) {
      asked.push(`${input.SecretId} ${input.VersionStage}`);
      const value = versions[input.VersionStage ?? ''];
      if (value === undefined) throw missing;
      if (value instanceof Error) throw value;
      return { SecretString: value };
    },
  };
  return { read: signingSecrets(client as never, clock.now), asked, clock };
}

test('the version that holds and the one before it, without the blanks around them', async () => {
  const { read } = vault({ AWSCURRENT: ` ${NEXT_SECRET}\n`, AWSPREVIOUS: SECRET });

  expect(await read(NAME)).toEqual([NEXT_SECRET, SECRET]);
});

test('before the first rotation there is one', async () => {
  expect(await vault({ AWSCURRENT: SECRET }).read(NAME)).toEqual([SECRET]);
});

test('they are kept for a minute, each name for itself, and then read again', async () => {
  const { read, asked, clock } = vault({ AWSCURRENT: SECRET });
  await read(NAME);
  clock.advance(59_999);
  await read(NAME);
  expect(asked).toEqual([`${NAME} AWSCURRENT`, `${NAME} AWSPREVIOUS`]);
  await read('test/fair/intake');
  expect(asked).toHaveLength(4);
  clock.advance(1);
  await read(NAME);

  expect(asked).toHaveLength(6);
});

test('that there is none is kept as well: anybody may post to a name', async () => {
  const { read, asked } = vault({});

  expect(await read(NAME)).toEqual([]);
  expect(await read(NAME)).toEqual([]);
  expect(asked).toHaveLength(2);
});

describe('not available, by the name of the secret and nothing more', () => {
  test.each<[string, Record<string, string | Error>]>([
    ['no answer', { AWSCURRENT: new Error('timeout') }],
    ['no answer about the one before', { AWSCURRENT: SECRET, AWSPREVIOUS: new Error('timeout') }],
    ['empty', { AWSCURRENT: '  ' }],
    ['no base64', { AWSCURRENT: 'open sesame!' }],
    ['JSON', { AWSCURRENT: '{"secret":"x"}' }],
  ])('%s', async (_what, versions) => {
    const { read, asked } = vault(versions);
    await expect(read(NAME)).rejects.toMatchObject({
      name: 'SecretUnavailable',
      message: `The secret ${NAME} could not be read, or is empty.`,
    });
    await read(NAME).catch(() => {});

    expect(asked.length).toBeGreaterThan(2);
  });
});

test.each([
  [SECRET, true],
  [SECRET.slice('whsec_'.length), true],
  ['whsec_', false],
  ['', false],
  ['whsec_ä', false],
])('%j can be a secret: %j', (text, can) => {
  expect(isSigningSecret(text)).toBe(can);
});
