const LONGEST_MS = 24 * 3_600_000;

/**
 * A Retry-After header in milliseconds from `now` (epoch milliseconds): seconds or an HTTP date, at most 24 hours, so that a
 * mistaken header cannot put a handoff to sleep for good. Undefined where there is none that can be read.
 *
 * @see https://www.rfc-editor.org/rfc/rfc9110#field.retry-after
 */
export function retryAfterMs(header: string | undefined, now: number): number | undefined {
  const value = header?.trim() ?? '';
  const isDate = /^[A-Z][a-z]{2,8}, /.test(value);
  const wait = isDate
    ? Date.parse(value) - now
    : /^\d+(\.\d+)?$/.test(value)
      ? Number(value) * 1000
      : Number.NaN;
  if (Number.isNaN(wait)) return undefined;
  return Math.min(Math.max(Math.ceil(wait), 0), LONGEST_MS);
}
