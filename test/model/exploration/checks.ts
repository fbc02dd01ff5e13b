import { isDeepStrictEqual } from 'node:util';
import { contactProperties } from '../../../functions/adapters/hubspot/properties.ts';
import { type ActionName, operationIdentity } from '../../../functions/domain/action.ts';
import { type ActionState, FINAL_PHASES } from '../../../functions/domain/action-state.ts';
import type { Amendment } from '../../../functions/domain/amendment.ts';
import { provenNotApplied } from '../../../functions/domain/decision-guide.ts';
import type { Waiting } from '../../../functions/domain/handoff.ts';
import type { LeadRequest } from '../../../functions/domain/lead-request.ts';
import { unheardDecision } from '../../../functions/recovery/unheard-decision.ts';
import { checkAnswered, checkDecided } from './answers.ts';
import type { Configuration } from './configurations.ts';
import type { Ended } from './coroutine.ts';
import { OWNERS, type WriteOp } from './destination.ts';
import { FIRST_FIELDS, FIRST_RUN, fieldsNamed, KEY, personOf } from './handoff.ts';
import type { PutOp } from './ports.ts';
import type { Subject } from './settings.ts';
import { demand } from './violation.ts';
import { currentFlow, type Flow, type FlowState, type Process, type World, waitingOf } from './world.ts';

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
export function checkPut(world: World, process: Process, op: PutOp, subject: Subject): void {
  const before = world.action;
  const { state, event } = op;
  demand(!process.stale, 'I13', `${process.name} writes for an execution that is not the current one`);
  checkDecided(world, process, op, subject);
  checkDecisionStands(before, op);
  if (state.claim && state.claim.id !== before.claim?.id) {
    const holder = world.ghost.holders[state.attempt];
    const by = event.type === 'claim' ? 'I1' : 'I12';
    demand(holder === undefined, by, `attempt ${state.attempt} is claimed again; ${holder} held it`);
    demand(before.phase !== 'taken-over', 'I12', 'a person had taken the action over');
  }
  if (event.type === 'claim' && state.attempt > 1) {
    const valid = before.grant?.attempt === state.attempt && event.claim.at <= before.grant.expiresAt;
    demand(valid, 'I2', `attempt ${state.attempt} is claimed without a valid grant`);
  }
  const granted = state.grant !== null && !isDeepStrictEqual(state.grant, before.grant);
  if (state.grant && granted && event.type === 'reconcile') {
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
  const corrected = state.amendment?.decisionId !== before.amendment?.decisionId;
  demand(
    !corrected || event.type === 'claim',
    'fields',
    'an action is corrected by something else than a claim',
  );
  if (granted) {
    demand(process.role === 'reconcile', 'I2', 'a grant is written by something else than reconcile');
  }
}

/** A decision waits until a reconcile has heard it, the action has come to its end, or a stop takes its place. */
function checkDecisionStands({ decision }: ActionState, { state, event }: PutOp): void {
  if (decision === null || state.decision?.id === decision.id || event.type === 'decide') return;
  const heard = event.type === 'reconcile' && event.decisionConsumed;
  const over = FINAL_PHASES.includes(state.phase);
  const told = state.lastDecision?.decision.id === decision.id && state.lastDecision.result !== 'pending';
  demand((heard || over) && told, 'decision', 'a decision is forgotten that nobody has heard');
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
  checkFields(world, op);
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

/** Before the waiting list is written. */
export function checkWaiting(process: Process, waiting: Waiting | null): void {
  const what = waiting ? 'puts' : 'takes';
  demand(!process.stale, 'I13', `${process.name} ${what} what waits for the current execution`);
}

/** Before corrected fields take the place of the lead's. */
export function checkAmended({ action, conflicts }: World, { intentHash, decisionId }: Amendment): void {
  const claimed = action.amendment?.decisionId === decisionId;
  demand(claimed, 'fields', `${intentHash} becomes the lead's, and no attempt was claimed with it`);
  demand(conflicts.includes(FIRST_FIELDS), 'fields', 'the first fields are gone');
}

/** Where corrections are possible: what leaves is made of the fields that were decided, and they are the lead's by then. */
function checkFields({ action, conflicts, amendments }: World, op: WriteOp): void {
  if (conflicts.length === 0) return;
  const { amendment } = action;
  const known =
    amendment === null || amendments.some(({ decisionId }) => decisionId === amendment.decisionId);
  demand(known, 'fields', 'corrected fields go out, and are not the lead’s yet');
  const decided = amendment?.intentHash ?? FIRST_FIELDS;
  demand(isMadeOf(op, fieldsNamed(decided)), 'fields', `${op.what} is not made of ${decided}`);
}

function isMadeOf({ what, bytes, properties }: WriteOp, lead: LeadRequest): boolean {
  switch (what) {
    case 'send':
      return bytes.includes(`Hello ${lead.firstName},`);
    case 'create-task':
      return bytes.includes(`From ${lead.company}`);
    case 'create-contact':
    case 'update-contact': {
      const wanted = contactProperties(lead);
      return Object.entries(properties).every(([name, value]) => wanted[name] === value);
    }
    case 'set-owner':
      return true;
  }
}

/** Where no function runs and the action waits for a person or has ended, a correction is whole. */
function checkCorrected({ action, amendments, persons }: World, { route }: Configuration): void {
  const { amendment } = action;
  const whole =
    amendment === null || amendments.some(({ decisionId }) => decisionId === amendment.decisionId);
  demand(whole, 'fields', 'an attempt was claimed with corrected fields, and they are not the lead’s');
  if (!route.samePerson || route.samePerson.policy === 'allow') return;
  const person = personOf(amendments.at(-1)?.intentHash ?? FIRST_FIELDS);
  demand(
    isDeepStrictEqual(persons, [person]),
    'fields',
    'the handoff is the last one of somebody else than its lead',
  );
}

/** When a function returns. */
export function checkEnded(world: World, process: Process, ended: Ended): void {
  checkAnswered(world, process, ended);
  if (process.role !== 'act' || !process.called || !('error' in ended)) return;
  demand(OUTCOME_ERRORS.includes(ended.error), 'I3', `after its call ${process.name} throws ${ended.error}`);
}

/** More functions than any schedule starts before all of them have ended. */
const MOST_STARTED = 25;

/** In every state. */
export function checkWorld(world: World, subject: Subject, configuration: Configuration): void {
  // Where functions never come to rest, they start each other.
  demand(
    world.started <= MOST_STARTED,
    'spins',
    `${world.started} functions were started one after the other`,
  );
  checkRest(world, configuration);
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

const AT_REST: readonly FlowState[] = ['ask', 'park', 'close', 'end'];

/** Where no function runs and the workflow waits behind a token. */
function checkRest(world: World, configuration: Configuration): void {
  const flow = currentFlow(world);
  const aborted = flow === undefined || flow.end === 'aborted';
  if (world.processes.length === 0 && !aborted && AT_REST.includes(flow.state)) {
    checkCorrected(world, configuration);
  }
  if (world.processes.length > 0 || (flow?.state !== 'ask' && flow?.state !== 'park')) return;
  const untold = flow.state === 'ask' && world.ghost.told !== flow.token;
  demand(!untold, 'I10', 'a person is asked, and was not told');
  const { budget } = configuration;
  const disturbed = world.budget.faults < budget.faults || world.execution !== FIRST_RUN;
  if (budget.deciders === 0 || disturbed) return;
  const unheard = unheardDecision(world.action);
  demand(!unheard, 'heard', `${unheard?.kind} is decided, and the workflow waits until its time is over`);
}

function checkFlow(world: World, flow: Flow): void {
  if (flow.state !== 'end' || flow.execution !== world.execution) return;
  if (flow.end === 'aborted') return;
  const final = FINAL_PHASES.includes(world.action.phase);
  demand(final, 'I10', `the group ended with ${flow.end} while the action is ${world.action.phase}`);
}

/** The lead is not lost here: the action is final, or a named person is asked. */
export function isSafe(world: World): boolean {
  if (isFinal(world)) return true;
  const ofHandoff = waitingOf(world, 'handoff');
  if (ofHandoff && ofHandoff.who !== '') return true;
  const waiting = waitingOf(world);
  return currentFlow(world)?.state === 'ask' && waiting?.kind === 'ask' && waiting.who !== '';
}

export function isFinal(world: World): boolean {
  if (world.closedAt !== null) return true;
  const flow = currentFlow(world);
  return flow?.state === 'end' && flow.end !== 'aborted' && flow.end !== 'failed';
}

/** Whatever a person decided has been heard, or came too late, or somebody is asked to start the handoff again. */
export function isHeard(world: World): boolean {
  const { action } = world;
  const over = action.decision === null || FINAL_PHASES.includes(action.phase);
  return over || waitingOf(world, 'handoff') !== null;
}
