import { intentHash } from '../functions/domain/intent.ts';
import { type LeadRequest, parseLeadRequest } from '../functions/domain/lead-request.ts';
import { seeded } from './chaos-random.ts';

/** What the CRM holds of the person before the lead comes. */
export type Existing = { readonly owner: string | null } | null;

export interface ChaosLead {
  readonly lead: LeadRequest;
  readonly existing: Existing;
}

const PEOPLE = [
  ['Zofia', 'Wiśniewska', 'Młyn Parowy'],
  ['Per', 'Lund', 'Fjord Sag'],
  ['Ines', 'Duarte', 'Moinho'],
  ['Seán', 'O’Brien', 'Mill Street'],
  ['Mei', 'Tanaka', 'Kumo'],
] as const;

/** How many leads ago the same person may have written, under another lead request id. */
const WRITES_AGAIN_AFTER = 5;

/** The n-th lead of a seed. One in twelve comes from a person who wrote before. */
export function leadAt(seed: number, index: number): ChaosLead {
  const random = seeded(seed, `lead ${index}`);
  const again = index >= WRITES_AGAIN_AFTER && random.chance(1 / 12);
  const person = again ? index - random.whole(1, WRITES_AGAIN_AFTER) : index;
  const [firstName, lastName, company] = PEOPLE[person % PEOPLE.length] ?? PEOPLE[0];
  const existing = random.pick<Existing>([null, null, null, { owner: null }, { owner: '82' }]);
  return {
    lead: parseLeadRequest({
      leadRequestId: `chaos-${index}`,
      email: `person-${person}@example.com`,
      firstName,
      lastName,
      ...(random.chance(0.7) ? { company } : {}),
      ...(random.chance(0.5) ? { phone: '+1 555 0142' } : {}),
      message: `Please call me back about order ${index}.`,
    }),
    existing: again ? null : existing,
  };
}

/** The same lead request from a source that writes its fields in another order and form. */
export function reordered(lead: LeadRequest): LeadRequest {
  const fields = Object.entries(lead).reverse();
  return Object.fromEntries(
    fields.map(([name, value]) => [
      name,
      name === 'leadRequestId' ? value : ` ${String(value).normalize('NFD')} `,
    ]),
  ) as unknown as LeadRequest;
}

/** Another lead request under the same id: it must never run. */
export function otherFields(lead: LeadRequest): LeadRequest {
  return parseLeadRequest({ ...lead, email: `other-${lead.email}` });
}

/** What a person adds to their name and to their message when they write again, so that every text tells which fields it is made of. */
export const CORRECTION = { firstName: 'Anna', message: 'It is urgent.' } as const;

/** The same person's lead request again, corrected: it must not run before an approver has put it in the place of the first one. */
export function correctedFields(lead: LeadRequest): LeadRequest {
  const { firstName = '', message = '' } = lead;
  return parseLeadRequest({
    ...lead,
    firstName: `${firstName} ${CORRECTION.firstName}`,
    message: `${message} ${CORRECTION.message}`,
  });
}

/** As what a lead request comes again under its id. */
export type Variant = 'same' | 'reordered' | 'other-fields' | 'corrected';

export function variantOf(lead: LeadRequest, as: Variant): LeadRequest {
  switch (as) {
    case 'same':
      return lead;
    case 'reordered':
      return reordered(lead);
    case 'other-fields':
      return otherFields(lead);
    case 'corrected':
      return correctedFields(lead);
  }
}

export function hashOf(lead: LeadRequest, as: Exclude<Variant, 'reordered'>): string {
  return intentHash(variantOf(lead, as));
}
