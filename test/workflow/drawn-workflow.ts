import { App, Stack } from 'aws-cdk-lib';
import { Function as LambdaFunction } from 'aws-cdk-lib/aws-lambda';
import { Topic } from 'aws-cdk-lib/aws-sns';
import type { CfnStateMachine, StateMachine } from 'aws-cdk-lib/aws-stepfunctions';
import { ACTIONS, type ActionName } from '../../functions/domain/action.ts';
import { HandoffWorkflow } from '../../lib/workflow/handoff-workflow.ts';
import { RecoveryDecision } from '../../lib/workflow/recovery-decision.ts';
import { RecoveryNotice } from '../../lib/workflow/recovery-notice.ts';

export interface State {
  readonly Type: string;
  readonly Next?: string;
  readonly End?: boolean;
  readonly Default?: string;
  readonly Choices?: { Condition: string; Next: string }[];
  readonly Retry?: { ErrorEquals: string[]; MaxAttempts: number }[];
  readonly Catch?: { ErrorEquals: string[]; Next: string; Output: string }[];
  readonly Branches?: StateGraph[];
  readonly Resource?: string;
  readonly Arguments?: { FunctionName: string; Payload: Record<string, string> };
  readonly Error?: string;
  readonly Cause?: string;
  readonly TimeoutSeconds?: number | string;
  readonly Seconds?: string;
  readonly Output?: string;
}

export interface StateGraph {
  readonly QueryLanguage?: string;
  readonly StartAt: string;
  readonly States: Record<string, State>;
}

function drawing(): Stack {
  return new Stack(new App(), 'Drawing', { env: { account: '123456789012', region: 'eu-central-1' } });
}

const functionNamed = (stack: Stack, name: string) =>
  LambdaFunction.fromFunctionArn(stack, name, `arn:aws:lambda:eu-central-1:123456789012:function:${name}`);

/** The workflow as Step Functions gets it, with functions that are named after what they do. */
export function drawnWorkflow(): StateGraph {
  const stack = drawing();
  const named = (name: string) => functionNamed(stack, name);
  const perAction = (prefix: string) =>
    Object.fromEntries(ACTIONS.map((action) => [action, named(`${prefix}${action}`)])) as Record<
      ActionName,
      ReturnType<typeof named>
    >;
  const { stateMachine } = new HandoffWorkflow(stack, 'Workflow', {
    stage: 'prod',
    taskTimeoutSeconds: 25,
    actions: perAction(''),
    reconciles: perAction('reconcile-'),
    ask: named('ask'),
    park: named('park'),
    close: named('close'),
  });
  return definitionOf(stateMachine);
}

/** The state machine that takes the decisions of the route `website`. */
export function drawnDecision(): StateGraph {
  const stack = drawing();
  const { stateMachine } = new RecoveryDecision(stack, 'Decision', {
    stage: 'prod',
    route: 'website',
    decide: functionNamed(stack, 'decide'),
    taskTimeoutSeconds: 25,
  });
  return definitionOf(stateMachine);
}

/** The state machine that tells the people of the route `website`. */
export function drawnNotice(): StateGraph {
  const stack = drawing();
  const topic = (name: string) =>
    Topic.fromTopicArn(stack, name, `arn:aws:sns:eu-central-1:123456789012:${name}`);
  const { stateMachine } = new RecoveryNotice(stack, 'Notice', {
    stage: 'prod',
    route: 'website',
    recoveryTopic: topic('recovery'),
    escalationTopic: topic('escalation'),
  });
  return definitionOf(stateMachine);
}

function definitionOf(stateMachine: StateMachine): StateGraph {
  const { definitionString } = stateMachine.node.defaultChild as CfnStateMachine;
  // Only the partition of `arn:<partition>:states:::lambda:invoke` is left to CloudFormation.
  const parts: unknown[] = stateMachine.stack.resolve(definitionString)['Fn::Join'][1];
  return JSON.parse(parts.map((part) => (typeof part === 'string' ? part : 'aws')).join(''));
}

/** The states of the workflow and of its branches, by name. */
export function allStates(graph: StateGraph): Record<string, State> {
  const nested = Object.values(graph.States).flatMap((state) => (state.Branches ?? []).map(allStates));
  return Object.assign({}, graph.States, ...nested);
}
