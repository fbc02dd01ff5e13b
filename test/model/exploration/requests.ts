import { ACTIONS } from '../../../functions/domain/action.ts';
import type { ActionState } from '../../../functions/domain/action-state.ts';
import type { LedgerRecord } from '../../../functions/domain/handoff.ts';
import type { Outcome } from '../../../functions/domain/outcome.ts';
import type { PersonsHandoff } from '../../../functions/domain/same-person.ts';
import { answersAfter } from './answers.ts';
import { checkAmended, checkApplied, checkPut, checkWaiting, checkWrite } from './checks.ts';
import { applied, type Destination, look, type ReadOp, type WriteOp } from './destination.ts';
import { conflictOf, handoffOf, KEY, performedBefore, runOf } from './handoff.ts';
import {
  type CloseOp,
  type CorrectOp,
  type FenceOp,
  type FreezeOp,
  type LedgerReadOp,
  NO_ANSWER,
  type PublishOp,
  type PutOp,
  type WaitingOp,
  type WorkflowOp,
} from './ports.ts';
import type { RememberOp } from './powertools.ts';
import { BEFORE, type Subject } from './settings.ts';
import { demand } from './violation.ts';
import { served } from './workflow-service.ts';
import { type Process, type Role, spend, type World, withProcess } from './world.ts';

export type AnyOp =
  | LedgerReadOp
  | PutOp
  | FreezeOp
  | WaitingOp
  | FenceOp
  | CloseOp
  | CorrectOp
  | WorkflowOp
  | PublishOp
  | RememberOp
  | ReadOp
  | WriteOp;

/** What may become of a write request on its way to the destination and back. */
export type FateName = 'not-connected' | 'lost' | 'answer-lost' | 'late' | 'rate-limited' | 'refused';

/** One way in which a request can go, in words. */
export interface Way {
  readonly words: string;
  readonly world: World;
  readonly answer: unknown;
}

export interface Surface {
  readonly subject: Subject;
  readonly fates: readonly FateName[];
  /** The ledger's item is written whatever its version: a seeded bug. */
  readonly unconditional: boolean;
  /** The handoff names whoever asks as its current execution: a seeded bug. */
  readonly everyoneIsCurrent: boolean;
  /** Another execution may take the fence. */
  readonly fenceMoves: boolean;
  /** The functions that faults strike. */
  readonly faultsIn: readonly Role[];
}

/** Whether a request changes something outside its function, so that dying before and after it are two things. */
export function changes(op: AnyOp): boolean {
  if (op.name === 'workflow') return op.what !== 'status';
  return op.name !== 'ledger-read' && op.name !== 'read';
}

/** Something may still go wrong with what this function does. */
export function mayFail({ budget }: World, { role }: Process, { faultsIn }: Surface): boolean {
  return budget.faults > 0 && faultsIn.includes(role);
}

/** Every way in which this request can go now. */
export function waysOf(world: World, process: Process, op: AnyOp, surface: Surface): readonly Way[] {
  const withFaults = (words: string, write: (world: World) => Done) =>
    waysOfWrite(world, mayFail(world, process, surface), words, write);
  switch (op.name) {
    case 'ledger-read':
      return ledgerReads(world, process, op, surface);
    case 'put':
      return withFaults(wordsOf(op), (to) => put(to, process, op, surface));
    case 'freeze':
      return withFaults(`freezes revision ${op.operation.revision}`, (to) => freeze(to, op));
    case 'waiting':
      return withFaults(waitingInWords(op), (to) => putWaiting(to, process, op));
    case 'fence':
      return withFaults(`takes the fence for ${op.execution}`, (to) => takeFence(to, op, surface));
    case 'close':
      return withFaults('closes the handoff', (to) => close(to, op));
    case 'correct':
      return withFaults(`corrects the fields: ${op.what}`, (to) => corrected(to, op));
    case 'workflow':
      return op.what === 'status'
        ? statusReads(world, process, op, surface)
        : withFaults(`${op.what} ${op.of}`, (to) => served(to, op));
    case 'publish':
      return withFaults(`tells a person of ${op.subject}`, (to) => published(to, process));
    case 'remember':
      return withFaults(`Powertools: ${op.what}`, (to) => remember(to, op));
    case 'read':
      return reads(world, process, op, surface);
    case 'write':
      return writes(world, process, op, surface);
  }
}

