import { describe, expect, test } from 'vitest';
import { STAGE_NUMBERS } from '../../functions/domain/stage-numbers.ts';
import {
  executionInput,
  parseActionRequest,
  parseCloseRequest,
  parseReconcileRequest,
  parseWaitRequest,
} from '../../functions/domain/workflow-data.ts';
import { allStates, drawnWorkflow, type State } from './drawn-workflow.ts';
import { evaluate } from './evaluate.ts';

const states = allStates(drawnWorkflow());

function state(name: string): State {
  const found = states[name];
  if (!found) throw new Error(`There is no state ${name}.`);
  return found;
}

const untouched = {
  attempt: 1,
  turns: 0,
  asked: 0,
  error: null,
  disposition: null,
  reason: null,
  waitSeconds: 0,
  record: null,
};

/** What the start function writes, as far as the workflow is concerned. */
const input = {
  route: 'website',
  leadRequestId: 'lr-1',
  run: 1,
  limits: { askSlaSeconds: 14_400, parkSeconds: 900, pauseSeconds: 2, escalations: 3 },
  'upsert-contact': untouched,
  'assign-owner': untouched,
  'create-task': untouched,
  'send-introduction': untouched,
};

test('the start function writes every value that an expression meets', () => {
  const key = { route: 'website', leadRequestId: 'lr-1' };
  expect(executionInput(key, 1, {}, STAGE_NUMBERS.prod)).toMatchObject(input);
});

/** A recovery record, with lists of one that must come through as lists. */
const RECORD = { lead: 'website/lr-1', finding: null, choices: [{ does: 'stop', input: { notDone: [1] } }] };

const inputWith = (values: object) => ({ ...input, 'send-introduction': { ...untouched, ...values } });

async function payload(name: string, data: object): Promise<Record<string, unknown>> {
  const context = { Execution: { Name: 'website.lr-1.1' }, Task: { Token: 'a-token' } };
  const fields = Object.entries(state(name).Arguments?.Payload ?? {}).map(async ([key, expression]) => [
    key,
    await evaluate(expression, { input: data, context }),
  ]);
  return Object.fromEntries(await Promise.all(fields));
}

async function whatNow(values: object): Promise<string | undefined> {
  const choice = state('Introduction: what now?');
  for (const { Condition, Next } of choice.Choices ?? []) {
    if ((await evaluate(Condition, { input: inputWith(values) })) === true) return Next;
  }
  return choice.Default;
}

const caught = (name: string, error: string, errorOutput: string, data: object) =>
  evaluate(state(name).Catch?.find(({ ErrorEquals }) => ErrorEquals.includes(error))?.Output, {
    input: data,
    errorOutput: { Error: errorOutput, Cause: 'a stack with a name in it' },
  });

const HANDOFF = { route: 'website', leadRequestId: 'lr-1', run: 1, execution: 'website.lr-1.1' };

describe('what functions are given', () => {
  test('an action: its attempt', async () => {
    expect(await payload('Send introduction', inputWith({ attempt: 2 }))).toEqual({ ...HANDOFF, attempt: 2 });
  });

  test('a reconcile: its turns and the name of the last error', async () => {
    expect(await payload('Reconcile introduction', inputWith({ turns: 3, error: 'Unknown' }))).toEqual({
      ...HANDOFF,
      attempt: 1,
      turns: 3,
      error: 'Unknown',
    });
  });

  test.each(['Introduction: ask recovery owner', 'Introduction: parked'])(
    '%s: a token and why',
    async (name) => {
      expect(await payload(name, inputWith({ reason: 'unreadable', asked: 2, attempt: 2 }))).toEqual({
        ...HANDOFF,
        action: 'send-introduction',
        token: 'a-token',
        reason: 'unreadable',
        asked: 2,
        attempt: 2,
      });
    },
  );

  test('a close: the handoff', async () => {
    expect(await payload('Close record', input)).toEqual(HANDOFF);
  });

  test('no expression meets an undefined value before anything has happened', async () => {
    const tasks = Object.keys(states).filter((name) => state(name).Arguments);
    expect(tasks).toHaveLength(17);
    for (const name of tasks) await payload(name, input);
  });

  test.each([
    ['Assign owner', parseActionRequest],
    ['Reconcile owner', parseReconcileRequest],
    ['Owner: ask recovery owner', parseWaitRequest],
    ['Owner: parked', parseWaitRequest],
    ['Close record', parseCloseRequest],
  ])('the function behind %s understands it', async (name, parse) => {
    const given = await payload(name, input);
    expect(parse(given)).toEqual(given);
  });
});

