import { AwsError } from './aws-error.ts';

const DEFAULT_RESULTS = 100;
const MOST_RESULTS = 1_000;

/**
 * One page of a list, for operations with `maxResults` (100 unless given, at most 1,000) and `nextToken`.
 *
 * @throws AwsError `ValidationException`, `InvalidToken`
 */
export function page<T>(
  all: readonly T[],
  { maxResults, nextToken }: { maxResults?: unknown; nextToken?: unknown },
): { items: T[]; nextToken?: string } {
  const size = maxResults === undefined || maxResults === 0 ? DEFAULT_RESULTS : Number(maxResults);
  if (!Number.isInteger(size) || size < 1 || size > MOST_RESULTS) {
    throw new AwsError('ValidationException', `maxResults must be from 0 to ${MOST_RESULTS}.`);
  }
  const start = nextToken === undefined || nextToken === null ? 0 : offsetOf(String(nextToken));
  const items = all.slice(start, start + size);
  return start + size < all.length ? { items, nextToken: tokenOf(start + size) } : { items };
}

function tokenOf(offset: number): string {
  return Buffer.from(`from ${offset}`).toString('base64url');
}

function offsetOf(token: string): number {
  const [, offset] = /^from (\d+)$/.exec(Buffer.from(token, 'base64url').toString()) ?? [];
  if (offset === undefined) throw new AwsError('InvalidToken', "Invalid Token: 'Invalid token'");
  return Number(offset);
}
