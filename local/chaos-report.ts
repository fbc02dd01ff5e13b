import { handoffStatus } from '../functions/domain/handoff.ts';
import type { Books, Imbalance } from './chaos-books.ts';
import { counted, list, sum } from './chaos-counts.ts';
import { type Events, historyOf } from './chaos-history.ts';
import type { Journal, Totals } from './chaos-journal.ts';
import { type RecoveryReport, recoveryLines, recoveryReportOf } from './chaos-report-recovery.ts';
import type { Swept } from './chaos-sweeps.ts';

/** The run as `--json` prints it. */
export interface Report {
  readonly seed: number;
  readonly minutes: number;
  /** How many leads ended how. */
  readonly statuses: Readonly<Record<string, number>>;
  /** Reasons for which people are asked, and how often. */
  readonly asked: Readonly<Record<string, number>>;
  readonly warnings: Readonly<Record<string, number>>;
  readonly effects: { readonly contacts: number; readonly tasks: number; readonly emails: number };
  readonly requests: number;
  readonly faultsMet: Readonly<Record<string, number>>;
  /** Leads that the pace left no room for. */
  readonly notSubmitted: number;
  readonly totals: Totals;
  readonly recovery: RecoveryReport;
  readonly imbalances: readonly (Imbalance & { readonly history: readonly string[] })[];
}

/** What the run came to. */
export interface Outcome {
  readonly seed: number;
  readonly minutes: number;
  readonly notSubmitted: number;
  readonly journal: Journal;
  readonly books: Books;
  readonly sweeps: readonly Swept[];
  readonly imbalances: readonly Imbalance[];
  /** Of the leads that do not balance. */
  readonly events: Events;
}

export function reportOf(outcome: Outcome): Report {
  const { seed, minutes, notSubmitted, journal, books, sweeps, imbalances, events } = outcome;
  const records = books.leads.flatMap(({ record }) => record ?? []);
  const { contacts, tasks, emails, requests, requestsDropped } = books.inspection;
  return {
    seed,
    minutes,
    statuses: counted(records.map(handoffStatus)),
    asked: counted(records.flatMap(({ waiting }) => waiting.map(({ action, why }) => `${action}: ${why}`))),
    warnings: counted(records.flatMap(({ actions }) => actions.flatMap(({ warnings }) => warnings))),
    effects: { contacts: contacts.length, tasks: tasks.length, emails: emails.length },
    requests: requests.length + requestsDropped,
    faultsMet: counted(requests.flatMap(({ fault }) => fault?.split('+') ?? [])),
    notSubmitted,
    totals: journal.totals,
    recovery: recoveryReportOf(journal, books, sweeps),
    imbalances: imbalances.map((imbalance) => ({
      ...imbalance,
      history: historyOf(imbalance.leadRequestId, journal.leads, books, events),
    })),
  };
}

export function textOf(report: Report): string {
  const { totals, effects, imbalances, recovery } = report;
  const lines = [
    `Seed ${report.seed}, ${report.minutes} minutes. The seed repeats what was done and when, not what it met: the processes are real.`,
    '',
    `leads                 ${totals.submitted} (${list(report.statuses)}); the pace left ${report.notSubmitted} out`,
    `submitted again       ${totals.repeated} repeated, ${totals.conflicts} conflicts`,
    `function processes    ${sum(totals.functionKills)} killed, in ${totals.strikes} strikes and at any time; ${totals.freezes} stopped for a while`,
    `killed by name        ${list(totals.functionKills)}`,
    `engine                ${totals.engineRestarts} times killed and restarted`,
    `faults planned        ${list(totals.faultsPlanned)}; ${totals.faultsSkipped} left out`,
    `faults met            ${list(report.faultsMet)}`,
    `attempts delivered    ${list(totals.deliveries)}`,
    `people                ${totals.reassignments} reassignments, ${totals.merges} merges, ${totals.archived} archived, ${totals.optOuts} opt-outs`,
    ...recoveryLines(recovery, totals),
    `left out when busy    ${list(totals.leftOut)}`,
    `met nothing           ${list(totals.missed)}`,
    `destinations hold     ${effects.contacts} contacts, ${effects.tasks} tasks, ${effects.emails} emails after ${report.requests} requests`,
    `people are asked      ${list(report.asked)}`,
    `warnings              ${list(report.warnings)}`,
    '',
  ];
  if (imbalances.length === 0) return [...lines, 'The books balance.', ''].join('\n');
  const told = new Set<string | null>();
  for (const { leadRequestId, kind, detail, history } of imbalances) {
    lines.push(`IMBALANCE ${kind} ${leadRequestId ?? ''}: ${detail}`);
    if (!told.has(leadRequestId)) lines.push(...history.map((line) => `    ${line}`));
    lines.push('');
    told.add(leadRequestId);
  }
  return [...lines, `${imbalances.length} imbalances.`, ''].join('\n');
}
