import { keptUnderFlag } from './dead-letter.ts';
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

/** What a command is told, apart from where it runs. */
export interface CommandWords {
  /** What it is about: ids, names and files, in their order. They may look like flags. */
  readonly about?: readonly string[];
  /** Flags, and the values of those that have one, in their order. */
  readonly flags?: readonly string[];
}

/**
 * A line that can be pasted into a shell: every word is quoted that needs it, the place is always said, and an id that looks like a flag
 * is read as an id.
 */
export function commandLine(
  command: string,
  { about = [], flags = [] }: CommandWords,
  place: CommandPlace,
): string {
  const told = [...flags, ...placeFlags(place)];
  const words = about.some((word) => word.startsWith('-'))
    ? [command, ...told, '--', ...about]
    : [command, ...about, ...told];
  return ['npx handoff', ...words.map(quoted)].join(' ');
}

/** The line that shows a handoff. */
export function showLine(leadRequestId: string, route: string, place: CommandPlace): string {
  return commandLine('show', { about: [leadRequestId], flags: ['--route', route] }, place);
}

/** The line that shows the dead letters of an id. */
export function investigateLine(
  leadRequestId: string,
  route: string,
  place: CommandPlace,
  ...flags: readonly string[]
): string {
  return commandLine('investigate', { about: [leadRequestId], flags: ['--route', route, ...flags] }, place);
}

/** The lines by which an approver ends an investigation: with a corrected request, or because there is nothing to hand off. */
export function approvalLines(
  leadRequestId: string,
  route: string,
  place: CommandPlace,
): { readonly submit: string; readonly dismiss: string } {
  const word = ['--approved-by', 'your name', '--reason', 'your reason'];
  const flags = ['--route', route, ...word, ...keptUnderFlag(leadRequestId)];
  return {
    submit: commandLine('submit', { about: ['FILE'], flags }, place),
    dismiss: investigateLine(leadRequestId, route, place, '--dismiss', ...word),
  };
}

/** The line that decides the same as an input of the recovery state machine; what a person has to fill in is empty, and refused so. */
export function decideLine(
  { leadRequestId, action, decision, evidence, finding, riskAccepted, notDone }: DecideLineInput,
  route: string,
  place: CommandPlace,
): string {
  const flags = [
    ...['--route', route, '--by', '', '--reason', ''],
    ...(evidence === undefined ? [] : ['--evidence', evidence]),
    ...(finding === undefined ? [] : ['--finding', finding]),
    ...(riskAccepted ? ['--accept-risk'] : []),
    ...(notDone ? ['--not-done'] : []),
  ];
  return commandLine('decide', { about: [leadRequestId, action, decision], flags }, place);
}

type DecideLineInput = Omit<DecisionInput, 'by' | 'reason' | 'finding'> & { readonly finding?: string };

/** The line that starts a handoff again; what a person has to fill in is empty, and refused so. */
export function resubmitLine(leadRequestId: string, route: string, place: CommandPlace): string {
  const flags = ['--route', route, '--by', '', '--reason', ''];
  return commandLine('resubmit', { about: [leadRequestId], flags }, place);
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
