import { statSync } from 'node:fs';
import { dirname } from 'node:path';
import type { AssembledStack } from './assembly.ts';
import { functionNameOf } from './function-names.ts';
import { checkHasApi, readHttpApi } from './http-api-definition.ts';
import { INERT_RESOURCES } from './inert-resources.ts';
import { UnresolvableValue } from './intrinsics.ts';
import type { AsyncSettings, FunctionDefinition, Model, StateMachineDefinition } from './model.ts';
import { readQueue, readSubscription } from './queue-definition.ts';
import { readRule } from './rule-definition.ts';
import { StackScope } from './stack-scope.ts';
import { readTable } from './table-definition.ts';
import { UnsupportedResource } from './unsupported-resource.ts';

type Properties = Record<string, unknown>;
type Reader = (properties: Properties, logicalId: string, scope: StackScope, model: Model) => void;

/** Read with the API that it is a part of. */
const partOfHttpApi =
  (type: string): Reader =>
  (properties, logicalId, scope) =>
    checkHasApi(properties, logicalId, type, scope);

/** The resource types that run. */
const READERS: Readonly<Record<string, Reader>> = {
  'AWS::DynamoDB::Table': (properties, logicalId, scope, model) => {
    model.tables.push(
      readTable(properties, logicalId, scope.physicalName(logicalId), 'AWS::DynamoDB::Table'),
    );
  },
  'AWS::DynamoDB::GlobalTable': (properties, logicalId, scope, model) => {
    model.tables.push(
      readTable(properties, logicalId, scope.physicalName(logicalId), 'AWS::DynamoDB::GlobalTable'),
    );
  },
  'AWS::Lambda::Function': (properties, logicalId, scope, model) => {
    model.functions.push(readFunction(properties, logicalId, scope));
  },
  'AWS::Lambda::EventInvokeConfig': (properties, logicalId, _scope, model) => {
    model.asyncSettings.push(readAsyncSettings(properties, logicalId));
  },
  'AWS::Lambda::EventSourceMapping': (properties, logicalId, _scope, model) => {
    const subscription = readSubscription(properties, logicalId);
    if (subscription) model.queueSubscriptions.push(subscription);
  },
  'AWS::StepFunctions::StateMachine': (properties, logicalId, scope, model) => {
    model.stateMachines.push(readStateMachine(properties, logicalId, scope));
  },
  'AWS::SQS::Queue': (properties, logicalId, scope, model) => {
    model.queues.push(readQueue(properties, logicalId, scope));
  },
  'AWS::ApiGatewayV2::Api': (properties, logicalId, scope, model) => {
    const api = readHttpApi(properties, logicalId, scope);
    if (model.httpApis.some(({ id }) => id === api.id)) {
      throw new UnsupportedResource(logicalId, 'AWS::ApiGatewayV2::Api', `there are two named ${api.id}`);
    }
    model.httpApis.push(api);
  },
  'AWS::ApiGatewayV2::Integration': partOfHttpApi('AWS::ApiGatewayV2::Integration'),
  'AWS::ApiGatewayV2::Route': partOfHttpApi('AWS::ApiGatewayV2::Route'),
  'AWS::ApiGatewayV2::Stage': partOfHttpApi('AWS::ApiGatewayV2::Stage'),
  'AWS::Events::EventBus': () => {},
  'AWS::Events::Rule': (properties, logicalId, scope, model) => {
    model.rules.push(readRule(properties, logicalId, scope));
  },
};

/**
 * Turns the stacks of an assembly into what the engine runs.
 *
 * @param endpoint URL of the engine, which the addresses of queues and HTTP APIs begin with
 * @throws UnsupportedResource, UnresolvableValue
 */
export function readModel(stacks: readonly AssembledStack[], endpoint: string): Model {
  const scopes: StackScope[] = [];
  const exports = (name: string): unknown => findExport(scopes, name);
  for (const stack of stacks) scopes.push(new StackScope(stack, endpoint, exports));
  const model: Model = {
    tables: [],
    functions: [],
    stateMachines: [],
    queues: [],
    queueSubscriptions: [],
    rules: [],
    asyncSettings: [],
    httpApis: [],
    inert: [],
    outputs: {},
  };
  for (const scope of scopes) readStack(scope, model);
  checkReferences(model);
  return model;
}

/** A function or a queue that is not here is not found out by the first message or request. */
function checkReferences({ functions, queues, queueSubscriptions, httpApis }: Model): void {
  const known = new Set([...functions, ...queues].map(({ arn }) => arn));
  const check = (logicalId: string, type: string, ...arns: string[]) => {
    const missing = arns.find((arn) => !known.has(arn));
    if (missing !== undefined) throw new UnsupportedResource(logicalId, type, `there is no ${missing} here`);
  };
  for (const { logicalId, queueArn, functionArn } of queueSubscriptions) {
    check(logicalId, 'AWS::Lambda::EventSourceMapping', queueArn, functionArn);
  }
  for (const { logicalId, routes } of httpApis) {
    check(logicalId, 'AWS::ApiGatewayV2::Api', ...routes.map(({ functionArn }) => functionArn));
  }
}

