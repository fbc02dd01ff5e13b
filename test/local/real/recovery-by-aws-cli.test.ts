import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { RecoverySummary } from '../../../functions/domain/recovery-summary.ts';
import type { ShownRecord } from '../../../functions/recovery/answer-person.ts';
import type { WaitingAnswer } from '../../../functions/recovery/waiting-list.ts';
import { type AwsCli, awsCli, hasAwsCli } from './aws-cli.ts';
import { ended, HANDOFF_MACHINE, RECOVERY_MACHINE, REFUSED, ROBIN, waitsFor } from './recovery.ts';
import { leadOf, ONE_OF_EACH, ROUTE, type Stack, startStack, submit } from './stack.ts';

/**
 * A stuck lead is recovered with what everybody has who may start executions: the same four calls that the console makes. Nothing here
 * uses the ledger, a task token or the product's own command line.
 */

const ID = 'by-cli-alone';
const HANDOFF = `${HANDOFF_MACHINE.replace(':stateMachine:', ':execution:')}:${ROUTE}.${ID}.1`;
const ASK = 'Introduction: ask recovery owner';

const RECOVERY_OWNER = 'robin.okafor@revops.example.com';

const START = ['stepfunctions', 'start-execution'];
const DESCRIBE = ['stepfunctions', 'describe-execution'];
const HISTORY = ['stepfunctions', 'get-execution-history'];

interface Described {
  readonly status: string;
  readonly output?: string;
  readonly error?: string;
  readonly cause?: string;
}

interface Entered {
  readonly stateEnteredEventDetails?: { readonly name: string; readonly input: string };
}

describe.skipIf(!hasAwsCli)('with the AWS CLI alone', () => {
  let stack: Stack;
  let aws: AwsCli;

  beforeAll(async () => {
    stack = await startStack();
    aws = awsCli(stack.engine.url);
    const match = { email: leadOf(ID).email };
    await stack.destination.plan({ operation: 'send-email', match, ...REFUSED });
    await submit(stack, leadOf(ID));
    await waitsFor(stack, ID, 'send-introduction');
  }, 120_000);

  afterAll(() => stack.engine.stop());

  /** Starts the route's recovery state machine with this input, and describes the execution when it has ended. */
  async function decide(input: object): Promise<Described> {
    const machine = ['--state-machine-arn', RECOVERY_MACHINE];
    const started = await aws(...START, ...machine, '--input', JSON.stringify(input));
    return described(String(started.executionArn));
  }

  async function described(execution: string): Promise<Described> {
    // A person would describe it again and again; a process for each look would only slow down what is looked at.
    await ended(stack.engine.executions.find(execution));
    return (await aws(...DESCRIBE, '--execution-arn', execution)) as unknown as Described;
  }

  async function answered<T>(input: object): Promise<T> {
    const { status, output } = await decide(input);
    expect(status).toBe('SUCCEEDED');
    return JSON.parse(output ?? 'null') as T;
  }

  test('a stuck lead is found, read, decided, and closed; what is no decision is refused in one sentence', async () => {
    const { waiting, more } = await answered<WaitingAnswer>({ decision: 'waiting' });
    const [stuck] = waiting as [WaitingAnswer['waiting'][number]];
    expect({ waits: waiting.length, more }).toEqual({ waits: 1, more: 0 });
    expect(stuck).toMatchObject({ leadRequestId: ID, action: 'send-introduction', who: RECOVERY_OWNER });

    const { record, text } = await answered<ShownRecord>({ decision: 'show', leadRequestId: ID });
    const asked = record.actions.find(({ action }) => action === stuck.action);
    const choice = asked?.choices.find(({ decision }) => decision === 'resume');
    expect(text).toContain(JSON.stringify(choice?.input));

    // The same choice stands in the input of the state that asks, where the console shows it.
    const history = await aws(...HISTORY, '--execution-arn', HANDOFF, '--include-execution-data');
    const entered = (history.events as Entered[]).find(
      ({ stateEnteredEventDetails: details }) => details?.name === ASK,
    );
    const input = JSON.parse(entered?.stateEnteredEventDetails?.input ?? '{}');
    const summary = input[stuck.action].record as RecoverySummary;
    expect(summary).toMatchObject({ lead: `${ROUTE}/${ID}`, action: stuck.action });
    const pasted = summary.choices.find((each) => each.input.decision === 'resume')?.input;
    expect(pasted).toEqual(choice?.input);

    // As it stands, its texts are empty: somebody has to say who decides.
    const nobody = await decide({ ...choice?.input });
    expect(nobody).toMatchObject({ status: 'FAILED', error: 'InvalidDecision' });
    expect(nobody.cause).toMatch(/^by: expected [^.]+\.$/);
    expect(await answered({ ...choice?.input, ...ROBIN })).toMatchObject({
      decision: 'resume',
      by: ROBIN.by,
      recorded: 'now',
      carriedOn: 'answered',
      execution: `${ROUTE}.${ID}.1`,
    });
    expect(await described(HANDOFF)).toMatchObject({ status: 'SUCCEEDED' });

    const late = await decide({ ...choice?.input, by: 'Ana Ito', reason: 'Too late.' });
    expect(late).toMatchObject({ status: 'FAILED', error: 'HandoffClosed' });
    expect(await stack.destination.effects(leadOf(ID).email)).toEqual(ONE_OF_EACH);
  }, 180_000);
});
