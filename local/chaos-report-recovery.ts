import type { LedgerRecord } from '../functions/domain/handoff.ts';
import type { Books } from './chaos-books.ts';
import { counted, list, sum } from './chaos-counts.ts';
import type { Journal, Totals } from './chaos-journal.ts';
import { isDecision, type PersonsRequest, recordedOf } from './chaos-requests.ts';
import type { Swept } from './chaos-sweeps.ts';
import { trailOf } from './chaos-trail.ts';

/** What people did to recover leads, as `--json` prints it. */
export interface RecoveryReport {
  readonly decisions: {
    /** Executions of the recovery state machine with a decision, by its kind. */
    readonly made: Readonly<Record<string, number>>;
    readonly recorded: Readonly<Record<string, number>>;
    /** Take-overs that were recorded and said by name that it may happen twice. */
    readonly riskAccepted: number;
    /** Known already, so that nothing changed. */
    readonly knownBefore: number;
    /** How those that were recorded came to be heard. */
    readonly carriedOn: Readonly<Record<string, number>>;
    /** What became of them: carried out, turned down, ended by what a read found, taken the place of by a stop, or waiting. */
    readonly carriedOut: Readonly<Record<string, number>>;
    readonly notCarriedOut: Readonly<Record<string, number>>;
  };
  /** Handoffs whose fields an approver has replaced. */
  readonly corrected: number;
  /** By the name of the refusal, resubmits included. */
  readonly refused: Readonly<Record<string, number>>;
  /** Executions of the recovery state machine without an answer, by their error. */
  readonly failed: Readonly<Record<string, number>>;
  readonly resubmits: { readonly made: number; readonly answered: number };
  /** What people did by hand after a take-over, by action. */
  readonly byHand: Readonly<Record<string, number>>;
  /** Questions that were on their way to people. */
  readonly notices: number;
  /** Runs of handoffs by their number. */
  readonly runs: Readonly<Record<string, number>>;
  readonly sweeps: { readonly ended: number; readonly looked: number; readonly failed: number };
}

export function recoveryReportOf({ leads }: Journal, books: Books, sweeps: readonly Swept[]): RecoveryReport {
  const requests = leads.flatMap((lead) => lead.requests);
  const decisions = requests.filter(isDecision);
  const answered = decisions.filter((request) => recordedOf(request) !== null);
  const recorded = answered.filter((request) => recordedOf(request) === 'now');
  const resubmits = requests.filter(({ input }) => input.decision === 'resubmit');
  const records = books.leads.flatMap(({ record }) => record ?? []);
  return {
    decisions: {
      made: kindsOf(decisions),
      recorded: kindsOf(recorded),
      riskAccepted: recorded.filter(({ input }) => input.riskAccepted === true).length,
      knownBefore: answered.length - recorded.length,
      carriedOn: counted(
        answered.flatMap(({ end }) => (end?.outcome === 'answered' ? String(end.answer.carriedOn) : [])),
      ),
      ...fatesOf(records),
    },
    corrected: records.filter(({ handoff }) => handoff.amendments.length > 0).length,
    refused: counted(requests.flatMap(({ end }) => (end?.outcome === 'refused' ? end.error : []))),
    failed: counted(
      requests.flatMap(({ end }) => {
        if (end === null) return 'no end';
        return end.outcome === 'failed' ? end.error : [];
      }),
    ),
    resubmits: {
      made: resubmits.length,
      answered: resubmits.filter(({ end }) => end?.outcome === 'answered').length,
    },
    byHand: counted(leads.flatMap(({ byHand }) => byHand.map(({ action }) => action))),
    notices: books.notices.length,
    runs: counted(records.map(({ handoff }) => `run ${handoff.run}`)),
    sweeps: {
      ended: sweeps.length,
      looked: sweeps.reduce((total, { looked }) => total + looked, 0),
      failed: sweeps.reduce((total, { failed }) => total + failed, 0),
    },
  };
}

/** What the audit trails tell. */
function fatesOf(
  records: readonly LedgerRecord[],
): Pick<RecoveryReport['decisions'], 'carriedOut' | 'notCarriedOut'> {
  const trails = records.flatMap(({ actions }) => actions.map(({ history }) => trailOf(history)));
  const steps = trails.flatMap((trail) => trail.steps);
  return {
    carriedOut: counted(
      steps.flatMap((step) => (step.step === 'carried-out' && step.waiting !== null ? step.decision : [])),
    ),
    notCarriedOut: counted([
      ...steps.flatMap((step) => {
        if (step.waiting === null) return [];
        if (step.step === 'turned-down') return 'turned down';
        if (step.step === 'decided') return 'replaced by stop';
        return step.step === 'ended' ? 'ended by a read' : [];
      }),
      ...trails.flatMap(({ waiting }) => (waiting === null ? [] : 'waiting')),
    ]),
  };
}

function kindsOf(requests: readonly PersonsRequest[]): Record<string, number> {
  return counted(requests.map(({ input }) => input.decision));
}

export function recoveryLines(report: RecoveryReport, totals: Totals): string[] {
  const { decisions, corrected, refused, failed, resubmits, byHand, notices, runs, sweeps } = report;
  const { stops, redrives, lostWaits, extraSweeps, races } = totals;
  return [
    `decisions made        ${sum(decisions.made)}: ${list(decisions.made)}`,
    `decisions recorded    ${sum(decisions.recorded)}: ${list(decisions.recorded)} (${decisions.riskAccepted} at a risk); ${decisions.knownBefore} known before`,
    `decisions carried on  ${list(decisions.carriedOn)}`,
    `decisions carried out ${list(decisions.carriedOut)}; not carried out: ${list(decisions.notCarriedOut)}`,
    `corrected fields      put in the place of the first ones in ${corrected} handoffs`,
    `two at once           ${list(races)}`,
    `refused               ${sum(refused)}: ${list(refused)}`,
    `without an answer     ${list(failed)}`,
    `done by hand          ${list(byHand)}`,
    `resubmits             ${resubmits.made}, ${resubmits.answered} answered; handoffs at last in ${list(runs)}`,
    `executions            ${stops} stopped; redrives: ${list(redrives)}`,
    `waiting list          ${notices} questions told, ${lostWaits} items lost`,
    `sweeps                ${sweeps.ended} came to their end, ${extraSweeps} were out of turn; ${sweeps.looked} looks, ${sweeps.failed} failed`,
  ];
}
