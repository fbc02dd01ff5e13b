import { ACTIONS, type ActionName } from '../functions/domain/action.ts';

/** One number of a run, and the budget that it must keep where there is one (DESIGN.md, budgets). */
export interface Metric {
  readonly name: string;
  readonly label: string;
  readonly unit: '' | 'kB' | 'ms' | 's' | '/s' | 'MB';
  readonly atMost?: number;
  readonly value: (found: Measured) => number;
}

/** What a run of the benchmark found. */
export interface Measured {
  readonly states: number;
  readonly invocations: number;
  /** Successful writes to the ledger and the idempotency table together. */
  readonly writes: Readonly<Record<ActionName | 'start' | 'close', number>>;
  readonly bundleBytes: Readonly<Record<ActionName, number>>;
  readonly demoSeconds: number;
  readonly handoffsPerSecond: number;
  /** From the submission to the end of the execution, one handoff after the other. */
  readonly handoffMs: { readonly p50: number; readonly p95: number };
  /** The engine's process at its largest, with the tables and the sandbox in it and without the functions. */
  readonly engineBytes: number;
}

const WRITES_PER_ACTION = 6;
const BUNDLE_KB = 650;

export const METRICS: readonly Metric[] = [
  { name: 'states', label: 'states entered', unit: '', atMost: 7, value: (found) => found.states },
  {
    name: 'invocations',
    label: 'Lambda invocations',
    unit: '',
    atMost: 6,
    value: (found) => found.invocations,
  },
  ...perAction((action) => ({
    name: `writes.${action}`,
    label: `writes of ${action}`,
    unit: '',
    atMost: WRITES_PER_ACTION,
    value: (found) => found.writes[action],
  })),
  { name: 'writes.start', label: 'writes of the start', unit: '', value: (found) => found.writes.start },
  { name: 'writes.close', label: 'writes of the close', unit: '', value: (found) => found.writes.close },
  ...perAction((action) => ({
    name: `bundle.${action}`,
    label: `bundle of ${action}`,
    unit: 'kB',
    atMost: BUNDLE_KB,
    value: (found) => found.bundleBytes[action] / 1_000,
  })),
  { name: 'demo', label: 'npm run demo', unit: 's', atMost: 45, value: (found) => found.demoSeconds },
  { name: 'handoffMs.p50', label: 'a handoff, p50', unit: 'ms', value: (found) => found.handoffMs.p50 },
  { name: 'handoffMs.p95', label: 'a handoff, p95', unit: 'ms', value: (found) => found.handoffMs.p95 },
  { name: 'rate', label: 'handoffs', unit: '/s', value: (found) => found.handoffsPerSecond },
  {
    name: 'engine',
    label: 'engine memory',
    unit: 'MB',
    value: (found) => found.engineBytes / 1_000_000,
  },
];

/** The numbers of a run by the metrics' names. */
export type Values = Readonly<Record<string, number>>;

export function valuesOf(found: Measured): Values {
  return Object.fromEntries(METRICS.map(({ name, value }) => [name, rounded(value(found))]));
}

/** The metrics whose budget these numbers break. A number that is missing keeps no budget. */
export function brokenBudgets(values: Values): Metric[] {
  return METRICS.filter(({ name, atMost }) => {
    const value = values[name];
    return atMost !== undefined && !(value !== undefined && value <= atMost);
  });
}

/** To a tenth, upwards, so that rounding keeps no budget that was broken. */
function rounded(value: number): number {
  return Math.ceil(value * 10 - 1e-9) / 10;
}

function perAction(make: (action: ActionName) => Metric): Metric[] {
  return ACTIONS.map(make);
}
