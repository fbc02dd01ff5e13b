import { type ActionName, DEPENDENCIES, type LeadKey } from '../domain/action.ts';
import { type ActionState, FINAL_PHASES } from '../domain/action-state.ts';
import { type Conclusion, conclude } from '../domain/conclusion.ts';
import type { ReceiverContract } from '../domain/contract.ts';
import { settleTime, type Verdict } from '../domain/decision-guide.ts';
import { isCarriedAgain } from '../domain/decision-in-force.ts';
import { UnknownHandoff } from '../domain/errors.ts';
import type { Finding } from '../domain/finding.ts';
import { type ReadTimes, UNREADABLE } from '../domain/findings.ts';
import type { Handoff } from '../domain/handoff.ts';
import type { Operation } from '../domain/operation.ts';
import type { ReadBack } from '../domain/persons-answer.ts';
import type { RouteSettings } from '../domain/route.ts';
import type { StageNumbers } from '../domain/stage-numbers.ts';
import { Rejected } from '../domain/transition.ts';
import type { ReconcileAnswer, ReconcileRequest } from '../domain/workflow-data.ts';
import type { Clock, Ids, Random } from '../ports/clock.ts';
import { correct } from '../ports/correct.ts';
import { DestinationUnreadable } from '../ports/destination-unreadable.ts';
import { type Ledger, LedgerUnavailable } from '../ports/ledger.ts';
import type { ReadNamed } from './reads/named-record.ts';

/** Reads the destination for one frozen operation and says what it shows. Throws `DestinationUnreadable`. */
export type ReadDestination<A extends ActionName> = (
  operation: Operation<A>,
  state: ActionState,
  times: ReadTimes,
) => Promise<Finding>;

export interface ReconcilePorts<A extends ActionName> {
  readonly ledger: Ledger;
  readonly clock: Clock;
  readonly ids: Ids;
  readonly random: Random;
  readonly route: RouteSettings;
  readonly numbers: StageNumbers;
  readonly contract: ReceiverContract;
  /** Reads the record that a person names in a `confirm`. */
  readonly readNamed: ReadNamed<A>;
}

/** What a reconcile comes to, without the record for the person who is asked. */
export type Reconciled = Omit<ReconcileAnswer, 'record'>;

/** How often a conclusion that the ledger has overtaken is drawn again from a fresh read. */
const FRESH_READS = 3;

/**
 * Reads the destination, concludes, writes the conclusion (and perhaps a grant) and tells the workflow what happens next. It
 * changes nothing at the destination and may be repeated at any time.
 *
 * @throws UnknownHandoff, LedgerUnavailable
 */
export async function reconcile<A extends ActionName>(
  action: A,
  request: ReconcileRequest,
  read: ReadDestination<A>,
  ports: ReconcilePorts<A>,
): Promise<Reconciled> {
  const key: LeadKey = { route: request.route, leadRequestId: request.leadRequestId };
  for (let turn = 0; turn < FRESH_READS; turn++) {
    const { conclusion, state, current } = await concludeOnce(action, key, request, read, ports);
    const written = conclusion.event ? await ports.ledger.apply(key, conclusion.event, state) : state;
    if (written instanceof Rejected) continue;
    if (current) await leaveWaiting(key, state, conclusion.verdict, ports.ledger);
    return answer(conclusion, ports.numbers);
  }
  // Others keep writing: whatever they come to, the next turn sees it.
  return answer(
    {
      verdict: { disposition: 'wait', reason: 'ledger-moving', waitMs: ports.numbers.backOffFloorMs },
      attempt: request.attempt,
      event: null,
    },
    ports.numbers,
  );
}

interface OneConclusion {
  readonly conclusion: Conclusion;
  readonly state: ActionState;
  readonly current: boolean;
}

