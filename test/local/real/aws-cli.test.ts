import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { intentHash } from '../../../functions/domain/intent.ts';
import { parseLeadRequest } from '../../../functions/domain/lead-request.ts';
import { STAGE_NUMBERS } from '../../../functions/domain/stage-numbers.ts';
import { executionInput } from '../../../functions/domain/workflow-data.ts';
import { type AwsCli, awsCli, hasAwsCli } from './aws-cli.ts';
import { leadOf, ONE_OF_EACH, ROUTE, type Stack, settled, startStack, until } from './stack.ts';

const MACHINE = 'arn:aws:states:us-east-1:000000000000:stateMachine:lead-handoff-local';
const EXECUTION = 'arn:aws:states:us-east-1:000000000000:execution:lead-handoff-local:website.by-cli.1';

describe.skipIf(!hasAwsCli)('the AWS CLI against the local endpoint', () => {
  let stack: Stack;
  let aws: AwsCli;

  beforeAll(async () => {
    stack = await startStack();
    aws = awsCli(stack.engine.url);
  });

  afterAll(() => stack.engine.stop());

  test('starts an execution, describes it, lists it and reads its history', async () => {
    const lead = parseLeadRequest(leadOf('by-cli'));
    const key = { route: ROUTE, leadRequestId: 'by-cli' };
    await stack.ledger.accept({
      ...key,
      lead,
      ownerId: '71',
      intentHash: intentHash(lead),
      acceptedAt: Date.now(),
      closedAt: null,
      execution: 'website.by-cli.1',
      run: 1,
      amendments: [],
    });
    const input = JSON.stringify(executionInput(key, 1, {}, STAGE_NUMBERS.local));
    const start = ['stepfunctions', 'start-execution', '--state-machine-arn', MACHINE];
    const started = await aws(...start, '--name', 'website.by-cli.1', '--input', input);
    expect(started.executionArn).toBe(EXECUTION);
    await settled(stack.ledger, 'by-cli');

    const described = await until('the execution has ended', async () => {
      const answer = await aws('stepfunctions', 'describe-execution', '--execution-arn', EXECUTION);
      return answer.status === 'RUNNING' ? null : answer;
    });
    expect(described).toMatchObject({ status: 'SUCCEEDED', name: 'website.by-cli.1', input });

    const listed = await aws('stepfunctions', 'list-executions', '--state-machine-arn', MACHINE);
    expect(listed.executions).toMatchObject([{ executionArn: EXECUTION, status: 'SUCCEEDED' }]);

    const history = await aws('stepfunctions', 'get-execution-history', '--execution-arn', EXECUTION);
    const entered = (history.events as { type: string; stateEnteredEventDetails?: { name: string } }[])
      .filter(({ type }) => type.endsWith('StateEntered'))
      .map(({ stateEnteredEventDetails }) => stateEnteredEventDetails?.name);
    expect(entered.slice(0, 3)).toEqual([
      'Upsert contact',
      'Assign owner',
      'Create task and send introduction',
    ]);
    expect(entered.slice(3, 5).sort()).toEqual(['Create task', 'Send introduction']);
    expect(entered.slice(5)).toEqual(['Close record']);
    expect(await stack.destination.effects(lead.email)).toEqual(ONE_OF_EACH);
  });
});
