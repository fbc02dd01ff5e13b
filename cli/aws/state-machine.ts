import type { AwsAccess } from './access.ts';
import { functionEnvironment } from './function-environment.ts';

/**
 * The ARN of the stage's handoff state machine, as its start function knows it; null where that function does not say.
 *
 * @throws whatever Lambda answers
 */
export async function handoffMachine(
  aws: AwsAccess,
  options: { readonly abortSignal?: AbortSignal } = {},
): Promise<string | null> {
  const { STATE_MACHINE_ARN } = await functionEnvironment(aws, aws.startFunction, options);
  return STATE_MACHINE_ARN || null;
}
