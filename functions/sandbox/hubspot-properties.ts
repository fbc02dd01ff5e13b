import * as v from 'valibot';
import { type InvalidValue, invalidInput, invalidValues } from './hubspot-errors.ts';
import type { SandboxSettings } from './settings.ts';

export type ObjectType = 'contacts' | 'tasks';

/** Values that HubSpot computes; writing them is refused. */
const READ_ONLY: Readonly<Record<ObjectType, readonly string[]>> = {
  contacts: [
    'createdate',
    'lastmodifieddate',
    'hs_object_id',
    'hs_merged_object_ids',
    'hs_additional_emails',
    'hubspot_owner_assigneddate',
  ],
  tasks: ['hs_createdate', 'hs_lastmodifieddate', 'hs_object_id'],
};

/**
 * The default properties the sandbox's portal knows.
 * https://knowledge.hubspot.com/properties/hubspots-default-contact-properties,
 * https://developers.hubspot.com/docs/api-reference/legacy/crm/activities/tasks/guide
 */
const WRITABLE: Readonly<Record<ObjectType, readonly string[]>> = {
  contacts: [
    'email',
    'firstname',
    'lastname',
    'phone',
    'mobilephone',
    'company',
    'jobtitle',
    'website',
    'address',
    'city',
    'state',
    'zip',
    'country',
    'industry',
    'numemployees',
    'annualrevenue',
    'message',
    'lifecyclestage',
    'hs_lead_status',
    'hs_language',
    'hs_email_optout',
    'hubspot_owner_id',
  ],
  tasks: [
    'hs_timestamp',
    'hs_task_subject',
    'hs_task_body',
    'hs_task_status',
    'hs_task_priority',
    'hs_task_type',
    'hs_task_reminders',
    'hubspot_owner_id',
  ],
};

const OPTIONS: Readonly<Record<string, readonly string[]>> = {
  hs_task_status: ['NOT_STARTED', 'IN_PROGRESS', 'WAITING', 'DEFERRED', 'COMPLETED'],
  hs_task_priority: ['NONE', 'LOW', 'MEDIUM', 'HIGH'],
  hs_task_type: ['EMAIL', 'CALL', 'TODO'],
  hs_email_optout: ['true', 'false'],
};

export function readOnlyProperties(type: ObjectType): readonly string[] {
  return READ_ONLY[type];
}

export function customProperties(type: ObjectType, settings: SandboxSettings): readonly string[] {
  return type === 'contacts'
    ? settings.contactProperties
    : [...new Set([...settings.taskProperties, ...settings.uniqueTaskProperties])];
}

export function writableProperties(type: ObjectType, settings: SandboxSettings): readonly string[] {
  return [...WRITABLE[type], ...customProperties(type, settings)];
}

export function knowsProperty(type: ObjectType, name: string, settings: SandboxSettings): boolean {
  return READ_ONLY[type].includes(name) || writableProperties(type, settings).includes(name);
}

const scalar = v.nullable(v.union([v.string(), v.number(), v.boolean()]));
const writeBody = v.object({
  properties: v.record(v.string(), scalar),
  associations: v.optional(v.unknown()),
});

export interface WriteBody {
  /** Checked and in HubSpot's form: text only, emails in lower case, times in ISO form. */
  readonly properties: Readonly<Record<string, string>>;
  readonly associations: unknown;
}

/** Reads the body of a create or update. Throws `HubspotRefusal` (400) for anything HubSpot would not take. */
export function parseWrite(body: unknown, type: ObjectType, settings: SandboxSettings): WriteBody {
  const parsed = v.safeParse(writeBody, body);
  if (!parsed.success) {
    throw invalidInput('Invalid input JSON: a body with an object `properties` of plain values is expected.');
  }
  const refused: InvalidValue[] = [];
  const properties: Record<string, string> = {};
  for (const [name, raw] of Object.entries(parsed.output.properties)) {
    const value = normalize(name, raw === null ? '' : String(raw));
    const problem = problemOf(type, name, value, settings);
    if (problem) refused.push({ name, ...problem });
    else properties[name] = value;
  }
  if (refused.length > 0) throw invalidValues(refused, settings.portalId);
  return { properties, associations: parsed.output.associations };
}

function normalize(name: string, value: string): string {
  if (name === 'email') return value.trim().toLowerCase();
  if (name === 'hs_timestamp' && value !== '') {
    const at = /^\d+$/.test(value) ? Number(value) : Date.parse(value);
    return Number.isNaN(at) ? value : new Date(at).toISOString();
  }
  return value;
}

function problemOf(
  type: ObjectType,
  name: string,
  value: string,
  settings: SandboxSettings,
): Omit<InvalidValue, 'name'> | null {
  if (!knowsProperty(type, name, settings)) {
    return { error: 'PROPERTY_DOESNT_EXIST', message: `Property "${name}" does not exist` };
  }
  if (READ_ONLY[type].includes(name)) {
    return {
      error: 'READ_ONLY_VALUE',
      message: `"${name}" is a read only property; its value cannot be set.`,
    };
  }
  if (value === '') return null;
  const options = OPTIONS[name];
  if (options && !options.includes(value)) {
    return {
      error: 'INVALID_OPTION',
      message: `${value} was not one of the allowed options: [${options.join(', ')}]`,
    };
  }
  if (name === 'email' && !/^[^\s@]+@[^\s@]+\.[^\s@]+$/.test(value)) {
    return { error: 'INVALID_EMAIL', message: `Email address ${value} is invalid` };
  }
  if (name === 'hs_timestamp' && Number.isNaN(Date.parse(value))) {
    return { error: 'INVALID_DATE', message: `${value} was not a valid date` };
  }
  if (
    name === 'hubspot_owner_id' &&
    !settings.owners.some((owner) => owner.id === value && !owner.archived)
  ) {
    return { error: 'INVALID_OWNER_ID', message: `${value} is not the id of an active owner` };
  }
  return null;
}
