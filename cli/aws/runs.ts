import { executionName, type LeadKey } from '../../functions/domain/action.ts';
import type { AwsAccess } from './access.ts';
import { describedExecution } from './execution-status.ts';
import { handoffMachine } from './state-machine.ts';

/** One run of a handoff, as Step Functions tells it. */
export interface Run {
  readonly run: number;
  readonly execution: string;
  /** In Step Functions' own words, or DOES_NOT_EXIST. */
  readonly status: string;
  /** Epoch milliseconds; null where Step Functions does not know it, or while it runs. */
  readonly startedAt: number | null;
  readonly endedAt: number | null;
}

export interface Runs {
  /** Null where it could not be asked for. */
  readonly machine: string | null;
  /** Those that Step Functions told of in time, the newest last. */
  readonly runs: readonly Run[];
}

const PATIENCE_MS = 4_000;
/** Runs of one handoff that are asked for: the newest. */
const MOST_RUNS = 10;

/**
 * The runs of a handoff up to its current one. What Step Functions does not tell in time, or may not tell these credentials, is left
 * out: nothing that a person came for depends on it.
 */
export async function runsOf(aws: AwsAccess, key: LeadKey, current: number): Promise<Runs> {
  const abortSignal = AbortSignal.timeout(PATIENCE_MS);
  const machine = await handoffMachine(aws, { abortSignal }).catch(() => null);
  if (machine === null) return { machine, runs: [] };
  const first = Math.max(1, current - MOST_RUNS + 1);
  const numbers = Array.from({ length: current - first + 1 }, (_, i) => first + i);
  const executions = machine.replace(':stateMachine:', ':execution:');
  const told = await Promise.allSettled(
    numbers.map(async (run): Promise<Run> => {
      const execution = executionName(key, run);
      return {
        run,
        execution,
        ...(await describedExecution(aws, `${executions}:${execution}`, abortSignal)),
      };
    }),
  );
  return { machine, runs: told.flatMap((one) => (one.status === 'fulfilled' ? [one.value] : [])) };
}
