/**
 * The refusals and results that the workflow sees by name. Class names do not survive minification, so each name is a
 * literal. Messages carry codes and ids only.
 */

/** Not now: nothing was claimed and nothing was called. */
export class Held extends Error {
  override readonly name = 'Held';
  constructor(reason: string) {
    super(`The action is held before its claim (${reason}).`);
  }
}

/** Another execution acts for this handoff now. */
export class NotCurrent extends Error {
  override readonly name = 'NotCurrent';
  constructor(execution: string) {
    super(`Execution ${execution} is not the current one of its handoff.`);
  }
}

/** An action that this one needs was stopped. */
export class DependencyStopped extends Error {
  override readonly name = 'DependencyStopped';
  constructor(action: string) {
    super(`${action} was stopped, and this action needs it.`);
  }
}

/** The CRM has no such owner, so there is nobody to introduce. */
export class OwnerUnknown extends Error {
  override readonly name = 'OwnerUnknown';
  constructor() {
    super('The CRM does not know the owner of this contact.');
  }
}

/** The ledger has no permission for this attempt. */
export class NoGrant extends Error {
  override readonly name = 'NoGrant';
  constructor(attempt: number, code: string) {
    super(`Attempt ${attempt} has no valid grant (${code}).`);
  }
}

/** Another worker holds this attempt and may still run. */
export class AttemptInFlight extends Error {
  override readonly name = 'AttemptInFlight';
  constructor(attempt: number) {
    super(`Attempt ${attempt} is being run by another worker.`);
  }
}

/** The attempt ran and provably had no effect. */
export class NotApplied extends Error {
  override readonly name = 'NotApplied';
  constructor(reason: string) {
    super(`The attempt had no effect (${reason}).`);
  }
}

/** The attempt ran and nobody knows yet what it did. */
export class OutcomeUnknown extends Error {
  override readonly name = 'OutcomeUnknown';
  constructor(reason: string) {
    super(`What the attempt did is not known (${reason}).`);
  }
}

/** The destination refused for a reason that must be fixed. */
export class Refused extends Error {
  override readonly name = 'Refused';
  constructor(reason: string) {
    super(`The destination refused (${reason}).`);
  }
}

/** No lead request of this id was accepted on this route. */
export class UnknownHandoff extends Error {
  override readonly name = 'UnknownHandoff';
  constructor(route: string, leadRequestId: string) {
    super(`There is no handoff ${leadRequestId} on route ${route}.`);
  }
}

/** No route of this name is configured. */
export class UnknownRoute extends Error {
  override readonly name = 'UnknownRoute';
  constructor(known: readonly string[]) {
    super(`route: expected one of ${known.join(', ')}.`);
  }
}

/** The same id came with other fields than the first time. */
export class LeadConflict extends Error {
  override readonly name = 'LeadConflict';
  constructor(leadRequestId: string) {
    super(
      `leadRequestId: ${leadRequestId} was accepted before with other fields; the first one stands, this one is kept as a conflict.`,
    );
  }
}

/** Messages under this id could not be accepted, and a person investigates them. */
export class UnderInvestigation extends Error {
  override readonly name = 'UnderInvestigation';
  constructor(leadRequestId: string) {
    super(
      `leadRequestId: messages under ${leadRequestId} are being investigated; until that is over an approver alone may hand it in, and this one is kept as a conflict.`,
    );
  }
}

/** A handoff cannot be closed while an action is not final. */
export class NotFinal extends Error {
  override readonly name = 'NotFinal';
  constructor(actions: readonly string[]) {
    super(`The handoff cannot be closed: ${actions.join(', ')} not final.`);
  }
}

/** A function was called with something else than the workflow sends. */
export class InvalidEvent extends Error {
  override readonly name = 'InvalidEvent';
  constructor(field: string) {
    super(`${field}: is missing, or not what this function expects.`);
  }
}
