import { defineRoute } from '../../functions/domain/route.ts';

/** A contact form. One person in sales gets every lead, and what a person did in the CRM stands. */
export const contactForm = defineRoute({
  name: 'contact-form',
  source: 'The contact form of the website.',
  identity: { originatesIn: 'The form service, which numbers what is sent.', survivesRetry: true },
  delivery: 'at-least-once',
  changedFields: 'tell',
  samePerson: { policy: 'ask', windowHours: 24 },
  owner: { rule: 'fixed', ownerId: '71' },
  existingOwner: 'keep',
  changedOwner: 'ask',
  contactValues: 'fill-blanks',
  underSameKey: { tooEarly: 'resume', unreadable: 'resume' },
  limits: { attemptsPerAction: null },
  acceptSecondTask: true,
  drainPerMinute: 30,
  recoveryOwner: { name: 'Robin Okafor', email: 'robin.okafor@revops.example.com' },
  escalationOwner: { name: 'Mia Lindqvist', email: 'mia.lindqvist@revops.example.com' },
  approvers: [{ name: 'Tomas Vega', email: 'tomas.vega@revops.example.com' }],
  approvalPoint: null,
  crm: { adapter: 'hubspot' },
  mail: { adapter: 'resend' },
  task: {
    subject: 'Call {{lead.fullName}}',
    body: '{{lead.company|No company given}}: {{lead.message|no message}}',
    dueInHours: 24,
  },
  introduction: {
    templateVersion: '1',
    from: '{{owner.name}} <{{owner.email}}>',
    replyTo: '{{owner.email}}',
    subject: 'Your inquiry',
    text: 'Hello {{lead.firstName|there}},\n\nI will call you soon.\n\n{{owner.name}}\n\nReference: {{reference}}',
    html: [
      '<p>Hello {{lead.firstName|there}},</p>',
      '<p>I will call you soon.</p>',
      '<p>{{owner.name}}</p>',
      '<p><small>Reference: {{reference}}</small></p>',
    ].join('\n'),
  },
});
