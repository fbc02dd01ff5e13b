/** An ISO time as people read it: `2026-05-04 09:30:12Z`. */
export function readableTime(iso: string): string {
  return iso.replace('T', ' ').replace(/\.\d+Z$/, 'Z');
}

/** `1 lead request`, `2 lead requests`. */
export function counted(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? '' : 's'}`;
}
