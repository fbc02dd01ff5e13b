import { type ActionName, DEPENDENCIES, type LeadKey, operationIdentity } from '../domain/action.ts';
import { type ActionState, amendmentFor } from '../domain/action-state.ts';
import type { ReceiverContract } from '../domain/contract.ts';
import { DependencyStopped, Held, NotCurrent, UnknownHandoff } from '../domain/errors.ts';
import { fieldsOf, type Handoff } from '../domain/handoff.ts';
import { canonicalHash } from '../domain/intent.ts';
import type { LeadRequest } from '../domain/lead-request.ts';
import type { Operation, OperationBodies } from '../domain/operation.ts';
import type { ActionRequest } from '../domain/workflow-data.ts';
import type { Clock } from '../ports/clock.ts';
import { correctedFields } from '../ports/correct.ts';
import type { Ledger } from '../ports/ledger.ts';
import type { PreparedAttempt } from './attempt.ts';

/** What a freeze may look at. */
export interface FreezeInput {
  readonly handoff: Handoff;
  /** The CRM's id of the contact; null for the upsert itself. */
  readonly contactId: string | null;
  /** The owner that the owner action left on the contact; null where its evidence names none. */
  readonly assignedOwnerId: string | null;
  /** A read may not show yet what the actions before this one have written. */
  readonly readsMayLag: boolean;
  /** The identity that the operation will carry. */
  readonly identity: string;
  /** The operation that was claimed last; null where none was. */
  readonly previous: Operation | null;
}

/** Computes the operation's body, reading the destination where it must. */
export type Freeze<A extends ActionName> = (input: FreezeInput) => Promise<OperationBodies[A]>;

/**
 * Passes the gates and freezes the operation where there is none. Nothing is claimed and nothing is changed at the destination.
 *
 * @throws UnknownHandoff, NotCurrent, DependencyStopped, Held, LedgerUnavailable, DestinationUnreadable (from the freeze).
 */
export async function prepare<A extends ActionName>(
  action: A,
  request: ActionRequest,
  worker: string,
  freeze: Freeze<A>,
  { ledger, clock, contract }: { ledger: Ledger; clock: Clock; contract: ReceiverContract },
): Promise<PreparedAttempt<A>> {
  const key: LeadKey = { route: request.route, leadRequestId: request.leadRequestId };
  const [handoff, state, gates, dependencies] = await Promise.all([
    ledger.handoff(key),
    ledger.action(key, action),
    ledger.gates(key.route, contract.destination),
    Promise.all(DEPENDENCIES[action].map((dependency) => ledger.action(key, dependency))),
  ]);
  if (!handoff) throw new UnknownHandoff(key.route, key.leadRequestId);
  if (handoff.execution !== request.execution) throw new NotCurrent(request.execution);
  if (gates.routePaused) throw new Held('route-paused');
  if (gates.breakerOpen) throw new Held('breaker-open');
  for (const dependency of dependencies) assertDone(dependency, state);
  const written = writtenBefore(dependencies, clock() - contract.readLagMs);
  if (action !== 'upsert-contact' && written.contactId === null) throw new Held('contact-unknown');
  const operation = await frozen(key, action, state, { handoff, ...written }, freeze, { ledger, clock });
  return { key, attempt: request.attempt, state, operation, contract, worker, handoff };
}

/** @param shownAt what was written until then is shown by every read */
function writtenBefore(
  dependencies: readonly ActionState[],
  shownAt: number,
): Pick<FreezeInput, 'contactId' | 'assignedOwnerId' | 'readsMayLag'> {
  const evidenceOf = (name: ActionName) => dependencies.find(({ action }) => action === name)?.evidence;
  const ownerId = evidenceOf('assign-owner')?.facts.ownerId;
  return {
    contactId: evidenceOf('upsert-contact')?.recordId ?? null,
    assignedOwnerId: typeof ownerId === 'string' ? ownerId : null,
    readsMayLag: dependencies.some(({ evidence }) => evidence !== null && evidence.readAt > shownAt),
  };
}

/** The dependency has had its effect; a person may have let the action go on without its owner. */
function assertDone(dependency: ActionState, state: ActionState): void {
  if (dependency.phase === 'performed' || dependency.phase === 'stopped-but-done') return;
  if (!dependency.phase.startsWith('stop')) throw new Held(`${dependency.action}-not-done`);
  if (dependency.action === 'assign-owner' && state.letGo) return;
  throw new DependencyStopped(dependency.action);
}

async function frozen<A extends ActionName>(
  key: LeadKey,
  action: A,
  state: ActionState,
  input: Omit<FreezeInput, 'identity' | 'previous'>,
  freeze: Freeze<A>,
  { ledger, clock }: { ledger: Ledger; clock: Clock },
): Promise<Operation<A>> {
  const revision = state.nextRevision;
  const standing = await ledger.operation(key, action, revision);
  if (standing) return standing as Operation<A>;
  const identity = operationIdentity(key, action, state.replacement);
  const fieldsHash = amendmentFor(state)?.intentHash ?? fieldsOf(input.handoff);
  const [lead, previous] = await Promise.all([
    leadOf(key, input.handoff, fieldsHash, ledger),
    state.operation && ledger.operation(key, action, state.operation.revision),
  ]);
  const body = await freeze({ ...input, handoff: { ...input.handoff, lead }, identity, previous });
  const bodyHash = canonicalHash(body);
  const operation = { action, revision, identity, body, bodyHash, fieldsHash, frozenAt: clock() };
  return (await ledger.freeze(key, operation)) as Operation<A>;
}

/** The lead's fields of that hash: an approver may have corrected them for this action, and others for others meanwhile. */
async function leadOf(
  key: LeadKey,
  handoff: Handoff,
  fieldsHash: string,
  ledger: Ledger,
): Promise<LeadRequest> {
  return fieldsHash === fieldsOf(handoff) ? handoff.lead : correctedFields(key, fieldsHash, ledger);
}
