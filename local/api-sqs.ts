import { AwsError } from './aws-error.ts';
import { type JsonService, unknownOperation } from './endpoint.ts';
import { md5, type Queue, type Queues, type StoredMessage, systemAttributes } from './queues.ts';

type Body = Record<string, unknown>;
type Entry = Body & { readonly Id: string };

/** https://docs.aws.amazon.com/AWSSimpleQueueService/latest/APIReference/API_SendMessageBatch.html */
const MOST_ENTRIES = 10;

/**
 * Amazon SQS: send, receive, delete, visibility, purge, and what queues there are.
 *
 * @see https://docs.aws.amazon.com/AWSSimpleQueueService/latest/APIReference/API_Operations.html
 */
export function sqsApi(queues: Queues): JsonService {
  const operations: Record<string, (body: Body) => unknown> = {
    ListQueues: ({ QueueNamePrefix = '' }) => ({
      QueueUrls: queues
        .all()
        .filter(({ definition }) => definition.name.startsWith(String(QueueNamePrefix)))
        .map(({ definition }) => definition.url),
    }),
    GetQueueUrl: ({ QueueName }) => {
      const queue = queues.byName(String(QueueName));
      if (!queue) throw noSuchQueue();
      return { QueueUrl: queue.definition.url };
    },
    GetQueueAttributes: (body) => ({ Attributes: attributesOf(find(queues, body), body.AttributeNames) }),
    SendMessage: (body) => sent(find(queues, body), body),
    SendMessageBatch: (body) => {
      const queue = find(queues, body);
      return sentBatch(queue, (body.Entries ?? []) as Entry[]);
    },
    ReceiveMessage: async (body) => {
      const queue = find(queues, body);
      const messages = await queue.receive(
        Number(body.MaxNumberOfMessages ?? 1),
        Number(body.VisibilityTimeout ?? queue.definition.visibilitySeconds),
        Number(body.WaitTimeSeconds ?? 0) * 1000,
      );
      return messages.length === 0 ? {} : { Messages: messages.map(received) };
    },
    DeleteMessage: (body) => {
      find(queues, body).delete(String(body.ReceiptHandle));
      return {};
    },
    DeleteMessageBatch: (body) => {
      const queue = find(queues, body);
      const entries = (body.Entries ?? []) as { Id: string; ReceiptHandle: string }[];
      for (const { ReceiptHandle } of entries) queue.delete(ReceiptHandle);
      return { Successful: entries.map(({ Id }) => ({ Id })), Failed: [] };
    },
    ChangeMessageVisibility: (body) => {
      find(queues, body).changeVisibility(String(body.ReceiptHandle), Number(body.VisibilityTimeout));
      return {};
    },
    PurgeQueue: (body) => {
      find(queues, body).purge();
      return {};
    },
  };
  return async (operation, body) => {
    const run = Object.hasOwn(operations, operation) ? operations[operation] : undefined;
    if (!run) throw unknownOperation(`SQS ${operation}`);
    return { body: await run(body) };
  };
}

function find(queues: Queues, { QueueUrl }: Body): Queue {
  const queue = queues.byUrl(String(QueueUrl));
  if (!queue) throw noSuchQueue();
  return queue;
}

function noSuchQueue(): AwsError {
  return new AwsError('com.amazonaws.sqs#QueueDoesNotExist', 'The specified queue does not exist.');
}

function sent(queue: Queue, body: Body): { MessageId: string; MD5OfMessageBody: string } {
  const text = body.MessageBody;
  if (typeof text !== 'string' || text === '') {
    throw new AwsError('MissingParameter', 'The request must contain the parameter MessageBody.');
  }
  const { maxMessageBytes } = queue.definition;
  if (Buffer.byteLength(text) > maxMessageBytes) {
    throw new AwsError(
      'InvalidParameterValue',
      `One or more parameters are invalid. Reason: Message must be shorter than ${maxMessageBytes} bytes.`,
    );
  }
  const message = queue.send(text, {
    ...(body.DelaySeconds === undefined ? {} : { delaySeconds: Number(body.DelaySeconds) }),
    attributes: (body.MessageAttributes ?? {}) as Body,
  });
  return { MessageId: message.messageId, MD5OfMessageBody: md5(text) };
}

/** What is wrong with one entry is said of that entry; the others are sent. */
function sentBatch(queue: Queue, entries: readonly Entry[]): { Successful: Body[]; Failed: Body[] } {
  if (entries.length === 0) {
    throw new AwsError(
      'com.amazonaws.sqs#EmptyBatchRequest',
      'There should be at least one SendMessageBatchRequestEntry in the request.',
    );
  }
  if (entries.length > MOST_ENTRIES) {
    throw new AwsError(
      'com.amazonaws.sqs#TooManyEntriesInBatchRequest',
      `Maximum number of entries per request are ${MOST_ENTRIES}. You have sent ${entries.length}.`,
    );
  }
  const answer = { Successful: [] as Body[], Failed: [] as Body[] };
  for (const entry of entries) {
    try {
      answer.Successful.push({ Id: entry.Id, ...sent(queue, entry) });
    } catch (error) {
      if (!(error instanceof AwsError)) throw error;
      answer.Failed.push({ Id: entry.Id, SenderFault: true, Code: error.code, Message: error.message });
    }
  }
  return answer;
}

function received(message: StoredMessage): Body {
  return {
    MessageId: message.messageId,
    ReceiptHandle: message.receiptHandle,
    Body: message.body,
    MD5OfBody: md5(message.body),
    Attributes: systemAttributes(message),
    ...(Object.keys(message.attributes).length > 0 ? { MessageAttributes: message.attributes } : {}),
  };
}

function attributesOf(queue: Queue, names: unknown): Record<string, string> {
  const { definition } = queue;
  const { visible, hidden, delayed } = queue.counts();
  const all: Record<string, string> = {
    QueueArn: definition.arn,
    ApproximateNumberOfMessages: String(visible),
    ApproximateNumberOfMessagesNotVisible: String(hidden),
    ApproximateNumberOfMessagesDelayed: String(delayed),
    VisibilityTimeout: String(definition.visibilitySeconds),
    DelaySeconds: String(definition.delaySeconds),
    MessageRetentionPeriod: String(definition.retentionSeconds),
    MaximumMessageSize: String(definition.maxMessageBytes),
  };
  if (definition.redrive) {
    all.RedrivePolicy = JSON.stringify({
      deadLetterTargetArn: definition.redrive.deadLetterArn,
      maxReceiveCount: definition.redrive.maxReceiveCount,
    });
  }
  const wanted = (names ?? []) as string[];
  if (wanted.includes('All')) return all;
  return Object.fromEntries(Object.entries(all).filter(([name]) => wanted.includes(name)));
}