describe('what a step leaves behind', () => {
  test('a performed action', async () => {
    const output = await evaluate(state('Send introduction').Output, {
      input: inputWith({ attempt: 2, error: 'Unknown' }),
      result: { Payload: { outcome: 'performed' } },
    });
    expect(output).toEqual(inputWith({ attempt: 2, disposition: 'keep', outcome: 'performed', error: null }));
  });

  test('a failed action: the name of the error, not its cause, and no old disposition', async () => {
    const data = inputWith({ attempt: 2, disposition: 'resume' });
    expect(await caught('Send introduction', 'States.ALL', 'States.Timeout', data)).toEqual(
      inputWith({ attempt: 2, disposition: null, error: 'States.Timeout' }),
    );
  });

  test('a reconcile: the disposition and one turn more', async () => {
    const output = await evaluate(state('Reconcile introduction').Output, {
      input: inputWith({ turns: 4, error: 'Unknown' }),
      result: {
        Payload: {
          disposition: 'resume',
          attempt: 2,
          waitSeconds: 0,
          reason: 'absent',
          record: null,
          more: 'x',
        },
      },
    });
    expect(output).toEqual(
      inputWith({ attempt: 2, turns: 5, disposition: 'resume', reason: 'absent', waitSeconds: 1 }),
    );
  });

  test('a fraction of a second to wait becomes whole seconds, which is all that a Wait state takes', async () => {
    const output = await evaluate(state('Reconcile introduction').Output, {
      input,
      result: { Payload: { disposition: 'wait', attempt: 1, waitSeconds: 7.2, reason: 'too-early' } },
    });
    expect(output).toMatchObject({ 'send-introduction': { waitSeconds: 8 } });
  });

  test.each([
    [0, 2],
    [4, 10],
    [59, 120],
    [300, 120],
  ])('a reconcile that failed at turn %i waits %i seconds', async (turns, waitSeconds) => {
    const data = inputWith({ turns, disposition: 'resume' });
    expect(await caught('Reconcile introduction', 'States.ALL', 'Lambda.Unknown', data)).toEqual(
      inputWith({ turns: turns + 1, disposition: 'wait', error: 'Lambda.Unknown', waitSeconds }),
    );
  });

  test('an answer starts the count of questions and turns again', async () => {
    const output = await evaluate(state('Introduction: ask recovery owner').Output, {
      input: inputWith({ asked: 2, turns: 402, error: 'States.Timeout', record: RECORD }),
      result: {},
    });
    expect(output).toEqual(input);
  });

  test('a reconcile that asks: the recovery record, for whoever opens the state that asks', async () => {
    const output = await evaluate(state('Reconcile introduction').Output, {
      input,
      result: {
        Payload: { disposition: 'ask', attempt: 1, waitSeconds: 1, reason: 'unreadable', record: RECORD },
      },
    });
    expect(output).toEqual(
      inputWith({ turns: 1, disposition: 'ask', reason: 'unreadable', waitSeconds: 1, record: RECORD }),
    );
  });

  test.each([
    ['no answer in time', 'States.Timeout'],
    ['a question that could not be asked', 'States.ALL'],
  ])('%s: the record stays behind in the state that asks', async (_what, errors) => {
    const data = inputWith({ record: RECORD });
    expect(await caught('Introduction: ask recovery owner', errors, 'Unknown', data)).toMatchObject({
      'send-introduction': { record: null },
    });
  });

  test('no state but reconcile writes a record', () => {
    const writers = Object.entries(states).filter(([, { Output = '', Catch = [] }]) =>
      [Output, ...Catch.map((caught) => caught.Output)].some((text) => /'record': (?!null)/.test(text)),
    );
    expect(writers.map(([name]) => name).sort()).toEqual([
      'Reconcile contact',
      'Reconcile introduction',
      'Reconcile owner',
      'Reconcile task',
    ]);
  });

  test('no answer in time: one question more', async () => {
    expect(
      await caught(
        'Introduction: ask recovery owner',
        'States.Timeout',
        'States.Timeout',
        inputWith({ asked: 1 }),
      ),
    ).toEqual(inputWith({ asked: 2, error: 'States.Timeout' }));
  });

  test('a question that could not be asked waits and is not counted', async () => {
    expect(
      await caught(
        'Introduction: ask recovery owner',
        'States.ALL',
        'LedgerUnavailable',
        inputWith({ asked: 1, turns: 2 }),
      ),
    ).toEqual(inputWith({ asked: 1, turns: 2, error: 'LedgerUnavailable', waitSeconds: 6 }));
  });

  test('both branches of the parallel', async () => {
    const task = { ...untouched, disposition: 'keep' };
    const introduction = { ...untouched, disposition: 'stop' };
    const output = await evaluate(state('Create task and send introduction').Output, {
      input,
      result: [
        { ...input, 'create-task': task },
        { ...input, 'send-introduction': introduction },
      ],
    });
    expect(output).toEqual({ ...input, 'create-task': task, 'send-introduction': introduction });
  });
});

describe('what now?', () => {
  test.each([
    [{ disposition: 'keep' }, 'Introduction: kept'],
    [{ disposition: 'stop' }, 'Introduction: stopped'],
    [{ disposition: 'resume' }, 'Send introduction'],
    [{ disposition: 'wait' }, 'Introduction: wait'],
    [{ disposition: 'park' }, 'Introduction: parked'],
    [{ disposition: 'ask' }, 'Introduction: ask recovery owner'],
    [{ disposition: 'who knows' }, 'Introduction: ask recovery owner'],
    [{ disposition: null }, 'Introduction: ask recovery owner'],
    [{ disposition: 'wait', turns: 401 }, 'Introduction: wait'],
    [{ disposition: 'wait', turns: 402 }, 'Introduction: ask recovery owner'],
    [{ disposition: 'resume', turns: 402 }, 'Introduction: ask recovery owner'],
    [{ disposition: 'keep', turns: 402 }, 'Introduction: kept'],
  ])('%o → %s', async (values, next) => {
    expect(await whatNow(values)).toBe(next);
  });
});

describe('how long a question waits', () => {
  test.each([
    [0, 14_400],
    [2, 14_400],
    [3, 99_999_999],
  ])('asked %i times before: %i seconds', async (asked, seconds) => {
    const { TimeoutSeconds } = state('Introduction: ask recovery owner');
    expect(await evaluate(TimeoutSeconds, { input: inputWith({ asked }) })).toBe(seconds);
  });

  test('parked work looks again after its time', async () => {
    expect(await evaluate(state('Introduction: parked').TimeoutSeconds, { input })).toBe(900);
  });
});
