import { describe, expect, test } from 'vitest';
import { DEPENDENCIES, executionName, operationIdentity } from '../../../functions/domain/action.ts';
import { InvalidEvent } from '../../../functions/domain/errors.ts';
import {
  executionInput,
  parseActionRequest,
  parseCloseRequest,
  parseReconcileRequest,
  parseWaitRequest,
} from '../../../functions/domain/workflow-data.ts';
import { NUMBERS } from '../../model/settings.ts';

const CALLER = { route: 'web', leadRequestId: 'inq-1', run: 1, execution: 'web.inq-1.1' };
const RECONCILE = { ...CALLER, attempt: 2, turns: 0, error: null };
const WAIT = { ...CALLER, action: 'create-task', token: 'token', reason: null, asked: 0, attempt: 1 };

test('what the states send is understood, and what they send besides is dropped', () => {
  expect(parseActionRequest({ ...CALLER, attempt: 2, more: 1 })).toEqual({ ...CALLER, attempt: 2 });
  expect(parseReconcileRequest({ ...RECONCILE, error: 'NoGrant' })).toEqual({
    ...RECONCILE,
    error: 'NoGrant',
  });
  expect(parseWaitRequest(WAIT)).toEqual(WAIT);
  expect(parseCloseRequest(CALLER)).toEqual(CALLER);
});

describe('anything else is refused by the name of the field', () => {
  test.each<[string, (event: unknown) => unknown, unknown, string]>([
    ['no event', parseCloseRequest, null, 'event'],
    ['no route', parseCloseRequest, { ...CALLER, route: '' }, 'route'],
    ['no lead request', parseCloseRequest, { ...CALLER, leadRequestId: undefined }, 'leadRequestId'],
    ['no execution', parseCloseRequest, { ...CALLER, execution: '' }, 'execution'],
    ['run 0', parseCloseRequest, { ...CALLER, run: 0 }, 'run'],
    ['attempt 0', parseActionRequest, { ...CALLER, attempt: 0 }, 'attempt'],
    ['half an attempt', parseActionRequest, { ...CALLER, attempt: 1.5 }, 'attempt'],
    ['an attempt in words', parseActionRequest, { ...CALLER, attempt: '2' }, 'attempt'],
    ['negative turns', parseReconcileRequest, { ...RECONCILE, turns: -1 }, 'turns'],
    ['no word about the last error', parseReconcileRequest, { ...RECONCILE, error: undefined }, 'error'],
    ['an unknown action', parseWaitRequest, { ...WAIT, action: 'send-email' }, 'action'],
    ['no token', parseWaitRequest, { ...WAIT, token: '' }, 'token'],
  ])('%s', (_what, parse, event, field) => {
    expect(() => parse(event)).toThrow(InvalidEvent);
    expect(() => parse(event)).toThrow(`${field}: is missing, or not what this function expects.`);
  });
});

test('nothing is looked at after the first field that is wrong', () => {
  const event = {
    ...CALLER,
    route: '',
    get leadRequestId(): string {
      throw new Error('It was looked at.');
    },
  };

  expect(() => parseCloseRequest(event)).toThrow(InvalidEvent);
});

test('an execution begins with a value for everything that an expression will meet, and no personal data', () => {
  const group = {
    attempt: 1,
    turns: 0,
    asked: 0,
    error: null,
    disposition: null,
    reason: null,
    waitSeconds: 0,
    record: null,
  };

  expect(executionInput({ route: 'web', leadRequestId: 'inq-1' }, 2, {}, NUMBERS)).toEqual({
    route: 'web',
    leadRequestId: 'inq-1',
    run: 2,
    limits: {
      askSlaSeconds: 14_400,
      parkSeconds: 900,
      pauseSeconds: 2,
      escalations: 3,
    },
    'upsert-contact': group,
    'assign-owner': group,
    'create-task': group,
    'send-introduction': group,
  });
});

test('the route may set its own time to answer', () => {
  const { limits } = executionInput({ route: 'web', leadRequestId: 'a' }, 1, { askSlaSeconds: 60 }, NUMBERS);

  expect(limits.askSlaSeconds).toBe(60);
});

test('a pause is at least a second, as a Wait state takes it', () => {
  const { limits } = executionInput(
    { route: 'web', leadRequestId: 'a' },
    1,
    {},
    { ...NUMBERS, backOffFloorMs: 200 },
  );

  expect(limits.pauseSeconds).toBe(1);
});

test('the contact comes first, and the introduction needs the owner in whose name it goes out', () => {
  expect(DEPENDENCIES).toEqual({
    'upsert-contact': [],
    'assign-owner': ['upsert-contact'],
    'create-task': ['upsert-contact'],
    'send-introduction': ['upsert-contact', 'assign-owner'],
  });
});

test('names', () => {
  const longest = { route: 'a'.repeat(12), leadRequestId: 'b'.repeat(64) };

  expect(executionName({ route: 'web', leadRequestId: 'inq-1' }, 3)).toBe('web.inq-1.3');
  expect(executionName(longest, 99)).toHaveLength(80);
  expect(operationIdentity({ route: 'web', leadRequestId: 'inq-1' }, 'create-task')).toBe(
    'web/inq-1/create-task',
  );
  expect(operationIdentity({ route: 'web', leadRequestId: 'inq-1' }, 'create-task', 2)).toBe(
    'web/inq-1/create-task/r2',
  );
});
