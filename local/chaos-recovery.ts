import { setTimeout as sleep } from 'node:timers/promises';
import type { ActionName } from '../functions/domain/action.ts';
import type { ActionState } from '../functions/domain/action-state.ts';
import type { FilledRecord } from '../functions/domain/filled-record.ts';
import { doByHand } from './chaos-by-hand.ts';
import { type Chosen, chosenFrom, effectSeen } from './chaos-choices.ts';
import type { Desk } from './chaos-desk.ts';
import type { ChaosEngine } from './chaos-engine.ts';
import type { Journal, TrackedLead } from './chaos-journal.ts';
import { hashOf } from './chaos-leads.ts';
import { APPROVER, ROUTE } from './chaos-names.ts';
import { type PersonsRequest, recordedOf } from './chaos-requests.ts';
import type { SandboxControl } from './chaos-sandbox.ts';
import type { Deed } from './chaos-schedule.ts';

type Decide = Extract<Deed, { do: 'decide' }>;

export interface Bureau {
  readonly engine: ChaosEngine;
  readonly desk: Desk;
  readonly sandbox: SandboxControl;
  readonly journal: Journal;
}

const TAKEN_OVER_WITHIN_MS = 15_000;
const LOOK_EVERY_MS = 400;

/** One of the leads that wait now. */
export function waitingLead(pick: number, { leads }: Journal): TrackedLead | undefined {
  const waiting = leads.filter(({ standing }) => standing === 'waiting');
  return waiting[Math.floor(pick * waiting.length)];
}

/** A person, or two of them, reads the record of a lead that waits and decides about it. */
export async function decide(deed: Decide, bureau: Bureau): Promise<void> {
  const { desk, journal } = bureau;
  const tracked = waitingLead(deed.lead, journal);
  if (!tracked) return journal.missed('decide');
  const filled = await shown(tracked, desk);
  if (!filled) return journal.missed('decide');
  const choose = await chooser(tracked, filled, bureau);
  const [first, second] = deed.choices.map((pick) => choose(pick, journal.newPerson()));
  if (!first) {
    if (!filled.resubmit) return journal.missed('decide');
    const typed = { by: journal.newPerson(), reason: 'It waits as a whole.' };
    await desk.ask(tracked, { ...filled.resubmit, ...typed });
    return;
  }
  const deciding = { deed, tracked, contactId: filled.contactId, bureau };
  switch (deed.how) {
    case 'late':
      await sleep(deed.laterMs);
      return carryThrough(first, await desk.ask(tracked, first.input), deciding);
    case 'again': {
      const [answer] = await Promise.all([desk.ask(tracked, first.input), desk.ask(tracked, first.input)]);
      await sleep(deed.laterMs);
      await desk.ask(tracked, first.input);
      return carryThrough(first, answer, deciding);
    }
    case 'against': {
      if (!second) break;
      const [one, other] = await Promise.all([
        desk.ask(tracked, first.input),
        desk.ask(tracked, second.input),
      ]);
      // An approver who decides twice has not decided against anybody.
      const against = first.input.action === second.input.action && first.input.by !== second.input.by;
      if (against) journal.totals.races[raceOf(one, other)] += 1;
      await Promise.all([carryThrough(first, one, deciding), carryThrough(second, other, deciding)]);
      return;
    }
  }
  return carryThrough(first, await desk.ask(tracked, first.input), deciding);
}

/** The record as the state machine shows it to somebody who has only the console. */
async function shown(tracked: TrackedLead, desk: Desk): Promise<FilledRecord | null> {
  const { leadRequestId } = tracked.lead;
  const { end } = await desk.ask(tracked, { decision: 'show', leadRequestId });
  return end?.outcome === 'answered' ? (end.answer.record as FilledRecord) : null;
}

async function chooser(
  tracked: TrackedLead,
  filled: FilledRecord,
  { sandbox }: Bureau,
): Promise<(pick: number, by: string) => Chosen | null> {
  const inspection = await sandbox.inspect();
  const choosing = {
    seen: (action: ActionName) => effectSeen(action, tracked, filled, inspection),
    approver: APPROVER,
    notTheirs: [hashOf(tracked.lead, 'other-fields')],
  };
  return (pick, by) => chosenFrom(filled, choosing, pick, by);
}

function raceOf(one: PersonsRequest, other: PersonsRequest): keyof Journal['totals']['races'] {
  if ([one, other].some(({ end }) => end === null || end.outcome === 'failed')) return 'not-known';
  const heard = [one, other].filter((request) => recordedOf(request) !== null).length;
  return (['none-heard', 'one-heard', 'both-heard'] as const)[heard] ?? 'not-known';
}

interface Deciding {
  readonly deed: Decide;
  readonly tracked: TrackedLead;
  readonly contactId: string | null;
  readonly bureau: Bureau;
}

/** Whoever has taken over does it by hand and confirms, gives it back, or forgets about it. */
async function carryThrough(
  { input, riskAccepted }: Chosen,
  { end }: PersonsRequest,
  { deed, tracked, contactId, bureau }: Deciding,
): Promise<void> {
  const { desk, sandbox, journal } = bureau;
  const { action, by = '', leadRequestId } = input;
  const mayHaveIt = input.decision === 'take-over' && end?.outcome !== 'refused';
  if (!mayHaveIt || deed.afterwards === 'forget') return;
  if (!(await isTakenOver(action, by, tracked, bureau))) return;
  const made =
    deed.afterwards === 'by-hand'
      ? await doByHand(action, tracked, contactId, deed.choices[1], sandbox)
      : null;
  const answer = { leadRequestId, action, by, reason: 'I looked after it.' };
  if (!made) {
    await desk.ask(tracked, { ...answer, decision: 'release', notDone: true });
    return;
  }
  tracked.byHand.push({ action, by, recordId: made.recordId, at: Date.now(), riskAccepted });
  journal.note(tracked, `${by}: did ${action} by hand, record ${made.recordId ?? 'none'}`);
  const evidence = made.recordId === null ? {} : { evidence: made.recordId };
  await desk.ask(tracked, { ...answer, decision: 'confirm', ...evidence });
}

/** Nobody does anything by hand before the ledger says that it is his. */
async function isTakenOver(
  action: ActionName,
  by: string,
  { lead }: TrackedLead,
  { engine }: Bureau,
): Promise<boolean> {
  const key = { route: ROUTE, leadRequestId: lead.leadRequestId };
  for (
    const giveUpAt = Date.now() + TAKEN_OVER_WITHIN_MS;
    Date.now() < giveUpAt;
    await sleep(LOOK_EVERY_MS)
  ) {
    const state = await engine.aws?.ledger.action(key, action).catch(() => null);
    if (state && isHis(state, by)) return true;
  }
  return false;
}

function isHis({ phase, claim, decision }: ActionState, by: string): boolean {
  return phase === 'taken-over' && claim?.by.name === by && decision === null;
}