async function concludeOnce<A extends ActionName>(
  action: A,
  key: LeadKey,
  request: ReconcileRequest,
  read: ReadDestination<A>,
  ports: ReconcilePorts<A>,
): Promise<OneConclusion> {
  const { ledger, clock, ids, random, route, numbers, contract } = ports;
  const [accepted, state, gates, dependencies] = await Promise.all([
    ledger.handoff(key),
    ledger.action(key, action),
    ledger.gates(key.route, contract.destination),
    Promise.all(DEPENDENCIES[action].map((dependency) => ledger.action(key, dependency))),
  ]);
  if (!accepted) throw new UnknownHandoff(key.route, key.leadRequestId);
  const current = isCurrent(accepted, request);
  // Who claimed with corrected fields may have died before they were the lead's.
  const handoff = current && state.amendment ? await correct(accepted, state.amendment, ports) : accepted;
  const readStartedAt = clock();
  const finding = current
    ? await findingOf(action, key, state, read, { ledger, contract, readStartedAt })
    : ({ finding: 'unclear', cause: 'unreadable' } as const);
  const readBack: ReadBack = current
    ? await namedRecord(action, key, handoff, state, ports)
    : { kind: 'not-read' };
  const conclusion = conclude(
    {
      now: clock(),
      action,
      state,
      finding,
      contract,
      executionCurrent: current,
      stoppedDependency: stoppedDependency(dependencies, state),
      route,
      numbers,
      routePaused: gates.routePaused,
      breakerOpen: gates.breakerOpen,
      lastError: request.error,
      turns: request.turns,
      random: random(),
    },
    readStartedAt,
    { event: ids(), claim: ids() },
    readBack,
  );
  return { conclusion, state, current };
}

function isCurrent(handoff: Handoff, request: ReconcileRequest): boolean {
  return handoff.execution === request.execution;
}

async function findingOf<A extends ActionName>(
  action: A,
  key: LeadKey,
  state: ActionState,
  read: ReadDestination<A>,
  { ledger, contract, readStartedAt }: { ledger: Ledger; contract: ReceiverContract; readStartedAt: number },
): Promise<Finding> {
  // Nothing left before a worker's first claim (a person may have had one), and what is final needs no read.
  if (state.operation === null || FINAL_PHASES.includes(state.phase)) return { finding: 'absent' };
  const { revision } = state.operation;
  const operation = (await ledger.operation(key, action, revision)) as Operation<A> | null;
  if (operation === null) throw new LedgerUnavailable(`operation ${revision} of ${action}`, null);
  try {
    return await read(operation, state, { readStartedAt, settleAt: settleTime(state, contract) });
  } catch (error) {
    if (error instanceof DestinationUnreadable) return UNREADABLE;
    throw error;
  }
}

/** The record that a pending `confirm` names, as the destination shows it. */
async function namedRecord<A extends ActionName>(
  action: A,
  key: LeadKey,
  handoff: Handoff,
  { decision, operation: reference }: ActionState,
  { ledger, readNamed }: ReconcilePorts<A>,
): Promise<ReadBack> {
  if (decision?.kind !== 'confirm' || decision.evidence === undefined) return { kind: 'not-read' };
  const operation = reference && (await ledger.operation(key, action, reference.revision));
  try {
    return await readNamed(decision.evidence, { handoff, operation: operation as Operation<A> | null });
  } catch (error) {
    if (error instanceof DestinationUnreadable) return { kind: 'not-read' };
    throw error;
  }
}

function stoppedDependency(dependencies: readonly ActionState[], state: ActionState): ActionName | null {
  const stopped = dependencies.find(({ phase }) => phase === 'stopped' || phase === 'stopped-unclear');
  if (!stopped) return null;
  return stopped.action === 'assign-owner' && state.letGo ? null : stopped.action;
}

/**
 * Work that goes on or has ended leaves the waiting list, after the ledger says so: whoever dies in between is followed by a
 * reconcile that comes to the same end. What is only waited for stays there for the person who is still being asked.
 */
async function leaveWaiting(
  key: LeadKey,
  state: ActionState,
  { disposition }: Verdict,
  ledger: Ledger,
): Promise<void> {
  const goesOn = disposition === 'keep' || disposition === 'resume' || disposition === 'stop';
  const answered = state.lastRead?.disposition === 'park' || isCarriedAgain(state);
  if (goesOn || (disposition === 'wait' && answered)) await ledger.removeWaiting(key, state.action);
}

function answer({ verdict, attempt }: Conclusion, numbers: StageNumbers): Reconciled {
  const waitMs = Math.max(verdict.waitMs ?? 0, numbers.backOffFloorMs);
  return {
    disposition: verdict.disposition,
    attempt,
    waitSeconds: Math.max(1, Math.ceil(waitMs / 1000)),
    reason: verdict.reason,
  };
}
