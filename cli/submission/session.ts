import type { CommandContext } from '../context.ts';
import type { LeadFile } from '../leads/lead-file.ts';
import type { ErrorFile } from './error-file.ts';
import type { HowToSubmit } from './options.ts';
import type { Tally } from './tally.ts';

/** The submission of one file. */
export interface Session {
  readonly leads: LeadFile;
  readonly route: string;
  readonly how: HowToSubmit;
  readonly context: CommandContext;
  readonly tally: Tally;
  /** Null where refused rows are written down nowhere. */
  readonly errors: ErrorFile | null;
  /** Aborted when somebody wants it to end. */
  readonly interruption: AbortSignal;
}
