/** The route whose leads chaos hands off. */
export const ROUTE = 'website';

/** Who decides what only an approver of the route may. */
export const APPROVER = 'Tomas Vega';

/** Of the stage as the engine runs it. */
export const HANDOFF_MACHINE = 'lead-handoff-local';
export const RECOVERY_MACHINE = `${HANDOFF_MACHINE}-recovery-${ROUTE}`;
export const NOTICE_MACHINE = `${HANDOFF_MACHINE}-notice-${ROUTE}`;
export const SWEEP = `${HANDOFF_MACHINE}-sweep`;

export function machineArn(name: string): string {
  return `arn:aws:states:us-east-1:000000000000:stateMachine:${name}`;
}

export function executionArn(machine: string, name: string): string {
  return `arn:aws:states:us-east-1:000000000000:execution:${machine}:${name}`;
}

/** The lead in the name `<route>.<leadRequestId>.<run>` of a handoff's execution. */
export function leadOf(execution: string): string | null {
  return execution.split('.')[1] ?? null;
}

/** The run in the name of a handoff's execution. */
export function runOf(execution: string): number {
  return Number(execution.split('.')[2]);
}
