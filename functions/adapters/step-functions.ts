import {
  DescribeExecutionCommand,
  ExecutionAlreadyExists,
  ExecutionDoesNotExist,
  InvalidToken,
  SendTaskSuccessCommand,
  SFNClient,
  StartExecutionCommand,
  StopExecutionCommand,
  TaskDoesNotExist,
  TaskTimedOut,
} from '@aws-sdk/client-sfn';
import { type ExecutionStatus, type Workflow, WorkflowUnavailable } from '../ports/workflow.ts';

/**
 * Executions of one state machine. By name and input StartExecution is idempotent while the execution is open; afterwards its name
 * is refused for 90 days (https://docs.aws.amazon.com/step-functions/latest/apireference/API_StartExecution.html).
 */
export function stepFunctionsWorkflow(stateMachineArn: string, client = new SFNClient({})): Workflow {
  const arnOf = (name: string) => `${stateMachineArn.replace(':stateMachine:', ':execution:')}:${name}`;
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
    async status(name) {
      try {
        const command = new DescribeExecutionCommand({
          executionArn: arnOf(name),
          includedData: 'METADATA_ONLY',
        });
        return (await client.send(command)).status as ExecutionStatus;
      } catch (error) {
        if (error instanceof ExecutionDoesNotExist) return 'DOES_NOT_EXIST';
        throw new WorkflowUnavailable(error);
      }
    },
    async stop(name, cause) {
      try {
        await client.send(new StopExecutionCommand({ executionArn: arnOf(name), error: 'Stopped', cause }));
      } catch (error) {
        if (!(error instanceof ExecutionDoesNotExist)) throw new WorkflowUnavailable(error);
      }
    },
    async complete(token) {
      try {
        await client.send(new SendTaskSuccessCommand({ taskToken: token, output: '{}' }));
        return true;
      } catch (error) {
        const gone = [InvalidToken, TaskDoesNotExist, TaskTimedOut].some((kind) => error instanceof kind);
        if (gone) return false;
        throw new WorkflowUnavailable(error);
      }
    },
  };
}
