import { ExecutionAlreadyExists, SFNClient, StartExecutionCommand } from '@aws-sdk/client-sfn';
import { type Workflow, WorkflowUnavailable } from '../ports/workflow.ts';

/**
 * Starts executions of one state machine. By name and input StartExecution is idempotent while the execution is open; afterwards
 * its name is refused for 90 days (https://docs.aws.amazon.com/step-functions/latest/apireference/API_StartExecution.html).
 */
export function stepFunctionsWorkflow(stateMachineArn: string, client = new SFNClient({})): Workflow {
  return {
    async start(name, input) {
      try {
        await client.send(new StartExecutionCommand({ stateMachineArn, name, input: JSON.stringify(input) }));
        return { started: true };
      } catch (error) {
        if (error instanceof ExecutionAlreadyExists) return { started: false };
        throw new WorkflowUnavailable(error);
      }
    },
  };
}
