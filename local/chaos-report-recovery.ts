import type { Books } from './chaos-books.ts';
import { counted, list, sum } from './chaos-counts.ts';
import type { Journal, Totals } from './chaos-journal.ts';
import { isDecision, type PersonsRequest, recordedOf } from './chaos-requests.ts';
import type { Swept } from './chaos-sweeps.ts';

/** What people did to recover leads, as `--json` prints it. */
export interface RecoveryReport {
  readonly decisions: {
    /** Executions of the recovery state machine with a decision, by its kind. */
    readonly made: Readonly<Record<string, number>>;
    readonly recorded: Readonly<Record<string, number>>;
    /** Known already, so that nothing changed. */
    readonly knownBefore: number;
    /** How those that were recorded came to be heard. */
    readonly carriedOn: Readonly<Record<string, number>>;
    /** What became of the newest one of each action. */
    readonly results: Readonly<Record<string, number>>;
  };
  /** By the name of the refusal, resubmits included. */
  readonly refused: Readonly<Record<string, number>>;
  /** Executions of the recovery state machine without an answer, by their error. */
  readonly failed: Readonly<Record<string, number>>;
  readonly resubmits: { readonly made: number; readonly answered: number };
  /** What people did by hand after a take-over, by action. */
  readonly byHand: Readonly<Record<string, number>>;
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
      knownBefore: answered.length - recorded.length,
      carriedOn: counted(
        answered.flatMap(({ end }) => (end?.outcome === 'answered' ? String(end.answer.carriedOn) : [])),
      ),
      results: counted(
        records.flatMap(({ actions }) => actions.flatMap(({ lastDecision }) => lastDecision?.result ?? [])),
      ),
    },
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
    runs: counted(records.map(({ handoff }) => `run ${handoff.run}`)),
    sweeps: {
      ended: sweeps.length,
      looked: sweeps.reduce((total, { looked }) => total + looked, 0),
      failed: sweeps.reduce((total, { failed }) => total + failed, 0),
    },
  };
}

function kindsOf(requests: readonly PersonsRequest[]): Record<string, number> {
  return counted(requests.map(({ input }) => input.decision));
}

export function recoveryLines(report: RecoveryReport, totals: Totals): string[] {
  const { decisions, refused, failed, resubmits, byHand, runs, sweeps } = report;
  const { stops, redrives, lostWaits, extraSweeps, races } = totals;
  return [
    `decisions made        ${sum(decisions.made)}: ${list(decisions.made)}`,
    `decisions recorded    ${sum(decisions.recorded)}: ${list(decisions.recorded)}; ${decisions.knownBefore} known before`,
    `decisions carried on  ${list(decisions.carriedOn)}; at last ${list(decisions.results)}`,
    `two at once           ${list(races)}`,
    `refused               ${sum(refused)}: ${list(refused)}`,
    `without an answer     ${list(failed)}`,
    `done by hand          ${list(byHand)}`,
    `resubmits             ${resubmits.made}, ${resubmits.answered} answered; handoffs at last in ${list(runs)}`,
    `executions            ${stops} stopped; redrives: ${list(redrives)}`,
    `waiting list          ${lostWaits} items lost`,
    `sweeps                ${sweeps.ended} came to their end, ${extraSweeps} were out of turn; ${sweeps.looked} looks, ${sweeps.failed} failed`,
  ];
}
