import { arn } from './aws-error.ts';

/** The bare name of a function that is given by name, by ARN, partial ARN, or with a qualifier. */
export function functionNameOf(given: string): string {
  const parts = given.split(':');
  const at = parts.indexOf('function');
  return (at < 0 ? parts[0] : parts[at + 1]) ?? given;
}

/** The unqualified ARN of a function that is given in any of these ways. */
export function functionArnOf(given: string): string {
  return arn('lambda', `function:${functionNameOf(given)}`);
}