function wordsOf({ event, state }: PutOp): string {
  switch (event.type) {
    case 'claim':
      return `claims attempt ${event.attempt}`;
    case 'settle':
      return `settles attempt ${event.attempt} as ${event.outcome.outcome}`;
    case 'reconcile':
      return `writes ${event.change.kind} (${event.finding} → ${event.disposition}, ${event.reason}; ${state.phase})`;
    case 'decide':
      return `decides ${event.decision.kind}`;
  }
}

type Done = Pick<Way, 'world' | 'answer'>;

/** A write of ours: it goes well, never arrives, or is applied and its answer is lost, or is then met by its own repeat. */
function waysOfWrite(
  world: World,
  mayFail: boolean,
  words: string,
  write: (world: World) => Done,
): readonly Way[] {
  const well = { words, ...write(world) };
  if (!mayFail) return [well];
  const poorer = spend(world, 'faults');
  const met = write(poorer);
  return [
    well,
    { words: `${words}: the request never arrives`, world: poorer, answer: NO_ANSWER },
    { words: `${words}: applied, the answer is lost`, world: met.world, answer: NO_ANSWER },
    { words: `${words}: applied, and its repeat meets it`, ...write(met.world) },
  ];
}

function waitingInWords({ subject, waiting }: WaitingOp): string {
  const what = subject === 'handoff' ? 'the handoff' : 'it';
  return waiting ? `puts ${what} on the waiting list (${waiting.why})` : `takes ${what} off the waiting list`;
}

function statusReads(world: World, process: Process, op: WorkflowOp, surface: Surface): readonly Way[] {
  const { answer } = served(world, op);
  const well = { words: `status of ${op.of}: ${answer}`, world, answer };
  if (!mayFail(world, process, surface)) return [well];
  return [well, { words: `status of ${op.of}: no answer`, world: spend(world, 'faults'), answer: NO_ANSWER }];
}

/** The function acts for an execution, and not for a person or for whoever looks after handoffs. */
function belongsToExecution({ role }: Process): boolean {
  return role !== 'decide' && role !== 'sweep' && role !== 'ended';
}

function ledgerReads(world: World, process: Process, op: LedgerReadOp, surface: Surface): readonly Way[] {
  const { world: after, answer } = ledgerRead(world, process, op, surface);
  const well = { words: `reads the ledger (${op.what})`, world: after, answer };
  const mayDiffer =
    op.what === 'record' ||
    op.what === 'listed' ||
    (op.what === 'action' && op.action === world.action.action);
  if (!mayDiffer || !mayFail(world, process, surface)) return [well];
  return [well, { words: 'reads the ledger: no answer', world: spend(world, 'faults'), answer: NO_ANSWER }];
}

function ledgerRead(world: World, process: Process, op: LedgerReadOp, { everyoneIsCurrent }: Surface): Done {
  const { what, action, revision, of } = op;
  const asks = belongsToExecution(process);
  const { closedAt, conflicts, amendments } = world;
  const current = everyoneIsCurrent && asks ? process.execution : world.execution;
  const handoff = handoffOf(current, closedAt, amendments);
  const told = withProcess(world, { ...process, stale: asks && process.execution !== world.execution });
  switch (what) {
    case 'handoff':
      return { world: told, answer: handoff };
    case 'record':
    case 'listed': {
      const { waiting, operations } = world;
      const kept = conflicts.map(conflictOf);
      const answer: LedgerRecord = {
        handoff,
        actions: actionsOf(world),
        operations,
        waiting,
        conflicts: kept,
      };
      return { world: told, answer };
    }
    case 'gates':
      return { world, answer: { routePaused: world.paused, breakerOpen: false } };
    case 'operation':
      return { world, answer: world.operations.find((one) => one.revision === revision) ?? null };
    case 'conflict':
      return { world, answer: conflicts.includes(of) ? conflictOf(of) : null };
    case 'person':
      return { world, answer: world.persons.includes(of) ? lastHandoff() : null };
    case 'action':
      return {
        world,
        answer: action === world.action.action || action === null ? world.action : performedBefore(action),
      };
  }
}

/** What the ledger holds of every action: the explored one, and the others as performed. */
function actionsOf({ action }: World): readonly ActionState[] {
  const others = ACTIONS.filter((name) => name !== action.action).map(performedBefore);
  return action.version === 0 ? others : [...others, action];
}

function putWaiting(world: World, process: Process, { subject, waiting }: WaitingOp): Done {
  checkWaiting(process, waiting);
  const others = world.waiting.filter(({ action }) => action !== subject);
  const after = { ...world, waiting: waiting ? [...others, waiting] : others };
  const listed = process.listed || waiting?.token === process.name;
  return { world: withProcess(after, { ...process, listed }), answer: null };
}

