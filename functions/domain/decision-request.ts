import * as v from 'valibot';
import { ACTIONS } from './action.ts';
import { DECISIONS } from './decision.ts';
import { invalidDecision, type Refusal } from './decision-refusals.ts';
import { leadRequestSchema } from './lead-request.ts';
import { typedName, typedReason } from './typed-words.ts';

/** What a person may ask of a route's recovery besides a decision about an action. */
const OTHER_REQUESTS = ['waiting', 'show', 'resubmit'] as const;

const ALL_REQUESTS = [...DECISIONS, ...OTHER_REQUESTS] as const;

/** What a field holds, for whoever has left it out. */
const HOLDS: Readonly<Record<string, string>> = {
  decision: `one of ${ALL_REQUESTS.join(', ')}`,
  leadRequestId: 'the id that the source gave this inquiry',
  action: `one of ${ACTIONS.join(', ')}`,
  by: 'the name or the email address of the person who decides',
  reason: 'why, in one line and without personal data',
};

const { leadRequestId } = leadRequestSchema.entries;
const by = typedName(`expected ${HOLDS.by}`);
const reason = typedReason(`expected ${HOLDS.reason}`);

const decideSchema = v.strictObject({
  decision: v.picklist(DECISIONS),
  leadRequestId,
  action: v.picklist(ACTIONS, `expected ${HOLDS.action}`),
  by,
  reason,
  evidence: v.optional(
    v.pipe(
      v.string('expected a text'),
      v.regex(
        /^[A-Za-z0-9][A-Za-z0-9_.:/#-]{0,127}$/,
        'expected 1 to 128 of the characters A-Z a-z 0-9 _ . : / # -, beginning with a letter or a digit; leave it out where there is none',
      ),
    ),
  ),
  /** The finding that the person's record showed. */
  finding: v.optional(
    v.pipe(
      v.string('expected a text'),
      v.regex(/^[a-z]{1,20}(:[a-z-]{1,40})?$/, 'expected the finding as the recovery record shows it'),
    ),
  ),
  riskAccepted: v.optional(v.boolean('expected true or false')),
  notDone: v.optional(v.boolean('expected true or false')),
});
const resubmitSchema = v.strictObject({ decision: v.literal('resubmit'), leadRequestId, by, reason });
const showSchema = v.strictObject({ decision: v.literal('show'), leadRequestId, by: v.optional(by) });
const waitingSchema = v.strictObject({ decision: v.literal('waiting'), by: v.optional(by) });

/** A person's decision about one action. */
export type DecideRequest = v.InferOutput<typeof decideSchema>;
/** Start the handoff again as the next run. */
export type ResubmitRequest = v.InferOutput<typeof resubmitSchema>;
/** Show the recovery record of a handoff. */
export type ShowRequest = v.InferOutput<typeof showSchema>;
/** List what waits on the route. */
export type WaitingRequest = v.InferOutput<typeof waitingSchema>;
/** What a person types as the input of a route's recovery state machine. */
export type PersonsRequest = DecideRequest | ResubmitRequest | ShowRequest | WaitingRequest;

const kindSchema = v.object(
  { decision: v.picklist(ALL_REQUESTS, `expected ${HOLDS.decision}`) },
  'expected a JSON object, such as {"decision": "waiting"}',
);

/** Reads a person's input; a refusal names the first field that is missing, unknown or wrong, and repeats no value. */
export function parsePersonsRequest(input: unknown): PersonsRequest | Refusal {
  const kind = v.safeParse(kindSchema, input);
  if (!kind.success) return refusalOf(kind.issues[0]);
  const parsed = v.safeParse(schemaOf(kind.output.decision), input, { abortEarly: true });
  return parsed.success ? parsed.output : refusalOf(parsed.issues[0], kind.output.decision);
}

function schemaOf(
  decision: v.InferOutput<typeof kindSchema>['decision'],
): v.GenericSchema<unknown, PersonsRequest> {
  switch (decision) {
    case 'waiting':
      return waitingSchema;
    case 'show':
      return showSchema;
    case 'resubmit':
      return resubmitSchema;
    default:
      return decideSchema;
  }
}

function refusalOf(issue: v.BaseIssue<unknown>, decision?: string): Refusal {
  const field = v.getDotPath(issue);
  if (field === null) return invalidDecision('input', issue.message);
  // A key that is not a plain word could be anything, personal data included: it is not repeated.
  const shown = /^[A-Za-z][A-Za-z0-9_]{0,39}$/.test(field) ? field : 'a field';
  if (issue.expected === 'never') return invalidDecision(shown, `is not a field of ${decision}`);
  if (issue.input === undefined) return invalidDecision(shown, `is missing, expected ${HOLDS[shown]}`);
  return invalidDecision(shown, issue.message);
}
