import { Webhook } from 'standardwebhooks';
import { type HttpRequest, type Received, receiveLead } from '../../../functions/intake/receive-lead.ts';
import type { SigningSecrets } from '../../../functions/ports/secrets.ts';
import { IntakeBench } from './intake-bench.ts';

export const SECRET = `whsec_${Buffer.alloc(32, 1).toString('base64')}`;
export const NEXT_SECRET = `whsec_${Buffer.alloc(32, 2).toString('base64')}`;
export const OTHER_SECRET = `whsec_${Buffer.alloc(32, 3).toString('base64')}`;

/** The headers of a signed request. The library reads the clock itself, so it is the machine's. */
export function signed(body: string, secret = SECRET, at = Date.now(), id = 'msg_1'): Record<string, string> {
  return {
    'content-type': 'application/json',
    'webhook-id': id,
    'webhook-timestamp': String(Math.floor(at / 1000)),
    'webhook-signature': new Webhook(secret).sign(id, new Date(at), body),
  };
}

export function request(body: string, headers = signed(body), route = 'web'): HttpRequest {
  return { body, headers, isBase64Encoded: false, pathParameters: { route } };
}

/** Intake over HTTP: the secrets of route `web` are SECRET and the one before it, NEXT_SECRET. */
export class HttpBench extends IntakeBench {
  secrets: SigningSecrets = async (name) => (name === 'test/web/intake' ? [SECRET, NEXT_SECRET] : []);

  send(given: HttpRequest): Promise<Received> {
    return receiveLead(given, {
      ...this.messagePorts(),
      stage: 'test',
      secrets: (name) => this.secrets(name),
    });
  }

  /** The status and the parsed body of the answer. */
  async post(given: HttpRequest): Promise<{ status: number; type: unknown; body: Record<string, unknown> }> {
    const { answer } = await this.send(given);
    const type = answer.headers?.['content-type'];
    return { status: answer.statusCode, type, body: JSON.parse(answer.body ?? '') };
  }
}