function lastHandoff(): PersonsHandoff {
  return { leadRequestId: KEY.leadRequestId, acceptedAt: BEFORE };
}

function corrected(world: World, { what, of, amendment }: CorrectOp): Done {
  const { persons, conflicts, amendments } = world;
  switch (what) {
    case 'claim-person':
      return { world: { ...world, persons: [...new Set([...persons, of])].sort() }, answer: lastHandoff() };
    case 'release-person':
      return { world: { ...world, persons: persons.filter((person) => person !== of) }, answer: null };
    case 'keep-fields':
      return { world: { ...world, conflicts: [...new Set([...conflicts, of])] }, answer: null };
    case 'amend': {
      if (!amendment || amendments.some(({ decisionId }) => decisionId === amendment.decisionId)) {
        return { world, answer: null };
      }
      checkAmended(world, amendment);
      return { world: { ...world, amendments: [...amendments, { ...amendment, at: 0 }] }, answer: null };
    }
  }
}

function takeFence(world: World, { fromRun, execution }: FenceOp, { fenceMoves }: Surface): Done {
  const holds = runOf(world.execution) === fromRun && world.closedAt === null;
  demand(!holds || fenceMoves, 'model', 'the fence moves in a configuration that says it does not');
  const after = holds ? { ...world, execution } : world;
  return { world: after, answer: handoffOf(after.execution, after.closedAt, after.amendments) };
}

function close(world: World, { execution, at }: CloseOp): Done {
  if (execution !== world.execution) return { world, answer: false };
  return { world: world.closedAt === null ? { ...world, closedAt: at } : world, answer: true };
}

function published(world: World, { name }: Process): Done {
  // A question that nobody waits behind any more is no news.
  if (!world.flows.some(({ token }) => token === name)) return { world, answer: null };
  return { world: { ...world, ghost: { ...world.ghost, told: name } }, answer: null };
}

function put(world: World, process: Process, op: PutOp, { subject, unconditional }: Surface): Done {
  const before = world.action;
  if (before.version !== op.seenVersion && !unconditional) {
    return { world, answer: { lost: before } };
  }
  checkPut(world, process, op, subject);
  const claims = op.state.claim !== null && op.state.claim.id !== before.claim?.id;
  const byWorker = op.event.type === 'claim';
  const ghost = {
    ...ghostAfter(world, process, op),
    holders: claims
      ? { ...world.ghost.holders, [op.state.attempt]: byWorker ? process.name : 'a person' }
      : world.ghost.holders,
  };
  const holding = claims && byWorker ? { ...process, claimed: true } : process;
  const after: World = { ...world, action: op.state, ghost };
  return { world: withProcess(after, holding), answer: { lost: null } };
}

function ghostAfter(world: World, process: Process, op: PutOp): World['ghost'] {
  const { event } = op;
  const ghost = { ...world.ghost, answers: answersAfter(world, process, op) };
  if (event.type !== 'reconcile' || !event.decisionConsumed) return ghost;
  const { kind } = event.change;
  const risky = event.change.kind === 'take-over' && event.finding.startsWith('unclear');
  return {
    ...ghost,
    decisions: ghost.decisions + 1,
    riskAccepted: ghost.riskAccepted || risky,
    personHolds: kind === 'take-over' || (ghost.personHolds && kind !== 'release' && kind !== 'done'),
  };
}

function freeze(world: World, { operation }: FreezeOp): Done {
  const standing = world.operations.find(({ revision }) => revision === operation.revision);
  if (standing) return { world, answer: standing };
  return { world: { ...world, operations: [...world.operations, operation] }, answer: operation };
}

function remember(world: World, { what, key, until, outcome }: RememberOp): Done {
  const standing = world.remembered[key] ?? null;
  const { [key]: _gone, ...others } = world.remembered;
  switch (what) {
    case 'begin': {
      if (standing && (standing.status === 'completed' || standing.until >= world.now)) {
        return { world, answer: { standing } };
      }
      const begun = { status: 'in-progress', until, outcome: null } as const;
      return { world: { ...world, remembered: { ...others, [key]: begun } }, answer: { standing: null } };
    }
    case 'save': {
      const sealed = { status: 'completed', until: 0, outcome } as const;
      return { world: { ...world, remembered: { ...others, [key]: sealed } }, answer: { standing: null } };
    }
    case 'delete':
      return { world: { ...world, remembered: others }, answer: { standing: null } };
  }
}

