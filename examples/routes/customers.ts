import { defineRoute } from '../../functions/domain/route.ts';
import { contactForm } from './contact-form.ts';

/** Most who write here are customers: whoever owns their contact keeps them, also when that changes meanwhile. */
export const customers = defineRoute({
  ...contactForm,
  name: 'customers',
  owner: { rule: 'from-request', fallbackOwnerId: '71' },
  existingOwner: 'keep',
  changedOwner: 'keep',
  contactValues: 'fill-blanks',
});
