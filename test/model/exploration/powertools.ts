import type { DecoratedAttempt } from '../../../functions/actions/action-function.ts';
import type { Outcome } from '../../../functions/domain/outcome.ts';
import type { Io, Op } from './coroutine.ts';
import { NO_ANSWER } from './ports.ts';
import type { Remembered } from './world.ts';

/** A request of Powertools to its table. Only `begin` carries a condition. */
export interface RememberOp extends Op {
  readonly name: 'remember';
  readonly what: 'begin' | 'save' | 'delete';
  readonly key: string;
  /** `begin`: from then on another may take the record over. */
  readonly until: number;
  readonly outcome: Outcome | null;
}

/** `begin`: the record that stands in the way, or null. */
export type RememberAnswer = { readonly standing: Remembered | null } | typeof NO_ANSWER;

class IdempotencyPersistenceLayerError extends Error {
  override readonly name = 'IdempotencyPersistenceLayerError';
}

class IdempotencyAlreadyInProgressError extends Error {
  override readonly name = 'IdempotencyAlreadyInProgressError';
}

/**
 * `@idempotent` of Powertools 2.35.0 as it behaves: a record in progress may be taken over once its time has passed, a throw deletes
 * the record, a returned value seals it, saving and deleting carry no condition, a failed save throws after the effect and a failed
 * delete masks the error that led to it. `test/unit/core/powertools-*.test.ts` hold the real one to the same.
 */
export function decoratedBy(io: Io, endsAt: number): DecoratedAttempt {
  return async ({ idempotencyKey: key }, run) => {
    const ask = async (what: RememberOp['what'], outcome: Outcome | null = null) => {
      const op: RememberOp = { name: 'remember', what, key, until: endsAt, outcome };
      const answer = (await io.call(op)) as RememberAnswer;
      if (answer === NO_ANSWER) throw new IdempotencyPersistenceLayerError();
      return answer.standing;
    };
    const standing = await ask('begin');
    if (standing?.outcome) return standing.outcome;
    if (standing) throw new IdempotencyAlreadyInProgressError();
    let outcome: Outcome;
    try {
      outcome = await run();
    } catch (error) {
      await ask('delete');
      throw error;
    }
    await ask('save', outcome);
    return outcome;
  };
}
