import type { ContactFields } from '../../ports/contacts.ts';

/** The lead's fields by HubSpot's property names. */
const PROPERTY_OF: Readonly<Record<keyof ContactFields, string>> = {
  email: 'email',
  firstName: 'firstname',
  lastName: 'lastname',
  company: 'company',
  phone: 'phone',
  country: 'country',
  language: 'hs_language',
};

export const OWNER_PROPERTY = 'hubspot_owner_id';
export const OPT_OUT_PROPERTY = 'hs_email_optout';

/** What a read of a contact asks for. */
export const CONTACT_PROPERTIES: readonly string[] = [
  ...Object.values(PROPERTY_OF),
  OWNER_PROPERTY,
  OPT_OUT_PROPERTY,
];

/** What a read of a task asks for. */
export const TASK_PROPERTIES: readonly string[] = ['hs_task_body', 'hs_task_status', 'hs_createdate'];

/**
 * The lead's fields as HubSpot contact properties. Blank fields are left out; the email and the language code are written in
 * lower case, as HubSpot keeps them, so that what is read back equals what was written.
 *
 * @see https://developers.hubspot.com/docs/api-reference/latest/crm/objects/contacts/guide
 */
export function contactProperties(fields: ContactFields): Record<string, string> {
  const properties: Record<string, string> = {};
  for (const [field, property] of Object.entries(PROPERTY_OF) as [keyof ContactFields, string][]) {
    const value = fields[field]?.trim() ?? '';
    if (value === '') continue;
    properties[property] = field === 'email' || field === 'language' ? value.toLowerCase() : value;
  }
  return properties;
}
