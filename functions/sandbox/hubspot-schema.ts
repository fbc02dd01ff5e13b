import * as v from 'valibot';
import { type Call, jsonBody, param } from './call.ts';
import { HubspotRefusal, invalidInput, notFound } from './hubspot-errors.ts';
import {
  customProperties,
  knowsProperty,
  type ObjectType,
  readOnlyProperties,
  writableProperties,
} from './hubspot-properties.ts';
import { type SandboxSettings, withSettings } from './settings.ts';
import { type Answer, ok } from './wire.ts';

/**
 * Property definitions as `/crm/v3/properties/{objectType}` serves them: how a client learns whether the portal has the
 * unique task property it needs, and makes one.
 * https://developers.hubspot.com/docs/api-reference/legacy/crm/properties/guide
 */

export function listProperties(call: Call): Answer {
  const type = objectType(call);
  const names = [...readOnlyProperties(type), ...writableProperties(type, call.state.settings)];
  const results = names.map((name) => definition(type, name, call.state.settings));
  return ok({ results });
}

export function readProperty(call: Call): Answer {
  const type = objectType(call);
  const name = param(call, 1);
  if (!knowsProperty(type, name, call.state.settings)) throw notFound(name);
  return ok(definition(type, name, call.state.settings));
}

const newProperty = v.object({
  name: v.pipe(v.string(), v.regex(/^[a-z][a-z0-9_]*$/)),
  label: v.string(),
  groupName: v.string(),
  type: v.string(),
  fieldType: v.string(),
  hasUniqueValue: v.optional(v.boolean()),
});

export function createProperty(call: Call): Answer {
  const type = objectType(call);
  const parsed = v.safeParse(newProperty, jsonBody(call));
  if (!parsed.success) throw invalidInput(`Invalid input JSON: ${v.summarize(parsed.issues)}`);
  const { name, hasUniqueValue } = parsed.output;
  const { settings } = call.state;
  if (knowsProperty(type, name, settings)) {
    throw new HubspotRefusal(409, 'OBJECT_ALREADY_EXISTS', `A property named '${name}' already exists.`);
  }
  if (type === 'contacts') {
    call.state.settings = withSettings(settings, {
      contactProperties: [...settings.contactProperties, name],
    });
  } else if (hasUniqueValue) {
    call.state.settings = withSettings(settings, {
      uniqueTaskProperties: [...settings.uniqueTaskProperties, name],
    });
  } else {
    call.state.settings = withSettings(settings, { taskProperties: [...settings.taskProperties, name] });
  }
  return { status: 201, body: definition(type, name, call.state.settings), applied: true };
}

function objectType(call: Call): ObjectType {
  const raw = param(call, 0);
  if (raw === 'contacts' || raw === 'contact' || raw === '0-1') return 'contacts';
  if (raw === 'tasks' || raw === 'task' || raw === '0-27') return 'tasks';
  throw invalidInput(`Unable to infer object type from: ${raw}`);
}

function definition(type: ObjectType, name: string, settings: SandboxSettings): Record<string, unknown> {
  const unique = type === 'contacts' ? name === 'email' : settings.uniqueTaskProperties.includes(name);
  return {
    name,
    label: name,
    type: 'string',
    fieldType: 'text',
    groupName: type === 'contacts' ? 'contactinformation' : 'task',
    description: '',
    options: [],
    hasUniqueValue: unique,
    hidden: false,
    archived: false,
    hubspotDefined: !customProperties(type, settings).includes(name),
    modificationMetadata: { readOnlyValue: readOnlyProperties(type).includes(name) },
  };
}
