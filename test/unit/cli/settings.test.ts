import { expect, it } from 'vitest';
import { clientConfiguration } from '../../../cli/aws/access.ts';
import { explainAws } from '../../../cli/aws/explain.ts';
import { wantsColour } from '../../../cli/render/paint.ts';
import { readSettings } from '../../../cli/settings.ts';
import { LedgerUnavailable } from '../../../functions/ports/ledger.ts';

const ENDPOINT = 'http://127.0.0.1:4566';

it.each([
  [{ endpoint: ENDPOINT }, {}, { stage: 'local', endpoint: ENDPOINT }],
  [
    {},
    { AWS_ENDPOINT_URL: ENDPOINT, HANDOFF_STAGE: 'prod' },
    { stage: 'local', endpoint: ENDPOINT, fromEnvironment: true },
  ],
  [
    { stage: 'prod' },
    { AWS_ENDPOINT_URL: ENDPOINT },
    { stage: 'prod', endpoint: ENDPOINT, fromEnvironment: true },
  ],
  [
    { stage: 'prod', endpoint: ENDPOINT },
    { AWS_ENDPOINT_URL: 'http://127.0.0.1:1' },
    { stage: 'prod', endpoint: ENDPOINT },
  ],
  [{}, { HANDOFF_STAGE: 'prod' }, { stage: 'prod' }],
  [{ stage: 'test' }, { HANDOFF_STAGE: 'prod' }, { stage: 'test' }],
  [{ stage: 'test', endpoint: ENDPOINT }, {}, { stage: 'test', endpoint: ENDPOINT }],
])('%j with %j means %j', (options, environment, settings) => {
  expect(readSettings(options, environment)).toEqual(settings);
});

it.each([
  [
    'ResourceNotFoundException',
    true,
    `Stage prod does not run at ${ENDPOINT}, which AWS_ENDPOINT_URL names: unset AWS_ENDPOINT_URL to reach AWS itself.`,
  ],
  [
    'ECONNREFUSED',
    true,
    `Nothing answers at ${ENDPOINT}, which AWS_ENDPOINT_URL names (ECONNREFUSED): unset AWS_ENDPOINT_URL to reach AWS itself.`,
  ],
  [
    'ResourceNotFoundException',
    undefined,
    `Stage prod does not run at ${ENDPOINT}: leave --endpoint out to reach AWS itself.`,
  ],
] as const)('with a stage of AWS says which endpoint was asked: %s', (name, fromEnvironment, sentence) => {
  const error = Object.assign(new Error('no'), { name, code: name });
  const settings = {
    stage: 'prod',
    endpoint: ENDPOINT,
    ...(fromEnvironment ? { fromEnvironment } : {}),
  } as const;

  expect(explainAws(error, settings)?.message).toBe(sentence);
});

it('refuses a HANDOFF_STAGE that does not exist', () => {
  expect(() => readSettings({}, { HANDOFF_STAGE: 'production' })).toThrow(
    'expected one of local, test, prod.',
  );
});

it('makes credentials and a region up on this machine only, and only where there are none', () => {
  const dummies = { accessKeyId: 'local', secretAccessKey: 'local' };

  expect(clientConfiguration(ENDPOINT, {})).toMatchObject({ region: 'us-east-1', credentials: dummies });
  expect(clientConfiguration('http://localhost:1', {})).toMatchObject({ credentials: dummies });

  const given = clientConfiguration(ENDPOINT, { AWS_ACCESS_KEY_ID: 'mine', AWS_REGION: 'eu-west-1' });
  expect(given.region).toBe('eu-west-1');
  expect(given).not.toHaveProperty('credentials');

  for (const endpoint of ['https://127.0.0.1.example.com', undefined]) {
    const elsewhere = clientConfiguration(endpoint, {});
    expect(elsewhere).not.toHaveProperty('credentials');
    expect(elsewhere).not.toHaveProperty('region');
  }
});

it.each([
  ['CredentialsProviderError', 'There are no AWS credentials'],
  ['ExpiredTokenException', 'AWS does not take these credentials (ExpiredTokenException): sign in again.'],
  ['AccessDeniedException', 'AWS does not allow this with these credentials (AccessDeniedException).'],
  ['ResourceNotFoundException', 'Stage prod is not deployed in this account and region'],
  ['TimeoutError', 'AWS does not answer (TimeoutError)'],
])('explains %s behind an unreachable ledger', (name, sentence) => {
  const cause = Object.assign(new Error('arn:aws:iam::1:user/ann@example.com'), { name });

  expect(explainAws(new LedgerUnavailable('read', cause), { stage: 'prod' })?.message).toContain(sentence);
});

it.each([
  [
    'ThrottlingException',
    'client',
    'AWS is asked too often (ThrottlingException): run this again in a minute.',
  ],
  [
    'InternalServerError',
    'server',
    'AWS could not do this now (InternalServerError): run this again in a minute.',
  ],
  ['ValidationException', 'client', 'AWS refuses this (ValidationException).'],
])('explains the answer %s of AWS', (name, $fault, sentence) => {
  const error = Object.assign(new Error('ann@example.com'), { name, $fault });

  expect(explainAws(error, { stage: 'prod' })?.message).toBe(sentence);
});

it('explains nothing that it does not know', () => {
  expect(explainAws(new TypeError('x is not a function'), { stage: 'prod' })).toBeUndefined();
});

it('colours terminals, unless somebody said no', () => {
  expect(wantsColour({ isTTY: true }, {})).toBe(true);
  expect(wantsColour({}, {})).toBe(false);
  expect(wantsColour({ isTTY: true }, { NO_COLOR: '1' })).toBe(false);
  expect(wantsColour({ isTTY: true }, { TERM: 'dumb' })).toBe(false);
});
