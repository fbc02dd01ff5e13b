import type { Op } from './coroutine.ts';
import type { ReadOp } from './destination.ts';
import type { LedgerReadOp, PutOp, WaitingOp, WorkflowOp } from './ports.ts';
import { type AnyOp, mayFail, type Surface, waysOf } from './requests.ts';
import { type Process, type World, waitingOf } from './world.ts';

/*
 * Requests that need not be steps of their own, because every order with what others do comes to the same.
 */

/** The answer is the same whenever the request is made. */
export function isConstant(world: World, process: Process, op: Op, surface: Surface): boolean {
  switch (op.name) {
    case 'read':
      return (op as ReadOp).what === 'owner';
    case 'ledger-read':
      return isConstantRead(world, op as LedgerReadOp, surface);
    case 'publish':
      // No function sees it.
      return !mayFail(world, process, surface);
    case 'workflow':
      return !mayFail(world, process, surface) && isConstantService(world, op as WorkflowOp);
    case 'waiting':
      return !mayFail(world, process, surface) && isNeverThere(world, op as WaitingOp);
    default:
      return false;
  }
}

function isConstantRead(
  world: World,
  { what, action, revision, of }: LedgerReadOp,
  { fenceMoves }: Surface,
): boolean {
  switch (what) {
    case 'handoff':
      return world.budget.takeovers === 0 && !fenceMoves && world.conflicts.length === 0;
    case 'gates':
      return world.budget.pauses === 0 && !world.paused;
    case 'operation':
      return world.operations.some((one) => one.revision === revision);
    case 'action':
      return action !== world.action.action;
    case 'conflict':
      return world.conflicts.includes(of);
    case 'record':
    case 'listed':
    case 'person':
      return false;
  }
}

function isConstantService(world: World, { what, of }: WorkflowOp): boolean {
  // Nobody waits behind a token again that nobody waits behind.
  if (what === 'complete') return !isHeld(world, of);
  // What is done where the execution has ended is done as well where it had ended before the request that came before.
  return what === 'status' && world.flows.some(({ execution, state }) => execution === of && state !== 'end');
}

/** The handoff as a whole does not wait, and nobody is about to say that it does. */
function isNeverThere(world: World, { subject, waiting }: WaitingOp): boolean {
  if (subject !== 'handoff' || waiting !== null || waitingOf(world, 'handoff')) return false;
  return (
    world.budget.aborts === 0 && !world.processes.some(({ role }) => role === 'ended' || role === 'sweep')
  );
}

/**
 * Nothing else can happen before this read, or what can makes no difference to it. So it is where one function runs alone and the only
 * workflow waits for it; people, late requests and time have to keep out.
 */
export function isForced(world: World, process: Process, op: Op, surface: Surface): boolean {
  const { budget, processes, flows, destination } = world;
  const alone = processes.length === 1 && flows.length === 1 && flows[0]?.awaits === process.name;
  if (!alone || budget.duplicates > 0 || budget.takeovers > 0 || budget.strangers > 0) return false;
  if (op.name === 'ledger-read') {
    return !mayFail(world, process, surface) && budget.decisions === 0 && budget.pauses === 0;
  }
  if (op.name !== 'read' || budget.people > 0 || destination.late.length > 0) return false;
  return waysOf(world, process, op as AnyOp, surface).length === 1;
}

/** A person's decision that was judged on an older record: it will be judged anew whenever the ledger says so. */
export function isVoid(world: World, process: Process, op: Op, surface: Surface): boolean {
  if (!process.asking || op.name !== 'put' || mayFail(world, process, surface)) return false;
  return (op as PutOp).seenVersion !== world.action.version;
}

/**
 * The function behind a wait that is over, after it has put that wait on the list: all that it does now is to look, and to complete
 * a token that nobody waits behind.
 */
export function isTooLate(world: World, process: Process, op: Op, surface: Surface): boolean {
  const { role, listed, name } = process;
  const waits = role === 'ask' || role === 'park';
  if (!waits || !listed || mayFail(world, process, surface) || isHeld(world, name)) return false;
  return op.name === 'ledger-read' || op.name === 'workflow';
}

function isHeld({ flows }: World, token: string): boolean {
  return flows.some((flow) => flow.token === token);
}
