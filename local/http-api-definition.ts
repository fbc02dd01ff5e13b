import { functionArnOf } from './function-names.ts';
import type { HttpApiDefinition, HttpApiRoute, HttpThrottle } from './model.ts';
import type { StackScope } from './stack-scope.ts';
import { UnsupportedResource } from './unsupported-resource.ts';

type Properties = Record<string, unknown>;

interface Part {
  readonly logicalId: string;
  readonly type: string;
  readonly properties: Properties;
}

/** What the engine knows of each part. Access logs, descriptions and tags have no effect here. */
const KNOWN: Readonly<Record<string, readonly string[]>> = {
  'AWS::ApiGatewayV2::Api': ['Description', 'Name', 'ProtocolType', 'Tags'],
  'AWS::ApiGatewayV2::Integration': [
    'ApiId',
    'Description',
    'IntegrationMethod',
    'IntegrationType',
    'IntegrationUri',
    'PayloadFormatVersion',
    'TimeoutInMillis',
  ],
  'AWS::ApiGatewayV2::Route': ['ApiId', 'AuthorizationType', 'RouteKey', 'Target'],
  'AWS::ApiGatewayV2::Stage': [
    'AccessLogSettings',
    'ApiId',
    'AutoDeploy',
    'DefaultRouteSettings',
    'Description',
    'StageName',
    'Tags',
  ],
};

const ROUTE_KEY = /^(ANY|[A-Z]+) (\/\S*)$/;
const SEGMENT = /^([^{}]+|\{[A-Za-z0-9._-]+\})$/;

/** https://docs.aws.amazon.com/apigateway/latest/developerguide/http-api-quotas.html */
const LONGEST_TIMEOUT_MS = 30_000;

/**
 * Reads an HTTP API with the routes, integrations and the stage that its stack has for it.
 *
 * @throws UnsupportedResource for anything but Lambda proxy integrations in payload format 2.0 behind the stage `$default`
 */
export function readHttpApi(properties: Properties, logicalId: string, scope: StackScope): HttpApiDefinition {
  const api = part(logicalId, 'AWS::ApiGatewayV2::Api', properties);
  if (properties.ProtocolType !== 'HTTP') refuse(api, `its protocol ${properties.ProtocolType} is not HTTP`);
  const id = scope.physicalName(logicalId);
  const of = (type: string) => partsOf(id, type, scope);
  const integrations = of('AWS::ApiGatewayV2::Integration');
  return {
    logicalId,
    id,
    url: String(scope.getAtt(logicalId, 'ApiEndpoint', logicalId)),
    routes: of('AWS::ApiGatewayV2::Route').map((route) => readRoute(route, integrations, scope)),
    ...readStage(of('AWS::ApiGatewayV2::Stage'), api),
  };
}

/** A part whose API is in another stack, or was made by hand, would be served by nobody. */
export function checkHasApi(
  properties: Properties,
  logicalId: string,
  type: string,
  scope: StackScope,
): void {
  const apis = scope.resources().filter(([, { Type }]) => Type === 'AWS::ApiGatewayV2::Api');
  if (apis.some(([id]) => scope.physicalName(id) === properties.ApiId)) return;
  throw new UnsupportedResource(logicalId, type, `its API ${properties.ApiId} is not in its stack`);
}

function partsOf(apiId: string, type: string, scope: StackScope): Part[] {
  return scope
    .resources()
    .filter(([, { Type }]) => Type === type)
    .map(([logicalId, { Properties: given = {} }]) =>
      part(logicalId, type, scope.resolve<Properties>(given, logicalId)),
    )
    .filter(({ properties }) => properties.ApiId === apiId);
}

function part(logicalId: string, type: string, properties: Properties): Part {
  const read = { logicalId, type, properties };
  const unknown = Object.keys(properties).find((name) => !KNOWN[type]?.includes(name));
  return unknown === undefined ? read : refuse(read, `the engine does not know its ${unknown}`);
}

function readRoute(route: Part, integrations: readonly Part[], scope: StackScope): HttpApiRoute {
  const { AuthorizationType = 'NONE', RouteKey, Target } = route.properties;
  if (AuthorizationType !== 'NONE') refuse(route, `its authorization ${AuthorizationType} is not NONE`);
  const [key, method = '', path = ''] = ROUTE_KEY.exec(String(RouteKey)) ?? [];
  const segments = path.split('/').slice(1);
  if (key === undefined || !segments.every((segment) => SEGMENT.test(segment))) {
    return refuse(route, `the engine does not know the route key ${RouteKey}`);
  }
  const integration = integrations.find(
    ({ logicalId }) => Target === `integrations/${scope.ref(logicalId, route.logicalId)}`,
  );
  if (!integration) return refuse(route, `its target ${Target} is not an integration of its API`);
  return { key, method, segments, ...readIntegration(integration) };
}

function readIntegration(integration: Part): Pick<HttpApiRoute, 'functionArn' | 'timeoutMs'> {
  const { IntegrationType, PayloadFormatVersion, IntegrationUri, TimeoutInMillis } = integration.properties;
  if (IntegrationType !== 'AWS_PROXY') refuse(integration, `its type ${IntegrationType} is not AWS_PROXY`);
  if (PayloadFormatVersion !== '2.0') {
    refuse(integration, `its payload format ${PayloadFormatVersion} is not 2.0`);
  }
  // The function itself, or API Gateway's address of its invocations with the function in it.
  const [given] = /arn:[^:]+:lambda:[^:]*:\d+:function:[^/]+/.exec(String(IntegrationUri)) ?? [];
  if (given === undefined) return refuse(integration, `its target ${IntegrationUri} is not a function`);
  return { functionArn: functionArnOf(given), timeoutMs: Number(TimeoutInMillis ?? LONGEST_TIMEOUT_MS) };
}

function readStage([stage, ...more]: readonly Part[], api: Part): { throttle?: HttpThrottle } {
  if (stage === undefined) return refuse(api, 'it has no stage, so nobody can call it');
  if (more.length > 0) return refuse(api, 'it has more than one stage');
  const { StageName, AutoDeploy, DefaultRouteSettings = {} } = stage.properties;
  if (StageName !== '$default') refuse(stage, `its name ${StageName} is not $default`);
  if (AutoDeploy !== true) refuse(stage, 'it is not deployed by itself, so it has no routes');
  const {
    ThrottlingBurstLimit: burst,
    ThrottlingRateLimit: perSecond,
    DetailedMetricsEnabled: _,
    ...unknown
  } = DefaultRouteSettings as Properties;
  const [name] = Object.keys(unknown);
  if (name !== undefined) refuse(stage, `the engine does not know the route setting ${name}`);
  if (burst === undefined && perSecond === undefined) return {};
  if (burst === undefined || perSecond === undefined) refuse(stage, 'it limits the burst or the rate alone');
  return { throttle: { burst: Number(burst), perSecond: Number(perSecond) } };
}

function refuse({ logicalId, type }: Part, why: string): never {
  throw new UnsupportedResource(logicalId, type, why);
}
