import * as v from 'valibot';
import { leadRequestSchema } from './lead-request.ts';
import type { RouteSettings } from './route.ts';
import { typedName, typedReason } from './typed-words.ts';

const by = typedName('expected the name or the email address of an approver');
const reason = typedReason('expected why, in one line and without personal data');
const leadRequestId = leadRequestSchema.entries.leadRequestId;

/** An approver's word that a lead request may be accepted although messages under its id are being investigated. */
export const approvalSchema = v.strictObject({
  by,
  reason,
  /** The id under which the dead letter is kept, where that is not the lead request's own. */
  keptUnder: v.optional(leadRequestId),
});

/** An approver's word that there is nothing to hand off in the dead letters of an id. */
export const dismissalSchema = v.strictObject({ leadRequestId, by, reason });

export type Approval = v.InferOutput<typeof approvalSchema>;
export type Dismissal = v.InferOutput<typeof dismissalSchema>;

/** Somebody else than an approver of the route decides what only approvers may. */
export class NotAnApprover extends Error {
  override readonly name = 'NotAnApprover';
  constructor({ name, approvers }: Pick<RouteSettings, 'name' | 'approvers'>) {
    const known = approvers.map((approver) => `${approver.name} (${approver.email})`).join(' or ');
    super(
      `Only an approver may do this: on route ${name} that is ${known}, and "by" must be the name or the email address as written here.`,
    );
  }
}

/** @throws NotAnApprover naming those who are */
export function assertApprover(who: string, route: Pick<RouteSettings, 'name' | 'approvers'>): void {
  if (!isApprover(who, route)) throw new NotAnApprover(route);
}

/** Whether this is the name or the email address of an approver of the route; upper and lower case make no difference. */
export function isApprover(who: string, { approvers }: Pick<RouteSettings, 'approvers'>): boolean {
  const folded = who.toLowerCase();
  return approvers.some(
    ({ name, email }) => name.normalize('NFC').toLowerCase() === folded || email.toLowerCase() === folded,
  );
}
