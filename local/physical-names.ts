import { ACCOUNT, arn, PARTITION } from './aws-error.ts';
import { httpApiUrl } from './http-api-url.ts';

/** What `Ref` and `Fn::GetAtt` answer for a resource of one type, given its physical name. */
export interface Identity {
  /** The property that names the resource, if its author did. */
  readonly nameProperty?: string;
  readonly maxLength?: number;
  ref(name: string, endpoint: string): string;
  attributes(name: string, endpoint: string): Record<string, string>;
}

const named =
  (
    service: string,
    prefix: string,
    nameProperty: string,
    more: (name: string) => Record<string, string> = () => ({}),
  ) =>
  (maxLength?: number): Identity => ({
    nameProperty,
    ...(maxLength === undefined ? {} : { maxLength }),
    ref: (name) => name,
    attributes: (name) => ({ Arn: arn(service, `${prefix}${name}`), ...more(name) }),
  });

const byArn =
  (service: string, prefix: string, nameProperty: string, attributeNames: { arn: string; name: string }) =>
  (maxLength: number): Identity => ({
    nameProperty,
    maxLength,
    ref: (name) => arn(service, `${prefix}${name}`),
    attributes: (name) => ({
      [attributeNames.arn]: arn(service, `${prefix}${name}`),
      [attributeNames.name]: name,
    }),
  });

/** @see https://docs.aws.amazon.com/AWSCloudFormation/latest/TemplateReference/aws-template-resource-type-ref.html */
export const IDENTITIES: Readonly<Record<string, Identity>> = {
  'AWS::DynamoDB::Table': named('dynamodb', 'table/', 'TableName')(255),
  'AWS::DynamoDB::GlobalTable': named('dynamodb', 'table/', 'TableName', (name) => ({ TableId: name }))(255),
  'AWS::Lambda::Function': named('lambda', 'function:', 'FunctionName')(64),
  'AWS::StepFunctions::StateMachine': byArn('states', 'stateMachine:', 'StateMachineName', {
    arn: 'Arn',
    name: 'Name',
  })(80),
  'AWS::SNS::Topic': byArn('sns', '', 'TopicName', { arn: 'TopicArn', name: 'TopicName' })(256),
  'AWS::SQS::Queue': {
    nameProperty: 'QueueName',
    maxLength: 80,
    ref: queueUrl,
    attributes: (name, endpoint) => ({
      Arn: arn('sqs', name),
      QueueName: name,
      QueueUrl: queueUrl(name, endpoint),
    }),
  },
  'AWS::Events::EventBus': named('events', 'event-bus/', 'Name', (name) => ({ Name: name }))(256),
  'AWS::Events::Rule': named('events', 'rule/', 'Name')(64),
  'AWS::IAM::Role': {
    nameProperty: 'RoleName',
    maxLength: 64,
    ref: (name) => name,
    attributes: (name) => ({
      Arn: `arn:${PARTITION}:iam::${ACCOUNT}:role/${name}`,
      RoleId: `AROA${name}`.slice(0, 21).toUpperCase(),
    }),
  },
  'AWS::KMS::Key': {
    ref: (name) => name,
    attributes: (name) => ({ Arn: arn('kms', `key/${name}`), KeyId: name }),
  },
  'AWS::KMS::Alias': { nameProperty: 'AliasName', ref: (name) => name, attributes: () => ({}) },
  'AWS::Logs::LogGroup': named('logs', 'log-group:', 'LogGroupName')(512),
  'AWS::CloudWatch::Alarm': named('cloudwatch', 'alarm:', 'AlarmName')(255),
  'AWS::CloudWatch::CompositeAlarm': named('cloudwatch', 'alarm:', 'AlarmName')(255),
  // AWS makes an id up; here the name is one, so that the address stays the same and can be read.
  'AWS::ApiGatewayV2::Api': {
    nameProperty: 'Name',
    maxLength: 128,
    ref: (name) => name,
    attributes: (name, endpoint) => ({ ApiId: name, ApiEndpoint: httpApiUrl(endpoint, name) }),
  },
};

function queueUrl(name: string, endpoint: string): string {
  return `${endpoint}/${ACCOUNT}/${name}`;
}

/** `<stack>-<logicalId>`, shortened from the front where the service sets a limit. Stable over restarts. */
export function generatedName(stack: string, logicalId: string, maxLength = 255): string {
  return `${stack}-${logicalId}`.slice(-maxLength).replace(/^[^A-Za-z0-9]+/, '');
}
