import { littleDoneWith, NEVER_REHEARSED } from './endpoint-limits.ts';
import type { TakenOut, Template } from './reduced-template.ts';

/** What of a deployment the rehearsal says nothing about. */
export interface Unrehearsed {
  readonly takenOut: readonly TakenOut[];
  readonly deployed: Template;
  /** Types of the bootstrap's resources that the endpoint passed over, as it said so itself. */
  readonly passedOver: readonly string[];
}

/** That as lines: what was taken out by name, what was created by type, and the rest. */
export function notRehearsed({ takenOut, deployed, passedOver }: Unrehearsed): string[] {
  const groups = grouped(takenOut, ({ type, why }) => `${type}, because ${why}`);
  const types = grouped(Object.values(deployed.Resources), ({ Type }) => Type);
  return [
    'Taken out of the template:',
    ...[...groups].map(([head, all]) => `  ${all.length} ${head}: ${all.map(({ name }) => name).join(', ')}`),
    'Created, but this endpoint does less with it than AWS:',
    ...[...types].map(([type, all]) => `  ${all.length} ${type}: ${littleDoneWith(type)}`),
    'Besides:',
    ...NEVER_REHEARSED.map((line) => `  ${line}`),
    ...passedOver.map((type) => `  ${type} of the bootstrap stack, which this endpoint passed over.`),
  ];
}

/** By the text that `headOf` gives each, in alphabetical order. */
function grouped<T>(all: readonly T[], headOf: (one: T) => string): Map<string, T[]> {
  return new Map([...Map.groupBy(all, headOf)].sort(([a], [b]) => a.localeCompare(b)));
}
