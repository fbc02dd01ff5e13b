import type { ActionName } from '../../functions/domain/action.ts';
import type { ContractKind, ReceiverContract } from '../../functions/domain/contract.ts';
import { defineRoute, type RouteAnswers, type RouteSettings } from '../../functions/domain/route.ts';
import type { StageNumbers } from '../../functions/domain/stage-numbers.ts';

const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;

/** Round numbers, so that expected times can be written down. A worker is gone after 15 s; its call has landed after 75 s. */
export const NUMBERS: StageNumbers = {
  httpTimeoutMs: 8 * SECOND,
  claimDeadlineMs: 12 * SECOND,
  functionTimeoutSeconds: 15,
  taskTimeoutSeconds: 25,
  landingBoundMs: 60 * SECOND,
  readLagMs: 10 * SECOND,
  searchLagMs: 60 * SECOND,
  backOffBaseMs: 10 * SECOND,
  backOffCapMs: 15 * MINUTE,
  backOffFloorMs: 2 * SECOND,
  attempts: 4,
  grantExpiryMs: 10 * MINUTE,
  askSlaSeconds: 4 * 3600,
  escalations: 3,
  parkSeconds: 900,
  keyWindowMs: 24 * HOUR,
  keyWindowMarginMs: HOUR,
  unreadableReads: 3,
};

export const CONTRACT: ReceiverContract = {
  destination: 'hubspot',
  kind: 'natural-key',
  keyWindowMs: null,
  keyWindowMarginMs: 0,
  landingBoundMs: 60 * SECOND,
  readLagMs: 10 * SECOND,
  sources: [],
};

export const MAIL_CONTRACT: ReceiverContract = {
  ...CONTRACT,
  destination: 'resend',
  kind: 'idempotency-key',
  keyWindowMs: 24 * HOUR,
  keyWindowMarginMs: HOUR,
};

export function contractOfKind(kind: ContractKind): ReceiverContract {
  return kind === 'idempotency-key' ? MAIL_CONTRACT : { ...CONTRACT, kind };
}

/** What each action's receiver promises on the bench. */
export const CONTRACTS: Readonly<Record<ActionName, ReceiverContract>> = {
  'upsert-contact': CONTRACT,
  'assign-owner': CONTRACT,
  'create-task': { ...CONTRACT, kind: 'stamp-and-search' },
  'send-introduction': MAIL_CONTRACT,
};

export const ROUTE_ANSWERS: RouteAnswers = {
  name: 'web',
  source: 'The form of the test site.',
  identity: { originatesIn: 'The test site.', survivesRetry: true },
  delivery: 'at-least-once',
  changedFields: 'keep',
  samePerson: { policy: 'allow', windowHours: 24 },
  owner: { rule: 'fixed', ownerId: '71' },
  existingOwner: 'keep',
  changedOwner: 'ask',
  contactValues: 'fill-blanks',
  recoveryOwner: { name: 'Robin', email: 'robin@revops.example.com' },
  escalationOwner: { name: 'Mia', email: 'mia@revops.example.com' },
  approvers: [{ name: 'Tomas', email: 'tomas@revops.example.com' }],
  approvalPoint: null,
  limits: { attemptsPerAction: null },
  drainPerMinute: 30,
  underSameKey: { tooEarly: 'resume', unreadable: 'resume' },
  acceptSecondTask: true,
  crm: { adapter: 'hubspot' },
  mail: { adapter: 'resend' },
  task: { subject: 'Call {{lead.fullName}}', body: 'From {{lead.company|nowhere}}', dueInHours: 24 },
  introduction: {
    templateVersion: '1',
    from: '{{owner.name}} <{{owner.email}}>',
    replyTo: '{{owner.email}}',
    subject: 'Your inquiry',
    text: 'Hello {{lead.firstName|there}}, I am {{owner.name}}. {{reference}}',
    html: '<p>Hello {{lead.firstName|there}}, I am {{owner.name}}. {{reference}}</p>',
  },
};

export function testRoute(answers: Partial<RouteAnswers> = {}): RouteSettings {
  return defineRoute({ ...ROUTE_ANSWERS, ...answers });
}
