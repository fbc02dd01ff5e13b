import { type CommandPlace, investigateLine } from '../functions/domain/command-line.ts';

/** The command line itself is wrong: exit code 2. The message says what to write instead. */
export class WrongUsage extends Error {
  override readonly name = 'WrongUsage';
}

/** A file of lead requests cannot be read as one; the message names the line where there is one, and repeats no value. */
export class UnreadableLeads extends Error {
  override readonly name = 'UnreadableLeads';
}

/** Under the id there are messages that could not be accepted, and no handoff. */
export class OnlyDeadLetters extends Error {
  override readonly name = 'OnlyDeadLetters';

  constructor(route: string, leadRequestId: string, place: CommandPlace) {
    const investigate = investigateLine(leadRequestId, route, place);
    super(
      `There is no handoff ${leadRequestId} on route ${route}, but a message that could not be accepted: ${investigate}`,
    );
  }
}

/** What an AWS client's failure comes to. Neither part ends in a full stop. */
export interface AwsProblem {
  readonly problem: string;
  /** What to do about it; null where that is not known. */
  readonly remedy: string | null;
  /** The request may have been carried out all the same. */
  readonly mayHaveHappened: boolean;
}

/** AWS, or the embedded engine in its place, did not do what was asked; the message says what to do about it. */
export class AwsUnavailable extends Error implements AwsProblem {
  override readonly name = 'AwsUnavailable';
  readonly problem: string;
  readonly remedy: string | null;
  readonly mayHaveHappened: boolean;

  constructor({ problem, remedy, mayHaveHappened }: AwsProblem) {
    super(remedy === null ? `${problem}.` : `${problem}: ${remedy}.`);
    this.problem = problem;
    this.remedy = remedy;
    this.mayHaveHappened = mayHaveHappened;
  }
}

/** Something else than AWS answers at the endpoint. */
export class NotAws extends Error {
  override readonly name = 'NotAws';

  constructor() {
    super('What answers does not speak AWS.');
  }
}

/** Failures whose message is a sentence for the person at the keyboard. */
const SENTENCES = new Set([
  'WrongUsage',
  'UnreadableLeads',
  'OnlyDeadLetters',
  'AwsUnavailable',
  'NotAws',
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
