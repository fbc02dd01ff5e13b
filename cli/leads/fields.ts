import type { LeadRequest } from '../../functions/domain/lead-request.ts';

/** Every field of a lead request. The compiler says when one is missing. */
export const LEAD_FIELDS: readonly string[] = Object.keys({
  leadRequestId: true,
  email: true,
  firstName: true,
  lastName: true,
  company: true,
  phone: true,
  message: true,
  country: true,
  language: true,
  companySize: true,
  sourceReference: true,
  ownerId: true,
} satisfies Record<keyof LeadRequest, true>);

export const FIELD_LIST = LEAD_FIELDS.join(', ');

/** What a lead request says of a field that it does not have. */
export const NO_FIELD = 'is not a field of a lead request';
