import { type ActionName, operationIdentity } from '../../../functions/domain/action.ts';
import { type ActionState, FINAL_PHASES } from '../../../functions/domain/action-state.ts';
import { provenNotApplied } from '../../../functions/domain/decision-guide.ts';
import type { Ended } from './coroutine.ts';
import { OWNERS, type WriteOp } from './destination.ts';
import { KEY } from './handoff.ts';
import type { PutOp } from './ports.ts';
import type { Subject } from './settings.ts';
import type { Flow, Process, World } from './world.ts';

/** A promise of the design that a schedule breaks. */
export class Violation extends Error {
  override readonly name = 'Violation';
  readonly invariant: string;

  constructor(invariant: string, what: string) {
    super(`${invariant}: ${what}`);
    this.invariant = invariant;
  }
}

function demand(holds: boolean, invariant: string, what: string): void {
  if (!holds) throw new Violation(invariant, what);
}

/** How often the destination has really had the machine's effect. Writing an owner again is no second effect. */
export function effects({ destination }: World, action: ActionName): number {
  switch (action) {
    case 'send-introduction':
      return destination.mails.length;
    case 'create-task':
      return destination.tasks.length;
    case 'upsert-contact': {
      const { contact } = destination;
      return contact && contact.deletedAt === null && contact.versions.at(-1)?.properties.company ? 1 : 0;
    }
    case 'assign-owner':
      return destination.contact?.owners.some(
        ({ ownerId, source }) => ownerId === '71' && source === 'INTEGRATION',
      )
        ? 1
        : 0;
  }
}

/** The destination is as the action wants it, or was: a person may have set the same owner. */
function isThere(world: World, action: ActionName): boolean {
  const owners = world.destination.contact?.owners ?? [];
  const sameOwner = action === 'assign-owner' && owners.some(({ ownerId }) => ownerId === '71');
  return sameOwner || effects(world, action) > 0;
}

/** Nothing of the action is there, and nothing can still land. */
function nothingThere(world: World, action: ActionName): boolean {
  return world.ghost.hidden || (effects(world, action) === 0 && world.destination.late.length === 0);
}

/** Before a conditional write that is about to hold. */
export function checkPut(world: World, process: Process, { state, event }: PutOp, subject: Subject): void {
  const before = world.action;
  demand(!process.stale, 'I13', `${process.name} writes for an execution that is not the current one`);
  const heard = state.decision !== null || (event.type === 'reconcile' && event.decisionConsumed);
  demand(before.decision === null || heard, 'decision', 'a decision is forgotten that nobody has heard');
  if (state.claim && state.claim.id !== before.claim?.id) {
    const holder = world.ghost.holders[state.attempt];
    const by = event.type === 'claim' ? 'I1' : 'I12';
    demand(holder === undefined, by, `attempt ${state.attempt} is claimed again; ${holder} held it`);
    demand(before.phase !== 'taken-over', 'I12', 'a person had taken the action over');
  }
  if (event.type === 'claim' && state.attempt > 1) {
    const granted = before.grant?.attempt === state.attempt && event.claim.at <= before.grant.expiresAt;
    demand(granted, 'I2', `attempt ${state.attempt} is claimed without a valid grant`);
  }
  if (state.grant && state.grant !== before.grant && event.type === 'reconcile') {
    const running = world.processes.some(
      ({ name }) => name === world.ghost.holders[before.attempt] && before.settledAt === null,
    );
    demand(!running, 'I2', `attempt ${state.grant.attempt} is granted while attempt ${before.attempt} runs`);
    const proven = state.grant.basis !== 'unclear';
    demand(
      !proven || nothingThere(world, subject.action),
      'I4',
      `a grant rests on ${state.grant.basis}, and an effect is there or may still land`,
    );
  }
  if (event.type === 'reconcile' && event.finding === 'absent' && mayHaveHadEffect(before)) {
    const absent = nothingThere(world, subject.action);
    demand(absent, 'I4', 'found absent, and an effect is there or may still land');
  }
  if (state.grant && state.grant !== before.grant) {
    demand(process.role === 'reconcile', 'I2', 'a grant is written by something else than reconcile');
  }
}

function mayHaveHadEffect(state: ActionState): boolean {
  return (
    state.claim !== null &&
    state.phase !== 'taken-over' &&
    !FINAL_PHASES.includes(state.phase) &&
    !provenNotApplied(state)
  );
}

