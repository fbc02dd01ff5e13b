import { SingleBar } from 'cli-progress';
import type { Bar, Terminal } from './context.ts';
import { wantsColour } from './render/paint.ts';

const BAR_FORMAT = '{bar} {percentage} %, {eta_formatted} left';

const CLEAR_LINE = '\r\u001b[K';

/** The terminal, or the pipes, that this process was started with. */
export function processTerminal(): Terminal {
  const { stdout, stderr, stdin, env } = process;
  const live = stderr.isTTY === true && env.TERM !== 'dumb';
  let shown = false;
  let bar: SingleBar | null = null;
  const clear = () => {
    if (shown) stderr.write(CLEAR_LINE);
    shown = false;
    bar?.stop();
    bar = null;
  };
  const startBar = (title: string, total: number): Bar => {
    clear();
    const mine = new SingleBar({
      stream: stderr,
      format: `${title} ${BAR_FORMAT}`,
      barsize: 30,
      etaBuffer: 200,
      clearOnComplete: true,
    });
    mine.start(total, 0);
    bar = mine;
    return { update: (done) => mine.update(done), end: () => (bar === mine ? clear() : undefined) };
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
    bar: (title, total) => (live ? startBar(title, total) : { update: () => {}, end: () => {} }),
    colour: wantsColour(stdout, env),
    columns: stdout.isTTY === true ? stdout.columns : undefined,
    input: stdin,
  };
}
