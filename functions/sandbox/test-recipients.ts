/**
 * Addresses that cannot belong to anybody: the names reserved for examples and tests.
 * https://www.rfc-editor.org/rfc/rfc2606, https://www.rfc-editor.org/rfc/rfc6761
 */

const RESERVED_DOMAINS = ['example.com', 'example.org', 'example.net', 'localhost'];
const RESERVED_TOP_LEVELS = ['example', 'test', 'invalid', 'localhost'];

/** The bare address of `Name <a@b.example>` or `a@b.example`; null when it is neither. */
export function addressOf(mailbox: string): string | null {
  const bare = /^[^<>]*<([^<>]+)>$/.exec(mailbox.trim())?.[1] ?? mailbox.trim();
  return /^[^\s@<>,;]+@[^\s@<>,;]+$/.test(bare) ? bare.toLowerCase() : null;
}

export function isTestAddress(address: string): boolean {
  const domain = address.slice(address.lastIndexOf('@') + 1).toLowerCase();
  const isReserved = RESERVED_DOMAINS.some((name) => domain === name || domain.endsWith(`.${name}`));
  return isReserved || RESERVED_TOP_LEVELS.includes(domain.slice(domain.lastIndexOf('.') + 1));
}