/** Before a request that changes something leaves. */
export function checkWrite(world: World, process: Process, op: WriteOp, subject: Subject): void {
  const { action, ghost } = world;
  const holds = process.claimed && ghost.holders[process.attempt] === process.name;
  demand(holds, 'I1', `${process.name} calls without holding attempt ${process.attempt}`);
  demand(!process.stale, 'I13', `${process.name} calls for an execution that is not the current one`);
  demand(!ghost.personHolds, 'I12', 'a person has taken the action over');
  const outrun = action.attempt > process.attempt || action.grant !== null;
  demand(!outrun, 'I2', `${process.name} calls after reconcile let attempt ${process.attempt + 1} go`);
  const expected = operationIdentity(KEY, subject.action, action.replacement);
  demand(op.identity === expected, 'I5', `the request carries ${op.identity} and not ${expected}`);
  demand(action.replacement - 1 <= ghost.decisions, 'I5', 'a new identity without a decision');
  const left = world.destination.left[op.identity];
  const compares = subject.promises.keyWindowMs !== null;
  demand(!compares || left === undefined || left === op.bytes, 'I5', 'other bytes under the same identity');
  if (op.what === 'set-owner') {
    const seen = process.saw?.ownerId ?? null;
    demand(
      seen === null || seen === '71',
      'I7',
      `${process.name} writes over owner ${seen}, which it has read`,
    );
  }
  if (op.what === 'send') checkSender(world, op, subject);
}

/** Whoever the message names was the owner at some time that a read after the claim could show. */
function checkSender(world: World, op: WriteOp, subject: Subject): void {
  const owners = world.destination.contact?.owners ?? [];
  const from = (world.action.claim?.at ?? 0) - subject.promises.readLagMs;
  const couldBeSeen = owners.filter(({ at }, index) => {
    const until = owners[index + 1]?.at ?? Number.POSITIVE_INFINITY;
    return at <= world.now && until > from;
  });
  const named = couldBeSeen.some(({ ownerId }) => op.bytes.includes(OWNERS[ownerId ?? '']?.email ?? '?'));
  demand(named, 'I7', 'the introduction goes out under somebody who is no longer the owner');
}

/** When a request takes effect on an owner that somebody else has set. */
export function checkApplied(world: World, op: WriteOp, done: boolean, subject: Subject): void {
  if (op.what !== 'set-owner' || !done || !subject.promises.conditionalOwner) return;
  const owner = world.destination.contact?.owners.at(-1)?.ownerId ?? null;
  demand(owner === null || owner === '71', 'I7', `owner ${owner} is overwritten on a conditional receiver`);
}

const OUTCOME_ERRORS: readonly string[] = ['NotApplied', 'OutcomeUnknown', 'Refused'];

/** When a function returns. */
export function checkEnded(process: Process, ended: Ended): void {
  if (process.role !== 'act' || !process.called || !('error' in ended)) return;
  demand(OUTCOME_ERRORS.includes(ended.error), 'I3', `after its call ${process.name} throws ${ended.error}`);
}

/** In every state. */
export function checkWorld(world: World, subject: Subject): void {
  const { action, ghost } = world;
  const count = effects(world, subject.action);
  const total = count + (ghost.byHand ? 1 : 0);
  const mayRepeat = ghost.riskAccepted || ghost.hidden;
  demand(total <= 1 || mayRepeat, 'one effect', `the destination has had the effect ${total} times`);
  const attested = action.evidence?.kind === 'attested';
  if ((action.phase === 'performed' || action.phase === 'stopped-but-done') && !attested) {
    const kept = action.evidence?.facts.owner === 'kept' || action.lastRead?.reason.startsWith('owner-');
    const gone = world.destination.contact?.deletedAt !== null && subject.action === 'upsert-contact';
    demand(
      isThere(world, subject.action) || kept === true || gone,
      'true word',
      `${action.phase}, and the effect is not there`,
    );
  }
  if (subject.action === 'assign-owner' && action.phase === 'performed' && ghost.decisions === 0) {
    const owners = world.destination.contact?.owners ?? [];
    const over = owners.some(
      (change, index) =>
        change.source === 'INTEGRATION' && ![null, undefined, '71'].includes(owners[index - 1]?.ownerId),
    );
    const told = action.warnings.includes('possible-overwrite');
    demand(!over || told, 'I7', 'a person was overwritten, and nobody is told');
  }
  if (action.phase === 'stopped') {
    const owner = subject.action === 'assign-owner';
    demand(
      owner || nothingThere(world, subject.action),
      'true word',
      'stopped, and an effect is there or may land',
    );
    const claimed = world.processes.some(({ claimed, name }) => claimed && !ghostSettled(world, name));
    demand(!claimed, 'true word', 'stopped, and a worker that holds a claim still runs');
  }
  for (const flow of world.flows) checkFlow(world, flow);
}

function ghostSettled(world: World, name: string): boolean {
  return world.ghost.holders[world.action.attempt] !== name || world.action.settledAt !== null;
}

function checkFlow(world: World, flow: Flow): void {
  if (flow.state !== 'end' || flow.execution !== world.execution) return;
  const final = FINAL_PHASES.includes(world.action.phase);
  demand(final, 'I10', `the group ended with ${flow.end} while the action is ${world.action.phase}`);
}

/** The lead is not lost here: the action is final, or a named person is asked. */
export function isSafe(world: World): boolean {
  const current = world.flows.find(({ execution }) => execution === world.execution);
  if (current?.state === 'end') return true;
  return current?.state === 'ask' && world.waiting?.kind === 'ask' && world.waiting.who !== '';
}

export function isFinal(world: World): boolean {
  return world.flows.find(({ execution }) => execution === world.execution)?.state === 'end';
}
