import Table from 'cli-table3';
import type { Mutant } from './mutant.ts';

export type Verdict = 'caught' | 'survived' | 'stale' | 'broken';

export interface MutantResult {
  readonly id: string;
  readonly protects: string;
  readonly edit: string;
  readonly verdict: Verdict;
  /** The first test that failed; what went wrong where none did. */
  readonly by: string;
  readonly seconds: number;
}

const WIDTHS = { edit: 64, protects: 46, by: 60 };

/** An edit in one line: what stood there, and what stands there now. */
export function editOf({ file, search, replace }: Mutant): string {
  const [before, after] = [search, replace].map((text) => text.replaceAll(/\s+/g, ' ').trim());
  return `${file}: ${before} → ${after === '' ? '(removed)' : after}`;
}

export function tableOf(results: readonly MutantResult[]): string {
  const table = new Table({
    head: ['id', 'protection', 'edit', 'caught by', 's'],
    colWidths: [30, WIDTHS.protects, WIDTHS.edit, WIDTHS.by, 6],
    wordWrap: true,
    style: { head: [], border: [] },
  });
  for (const { id, protects, edit, verdict, by, seconds } of results) {
    const caught = verdict === 'caught' ? by : `${verdict.toUpperCase()}: ${by}`;
    table.push([id, protects, edit, caught, seconds.toFixed(0)]);
  }
  return table.toString();
}
