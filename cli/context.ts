import type { RouteSettings } from '../functions/domain/route.ts';
import type { Clock } from '../functions/ports/clock.ts';
import type { AwsAccess } from './aws/access.ts';
import type { InterruptedCode } from './interrupts.ts';

/** What a command works with. */
export interface CommandContext {
  readonly routes: readonly RouteSettings[];
  readonly aws: AwsAccess;
  readonly clock: Clock;
  readonly terminal: Terminal;
}

/** Where a command writes. */
export interface Terminal {
  /** Results, one call per line or block. */
  print(text: string): void;
  /** Reasons, one sentence per call. */
  complain(sentence: string): void;
  /** A line that the next one replaces; nothing where stderr is no terminal. The empty text takes it away. */
  progress(text: string): void;
  /** A bar for work that takes a while; nothing where stderr is no terminal. */
  bar(title: string, total: number): Bar;
  readonly colour: boolean;
  /** How wide the terminal is; undefined where stdout is none. */
  readonly columns: number | undefined;
  readonly input: AsyncIterable<Uint8Array>;
}

export interface Bar {
  update(done: number): void;
  /** Takes the bar away. */
  end(): void;
}

/** 0 done, 1 refused or failed with a reason on stderr, 2 wrong usage; 130 and 143 ended by a signal. */
export type ExitCode = 0 | 1 | 2 | InterruptedCode;

export function printJson(terminal: Terminal, value: unknown): void {
  terminal.print(JSON.stringify(value, null, 2));
}
