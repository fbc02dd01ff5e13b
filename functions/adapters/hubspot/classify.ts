import * as v from 'valibot';
import type { Outcome } from '../../domain/outcome.ts';
import type { HttpAnswer } from '../http/effect-aware-client.ts';
import { jsonOf, parsed } from '../http/json.ts';
import { rateLimited } from '../http/write-once.ts';
import { HUBSPOT } from './contract.ts';
import { OWNER_PROPERTY } from './properties.ts';
import { writtenRecord } from './records.ts';

/** What the write asked for, as far as its answer is judged by it. */
export interface Asked {
  readonly creates: boolean;
  readonly properties: Readonly<Record<string, string>>;
}

const texts = v.array(v.string());
const detail = v.object({
  in: v.optional(v.string()),
  name: v.optional(v.string()),
  code: v.optional(v.string()),
  error: v.optional(v.string()),
  context: v.optional(v.record(v.string(), v.union([texts, v.string()]))),
});
const problem = v.object({
  message: v.optional(v.string()),
  context: v.optional(v.record(v.string(), v.union([texts, v.string()]))),
  errors: v.optional(v.array(detail), []),
});

/**
 * What HubSpot's answer to a write means.
 *
 * `performed` for 200 and 201 naming the record. `not-applied`: `rate-limited` (429, refused before it acted).
 * `unknown`: `already-exists` (a create that meets a record of that key), `owner-differs` (the answer names another owner),
 * `unparsable` (a success we cannot read), `status-<n>` for everything else; HubSpot documents its 502, 503 and 504 as temporary,
 * not as refusals before effect. `refused`: `credentials` (401), `permissions` (403), `record-not-found` (404),
 * `invalid-<property>` or `invalid-request` (400, 422), `conflict` (409 to an update), `status-<n>` for the other 4xx.
 *
 * @see https://developers.hubspot.com/docs/api-reference/error-handling
 */
export function classify(answer: HttpAnswer, asked: Asked, now: number): Outcome {
  const { status } = answer;
  if (status === 200 || status === 201) return accepted(answer, asked, now);
  if (status === 429) return rateLimited(answer, 'rate-limited', now);
  if (asked.creates && meetsExisting(answer)) return { outcome: 'unknown', reason: 'already-exists' };
  if (status < 400 || status >= 500 || UNDECIDED.has(status)) {
    return { outcome: 'unknown', reason: `status-${status}` };
  }
  return { outcome: 'refused', reason: refusal(answer, asked) };
}

/** Too early, timed out, locked, account migrating: nothing in these says that the request was not carried out. */
const UNDECIDED = new Set([408, 423, 425, 477]);

function accepted(answer: HttpAnswer, asked: Asked, now: number): Outcome {
  const record = parsed(writtenRecord, answer.text);
  if (!record) return { outcome: 'unknown', reason: 'unparsable' };
  const askedOwner = asked.properties[OWNER_PROPERTY];
  const owner = record.properties[OWNER_PROPERTY];
  if (askedOwner !== undefined && owner && owner !== askedOwner) {
    return { outcome: 'unknown', reason: 'owner-differs' };
  }
  return {
    outcome: 'performed',
    evidence: {
      kind: 'receipt',
      destination: HUBSPOT,
      recordId: record.id,
      readAt: now,
      facts: { status: answer.status, ...(owner ? { ownerId: owner } : {}) },
    },
  };
}

/** 409, or the validation error by which HubSpot defends a property that is declared unique. */
function meetsExisting({ status, text }: HttpAnswer): boolean {
  if (status === 409) return true;
  const codes = detailsOf(text).flatMap((one) => [one.code, one.error]);
  return status === 400 && codes.includes('CONFLICTING_UNIQUE_VALUE');
}

function refusal(answer: HttpAnswer, asked: Asked): string {
  switch (answer.status) {
    case 401:
      return 'credentials';
    case 403:
      return 'permissions';
    case 404:
      return 'record-not-found';
    case 409:
      return 'conflict';
    case 400:
    case 422: {
      const known = Object.keys(asked.properties);
      const field = namedProperties(answer.text).find((name) => known.includes(name));
      return field === undefined ? 'invalid-request' : `invalid-${field}`;
    }
    default:
      return `status-${answer.status}`;
  }
}

/** Every property name that an error names, in whichever of its forms. Untrusted text: use only names that we sent. */
function namedProperties(text: string): string[] {
  const details = detailsOf(text);
  const names = details.flatMap((one) => [one.name, one.in, ...inContext(one.context)]);
  return [...names, ...inContext(parsed(problem, text)?.context)].filter((name) => name !== undefined);
}

/** The single faults: a list of its own, or one packed as JSON into the message. */
function detailsOf(text: string): v.InferOutput<typeof detail>[] {
  const error = parsed(problem, text);
  if (!error) return [];
  const packed = v.safeParse(v.array(detail), jsonOf(error.message?.match(/\[.*\]/s)?.[0] ?? ''));
  return [...error.errors, ...(packed.success ? packed.output : [])];
}

function inContext(context: Record<string, string | string[]> | undefined): string[] {
  return [context?.propertyName ?? [], context?.properties ?? []].flat();
}
