import { BatchProcessor, EventType, processPartialResponse } from '@aws-lambda-powertools/batch';
import type { Context, SQSEvent, SQSRecord } from 'aws-lambda';
import { logger, observed } from '../adapters/observability.ts';

/**
 * The handler behind a queue: a message whose `take` throws comes again, and no other. Where all of them failed the answer names all
 * of them, because SQS deletes what an answer does not name
 * (https://docs.aws.amazon.com/lambda/latest/dg/services-sqs-errorhandling.html).
 */
export function batchFunction(name: string, take: (message: SQSRecord) => Promise<Record<string, unknown>>) {
  const processor = new BatchProcessor(EventType.SQS);
  const taken = async (message: SQSRecord) => {
    const { messageId } = message;
    try {
      logger.info(`${name}: taken`, { messageId, ...(await take(message)) });
    } catch (error) {
      const errorName = error instanceof Error ? error.name : 'unknown';
      logger.warn(`${name}: not taken`, { messageId, errorName });
      throw error;
    }
  };
  return observed(name, (event: SQSEvent, context: Context) =>
    processPartialResponse(event, taken, processor, { context, throwOnFullBatchFailure: false }),
  );
}
