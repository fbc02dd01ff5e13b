import type { Step } from '../setup/plan.ts';
import { painter, type Style } from './paint.ts';

const WORDS: Readonly<Record<Step['state'], readonly [string, Style]>> = {
  there: ['there', 'green'],
  'to-do': ['to do', 'yellow'],
  done: ['done', 'green'],
  'by-hand': ['by hand', 'red'],
  failed: ['failed', 'red'],
};

/** Steps, one per line; under one that a person has to do how it is done. */
export function stepsText(steps: readonly Step[], { colour }: { readonly colour: boolean }): string {
  const paint = painter(colour);
  return steps
    .flatMap(({ route, state, what, how }) => {
      const [word, style] = WORDS[state];
      return [
        `${paint(style, word.padEnd(7))}  ${route === null ? '' : `${route}: `}${what}`,
        ...(how === null ? [] : [`${' '.repeat(9)}How: ${how}`]),
      ];
    })
    .join('\n');
}
