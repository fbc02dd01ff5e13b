import { explainAws } from '../aws/explain.ts';
import { sentenceOf } from '../errors.ts';
import type { Settings } from '../settings.ts';

/** A question to AWS that had no good answer. */
export interface AwsFailure {
  /** A sentence, with its full stop. */
  readonly problem: string;
  /** What to do about it; null where the check itself knows best. */
  readonly fix: string | null;
  /** AWS took the credentials and said that there is no such thing, or that it may not be asked. */
  readonly answered: boolean;
}

const MISSING = [
  'AWS.SimpleQueueService.NonExistentQueue',
  'QueueDoesNotExist',
  'ResourceNotFoundException',
  'StateMachineDoesNotExist',
];

export function awsFailure(error: unknown, settings: Settings): AwsFailure {
  const name = error instanceof Error ? error.name : '';
  if (MISSING.includes(name)) return { problem: 'there is none of that name.', fix: null, answered: true };
  const known = explainAws(error, settings);
  if (!known) return { problem: sentenceOf(error), fix: 'run this again.', answered: false };
  const { problem, remedy } = known;
  const denied = name.startsWith('AccessDenied');
  const fix = remedy ?? (denied ? 'use credentials that may read it' : 'run this again');
  return { problem: `${problem}.`, fix: `${fix}.`, answered: denied };
}
