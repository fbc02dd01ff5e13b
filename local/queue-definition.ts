import { functionArnOf } from './function-names.ts';
import type { QueueDefinition, QueueSubscription } from './model.ts';
import type { StackScope } from './stack-scope.ts';
import { UnsupportedResource } from './unsupported-resource.ts';

type Properties = Record<string, unknown>;

/** Encryption, tags and who may use a queue as its dead-letter queue have no effect here. */
const QUEUE_PROPERTIES: readonly string[] = [
  'DelaySeconds',
  'FifoQueue',
  'KmsDataKeyReusePeriodSeconds',
  'KmsMasterKeyId',
  'MaximumMessageSize',
  'MessageRetentionPeriod',
  'QueueName',
  'RedriveAllowPolicy',
  'RedrivePolicy',
  'SqsManagedSseEnabled',
  'Tags',
  'VisibilityTimeout',
];

/**
 * Reads a standard queue; the defaults are those of
 * https://docs.aws.amazon.com/AWSSimpleQueueService/latest/APIReference/API_SetQueueAttributes.html.
 *
 * @throws UnsupportedResource
 */
export function readQueue(properties: Properties, logicalId: string, scope: StackScope): QueueDefinition {
  const refuse = (why: string): never => {
    throw new UnsupportedResource(logicalId, 'AWS::SQS::Queue', why);
  };
  if (properties.FifoQueue === true) refuse('FIFO queues are not supported');
  const unknown = Object.keys(properties).find((name) => !QUEUE_PROPERTIES.includes(name));
  if (unknown !== undefined) refuse(`the engine does not know its ${unknown}`);
  const redrive = properties.RedrivePolicy as
    | { deadLetterTargetArn: string; maxReceiveCount: number }
    | undefined;
  return {
    logicalId,
    name: scope.physicalName(logicalId),
    arn: String(scope.getAtt(logicalId, 'Arn', logicalId)),
    url: String(scope.ref(logicalId, logicalId)),
    visibilitySeconds: Number(properties.VisibilityTimeout ?? 30),
    delaySeconds: Number(properties.DelaySeconds ?? 0),
    retentionSeconds: Number(properties.MessageRetentionPeriod ?? 345_600),
    maxMessageBytes: Number(properties.MaximumMessageSize ?? 1_048_576),
    ...(redrive
      ? {
          redrive: {
            deadLetterArn: redrive.deadLetterTargetArn,
            maxReceiveCount: Number(redrive.maxReceiveCount),
          },
        }
      : {}),
  };
}

const MAPPING_PROPERTIES: readonly string[] = [
  'BatchSize',
  'Enabled',
  'EventSourceArn',
  'FilterCriteria',
  'FunctionName',
  'FunctionResponseTypes',
  'ScalingConfig',
  'Tags',
];

/**
 * Reads an event source mapping from a queue to a function; null for one that is switched off.
 *
 * @throws UnsupportedResource
 */
export function readSubscription(properties: Properties, logicalId: string): QueueSubscription | null {
  const refuse = (why: string): never => {
    throw new UnsupportedResource(logicalId, 'AWS::Lambda::EventSourceMapping', why);
  };
  const queueArn = String(properties.EventSourceArn);
  if (!queueArn.startsWith('arn:aws:sqs:')) refuse(`its source ${queueArn} is not a queue`);
  if (properties.FilterCriteria !== undefined) refuse('filters are not supported');
  const unknown = Object.keys(properties).find((name) => !MAPPING_PROPERTIES.includes(name));
  if (unknown !== undefined) refuse(`the engine does not know its ${unknown}`);
  if (properties.Enabled === false) return null;
  const scaling = properties.ScalingConfig as { MaximumConcurrency?: number } | undefined;
  const responseTypes = (properties.FunctionResponseTypes ?? []) as string[];
  return {
    logicalId,
    queueArn,
    functionArn: functionArnOf(String(properties.FunctionName)),
    batchSize: Number(properties.BatchSize ?? 10),
    maxConcurrency: Number(scaling?.MaximumConcurrency ?? 2),
    partialBatches: responseTypes.includes('ReportBatchItemFailures'),
  };
}
