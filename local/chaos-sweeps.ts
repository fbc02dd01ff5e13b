import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROUTE, SWEEP } from './chaos-names.ts';

/** A sweep of the route that came to its end, as its function's log tells it. */
export interface Swept {
  /** Epoch milliseconds of its end. */
  readonly at: number;
  readonly looked: number;
  /** Handoffs that there was no time for. */
  readonly left: number;
  /** Handoffs that could not be looked after. */
  readonly failed: number;
}

/** Every sweep that came to its end, the first one first; one that was ended by force has no line. */
export function sweepsIn(dataDir: string): Swept[] {
  return linesOf(join(dataDir, 'logs', `${SWEEP}.log`)).flatMap((line) => {
    const entry = entryOf(line);
    if (entry?.message !== 'route swept' || entry.sweptRoute !== ROUTE) return [];
    const [looked, left, failed] = [entry.looked, entry.left, entry.failed].map(Number);
    return [
      { at: Date.parse(String(entry.timestamp)), looked: looked ?? 0, left: left ?? 0, failed: failed ?? 0 },
    ];
  });
}

function linesOf(path: string): string[] {
  try {
    return readFileSync(path, 'utf8').split('\n');
  } catch {
    // The function has not printed anything yet.
    return [];
  }
}

function entryOf(line: string): Record<string, unknown> | null {
  try {
    return JSON.parse(line) as Record<string, unknown>;
  } catch {
    return null;
  }
}