function readStack(scope: StackScope, model: Model): void {
  for (const [logicalId, resource] of scope.resources()) {
    const why = INERT_RESOURCES[resource.Type];
    const reader = READERS[resource.Type];
    if (why !== undefined) model.inert.push({ logicalId, type: resource.Type, why });
    else if (!reader) throw new UnsupportedResource(logicalId, resource.Type);
    else {
      const properties = scope.resolve<Properties>(resource.Properties ?? {}, logicalId);
      reader(properties, logicalId, scope, model);
    }
  }
  for (const [name, { Value }] of Object.entries(scope.stack.template.Outputs ?? {})) {
    model.outputs[name] = String(scope.resolve(Value, `Outputs.${name}`));
  }
}

function findExport(scopes: readonly StackScope[], name: string): unknown {
  for (const scope of scopes) {
    for (const [id, output] of Object.entries(scope.stack.template.Outputs ?? {})) {
      if (!output.Export || scope.resolve(output.Export.Name, `Outputs.${id}`) !== name) continue;
      return scope.resolve(output.Value, `Outputs.${id}`);
    }
  }
  return undefined;
}

function readFunction(properties: Properties, logicalId: string, scope: StackScope): FunctionDefinition {
  const refuse = (why: string): never => {
    throw new UnsupportedResource(logicalId, 'AWS::Lambda::Function', why);
  };
  if (properties.PackageType === 'Image') refuse('container images do not run here');
  if (!String(properties.Runtime).startsWith('nodejs'))
    refuse(`the runtime ${properties.Runtime} does not run here`);
  if (Array.isArray(properties.Layers) && properties.Layers.length > 0) refuse('layers are not supported');
  const environment =
    (properties.Environment as { Variables?: Record<string, unknown> } | undefined)?.Variables ?? {};
  return {
    logicalId,
    name: scope.physicalName(logicalId),
    arn: String(scope.getAtt(logicalId, 'Arn', logicalId)),
    codeDir: codeDirectory(properties, logicalId, scope),
    handler: String(properties.Handler),
    timeoutSeconds: Number(properties.Timeout ?? 3),
    memoryMb: Number(properties.MemorySize ?? 128),
    environment: Object.fromEntries(Object.entries(environment).map(([key, value]) => [key, String(value)])),
  };
}

function codeDirectory(properties: Properties, logicalId: string, scope: StackScope): string {
  const code = (properties.Code ?? {}) as { S3Key?: string; ZipFile?: string };
  if (code.ZipFile !== undefined) {
    throw new UnsupportedResource(logicalId, 'AWS::Lambda::Function', 'inline code does not run here');
  }
  const path = scope.stack.assets.get(String(code.S3Key));
  if (path === undefined)
    throw new UnresolvableValue(logicalId, `its code ${code.S3Key} is not in the assembly`);
  const found = statSync(path, { throwIfNoEntry: false });
  if (!found) throw new UnresolvableValue(logicalId, `its code ${path} does not exist`);
  if (path.endsWith('.zip')) {
    throw new UnsupportedResource(
      logicalId,
      'AWS::Lambda::Function',
      'its code is a zip file, not a directory',
    );
  }
  return found.isDirectory() ? path : dirname(path);
}

function readAsyncSettings(properties: Properties, _logicalId: string): AsyncSettings {
  const destination = properties.DestinationConfig as { OnFailure?: { Destination?: string } } | undefined;
  const onFailureArn = destination?.OnFailure?.Destination;
  return {
    functionName: functionNameOf(String(properties.FunctionName)),
    retries: Number(properties.MaximumRetryAttempts ?? 2),
    ...(onFailureArn === undefined ? {} : { onFailureArn }),
  };
}

function readStateMachine(
  properties: Properties,
  logicalId: string,
  scope: StackScope,
): StateMachineDefinition {
  const refuse = (why: string): never => {
    throw new UnsupportedResource(logicalId, 'AWS::StepFunctions::StateMachine', why);
  };
  if (properties.StateMachineType === 'EXPRESS') refuse('express workflows do not run here');
  const raw = properties.DefinitionString ?? properties.Definition;
  if (raw === undefined) refuse('its definition is not in the template');
  const text = typeof raw === 'string' ? raw : JSON.stringify(raw);
  const substitutions = (properties.DefinitionSubstitutions ?? {}) as Record<string, unknown>;
  const definition = text.replace(/\$\{([A-Za-z0-9_]+)\}/g, (whole, name: string) =>
    Object.hasOwn(substitutions, name) ? String(substitutions[name]) : whole,
  );
  return {
    logicalId,
    name: scope.physicalName(logicalId),
    arn: String(scope.getAtt(logicalId, 'Arn', logicalId)),
    roleArn: String(properties.RoleArn ?? ''),
    definition,
  };
}
