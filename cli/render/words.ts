/** `1 lead request`, `2 lead requests`. */
export function counted(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? '' : 's'}`;
}

const UNITS: readonly (readonly [string, number])[] = [
  ['d', 86_400_000],
  ['h', 3_600_000],
  ['min', 60_000],
  ['s', 1_000],
];

/** A time span in its two largest units: `2 d 4 h`, `3 h 20 min`, `42 s`. */
export function readableSpan(ms: number): string {
  const largest = UNITS.findIndex(([, size]) => ms >= size);
  if (largest === -1) return '0 s';
  let rest = ms;
  const parts: string[] = [];
  for (const [unit, size] of UNITS.slice(largest, largest + 2)) {
    const count = Math.floor(rest / size);
    if (count > 0) parts.push(`${count} ${unit}`);
    rest %= size;
  }
  return parts.join(' ');
}
