import { defineRoute } from '../../functions/domain/route.ts';
import { contactForm } from './contact-form.ts';

/** Partners have an owner of their own, large companies in the north another; the rest goes to a third. */
export const regions = defineRoute({
  ...contactForm,
  name: 'regions',
  owner: {
    rule: 'first-match',
    rules: [
      { when: { emailDomain: ['partner.example.com'] }, ownerId: '93' },
      { when: { country: ['Finland', 'FI', 'Sweden', 'SE'], companySize: ['1000+'] }, ownerId: '82' },
    ],
    defaultOwnerId: '71',
  },
});
