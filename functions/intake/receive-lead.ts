import type { APIGatewayProxyEventV2 } from 'aws-lambda';
import { isSigned } from '../adapters/webhook-signature.ts';
import { MAX_LEAD_REQUEST_BYTES } from '../domain/lead-request.ts';
import { intakeSecretName, type RouteSettings } from '../domain/route.ts';
import type { Stage } from '../domain/stage-numbers.ts';
import type { SigningSecrets } from '../ports/secrets.ts';
import { type Accepted, acceptLead } from './accept-lead.ts';
import type { MessagePorts } from './accept-message.ts';
import { acceptedAnswer, answerToError, type HttpAnswer, problem } from './http-answer.ts';

/** What is looked at of a request of API Gateway, payload format 2.0. */
export type HttpRequest = Pick<
  APIGatewayProxyEventV2,
  'headers' | 'body' | 'isBase64Encoded' | 'pathParameters'
>;

export interface ReceivePorts extends MessagePorts {
  readonly stage: Stage;
  readonly secrets: SigningSecrets;
}

/** The answer to a request, and what the log may know of it. */
export interface Received {
  readonly answer: HttpAnswer;
  readonly accepted?: Accepted;
  readonly errorName?: string;
}

/** `application/json`, in UTF-8 where it names a character set: that is what JSON is sent in (RFC 8259). */
const JSON_TYPE = /^application\/json\s*(?:;\s*charset\s*=\s*"?utf-?8"?\s*)?$/i;

/**
 * Receives a lead request over HTTP and answers it. Whoever cannot sign learns nothing: a wrong signature, an old one, none, and a
 * route that does not exist are one answer. An error that no sender can do anything about is thrown.
 */
export async function receiveLead(request: HttpRequest, ports: ReceivePorts): Promise<Received> {
  const bytes = Buffer.from(request.body ?? '', request.isBase64Encoded ? 'base64' : 'utf8');
  if (bytes.length > MAX_LEAD_REQUEST_BYTES) {
    return { answer: problem(413, `A lead request has at most ${MAX_LEAD_REQUEST_BYTES} bytes.`) };
  }
  try {
    return await answered(bytes.toString('utf8'), request, ports);
  } catch (error) {
    const answer = answerToError(error);
    if (answer === null) throw error;
    return { answer, errorName: error instanceof Error ? error.name : 'unknown' };
  }
}

async function answered(body: string, request: HttpRequest, ports: ReceivePorts): Promise<Received> {
  const headers = request.headers ?? {};
  const route = ports.routes.find(({ name }) => name === request.pathParameters?.route);
  if (route === undefined || !(await isSignedFor(route, body, headers, ports))) {
    return { answer: problem(401, 'The request is not signed, or its signature is not valid.') };
  }
  if (!JSON_TYPE.test(headers['content-type'] ?? '')) {
    return { answer: problem(415, 'A lead request is sent as application/json.') };
  }
  const lead = jsonOf(body);
  if (lead === undefined) return { answer: problem(400, 'The body is not JSON.') };
  const accepted = await acceptLead(lead, ports.portsOf(route));
  return { answer: acceptedAnswer(accepted), accepted };
}

async function isSignedFor(
  route: RouteSettings,
  body: string,
  headers: HttpRequest['headers'],
  { stage, secrets }: ReceivePorts,
): Promise<boolean> {
  return isSigned(body, headers, await secrets(intakeSecretName(stage, route.name)));
}

/** Undefined for what is no JSON, which has no such value. */
function jsonOf(body: string): unknown {
  try {
    return JSON.parse(body);
  } catch {
    return undefined;
  }
}
