import { HISTORY_CAP } from '../functions/domain/action-history.ts';
import type { LedgerRecord } from '../functions/domain/handoff.ts';
import type { BookedLead, Imbalance, ImbalanceKind } from './chaos-books.ts';
import { actionOf } from './chaos-books-ledger.ts';
import { isDecision, type PersonsRequest, recordedOf } from './chaos-requests.ts';

/** The same decision of the same person, however often it was made. */
interface SameDecision {
  readonly by: string;
  readonly decision: string;
  readonly action: string;
  readonly requests: readonly PersonsRequest[];
}

/** What people were answered, against what is written down: a refusal changed nothing, and an answer is true. */
export function requestImbalances({ record, requests, lead: { leadRequestId } }: BookedLead): Imbalance[] {
  if (!record) return [];
  const found: Imbalance[] = [];
  const report = (kind: ImbalanceKind, detail: string) => found.push({ leadRequestId, kind, detail });
  for (const { input, end, execution, mustBeRefused } of requests) {
    if (mustBeRefused && end?.outcome === 'answered') {
      report('wrong-answer', `${execution}: ${input.decision} of nonsense was answered`);
    }
    const { by } = end?.outcome === 'answered' ? end.answer : {};
    if (by !== undefined && by !== input.by) {
      report('wrong-answer', `${execution}: ${input.by} was told what ${String(by)} had decided`);
    }
  }
  for (const same of sameDecisions(requests)) compare(same, record, report);
  return found;
}

function sameDecisions(requests: readonly PersonsRequest[]): SameDecision[] {
  const grouped = Map.groupBy(requests.filter(isDecision), ({ input: { by, decision, action } }) =>
    JSON.stringify([by, decision, action]),
  );
  return [...grouped].map(([key, group]) => {
    const [by, decision, action] = JSON.parse(key);
    return { by, decision, action, requests: group };
  });
}

/** Each execution writes its decision down once or not at all; each person types a name of their own. */
function compare(
  { by, decision, action, requests }: SameDecision,
  record: LedgerRecord,
  report: (kind: ImbalanceKind, detail: string) => void,
): void {
  const { history } = actionOf(record, action as Parameters<typeof actionOf>[1]);
  const written = history.filter(({ event, detail }) => event === `decided-${decision}` && detail === by);
  const now = requests.filter((request) => recordedOf(request) === 'now').length;
  const before = requests.filter((request) => recordedOf(request) === 'before').length;
  // Whoever died after writing it down gave no answer.
  const silent = requests.filter(({ end }) => end === null || end.outcome === 'failed').length;
  const what = `${decision} of ${action} by ${by} is written down ${written.length} times`;
  const answers = `answered ${now} times as new and ${before} times as known, ${silent} without answer`;
  if (now + before + silent === 0) {
    if (written.length > 0) report('refusal-recorded', `${what}, and was refused`);
    return;
  }
  if (written.length > now + before + silent) report('decision-recorded-twice', `${what}, ${answers}`);
  // A long trail has lost entries.
  const least = Math.max(now, before > 0 ? 1 : 0);
  const complete = history.length < HISTORY_CAP;
  if (complete && written.length < least) report('decision-vanished', `${what}, ${answers}`);
}
