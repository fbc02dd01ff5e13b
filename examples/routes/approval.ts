import { defineRoute } from '../../functions/domain/route.ts';
import { contactForm } from './contact-form.ts';

/** No introduction is tried again, and no task is created a second time, without a person who says so. */
export const approval = defineRoute({
  ...contactForm,
  name: 'approval',
  approvalPoint: 'send-introduction',
  acceptSecondTask: false,
  approvers: [
    { name: 'Tomas Vega', email: 'tomas.vega@revops.example.com' },
    { name: 'Mia Lindqvist', email: 'mia.lindqvist@revops.example.com' },
  ],
  askSlaSeconds: 3600,
});
