import { WrongUsage } from '../errors.ts';
import { FIELD_LIST, LEAD_FIELDS } from './fields.ts';

/** Stands for every column that is neither a field nor named. */
const ALL_OTHERS = '*';

/** What becomes of the columns of a CSV file. A column that is a field, and is not named here, is that field. */
export interface ColumnMap {
  /** By the column's name: its field, or null for one that is left out. */
  readonly fieldOf: ReadonlyMap<string, string | null>;
  /** Columns that are neither a field nor named are left out. */
  readonly leavesOutOthers: boolean;
}

export const NO_MAP: ColumnMap = { fieldOf: new Map(), leavesOutOthers: false };

/**
 * Reads `column=field`, as often as it was given. No field leaves the column out; `*=` leaves out all the others.
 *
 * @throws WrongUsage
 */
export function parseColumnMap(given: readonly string[]): ColumnMap {
  const fieldOf = new Map<string, string | null>();
  let leavesOutOthers = false;
  for (const one of given) {
    // No field has an equals sign, and a column may.
    const cut = one.lastIndexOf('=');
    const column = one.slice(0, Math.max(cut, 0)).trim();
    const field = one.slice(cut + 1).trim();
    if (cut === -1 || column === '') {
      throw new WrongUsage('--map: expected COLUMN=FIELD, such as --map "E-Mail=email".');
    }
    if (column === ALL_OTHERS) {
      if (field !== '') throw new WrongUsage('--map: "*=" leaves out all other columns, and has no field.');
      leavesOutOthers = true;
      continue;
    }
    if (field !== '' && !LEAD_FIELDS.includes(field)) {
      throw new WrongUsage(`--map: there is no field ${field}; the fields are ${FIELD_LIST}.`);
    }
    if (fieldOf.has(column)) throw new WrongUsage(`--map: the column ${column} is named twice.`);
    if (field !== '' && [...fieldOf.values()].includes(field)) {
      throw new WrongUsage(`--map: two columns are to be ${field}.`);
    }
    fieldOf.set(column, field === '' ? null : field);
  }
  return { fieldOf, leavesOutOthers };
}

/** The field of a column; null for one that is left out, undefined for one that nobody knows. */
export function fieldOfColumn(
  column: string,
  { fieldOf, leavesOutOthers }: ColumnMap,
): string | null | undefined {
  const named = fieldOf.get(column);
  if (named !== undefined) return named;
  if (LEAD_FIELDS.includes(column)) return column;
  return leavesOutOthers ? null : undefined;
}
