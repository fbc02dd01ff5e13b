/** A point at which something waits until the test lets it go on, or for ever: then its process has died there. */
export interface PausePoint {
  /** To be called where the pause shall be; holds the first caller only. */
  readonly hold: () => Promise<void> | undefined;
  /** Settles when somebody waits here. */
  readonly reached: Promise<void>;
  readonly go: () => void;
}

export function pausePoint(): PausePoint {
  const reached = Promise.withResolvers<void>();
  const gone = Promise.withResolvers<void>();
  let used = false;
  return {
    hold() {
      if (used) return undefined;
      used = true;
      reached.resolve();
      return gone.promise;
    },
    reached: reached.promise,
    go: gone.resolve,
  };
}
