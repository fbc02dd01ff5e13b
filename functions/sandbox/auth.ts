import { createHash, timingSafeEqual } from 'node:crypto';

/**
 * The three keys of a sandbox with secret S: `S.read`, `S.write` and S itself. Each stands for one app with its own id,
 * because two HubSpot private apps also have two ids (`sourceId` of a property's history).
 */
export type Credential = 'read' | 'write' | 'full';

export const APP_IDS: Readonly<Record<Credential, number>> = { full: 2000001, read: 2000002, write: 2000003 };

export interface Keyring {
  /** The key behind an `Authorization` header; null for no such key. */
  identify(authorization: string | undefined): Credential | null;
  /** The key itself. */
  identifyToken(token: string): Credential | null;
}

/** Throws a `TypeError` without a secret: a sandbox is never open. */
export function createKeyring(bearer: string): Keyring {
  if (typeof bearer !== 'string' || bearer.length === 0) {
    throw new TypeError('The sandbox needs a bearer secret: pass a non-empty `bearer`.');
  }
  const keys: readonly (readonly [Credential, string])[] = [
    ['full', bearer],
    ['read', `${bearer}.read`],
    ['write', `${bearer}.write`],
  ];
  const identifyToken = (token: string): Credential | null =>
    keys.find(([, key]) => sameText(key, token))?.[0] ?? null;
  return {
    identifyToken,
    identify: (authorization) => {
      const token = bearerToken(authorization);
      return token === null ? null : identifyToken(token);
    },
  };
}

export function bearerToken(authorization: string | undefined): string | null {
  return /^Bearer\s+(\S+)$/i.exec(authorization ?? '')?.[1] ?? null;
}

/** Compares in constant time, whatever the lengths. */
export function sameText(a: string, b: string): boolean {
  const digest = (text: string) => createHash('sha256').update(text).digest();
  return timingSafeEqual(digest(a), digest(b));
}
