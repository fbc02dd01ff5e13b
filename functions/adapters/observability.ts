import { Logger } from '@aws-lambda-powertools/logger';
import { Tracer } from '@aws-lambda-powertools/tracer';
import type { Context } from 'aws-lambda';
import type { LeadKey } from '../domain/action.ts';

/** Logs carry ids and codes only. Nothing logs an event, a result or a body. */
export const logger = new Logger();

/** Outgoing requests are not captured: a CRM is read by email, and the URL would take it into the trace. */
export const tracer = new Tracer({ captureHTTPsRequests: false });

/**
 * Wraps a handler with the log context of its lead request and a trace segment of its own. Results and events stay out of
 * both; an error is logged by its name.
 */
export function observed<E, R>(name: string, handler: (event: E, context: Context) => Promise<R>) {
  return async (event: E, context: Context): Promise<R> => {
    const parent = tracer.isTracingEnabled() ? tracer.getSegment() : undefined;
    const segment = parent?.addNewSubsegment(`## ${name}`);
    if (segment) tracer.setSegment(segment);
    tracer.annotateColdStart();
    tracer.addServiceNameAnnotation();
    logger.addContext(context);
    logger.appendKeys(idsOf(event));
    try {
      return await handler(event, context);
    } catch (error) {
      logger.warn('ended without result', { errorName: error instanceof Error ? error.name : 'unknown' });
      segment?.addFaultFlag();
      throw error;
    } finally {
      logger.resetKeys();
      segment?.close();
      if (parent) tracer.setSegment(parent);
    }
  };
}

function idsOf(event: unknown): Record<string, unknown> {
  const { route, leadRequestId, execution, attempt, action } = (event ?? {}) as Partial<
    LeadKey & { execution: string; attempt: number; action: string }
  >;
  for (const [name, value] of Object.entries({ route, leadRequestId })) {
    if (value !== undefined) tracer.putAnnotation(name, value);
  }
  return { route, leadRequestId, execution, attempt, action };
}
