import type { ExecutionStatus } from '../../../functions/ports/workflow.ts';
import type { WorkflowOp } from './ports.ts';
import { afterToken, newFlow } from './workflow.ts';
import { type Flow, type World, withFlow } from './world.ts';

/** What the workflow service does with a request that reaches it, and its answer. */
export function served(world: World, { what, of }: WorkflowOp): { world: World; answer: unknown } {
  const flow = world.flows.find(({ execution }) => execution === of);
  switch (what) {
    case 'status':
      return { world, answer: statusOf(flow) };
    case 'start':
      return flow
        ? { world, answer: { started: false } }
        : { world: { ...world, flows: [...world.flows, newFlow(of)] }, answer: { started: true } };
    case 'stop':
      return { world: flow ? withFlow(world, aborted(flow)) : world, answer: null };
    case 'complete': {
      const waiting = world.flows.find(({ token }) => token === of);
      return waiting
        ? { world: withFlow(world, afterToken(waiting)), answer: true }
        : { world, answer: false };
    }
  }
}

function statusOf(flow: Flow | undefined): ExecutionStatus {
  if (!flow) return 'DOES_NOT_EXIST';
  if (flow.state !== 'end') return 'RUNNING';
  if (flow.end === 'aborted') return 'ABORTED';
  return flow.end === 'failed' ? 'FAILED' : 'SUCCEEDED';
}

/** An execution that is stopped: what its functions do goes on, and nobody waits for it. */
export function aborted(flow: Flow): Flow {
  if (flow.state === 'end') return flow;
  return {
    ...flow,
    state: 'end',
    end: 'aborted',
    endedIn: flow.state,
    awaits: null,
    token: null,
    until: null,
  };
}
