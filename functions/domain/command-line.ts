import type { DecisionInput } from './recovery-choices.ts';
import type { Stage } from './stage-numbers.ts';

/** Where `npm run local` listens unless told otherwise. */
export const LOCAL_ENDPOINT = 'http://127.0.0.1:4566';

/** Where a command has to be run. */
export interface CommandPlace {
  readonly stage: Stage;
  /** Absent: AWS itself, or for stage `local` where that listens unless told otherwise. */
  readonly endpoint?: string | undefined;
}

/** A line that can be pasted into a shell: every word is quoted that needs it, and the place is always said. */
export function commandLine(words: readonly string[], place: CommandPlace): string {
  return ['npx handoff', ...[...words, ...placeFlags(place)].map(quoted)].join(' ');
}

/** The line that decides the same as an input of the recovery state machine; what a person has to fill in is empty, and refused so. */
export function decideLine(
  { leadRequestId, action, decision, evidence, finding, riskAccepted, notDone }: DecideLineInput,
  route: string,
  place: CommandPlace,
): string {
  const words = [
    ...['decide', leadRequestId, action, decision, '--route', route, '--by', '', '--reason', ''],
    ...(evidence === undefined ? [] : ['--evidence', evidence]),
    ...(finding === undefined ? [] : ['--finding', finding]),
    ...(riskAccepted ? ['--accept-risk'] : []),
    ...(notDone ? ['--not-done'] : []),
  ];
  return commandLine(words, place);
}

type DecideLineInput = Omit<DecisionInput, 'by' | 'reason' | 'finding'> & { readonly finding?: string };

/** The line that starts a handoff again; what a person has to fill in is empty, and refused so. */
export function resubmitLine(leadRequestId: string, route: string, place: CommandPlace): string {
  return commandLine(['resubmit', leadRequestId, '--route', route, '--by', '', '--reason', ''], place);
}

function placeFlags({ stage, endpoint }: CommandPlace): string[] {
  if (stage === 'local') return ['--endpoint', endpoint ?? LOCAL_ENDPOINT];
  return [...(endpoint === undefined ? [] : ['--endpoint', endpoint]), '--stage', stage];
}

/** As a POSIX shell reads it back: plain words as they are, words with blanks in double quotes, everything else in single ones. */
function quoted(word: string): string {
  if (/^[\w.,:/@=+-]+$/.test(word)) return word;
  return /^[\w.,:/@=+ -]*$/.test(word) ? `"${word}"` : `'${word.replaceAll("'", "'\\''")}'`;
}
