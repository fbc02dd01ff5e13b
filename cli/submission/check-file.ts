import { UnreadableLeads } from '../errors.ts';
import { isRefusal } from '../leads/rows.ts';
import type { Session } from './session.ts';

/** From so many bytes on, progress is shown. */
const LARGE = 1024 * 1024;

export interface Checked {
  /** How many lead requests are in the file, and how many rows are none. */
  readonly valid: number;
  readonly invalid: number;
}

/**
 * Reads a file to its end before anything is submitted, and keeps none of it: what is wrong with it is counted, and written down.
 *
 * @throws UnreadableLeads
 */
export async function checkFile({ leads, tally, errors, context }: Session): Promise<Checked> {
  let valid = 0;
  let invalid = 0;
  const bar = leads.size >= LARGE ? context.terminal.bar('Checking', leads.size) : null;
  try {
    for await (const row of leads.rows((bytes) => bar?.update(bytes))) {
      if (isRefusal(row)) {
        tally.add(row);
        errors?.write(row);
        invalid += 1;
      } else {
        valid += 1;
      }
    }
  } finally {
    bar?.end();
  }
  if (valid + invalid === 0) throw new UnreadableLeads('There is no lead request in it.');
  return { valid, invalid };
}
