import { parseArgs } from 'node:util';

/** The command line cannot be understood. */
export class WrongUsage extends Error {
  override readonly name = 'WrongUsage';
}

export interface Flags {
  readonly minutes: number;
  readonly seed: number;
  /** New lead requests in the whole run. */
  readonly leads: number;
  readonly json: boolean;
  readonly help: boolean;
}

/** As many as a machine that does nothing else hands off beside everything that goes wrong. */
export const LEADS_PER_MINUTE = 30;
const MOST_MINUTES = 60;
const MOST_LEADS = 5_000;
const MOST_SEED = 2 ** 31 - 1;

/**
 * @param anySeed taken where the command line names none
 * @throws WrongUsage
 */
export function readFlags(args: readonly string[], anySeed: () => number): Flags {
  const { minutes: given, seed, leads, json, help } = parsed(args);
  const minutes = Number(given);
  if (!/^\d+(\.\d+)?$/.test(given) || minutes < 0.1 || minutes > MOST_MINUTES) {
    throw new WrongUsage(`--minutes must be a number from 0.1 to ${MOST_MINUTES}.`);
  }
  return {
    minutes,
    seed: seed === undefined ? anySeed() : whole('--seed', seed, 0, MOST_SEED),
    leads:
      leads === undefined
        ? Math.max(1, Math.round(minutes * LEADS_PER_MINUTE))
        : whole('--leads', leads, 1, MOST_LEADS),
    json,
    help,
  };
}

function whole(flag: string, text: string, least: number, most: number): number {
  const value = Number(text);
  if (!/^\d+$/.test(text) || value < least || value > most) {
    throw new WrongUsage(`${flag} must be a whole number from ${least} to ${most}.`);
  }
  return value;
}

interface Given {
  minutes: string;
  seed?: string | undefined;
  leads?: string | undefined;
  json: boolean;
  help: boolean;
}

function parsed(args: readonly string[]): Given {
  try {
    return parseArgs({
      args: [...args],
      options: {
        minutes: { type: 'string', default: '2' },
        seed: { type: 'string' },
        leads: { type: 'string' },
        json: { type: 'boolean', default: false },
        help: { type: 'boolean', default: false },
      },
    }).values;
  } catch (error) {
    throw new WrongUsage(error instanceof Error ? error.message : String(error));
  }
}
