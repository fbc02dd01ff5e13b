/** The four actions of a handoff, in the order in which the workflow draws them. */
export const ACTIONS = ['upsert-contact', 'assign-owner', 'create-task', 'send-introduction'] as const;

export type ActionName = (typeof ACTIONS)[number];

/** What an action needs before it can run: the named actions must have been performed. */
export const DEPENDENCIES: Readonly<Record<ActionName, readonly ActionName[]>> = {
  'upsert-contact': [],
  'assign-owner': ['upsert-contact'],
  'create-task': ['upsert-contact'],
  'send-introduction': ['upsert-contact', 'assign-owner'],
};

/** A lead request within its route. */
export interface LeadKey {
  readonly route: string;
  readonly leadRequestId: string;
}

/** The identity that every attempt of an operation carries to the destination. */
export function operationIdentity(key: LeadKey, action: ActionName, replacement = 1): string {
  const identity = `${key.route}/${key.leadRequestId}/${action}`;
  return replacement === 1 ? identity : `${identity}/r${replacement}`;
}

/** An operation's identity without its action, as people see it in texts: `website/form-7-1042`, or with `/r2` behind it. */
export function referenceOf(identity: string): string {
  const [route, leadRequestId, _action, ...replacement] = identity.split('/');
  return [route, leadRequestId, ...replacement].join('/');
}

/** The execution name of run n: at most 80 characters, because a route has at most 12 and an id at most 64. */
export function executionName(key: LeadKey, run: number): string {
  return `${key.route}.${key.leadRequestId}.${run}`;
}
