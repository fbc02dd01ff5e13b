import * as v from 'valibot';
import { type CommandPlace, showLine } from '../../functions/domain/command-line.ts';
import { readableTime } from '../../functions/domain/words.ts';

const decidedSchema = v.object({
  leadRequestId: v.string(),
  action: v.string(),
  decision: v.string(),
  by: v.string(),
  decidedAt: v.string(),
  recorded: v.picklist(['now', 'before']),
  result: v.picklist(['pending', 'used', 'turned-down', 'too-late']),
  carriedOn: v.picklist(['answered', 'resubmitted', 'by-itself', 'heard', 'held']),
  execution: v.nullable(v.string()),
});
const resubmittedSchema = v.object({ leadRequestId: v.string(), execution: v.string(), run: v.number() });

type Decided = v.InferOutput<typeof decidedSchema>;
type Tell = (answer: unknown) => readonly string[] | null;

/** What the answer to a decision means: whether it was recorded, what happens next, and where to look. */
export function decisionAnswer(route: string, place: CommandPlace): Tell {
  return (answer) => {
    const decided = v.safeParse(decidedSchema, answer);
    if (!decided.success) return null;
    const { leadRequestId } = decided.output;
    return [
      recordedSentence(decided.output),
      nextSentence(decided.output),
      whereToLook(leadRequestId, route, place),
    ];
  };
}

/** What the answer to `resubmit` means. */
export function resubmitAnswer(route: string, place: CommandPlace): Tell {
  return (answer) => {
    const resubmitted = v.safeParse(resubmittedSchema, answer);
    if (!resubmitted.success) return null;
    const { leadRequestId, execution, run } = resubmitted.output;
    return [
      `Run ${run} of the handoff acts from now on (${execution}); no run before it does anything any more.`,
      'What is done stays done; for everything else the destination is read first.',
      whereToLook(leadRequestId, route, place),
    ];
  };
}

function recordedSentence({ action, decision, by, decidedAt, recorded }: Decided): string {
  return recorded === 'now'
    ? `Recorded: ${decision} for ${action}, by ${by}.`
    : `This was recorded before, by ${by} at ${readableTime(decidedAt)}; nothing was changed.`;
}

const READ_FIRST = 'reads the destination once more and carries it out if that read bears it';

function nextSentence({ carriedOn, execution, result }: Decided): string {
  switch (carriedOn) {
    case 'answered':
      return `Execution ${execution} goes on: it ${READ_FIRST}.`;
    case 'by-itself':
      return `Execution ${execution} comes to it by itself, unless the action is over before: it ${READ_FIRST}.`;
    case 'resubmitted':
      return `Nothing waited for it any more, so the handoff was started again as ${execution}: that ${READ_FIRST}.`;
    case 'heard':
      return heardSentence(result);
    case 'held':
      return 'Nothing runs, and a stop starts nothing: stop what else must not be done, then resubmit, which carries it out.';
  }
}

function heardSentence(result: Decided['result']): string {
  switch (result) {
    case 'used':
      return 'It has been carried out.';
    case 'turned-down':
      return 'It was not carried out, because a fresh read did not bear it: a person is asked again.';
    case 'too-late':
      return 'It was not carried out, because the action was over before it was heard.';
    case 'pending':
      return 'It has been heard.';
  }
}

function whereToLook(leadRequestId: string, route: string, place: CommandPlace): string {
  return `What becomes of it: ${showLine(leadRequestId, route, place)}`;
}
