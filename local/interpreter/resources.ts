import { UnsupportedFeature } from './errors.ts';

/** What a Task's Resource names: the event fields that describe it and how its result comes. */
export interface Resource {
  arn: string;
  /** A Lambda function's own ARN, whose events are `LambdaFunction…` instead of `Task…`. */
  isFunction: boolean;
  /** The result comes by SendTaskSuccess or SendTaskFailure, not from the call. */
  waitsForToken: boolean;
  /** `resourceType` of Task events, such as `lambda`. */
  type: string;
  /** `resource` of Task events, such as `invoke.waitForTaskToken`. */
  action: string;
}

const FUNCTION_ARN = /^arn:aws[a-z-]*:lambda:[a-z0-9-]+:\d{12}:function:[^:]+(:[^:]+)?$/;
const INTEGRATION_ARN =
  /^arn:aws[a-z-]*:states:::(?<type>[a-zA-Z0-9-]+):(?<action>[a-zA-Z]+)(?<token>\.waitForTaskToken)?$/;

/** Integrations that every engine has, each also with `.waitForTaskToken`. */
const INTEGRATIONS = ['lambda:invoke', 'sqs:sendMessage'];

/**
 * Reads a Resource ARN.
 * @param more further integrations that the engine's TaskRunner knows, such as `events:putEvents`
 * @throws UnsupportedFeature for any other integration, activities and `.sync` included
 */
export function parseResource(arn: string, more: readonly string[], state: string): Resource {
  if (FUNCTION_ARN.test(arn)) {
    return { arn, isFunction: true, waitsForToken: false, type: 'lambda', action: arn };
  }
  const { type, action, token } = INTEGRATION_ARN.exec(arn)?.groups ?? {};
  const known = [...INTEGRATIONS, ...more].includes(`${type}:${action}`);
  if (type === undefined || !known) throw new UnsupportedFeature(`the Resource "${arn}"`, state);
  return {
    arn,
    isFunction: false,
    waitsForToken: token !== undefined,
    type,
    action: `${action}${token ?? ''}`,
  };
}
