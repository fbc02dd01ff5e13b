import type { AsyncInvoker } from './async-invoker.ts';
import { AwsError } from './aws-error.ts';
import { type RestAnswer, type RestRequest, unknownOperation } from './endpoint.ts';
import type { FunctionLogs } from './function-logs.ts';
import { functionArnOf, functionNameOf } from './function-names.ts';
import type { LambdaHost } from './lambda-host.ts';
import type { FunctionDefinition } from './model.ts';

const FUNCTIONS = /^\/2015-03-31\/functions\/?$/;
const FUNCTION = /^\/2015-03-31\/functions\/([^/]+)(\/configuration|\/invocations)?$/;
const LOG_TAIL_BYTES = 4_096;

/**
 * Lambda's REST API: Invoke (RequestResponse, Event, DryRun), ListFunctions, GetFunction, GetFunctionConfiguration.
 *
 * @see https://docs.aws.amazon.com/lambda/latest/api/API_Invoke.html
 */
export function lambdaApi(host: LambdaHost, async: AsyncInvoker, logs: FunctionLogs) {
  return async (request: RestRequest): Promise<RestAnswer> => {
    const { method, path } = request;
    if (method === 'GET' && FUNCTIONS.test(path)) {
      return json(200, { Functions: host.definitions.map(configurationOf) });
    }
    const [, name, what] = FUNCTION.exec(path) ?? [];
    if (name === undefined) throw unknownOperation(`Lambda ${method} ${path}`);
    const definition = findFunction(host, decodeURIComponent(name));
    if (method === 'POST' && what === '/invocations') return invoke(definition, request, host, async, logs);
    if (method === 'GET' && what === '/configuration') return json(200, configurationOf(definition));
    if (method === 'GET' && what === undefined)
      return json(200, { Configuration: configurationOf(definition) });
    throw unknownOperation(`Lambda ${method} ${path}`);
  };
}

async function invoke(
  { name }: FunctionDefinition,
  request: RestRequest,
  host: LambdaHost,
  async: AsyncInvoker,
  logs: FunctionLogs,
): Promise<RestAnswer> {
  const event = parseEvent(request.body);
  const type = request.headers['x-amz-invocation-type'] ?? 'RequestResponse';
  if (type === 'DryRun') return { statusCode: 204, body: '' };
  if (type === 'Event') {
    async.invoke(name, event);
    return { statusCode: 202, body: '' };
  }
  if (type !== 'RequestResponse')
    throw new AwsError('InvalidParameterValueException', `InvocationType ${type}`);
  const result = await host.invoke(name, event);
  return {
    statusCode: 200,
    headers: {
      'X-Amz-Executed-Version': '$LATEST',
      ...(result.failed ? { 'X-Amz-Function-Error': 'Unhandled' } : {}),
      ...(request.headers['x-amz-log-type'] === 'Tail' ? { 'X-Amz-Log-Result': tail(logs, name) } : {}),
    },
    body: result.payload,
  };
}

/** @throws AwsError `ResourceNotFoundException` */
export function findFunction(host: LambdaHost, given: string): FunctionDefinition {
  const name = functionNameOf(given);
  const definition = host.find(name);
  if (definition) return definition;
  throw new AwsError('ResourceNotFoundException', `Function not found: ${functionArnOf(given)}`, 404);
}

function parseEvent(body: string): unknown {
  try {
    return body === '' ? {} : JSON.parse(body);
  } catch (error) {
    throw new AwsError('InvalidRequestContentException', `Could not parse request body into json: ${error}`);
  }
}

function configurationOf(definition: FunctionDefinition): Record<string, unknown> {
  return {
    FunctionName: definition.name,
    FunctionArn: definition.arn,
    Handler: definition.handler,
    MemorySize: definition.memoryMb,
    PackageType: 'Zip',
    Runtime: 'nodejs24.x',
    State: 'Active',
    LastUpdateStatus: 'Successful',
    Timeout: definition.timeoutSeconds,
    Version: '$LATEST',
    Environment: { Variables: definition.environment },
  };
}

function tail(logs: FunctionLogs, name: string): string {
  return Buffer.from(logs.lines(name).join('\n')).subarray(-LOG_TAIL_BYTES).toString('base64');
}

function json(statusCode: number, body: unknown): RestAnswer {
  return { statusCode, body: JSON.stringify(body) };
}
