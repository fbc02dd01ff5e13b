import type { Check } from '../doctor/check.ts';
import { painter, type Style } from './paint.ts';

const STYLES: Readonly<Record<Check['state'], Style>> = { ok: 'green', failed: 'red', skipped: 'dim' };

/** Checks, one per line; under a failed one what to do about it. */
export function checksText(checks: readonly Check[], { colour }: { readonly colour: boolean }): string {
  const paint = painter(colour);
  const subjects = checks.map(({ route, check }) => (route === null ? check : `${route} ${check}`));
  const width = Math.max(...subjects.map((subject) => subject.length));
  return checks
    .flatMap(({ state, detail, fix }, i) => [
      `${paint(STYLES[state], state.padEnd(7))}  ${(subjects[i] ?? '').padEnd(width)}  ${detail}`,
      ...(fix === null ? [] : [`${' '.repeat(9)}To mend it: ${fix}`]),
    ])
    .join('\n');
}
