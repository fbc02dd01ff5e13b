import { GetFunctionConfigurationCommand } from '@aws-sdk/client-lambda';
import type { AwsAccess } from './access.ts';

/** The environment of a function. A function whose environment cannot be decrypted has an empty one. */
export async function functionEnvironment(
  { lambda }: AwsAccess,
  name: string,
  options: { readonly abortSignal?: AbortSignal } = {},
): Promise<Readonly<Record<string, string>>> {
  const answer = await lambda.send(new GetFunctionConfigurationCommand({ FunctionName: name }), options);
  return answer.Environment?.Variables ?? {};
}
