import { parseArgs } from 'node:util';

export const DEFAULT_LEADS = 50;
const MOST_LEADS = 10_000;

/** The command line cannot be understood. */
export class WrongUsage extends Error {
  override readonly name = 'WrongUsage';
}

export interface Flags {
  readonly leads: number;
  readonly json: boolean;
  readonly help: boolean;
}

/** @throws WrongUsage */
export function readFlags(args: readonly string[]): Flags {
  const { leads: text, json, help } = parsed(args);
  const leads = Number(text);
  if (!/^\d+$/.test(text) || leads < 1 || leads > MOST_LEADS) {
    throw new WrongUsage(`--leads must be a whole number from 1 to ${MOST_LEADS}.`);
  }
  return { leads, json, help };
}

function parsed(args: readonly string[]): { leads: string; json: boolean; help: boolean } {
  try {
    return parseArgs({
      args: [...args],
      options: {
        leads: { type: 'string', default: String(DEFAULT_LEADS) },
        json: { type: 'boolean', default: false },
        help: { type: 'boolean', default: false },
      },
    }).values;
  } catch (error) {
    throw new WrongUsage(error instanceof Error ? error.message : String(error));
  }
}
