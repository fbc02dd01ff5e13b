import type { Terminal } from './context.ts';
import { wantsColour } from './render/paint.ts';

const CLEAR_LINE = '\r\u001b[K';

/** The terminal, or the pipes, that this process was started with. */
export function processTerminal(): Terminal {
  const { stdout, stderr, stdin, env } = process;
  const live = stderr.isTTY === true && env.TERM !== 'dumb';
  let shown = false;
  const clear = () => {
    if (shown) stderr.write(CLEAR_LINE);
    shown = false;
  };
  // A reader that went away (`handoff waiting | head -1`) has what it wanted.
  stdout.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code === 'EPIPE') process.exit(process.exitCode ?? 0);
  });
  return {
    print(text) {
      clear();
      stdout.write(`${text}\n`);
    },
    complain(sentence) {
      clear();
      stderr.write(`${sentence}\n`);
    },
    progress(text) {
      clear();
      if (!live || text === '') return;
      stderr.write(text);
      shown = true;
    },
    colour: wantsColour(stdout, env),
    columns: stdout.isTTY === true ? stdout.columns : undefined,
    input: stdin,
  };
}
