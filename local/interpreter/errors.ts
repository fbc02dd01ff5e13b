/** The definition or the run asks for something that this interpreter does not know. It refuses instead of guessing. */
export class UnsupportedFeature extends Error {
  override readonly name = 'UnsupportedFeature';
  readonly feature: string;
  readonly state: string | undefined;

  /** @param feature what is not known, as a noun phrase; @param state the state that uses it, if one does */
  constructor(feature: string, state?: string) {
    super(
      `${state === undefined ? 'The state machine' : `State '${state}'`} uses ${feature}, which the local engine does not know.`,
    );
    this.feature = feature;
    this.state = state;
  }
}

/** The definition is not valid Amazon States Language; AWS would refuse it at creation too. */
export class InvalidDefinition extends Error {
  override readonly name = 'InvalidDefinition';
  readonly state: string | undefined;

  constructor(problem: string, state?: string) {
    super(`${state === undefined ? 'State machine' : `State '${state}'`}: ${problem}`);
    this.state = state;
  }
}

/** A TaskRunner throws this when the called service or function answers with an error. */
export class TaskFailed extends Error {
  override readonly name = 'TaskFailed';
  readonly error: string | undefined;
  override readonly cause: string | undefined;

  /** @param error the error name that Retry and Catch see; @param cause a text, often JSON */
  constructor({ error, cause }: { error?: string; cause?: string }) {
    super(`The task failed with ${error ?? 'no error name'}: ${cause ?? 'no cause'}`);
    this.error = error;
    this.cause = cause;
  }
}

/** No task of this execution was ever given this token. */
export class TaskDoesNotExist extends Error {
  override readonly name = 'TaskDoesNotExist';

  constructor() {
    super('No task of this execution has this task token.');
  }
}

/** The token is known, but its task no longer waits: it was answered, timed out, or its execution ended. */
export class TaskTimedOut extends Error {
  override readonly name = 'TaskTimedOut';

  constructor() {
    super('The task of this token no longer waits for an answer.');
  }
}

/**
 * A state failed, with the error name and cause that Retry and Catch see. `alsoKnownAs` holds a second
 * name that matches in ErrorEquals; `uncatchable` failures end the execution whatever the definition says.
 */
export class StateFailure extends Error {
  override readonly name = 'StateFailure';
  readonly error: string | undefined;
  override readonly cause: string | undefined;
  readonly alsoKnownAs: string | undefined;
  readonly uncatchable: boolean;

  constructor(
    error: string | undefined,
    cause: string | undefined,
    options: { alsoKnownAs?: string; uncatchable?: boolean } = {},
  ) {
    super(`${error ?? 'no error name'}: ${cause ?? 'no cause'}`);
    this.error = error;
    this.cause = cause;
    this.alsoKnownAs = options.alsoKnownAs;
    this.uncatchable = options.uncatchable ?? false;
  }
}

/** The scope (branch, iteration, execution) was aborted; whoever aborted it reports why. Never leaves the interpreter. */
export class ScopeAborted extends Error {
  override readonly name = 'ScopeAborted';

  constructor() {
    super('This scope was aborted.');
  }
}