/** A read shows the destination as it is or, within its lag, as it was; or it gives no answer. */
function reads(world: World, process: Process, op: ReadOp, { subject }: Surface): readonly Way[] {
  const { promises } = subject;
  const now = look(world.destination, op, world.now, promises);
  const before = look(world.destination, op, world.now - promises.readLagMs, promises);
  const way = (words: string, answer: unknown): Way => ({
    words,
    world: noted(world, process, answer),
    answer,
  });
  const ways = [way(`reads the destination (${op.what}): ${shown(now)}`, now)];
  if (JSON.stringify(now) !== JSON.stringify(before)) {
    ways.push(way(`reads the destination (${op.what}) as it was before: ${shown(before)}`, before));
  }
  if (world.budget.unreadable > 0) {
    ways.push({
      words: `reads the destination (${op.what}): no answer`,
      world: spend(world, 'unreadable'),
      answer: NO_ANSWER,
    });
  }
  return ways;
}

function shown(answer: unknown): string {
  if (answer === null) return 'nothing';
  const { kind, ownerId } = answer as { kind?: string; ownerId?: string | null };
  return kind ?? (ownerId === undefined ? 'found' : `found, owner ${ownerId}`);
}

function noted(world: World, process: Process, answer: unknown): World {
  if (answer === null || typeof answer !== 'object' || !('ownerHistory' in answer)) return world;
  const { ownerHistory, ownerId } = answer as { ownerHistory: readonly unknown[]; ownerId: string | null };
  return withProcess(world, { ...process, saw: { etag: ownerHistory.length, ownerId } });
}

function writes(world: World, process: Process, op: WriteOp, surface: Surface): readonly Way[] {
  const { subject, fates } = surface;
  if (world.now >= op.deadline) {
    const answer = { outcome: 'not-applied', reason: 'deadline-passed', requestLeft: false };
    return [{ words: `${op.what}: too late to be sent`, world, answer }];
  }
  checkWrite(world, process, op, subject);
  const called = withProcess(world, { ...process, called: true });
  const sent: World = {
    ...called,
    destination: {
      ...called.destination,
      left:
        subject.promises.keyWindowMs === null
          ? called.destination.left
          : { [op.identity]: op.bytes, ...called.destination.left },
    },
  };
  const [landed, outcome] = landing(sent, op, surface);
  const ways: Way[] = [{ words: `${op.what}: answered ${outcome.outcome}`, world: landed, answer: outcome }];
  if (world.budget.fates > 0) {
    for (const fate of fates) {
      const way = wayOf(fate, spend(called, 'fates'), spend(sent, 'fates'), op, surface);
      ways.push({ ...way, words: `${op.what}: ${way.words}` });
    }
  }
  return ways;
}

const TIMEOUT: Outcome = { outcome: 'unknown', reason: 'timeout' };

function wayOf(fate: FateName, unsent: World, sent: World, op: WriteOp, surface: Surface): Way {
  switch (fate) {
    case 'not-connected':
      return {
        words: 'no connection',
        world: unsent,
        answer: { outcome: 'not-applied', reason: 'connect-refused', requestLeft: false },
      };
    case 'lost':
      return { words: 'the request is lost', world: sent, answer: TIMEOUT };
    case 'answer-lost':
      return { words: 'applied, the answer is lost', world: landing(sent, op, surface)[0], answer: TIMEOUT };
    case 'late': {
      const until = op.deadline + surface.subject.promises.landingBoundMs;
      const late = [...sent.destination.late, { op, until }];
      return {
        words: 'no answer, and it may still land',
        world: { ...sent, destination: { ...sent.destination, late } },
        answer: TIMEOUT,
      };
    }
    case 'rate-limited':
      return {
        words: 'rate limited',
        world: sent,
        answer: { outcome: 'not-applied', reason: 'rate-limited', requestLeft: true, retryAfterMs: 3_000 },
      };
    case 'refused':
      return { words: 'refused', world: sent, answer: { outcome: 'refused', reason: 'permissions' } };
  }
}

/** A request reaches the destination. */
export function landing(world: World, op: WriteOp, { subject }: Pick<Surface, 'subject'>): [World, Outcome] {
  const [destination, outcome] = applied(world.destination, op, world.now, subject.promises);
  checkApplied(world, op, outcome.outcome === 'performed', subject);
  return [{ ...world, destination: destination as Destination }, outcome];
}
