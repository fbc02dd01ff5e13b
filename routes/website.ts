import { defineRoute } from '../functions/domain/route.ts';

/** Leads from the contact form of the website. */
export const website = defineRoute({
  name: 'website',
  source: 'The contact form of the website; its form id and submission number make the lead request id.',
  owner: { rule: 'fixed', ownerId: '71' },
  existingOwner: 'keep',
  changedOwner: 'ask',
  contactValues: 'fill-blanks',
  recoveryOwner: { name: 'Robin Okafor', email: 'robin.okafor@revops.example.com' },
  escalationOwner: { name: 'Mia Lindqvist', email: 'mia.lindqvist@revops.example.com' },
  approvers: [{ name: 'Tomas Vega', email: 'tomas.vega@revops.example.com' }],
  approvalPoint: null,
  limits: {},
  underSameKey: { tooEarly: 'resume', unreadable: 'resume' },
  acceptSecondTask: true,
  crm: { adapter: 'hubspot' },
  mail: { adapter: 'resend' },
  task: {
    subject: 'Call {{lead.fullName}}',
    body: 'New inquiry from {{lead.fullName}}, {{lead.company|no company given}}: {{lead.message|no message}}',
    dueInHours: 24,
  },
  introduction: {
    templateVersion: '1',
    from: '{{owner.name}} <{{owner.email}}>',
    replyTo: '{{owner.email}}',
    subject: 'Your inquiry',
    text: [
      'Hello {{lead.firstName|there}},',
      '',
      'thank you for writing to us. I am {{owner.name}} and I will take care of your inquiry.',
      'Just answer this email to reach me.',
      '',
      '{{owner.name}}',
      '{{owner.email}}',
      '',
      'Reference: {{reference}}',
    ].join('\n'),
    html: [
      '<p>Hello {{lead.firstName|there}},</p>',
      '<p>thank you for writing to us. I am {{owner.name}} and I will take care of your inquiry.<br>',
      'Just answer this email to reach me.</p>',
      '<p>{{owner.name}}<br><a href="mailto:{{owner.email}}">{{owner.email}}</a></p>',
      '<p><small>Reference: {{reference}}</small></p>',
    ].join('\n'),
  },
});
