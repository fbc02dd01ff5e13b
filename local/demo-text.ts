import { styleText } from 'node:util';
import { recoveryTable } from '../cli/render/recovery-table.ts';
import type { RecoveryRecord } from '../functions/domain/recovery-record.ts';
import type { Check, Inspection } from './demo-checks.ts';
import type { DemoDecision } from './demo-decision.ts';
import type { DemoStory } from './demo-leads.ts';

/** What the demo has seen. */
export interface DemoRun {
  readonly stories: readonly DemoStory[];
  /** When everything had come to rest, and nobody had decided yet. */
  readonly records: readonly RecoveryRecord[];
  readonly decision: DemoDecision;
  /** The third lead's record after the decision. */
  readonly after: RecoveryRecord;
  readonly inspection: Inspection;
  readonly checks: readonly Check[];
}

export function demoJson({ records, decision, after, inspection, checks }: DemoRun): string {
  const { contacts, tasks, emails } = inspection;
  const shown = {
    leads: records.map(shownRecord),
    decision: { ...decision.input, after: shownRecord(after) },
    sandbox: { contacts, tasks, emails },
    checks,
  };
  return `${JSON.stringify(shown, null, 2)}\n`;
}

function shownRecord({ leadRequestId, status, actions }: RecoveryRecord) {
  return {
    leadRequestId,
    status,
    actions: actions.map(({ action, attempt, phase, finding, disposition, evidence }) => ({
      action,
      attempt,
      phase,
      finding,
      disposition,
      evidence,
    })),
  };
}

export function demoText({ stories, records, decision, after, checks }: DemoRun): string {
  const colour = process.stdout.isTTY === true && process.env.NO_COLOR === undefined;
  const columns = process.stdout.isTTY ? process.stdout.columns : undefined;
  const table = (record: RecoveryRecord) =>
    recoveryTable(record, { colour, ...(columns === undefined ? {} : { columns }) });
  const lines = records.flatMap((record, i) => [
    '',
    `${record.leadRequestId}: ${stories[i]?.story ?? ''}`,
    table(record),
  ]);
  const failed = checks.filter(({ pass }) => !pass).length;
  return [
    ...lines,
    '',
    'This is what its recovery owner reads:',
    '',
    ...readBy(decision).map((line) => (line === '' ? '' : `  ${line}`)),
    '',
    `${decision.input.by} starts the recovery state machine of the route with one of these lines, "by" and "reason" filled in:`,
    '',
    `  ${JSON.stringify(decision.input)}`,
    '',
    `${after.leadRequestId}, after that: sent once, in the name of the owner whom a person chose`,
    table(after),
    '',
    'What the destination itself shows:',
    ...checks.map((check) => checkLine(check, colour)),
    '',
    failed === 0 ? `All ${checks.length} checks pass.` : `${failed} of ${checks.length} checks fail.`,
    '',
  ].join('\n');
}

/** The record without its links, which lead nowhere from here. */
function readBy({ text }: DemoDecision): string[] {
  return (text.split(/\n\n(?=Links\n)/)[0] ?? text).split('\n');
}

function checkLine({ name, expected, actual, pass }: Check, colour: boolean): string {
  const mark = pass ? '✓' : '✗';
  const shown = pass
    ? `${mark} ${name}: ${actual}`
    : `${mark} ${name}: expected ${expected}, found ${actual}`;
  return `  ${colour ? styleText(pass ? 'green' : 'red', shown) : shown}`;
}
