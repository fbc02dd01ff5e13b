import { plainTable } from '../cli/render/plain-table.ts';
import type { Run } from './bench-history.ts';
import { brokenBudgets, METRICS } from './bench-metrics.ts';

/** A metric of this run beside its budget and the last run. */
export interface Line {
  readonly name: string;
  readonly label: string;
  readonly unit: string;
  readonly value: number;
  readonly atMost: number | null;
  readonly last: number | null;
  /** Per cent; null without a last run. */
  readonly change: number | null;
  readonly broken: boolean;
}

export function linesOf(run: Run, last: Run | null): Line[] {
  const broken = new Set(brokenBudgets(run.values).map(({ name }) => name));
  return METRICS.map(({ name, label, unit, atMost }) => {
    const value = run.values[name] ?? Number.NaN;
    const before = last?.values[name] ?? null;
    return {
      name,
      label,
      unit,
      value,
      atMost: atMost ?? null,
      last: before,
      change: before === null ? null : changeOf(before, value),
      broken: broken.has(name),
    };
  });
}

/** The run as a table for people, and a sentence that says whether the budgets are kept. */
export function reportOf(run: Run, last: Run | null): string {
  const lines = linesOf(run, last);
  const rows = lines.map((line) => [
    line.label,
    `${line.value}${spaced(line.unit)}`,
    line.atMost === null ? '' : `≤ ${line.atMost}`,
    line.last === null ? '' : `${line.last}`,
    line.change === null || line.change === 0 ? '' : `${line.change > 0 ? '+' : ''}${line.change} %`,
    line.broken ? 'BROKEN' : '',
  ]);
  const { node, cpus, load } = run.machine;
  return [
    plainTable(['', 'now', 'budget', 'last', 'change', ''], rows, (_, text) => text),
    '',
    `${run.leads} leads, node ${node}, ${cpus} cores, load ${load}.`,
    ...(last === null ? ['There is no earlier run to compare with.'] : [comparedWith(run, last)]),
    verdictOf(lines),
    '',
  ].join('\n');
}

function comparedWith(run: Run, last: Run): string {
  const unlike = last.leads === run.leads ? '' : `, with ${last.leads} leads`;
  return `The last run was at ${last.at}${unlike}, under load ${last.machine.load}.`;
}

function verdictOf(lines: readonly Line[]): string {
  const broken = lines.filter((line) => line.broken);
  if (broken.length === 0) return 'Every budget is kept.';
  return `Budgets broken: ${broken.map(({ label, value, unit, atMost }) => `${label} (${value}${spaced(unit)}, at most ${atMost})`).join(', ')}.`;
}

function changeOf(before: number, now: number): number | null {
  return before === 0 ? null : Math.round(((now - before) / before) * 100);
}

function spaced(unit: string): string {
  return unit === '' || unit === '/s' ? unit : ` ${unit}`;
}
