/** The answer to one question of the doctor. */
export interface Check {
  readonly check: string;
  /** Null for what all routes share. */
  readonly route: string | null;
  readonly state: 'ok' | 'failed' | 'skipped';
  /** What was found: ids, names and codes; never a secret or a person. */
  readonly detail: string;
  /** What to do about it, where it failed or something is missing to look. */
  readonly fix: string | null;
}

/** Makes the checks of one route, or of what all routes share (null). */
export function checksOf(route: string | null) {
  return {
    ok: (check: string, detail: string): Check => ({ check, route, state: 'ok', detail, fix: null }),
    failed: (check: string, detail: string, fix: string): Check => ({
      check,
      route,
      state: 'failed',
      detail,
      fix,
    }),
    skipped: (check: string, detail: string, fix: string | null = null): Check => ({
      check,
      route,
      state: 'skipped',
      detail,
      fix,
    }),
  };
}
