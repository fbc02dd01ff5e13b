import * as v from 'valibot';
import { OPERATIONS, type Operation } from './operations.ts';

/**
 * Planned faults: what goes wrong with which of the coming requests. Each is consumed by the first requests that fit;
 * the ones before (`skip`) and after (`times`) go through untouched.
 */

const milliseconds = v.pipe(v.number(), v.integer(), v.minValue(0), v.maxValue(24 * 60 * 60 * 1000));
const count = v.pipe(v.number(), v.integer(), v.minValue(0));

const aim = {
  operation: v.picklist(OPERATIONS),
  /** All given parts have to fit; `text` is looked for in the decoded address and in the body. */
  match: v.optional(
    v.strictObject({
      email: v.optional(v.string()),
      contactId: v.optional(v.string()),
      text: v.optional(v.string()),
    }),
  ),
  times: v.optional(v.pipe(count, v.minValue(1)), 1),
  skip: v.optional(count, 0),
};

export const faultSchema = v.variant('kind', [
  /** Takes effect; the connection is closed without an answer. */
  v.strictObject({ ...aim, kind: v.literal('apply-then-drop') }),
  /** The connection is closed without an answer; no effect. */
  v.strictObject({ ...aim, kind: v.literal('drop') }),
  /** No answer now (`wire` says how), and the effect comes after the delay. */
  v.strictObject({
    ...aim,
    kind: v.literal('land-late'),
    delayMs: milliseconds,
    wire: v.optional(v.picklist(['drop', 'hang']), 'drop'),
  }),
  /** Takes effect at once, is answered after the delay. */
  v.strictObject({ ...aim, kind: v.literal('delay'), delayMs: milliseconds }),
  /** No effect; this answer instead of the vendor's. */
  v.strictObject({
    ...aim,
    kind: v.literal('status'),
    status: v.pipe(v.number(), v.integer(), v.minValue(200), v.maxValue(599)),
    headers: v.optional(v.record(v.string(), v.string())),
    body: v.optional(v.unknown()),
  }),
  /** Takes effect; answered with status 200 and a body that is not JSON. */
  v.strictObject({ ...aim, kind: v.literal('garbage') }),
  /** Takes effect; headers at once, the body is complete after the delay. */
  v.strictObject({ ...aim, kind: v.literal('slow-body'), delayMs: milliseconds }),
  /** No effect, and never an answer. */
  v.strictObject({ ...aim, kind: v.literal('hang') }),
  /** A person changes the contact's owner right before a write, or right after a read, unless `when` says otherwise. */
  v.strictObject({
    ...aim,
    kind: v.literal('person-sets-owner'),
    ownerId: v.string(),
    when: v.optional(v.picklist(['before', 'after'])),
  }),
]);

export type Fault = v.InferOutput<typeof faultSchema>;
export type PersonSetsOwner = Extract<Fault, { kind: 'person-sets-owner' }>;
export type AnswerFault = Exclude<Fault, PersonSetsOwner>;

export interface PlannedFault {
  readonly fault: Fault;
  skipsLeft: number;
  timesLeft: number;
}

/** What of a request a fault can be aimed at. */
export interface Subject {
  readonly emails: ReadonlySet<string>;
  readonly contactIds: ReadonlySet<string>;
  readonly text: string;
}

export interface TakenFaults {
  /** At most one: a request has one answer. */
  readonly answer: AnswerFault | null;
  /** What people do around the request; these come besides an answer fault. */
  readonly people: readonly PersonSetsOwner[];
}

export function plan(fault: Fault): PlannedFault {
  return { fault, skipsLeft: fault.skip, timesLeft: fault.times };
}

/** Takes the faults for one request out of the plan, in the order in which they were planned. */
export function takeFaults(
  planned: PlannedFault[],
  operation: Operation,
  subject: () => Subject,
): TakenFaults {
  let answer: AnswerFault | null = null;
  const people: PersonSetsOwner[] = [];
  for (const entry of planned) {
    const { fault } = entry;
    if (fault.operation !== operation || !fits(fault, subject)) continue;
    if (fault.kind !== 'person-sets-owner' && answer !== null) continue;
    if (entry.skipsLeft > 0) {
      entry.skipsLeft -= 1;
      continue;
    }
    entry.timesLeft -= 1;
    if (fault.kind === 'person-sets-owner') people.push(fault);
    else answer = fault;
  }
  const left = planned.filter((entry) => entry.timesLeft > 0);
  planned.splice(0, planned.length, ...left);
  return { answer, people };
}

function fits({ match }: Fault, subject: () => Subject): boolean {
  if (!match) return true;
  const { emails, contactIds, text } = subject();
  return (
    (match.email === undefined || emails.has(match.email.trim().toLowerCase())) &&
    (match.contactId === undefined || contactIds.has(match.contactId)) &&
    (match.text === undefined || text.includes(match.text))
  );
}
