import { writeFileSync } from 'node:fs';
import { toJsonSchema } from '@valibot/to-json-schema';
import {
  type LeadRequest,
  leadRequestSchema,
  MAX_LEAD_REQUEST_BYTES,
} from '../functions/domain/lead-request.ts';
import { ACCEPTED_STATUSES } from '../functions/intake/accept-lead.ts';

/** Prints `docs/openapi.json` from the schemas by which intake reads what is posted: `npm run docs`. */

const FIELDS: Readonly<Record<keyof LeadRequest, string>> = {
  leadRequestId:
    'The id that the source gave this inquiry. The same inquiry sent again has the same id, and the same fields.',
  email: 'The address of the person. Its case makes no difference; dots and plus tags do.',
  firstName: 'The first name.',
  lastName: 'The last name.',
  company: 'The company.',
  phone: 'The telephone number.',
  message: 'What the person wrote; may have several lines.',
  country: 'The country, in the words of the source. A route may choose the owner by it.',
  language: 'The language, in the words of the source. A route may choose the owner by it.',
  companySize: 'The size of the company, in the words of the source. A route may choose the owner by it.',
  sourceReference: "The source's own name for this inquiry, shown to people who look for it.",
  ownerId: 'The owner that the source wants, by its id in the CRM; for routes that take it from the request.',
};

/** As it is sent: blanks around texts and other Unicode forms are allowed, and empty fields are left out. */
function leadRequest(): object {
  const converted = toJsonSchema(leadRequestSchema, {
    typeMode: 'ignore',
    errorMode: 'ignore',
    target: 'draft-2020-12',
  });
  const { $schema: _, properties = {}, ...schema } = converted;
  const described = Object.entries(properties as Record<string, object>).map(([name, property]) => [
    name,
    { description: FIELDS[name as keyof LeadRequest], ...(name === 'email' ? address(property) : property) },
  ]);
  return { ...schema, properties: Object.fromEntries(described) };
}

/** Addresses are compared in lower case: their pattern is not that of what is sent. */
function address({ pattern: _, ...property }: { readonly pattern?: string }): object {
  return { ...property, format: 'email' };
}

const PROBLEMS: Readonly<Record<string, string>> = {
  400: 'The lead request is not valid; `field` names what is wrong. Sent again it is refused again.',
  401: 'The request is not signed, its signature is not valid or older than five minutes, or there is no such route.',
  409: 'The id came before with other fields, or messages under it are being investigated. The first fields stand; these are kept for the recovery owner.',
  413: `The body has more than ${MAX_LEAD_REQUEST_BYTES} bytes.`,
  415: 'The body is not sent as `application/json`.',
  429: 'Too many requests. Send the same again, later. This answer comes from API Gateway, and has a body of its own.',
  503: 'The lead request could not be accepted now. Send the same again after the seconds of `Retry-After`.',
};

const header = (name: string, description: string, example: string) => ({
  name,
  in: 'header',
  required: true,
  description,
  schema: { type: 'string' },
  example,
});

function problem(status: string, description: string): object {
  const content = { 'application/problem+json': { schema: { $ref: '#/components/schemas/Problem' } } };
  const retry = { 'Retry-After': { description: 'Seconds.', schema: { type: 'integer' } } };
  if (status === '429') return { description };
  return status === '503' ? { description, headers: retry, content } : { description, content };
}

/** The document, as it must stand in the repository. */
export function openApiDocument(): object {
  const problems = Object.entries(PROBLEMS).map(([status, text]) => [status, problem(status, text)]);
  return {
    openapi: '3.1.0',
    info: {
      title: 'Lead Handoff: intake',
      version: '1',
      description:
        'Hands a lead request in. Requests are signed as Standard Webhooks says (https://www.standardwebhooks.com). Sending one again is safe: its id makes it the same one.',
      license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
    },
    servers: [{ url: 'https://{api}', variables: { api: { default: 'api.example.com' } } }],
    paths: {
      '/routes/{route}/leads': {
        post: {
          operationId: 'submitLead',
          summary: 'Hand a lead request in',
          parameters: [
            {
              name: 'route',
              in: 'path',
              required: true,
              description: 'The name of the route.',
              schema: { type: 'string' },
              example: 'website',
            },
            header(
              'webhook-id',
              'The id of this message, without a full stop.',
              'msg_2KWPBgLlAfxdpx2AI54pPJ85f4W',
            ),
            header('webhook-timestamp', 'When it was signed, in seconds since 1970.', '1674087231'),
            header(
              'webhook-signature',
              'One or more signatures, separated by blanks.',
              'v1,K5oZfzN95Z9UVu1EsfQmfVNQhnkZ2pj9o9NDN/H/pI4=',
            ),
          ],
          requestBody: {
            required: true,
            content: {
              'application/json': {
                schema: { $ref: '#/components/schemas/LeadRequest' },
                example: {
                  leadRequestId: 'form-7-1042',
                  email: 'nadia.haddad@harbour.example.com',
                  firstName: 'Nadia',
                  message: 'We would like a quote for 40 seats.',
                },
              },
            },
          },
          responses: {
            202: {
              description: 'The lead request is accepted, now or before.',
              content: { 'application/json': { schema: { $ref: '#/components/schemas/Accepted' } } },
            },
            ...Object.fromEntries(problems),
          },
        },
      },
    },
    components: {
      schemas: {
        LeadRequest: leadRequest(),
        Accepted: {
          type: 'object',
          properties: {
            leadRequestId: { type: 'string' },
            status: {
              description:
                '`accepted` the first time; `repeated` when it came before; `closed` when its handoff is over; `joined` when another one of the same person stands for it; `asked` when a person decides whether it goes on.',
              type: 'string',
              enum: [...ACCEPTED_STATUSES],
            },
          },
          required: ['leadRequestId', 'status'],
        },
        Problem: {
          description: 'RFC 9457. It repeats nothing that was sent.',
          type: 'object',
          properties: {
            title: { type: 'string' },
            status: { type: 'integer' },
            field: { type: 'string', description: 'The field of the lead request that is wrong.' },
          },
          required: ['title', 'status'],
        },
      },
    },
  };
}

/** With short lists in one line, as the formatter has them. */
export function openApiText(): string {
  const text = JSON.stringify(openApiDocument(), null, 2);
  const inOneLine = text.replaceAll(/\[\n\s+("[^[\]{}]*")\n\s+\]/g, (_, items: string) => {
    return `[${items.replaceAll(/,\n\s+/g, ', ')}]`;
  });
  return `${inOneLine}\n`;
}

if (import.meta.main) {
  writeFileSync(new URL('./openapi.json', import.meta.url), openApiText());
}
