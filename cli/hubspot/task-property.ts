import * as v from 'valibot';
import { type DestinationOptions, tokenWithin } from '../../functions/adapters/http/destination-options.ts';
import { callOnce, type HttpAnswer } from '../../functions/adapters/http/effect-aware-client.ts';
import { failureCode } from '../../functions/adapters/http/failure-code.ts';
import { parsed } from '../../functions/adapters/http/json.ts';
import { HUBSPOT } from '../../functions/adapters/hubspot/contract.ts';
import { DestinationUnreadable } from '../../functions/ports/destination-unreadable.ts';

/** A task property in a HubSpot account. What exists cannot be made unique afterwards. */
export type TaskProperty = 'unique' | 'not-unique' | 'absent';

/** HubSpot does not let a token do this; the scopes are those that HubSpot names. */
export class MissingScopes extends Error {
  override readonly name = 'MissingScopes';
  readonly scopes: readonly string[];

  constructor(scopes: readonly string[]) {
    super(`The token lacks ${scopes.join(' or ')}.`);
    this.scopes = scopes;
  }
}

/** HubSpot does not create the property; the category is its own word for why. */
export class PropertyRefused extends Error {
  override readonly name = 'PropertyRefused';
  readonly category: string;

  constructor(category: string) {
    super(`HubSpot does not create the property (${category}).`);
    this.category = category;
  }
}

const PROPERTIES = '/crm/v3/properties/tasks';

/** A property that every account has: ours is put beside it. */
const NEIGHBOUR = 'hs_task_subject';

const NOT_FOUND = /NOT_FOUND|DOESNT_EXIST/;

const READ_SCOPE = 'crm.schemas.contacts.read';
const WRITE_SCOPE = 'crm.schemas.contacts.write';

const property = v.object({ hasUniqueValue: v.optional(v.boolean(), false), groupName: v.string() });
const problem = v.object({
  category: v.optional(v.string()),
  errors: v.optional(
    v.array(
      v.object({
        context: v.optional(v.object({ requiredGranularScopes: v.optional(v.array(v.string())) })),
      }),
    ),
    [],
  ),
});

/**
 * Asks HubSpot for the definition of a task property.
 *
 * @see https://developers.hubspot.com/docs/api-reference/crm-properties-v3/guide
 * @throws DestinationUnreadable, MissingScopes
 */
export async function findTaskProperty(name: string, options: DestinationOptions): Promise<TaskProperty> {
  const found = await definitionOf(name, options);
  if (found === null) return 'absent';
  return found.hasUniqueValue ? 'unique' : 'not-unique';
}

/**
 * Creates a task property that HubSpot keeps unique. One that somebody else has created meanwhile is none the less there.
 *
 * @throws DestinationUnreadable, MissingScopes, PropertyRefused
 */
export async function createTaskProperty(name: string, options: DestinationOptions): Promise<void> {
  const neighbour = await definitionOf(NEIGHBOUR, options);
  const body = JSON.stringify({
    name,
    label: 'Lead Handoff id',
    description: 'By this Lead Handoff finds its task again. Please do not change it.',
    groupName: neighbour?.groupName ?? 'task',
    type: 'string',
    fieldType: 'text',
    hasUniqueValue: true,
  });
  const answer = await call(
    { method: 'POST', path: PROPERTIES, label: PROPERTIES, body },
    options,
    WRITE_SCOPE,
  );
  if ([200, 201, 409].includes(answer.status)) return;
  if (answer.status >= 500) throw new DestinationUnreadable(HUBSPOT, `status-${answer.status}`);
  throw new PropertyRefused(categoryOf(answer));
}

async function definitionOf(
  name: string,
  options: DestinationOptions,
): Promise<v.InferOutput<typeof property> | null> {
  const path = `${PROPERTIES}/${encodeURIComponent(name)}`;
  const answer = await call({ method: 'GET', path, label: `${PROPERTIES}/{name}` }, options, READ_SCOPE);
  // A 404 that HubSpot did not write proves no absence.
  if (answer.status === 404 && NOT_FOUND.test(parsed(problem, answer.text)?.category ?? '')) return null;
  if (answer.status !== 200) throw new DestinationUnreadable(HUBSPOT, `status-${answer.status}`);
  const found = parsed(property, answer.text);
  if (found === undefined) throw new DestinationUnreadable(HUBSPOT, 'unparsable');
  return found;
}

interface Request {
  readonly method: 'GET' | 'POST';
  readonly path: string;
  readonly label: string;
  readonly body?: string;
}

async function call(request: Request, options: DestinationOptions, scope: string): Promise<HttpAnswer> {
  const { path, ...rest } = request;
  const { baseUrl, timeoutMs } = options;
  const token = await tokenWithin(options.token, timeoutMs);
  const headers = { authorization: `Bearer ${token}` };
  const answer = await callOnce({ ...rest, url: `${baseUrl}${path}`, headers, timeoutMs }).catch((error) => {
    throw new DestinationUnreadable(HUBSPOT, failureCode(error));
  });
  if (answer.status === 401) throw new DestinationUnreadable(HUBSPOT, 'credentials');
  if (answer.status === 429) throw new DestinationUnreadable(HUBSPOT, 'rate-limited');
  if (answer.status === 403) throw new MissingScopes(scopesIn(answer) ?? [scope]);
  return answer;
}

function scopesIn({ text }: HttpAnswer): string[] | null {
  const named =
    parsed(problem, text)?.errors.flatMap(({ context }) => context?.requiredGranularScopes ?? []) ?? [];
  const scopes = named.filter((scope) => /^[a-z0-9._-]{1,100}$/.test(scope));
  return scopes.length === 0 ? null : scopes;
}

function categoryOf({ status, text }: HttpAnswer): string {
  const category = parsed(problem, text)?.category ?? '';
  return /^[A-Z_]{1,60}$/.test(category) ? category : `status-${status}`;
}
