import type { LeadKey } from './action.ts';
import type { Evidence } from './evidence.ts';
import type { RouteSettings } from './route.ts';

/** What links to the AWS console are made from. Region, account and partition stand in the ARN. */
export interface LinkContext {
  /** The ARN of the stage's handoff state machine. */
  readonly stateMachineArn: string;
}

/** Pages that a person may want to open; null where the record does not hold what the link needs. */
export interface RecordLinks {
  /** The handoff's current execution in the Step Functions console. */
  readonly execution: string | null;
  /** The route's recovery state machine in the console, where decisions are started. */
  readonly recovery: string | null;
  /** The contact in HubSpot. */
  readonly contact: string | null;
  /** The message in Resend. */
  readonly message: string | null;
}

/** The console's host name in each partition (https://docs.aws.amazon.com/general/latest/gr/aws-service-information.html). */
const CONSOLES: Readonly<Record<string, string>> = {
  aws: 'console.aws.amazon.com',
  'aws-us-gov': 'console.amazonaws-us-gov.com',
  'aws-cn': 'console.amazonaws.cn',
};

/** The ARN of the state machine by which decisions about a route's handoffs are recorded. */
export function recoveryMachineArn({ stateMachineArn }: LinkContext, route: string): string {
  return `${stateMachineArn}-recovery-${route}`;
}

/** An execution's page in the console; null in a partition whose console we do not know. */
export function executionLink({ stateMachineArn }: LinkContext, execution: string): string | null {
  const arn = `${stateMachineArn.replace(':stateMachine:', ':execution:')}:${execution}`;
  return consolePage(arn, 'v2/executions/details');
}

/** The page of a route's recovery state machine, with its button "Start execution". */
export function recoveryLink(context: LinkContext, { route }: Pick<LeadKey, 'route'>): string | null {
  return consolePage(recoveryMachineArn(context, route), 'statemachines/view');
}

function consolePage(arn: string, page: string): string | null {
  const [, partition = '', , region] = arn.split(':');
  const host = CONSOLES[partition];
  if (!host || !region) return null;
  return `https://${region}.${host}/states/home?region=${region}#/${page}/${arn}`;
}

/** A contact's page in HubSpot; null without the account's number, and for an id that is none of HubSpot's. */
export function contactLink({ portalId }: RouteSettings['crm'], contactId: string | null): string | null {
  if (portalId === undefined || !contactId?.match(/^\d+$/)) return null;
  return `https://app.hubspot.com/contacts/${portalId}/record/0-1/${contactId}`;
}

/** A sent message's page in Resend; null where the evidence names none. */
export function messageLink(evidence: Pick<Evidence, 'recordId'> | null): string | null {
  const id = evidence?.recordId ?? null;
  return id !== null && /^[\w-]{1,64}$/.test(id) ? `https://resend.com/emails/${id}` : null;
}
