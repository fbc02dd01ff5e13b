const SIGNALS = ['SIGINT', 'SIGTERM'] as const;

type Interrupting = (typeof SIGNALS)[number];

/** What a shell is told of a program that a signal ended: 128 and the signal's number. */
const EXIT_CODES = { SIGINT: 130, SIGTERM: 143 } as const;

export type InterruptedCode = (typeof EXIT_CODES)[Interrupting];

/**
 * Runs work that Ctrl-C, or being told to end, asks to come to its end: `interruption` is aborted then. A second time ends this
 * process at once.
 */
export async function interruptible<T>(work: (interruption: AbortSignal) => Promise<T>): Promise<T> {
  const controller = new AbortController();
  const interrupt = (signal: Interrupting) => {
    if (controller.signal.aborted) process.exit(EXIT_CODES[signal]);
    controller.abort(signal);
  };
  const others = SIGNALS.map((signal) => ({ signal, listeners: process.listeners(signal) }));
  for (const { signal } of others) {
    process.removeAllListeners(signal);
    process.on(signal, interrupt);
  }
  try {
    return await work(controller.signal);
  } finally {
    for (const { signal, listeners } of others) {
      process.removeListener(signal, interrupt);
      for (const listener of listeners) process.on(signal, listener);
    }
  }
}

/** The exit code after an interruption; null where there was none. */
export function interruptedCode(interruption: AbortSignal): InterruptedCode | null {
  return interruption.aborted ? EXIT_CODES[interruption.reason as Interrupting] : null;
}
