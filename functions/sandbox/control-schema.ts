import * as v from 'valibot';
import { settingsEntries } from './settings.ts';

/** A control request that cannot be carried out; the message is the sentence for the person who made it. */
export class ControlRefusal extends Error {
  override readonly name = 'ControlRefusal';
  readonly status: number;

  constructor(status: number, message: string) {
    super(message);
    this.status = status;
  }
}

/** Throws `ControlRefusal` (400) with one sentence that names the first wrong field. */
export function check<TSchema extends v.GenericSchema>(
  schema: TSchema,
  input: unknown,
): v.InferOutput<TSchema> {
  const parsed = v.safeParse(schema, input);
  if (parsed.success) return parsed.output;
  const [issue] = parsed.issues;
  const field = v.getDotPath(issue);
  const isUnknown = issue.type === 'strict_object' && issue.expected === 'never';
  const problem = isUnknown ? 'there is no such field.' : issue.message.replace(/\.?$/, '.');
  throw new ControlRefusal(
    400,
    field ? `The field "${field}" is wrong: ${problem}` : `The body is wrong: ${problem}`,
  );
}

const text = v.pipe(v.string(), v.minLength(1));
const propertyValues = v.record(v.string(), v.string());
const userId = v.pipe(v.number(), v.integer());

/** A contact is named by one of the two. */
const oneContact = { contactId: v.optional(text), email: v.optional(text) };
const byPerson = { byUserId: v.optional(userId) };

export const personSchemas = {
  'set-owner': v.strictObject({ ...oneContact, ownerId: v.nullable(v.string()), ...byPerson }),
  edit: v.strictObject({ ...oneContact, properties: propertyValues, ...byPerson }),
  create: v.strictObject({ properties: propertyValues, ...byPerson }),
  merge: v.strictObject({ ...oneContact, otherContactId: v.optional(text), otherEmail: v.optional(text) }),
  archive: v.strictObject(oneContact),
  restore: v.strictObject({ contactId: text }),
  'opt-out': v.strictObject({ ...oneContact, ...byPerson }),
  'create-task': v.strictObject({ ...oneContact, properties: propertyValues, ...byPerson }),
  'edit-task': v.strictObject({ taskId: text, properties: propertyValues, ...byPerson }),
  'complete-task': v.strictObject({ taskId: text, ...byPerson }),
  'archive-task': v.strictObject({ taskId: text }),
  'archive-owner': v.strictObject({ ownerId: text }),
  'email-event': v.strictObject({
    emailId: text,
    lastEvent: v.picklist([
      'bounced',
      'canceled',
      'clicked',
      'complained',
      'delivered',
      'delivery_delayed',
      'failed',
      'opened',
      'queued',
      'scheduled',
      'sent',
      'suppressed',
    ]),
  }),
} as const;

export type PersonAction = keyof typeof personSchemas;
export type PersonInput<A extends PersonAction> = v.InferOutput<(typeof personSchemas)[A]>;

/** ISO time. */
const moment = v.pipe(v.string(), v.isoTimestamp());

export const resetSchema = v.strictObject({
  ...settingsEntries,
  contacts: v.optional(
    v.array(
      v.strictObject({
        email: v.optional(text),
        ownerId: v.optional(text),
        properties: v.optional(propertyValues, {}),
        by: v.optional(v.picklist(['person', 'integration']), 'person'),
        at: v.optional(moment),
      }),
    ),
    [],
  ),
  tasks: v.optional(
    v.array(
      v.strictObject({ email: text, properties: v.optional(propertyValues, {}), at: v.optional(moment) }),
    ),
    [],
  ),
});
