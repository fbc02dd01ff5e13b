import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { Logger } from '@aws-lambda-powertools/logger';
import { getSecret } from '@aws-lambda-powertools/parameters/secrets';
import { Tracer } from '@aws-lambda-powertools/tracer';
import type { Context, LambdaFunctionURLEvent, LambdaFunctionURLResult } from 'aws-lambda';
import { createSandbox, type Sandbox } from './sandbox.ts';
import type { SandboxResponse } from './wire.ts';

const logger = new Logger({ serviceName: 'sandbox' });
const tracer = new Tracer({ serviceName: 'sandbox' });

/** Kept back from the function's remaining time when an answer is to be late, in milliseconds. */
const SAFETY_MS = 500;

let sandbox: Promise<Sandbox> | undefined;

/**
 * The sandbox behind a Lambda function URL (payload version 2). Its state lives in the memory of one instance, so the
 * function needs a reserved concurrency of 1, and a cold start begins empty. The secret named by `SANDBOX_SECRET_NAME`
 * holds the bearer secret S; the control API takes `S.control`.
 *
 * A function URL can neither drop a connection nor trickle a body. A dropped connection becomes 502 and one that is
 * never answered 504, both with an empty body and without waiting; a slow body comes whole after its delay.
 */
export async function handler(
  event: LambdaFunctionURLEvent,
  context: Context,
): Promise<LambdaFunctionURLResult> {
  const parent = tracer.getSegment();
  const segment = parent?.addNewSubsegment('## sandbox');
  if (segment) tracer.setSegment(segment);
  try {
    sandbox ??= load();
    const answer = await (await sandbox).handle(requestOf(event));
    tracer.putAnnotation('operation', answer.about.operation ?? 'control');
    logger.info('Request handled', {
      ...answer.about,
      status: answer.status,
      delivery: answer.delivery.kind,
    });
    return await deliver(answer, context);
  } catch (error) {
    logger.error('The sandbox itself failed', error as Error);
    tracer.addErrorAsMetadata(error as Error);
    throw error;
  } finally {
    segment?.close();
    if (parent) tracer.setSegment(parent);
  }
}

/** A failed load is not kept: the next request tries again. */
function load(): Promise<Sandbox> {
  const loading = readBearer().then((bearer) =>
    createSandbox({ clock: Date.now, ids: randomUUID, bearer, controlToken: `${bearer}.control` }),
  );
  loading.catch(() => {
    sandbox = undefined;
  });
  return loading;
}

async function readBearer(): Promise<string> {
  const name = process.env.SANDBOX_SECRET_NAME;
  if (!name) throw new TypeError('The sandbox needs SANDBOX_SECRET_NAME, the name of its bearer secret.');
  const secret = await getSecret(name);
  if (typeof secret !== 'string' || secret === '') throw new TypeError(`The secret ${name} holds no text.`);
  return secret;
}

function requestOf(event: LambdaFunctionURLEvent) {
  const body = event.body ?? '';
  return {
    method: event.requestContext.http.method,
    target: event.rawQueryString ? `${event.rawPath}?${event.rawQueryString}` : event.rawPath,
    headers: event.headers,
    body: event.isBase64Encoded ? Buffer.from(body, 'base64').toString('utf8') : body,
  };
}

async function deliver(answer: SandboxResponse, context: Context): Promise<LambdaFunctionURLResult> {
  const { delivery } = answer;
  switch (delivery.kind) {
    case 'drop':
      return { statusCode: 502, body: '' };
    case 'hang':
      return { statusCode: 504, body: '' };
    case 'answer-late':
    case 'trickle':
      await sleep(Math.max(0, Math.min(delivery.delayMs, context.getRemainingTimeInMillis() - SAFETY_MS)));
      break;
    case 'answer':
      break;
  }
  return { statusCode: answer.status, headers: { ...answer.headers }, body: answer.body };
}
