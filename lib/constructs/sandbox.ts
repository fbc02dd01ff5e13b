import { Fn } from 'aws-cdk-lib';
import { type Code, FunctionUrlAuthType } from 'aws-cdk-lib/aws-lambda';
import { Construct } from 'constructs';
import type { Stage } from '../../functions/domain/stage-numbers.ts';
import { HandoffFunction } from './handoff-function.ts';

export interface SandboxProps {
  readonly stage: Stage;
  readonly code: Code;
  readonly timeoutSeconds: number;
}

/** The sandbox destination in an account: one instance, because its state is in memory, that asks for a bearer secret. */
export class Sandbox extends Construct {
  /** The address without a slash at its end. */
  readonly url: string;

  constructor(scope: Construct, id: string, props: SandboxProps) {
    super(scope, id);
    const { stage } = props;
    const secretName = `${stage}/sandbox`;
    const handler = new HandoffFunction(this, 'Function', {
      ...props,
      name: 'sandbox',
      description: 'Plays the CRM and the mail sender for tests and drills.',
      reservedConcurrentExecutions: 1,
      environment: { SANDBOX_SECRET_NAME: secretName },
    });
    handler.allowSecret(secretName);
    // The vendors' protocols know no AWS signatures; the function itself checks the bearer secret.
    const { url } = handler.addFunctionUrl({ authType: FunctionUrlAuthType.NONE });
    // CloudFormation gives `https://<host>/`.
    this.url = `https://${Fn.select(2, Fn.split('/', url))}`;
  }
}
