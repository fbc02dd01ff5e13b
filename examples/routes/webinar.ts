import { defineRoute } from '../../functions/domain/route.ts';
import { contactForm } from './contact-form.ts';

/** The webinar tool numbers every try of its own anew: what comes again within two days is one lead. */
export const webinar = defineRoute({
  ...contactForm,
  name: 'webinar',
  source: 'The webinar tool.',
  identity: { originatesIn: 'The webinar tool, anew at every try.', survivesRetry: false },
  samePerson: { policy: 'join', windowHours: 48 },
});
