import { invalidInput } from './hubspot-errors.ts';

const MAX_PAGE = 100;

/**
 * One page of a list: `limit` at most 100, `after` is the position of the next object.
 * (`@hubspot/api-client`, `BasicApi.getPage`)
 */
export function page<T>(
  all: readonly T[],
  query: URLSearchParams,
  render: (item: T) => unknown,
  defaultLimit = 10,
  maxLimit: number = MAX_PAGE,
): Record<string, unknown> {
  const limit = wholeNumber(query.get('limit'), defaultLimit, 'limit');
  const after = wholeNumber(query.get('after'), 0, 'after');
  if (limit < 1 || limit > maxLimit) throw invalidInput(`limit must be between 1 and ${maxLimit}.`);
  return slice(all, after, limit, render);
}

/** `{results, paging?}`, with `paging.next.after` only where more follows. */
export function slice<T>(
  all: readonly T[],
  after: number,
  limit: number,
  render: (item: T) => unknown,
): Record<string, unknown> {
  const results = all.slice(after, after + limit).map(render);
  const next = after + limit;
  return next < all.length ? { results, paging: { next: { after: String(next) } } } : { results };
}

export function wholeNumber(raw: unknown, fallback: number, name: string): number {
  if (raw === null || raw === undefined || raw === '') return fallback;
  if (!/^\d+$/.test(String(raw))) throw invalidInput(`${name} must be a whole number.`);
  return Number(raw);
}
