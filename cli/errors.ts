/** The command line itself is wrong: exit code 2. The message says what to write instead. */
export class WrongUsage extends Error {
  override readonly name = 'WrongUsage';
}

/** A file of lead requests cannot be read as one; the message names the line where there is one, and repeats no value. */
export class UnreadableLeads extends Error {
  override readonly name = 'UnreadableLeads';
}

/** AWS, or the embedded engine in its place, did not do what was asked; the message says what to do about it. */
export class AwsUnavailable extends Error {
  override readonly name = 'AwsUnavailable';
}

/** Failures whose message is a sentence for the person at the keyboard. */
const SENTENCES = new Set([
  'WrongUsage',
  'UnreadableLeads',
  'AwsUnavailable',
  'UnknownHandoff',
  'LedgerUnavailable',
  'InvalidRoute',
  'UnknownPlaceholder',
]);

/** One sentence for any failure: its own words where they are meant for people, else its name alone. */
export function sentenceOf(error: unknown): string {
  if (!(error instanceof Error)) return 'Something unexpected happened.';
  return SENTENCES.has(error.name) ? error.message : `Something unexpected happened (${error.name}).`;
}
