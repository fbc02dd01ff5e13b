import { APP_IDS } from './auth.ts';
import { createContact, findByEmail } from './contact-store.ts';
import { ControlRefusal, check, resetSchema } from './control-schema.ts';
import { inspect } from './inspect.ts';
import { checkedProperties } from './people.ts';
import { integration, person } from './property-history.ts';
import type { Workbench } from './sandbox.ts';
import { defaultSettings, type SettingsInput, withSettings } from './settings.ts';
import { createState, type SandboxState } from './state.ts';
import { createTask } from './task-store.ts';

/** Seeds are a day old unless they say otherwise, so that no lag hides them. */
const A_DAY = 24 * 60 * 60 * 1000;

/**
 * Forgets everything (records, messages, keys, faults, effects still to land, the request log), goes back to the
 * settings the sandbox was created with, lays the given ones over them, and puts the seeds in. Throws `ControlRefusal`
 * and changes nothing when the body is wrong.
 */
export function reset(bench: Workbench, body: unknown): Record<string, unknown> {
  const { contacts, tasks, ...settings } = check(resetSchema, body);
  const state = createState(
    withSettings(withSettings(defaultSettings, bench.initialSettings), settings as SettingsInput),
  );
  const longAgo = bench.clock() - A_DAY;
  for (const { email, ownerId, properties, by, at } of contacts) {
    const given = {
      ...properties,
      ...(email === undefined ? {} : { email }),
      ...(ownerId === undefined ? {} : { hubspot_owner_id: ownerId }),
    };
    const source = by === 'person' ? person() : integration(APP_IDS.full);
    const checked = checkedProperties(state, 'contacts', given);
    if (checked.email && findByEmail(state, checked.email)) {
      throw new ControlRefusal(400, 'The field "contacts" is wrong: two of them have the same email.');
    }
    createContact(state, checked, at ? Date.parse(at) : longAgo, source);
  }
  for (const { email, properties, at } of tasks)
    seedTask(state, email, properties, at ? Date.parse(at) : longAgo);
  bench.state = state;
  return inspect(state);
}

function seedTask(
  state: SandboxState,
  email: string,
  properties: Readonly<Record<string, string>>,
  at: number,
): void {
  const contact = findByEmail(state, email);
  if (!contact) throw new ControlRefusal(400, 'The field "tasks.email" is wrong: no seeded contact has it.');
  createTask(state, checkedProperties(state, 'tasks', properties), [contact.id], at, person());
}
