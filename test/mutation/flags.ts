import { parseArgs } from 'node:util';

export const HELP = `npm run mutants [-- --only ID --committed --json --list]

Takes the protections of this project away, one by one, in a copy of the tree, and runs the test that must notice. The copy's tests
must pass first. Exits 1 when one survives, or no longer fits the code.

  --only ID     this one alone, or all whose id starts with it; may be repeated
  --committed   what was committed last, not what is being worked on
  --list        name them and run nothing
  --json        print the results as JSON
  --help        print this
`;

/** The command line cannot be understood. */
export class WrongUsage extends Error {
  override readonly name = 'WrongUsage';
}

export interface Flags {
  readonly only: readonly string[];
  readonly committed: boolean;
  readonly json: boolean;
  readonly list: boolean;
  readonly help: boolean;
}

/** @throws WrongUsage */
export function readFlags(args: readonly string[]): Flags {
  try {
    return parseArgs({
      args: [...args],
      options: {
        only: { type: 'string', multiple: true, default: [] },
        committed: { type: 'boolean', default: false },
        json: { type: 'boolean', default: false },
        list: { type: 'boolean', default: false },
        help: { type: 'boolean', default: false },
      },
    }).values;
  } catch (error) {
    throw new WrongUsage(error instanceof Error ? error.message : String(error));
  }
}
