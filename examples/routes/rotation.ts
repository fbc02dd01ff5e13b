import { defineRoute } from '../../functions/domain/route.ts';
import { contactForm } from './contact-form.ts';

/** Three people take turns. The first one works full time and gets twice the leads of each of the others. */
export const rotation = defineRoute({
  ...contactForm,
  name: 'rotation',
  owner: {
    rule: 'round-robin',
    owners: [
      { ownerId: '71', weight: 2 },
      { ownerId: '82', weight: 1 },
      { ownerId: '93', weight: 1 },
    ],
  },
});
