import type { Mutant } from '../mutant.ts';

const ACCEPT = 'functions/intake/accept-lead.ts';
const ADMIT = 'functions/intake/admit.ts';
const LEDGER = 'functions/adapters/dynamodb/ledger.ts';
const SAME_ID = 'test/unit/core/same-id-other-fields.test.ts';
const CRASH = 'test/unit/core/crash-between-handoff-and-start.test.ts';
const SAME_PERSON = 'test/unit/intake/same-person.test.ts';
const DEAD_LETTERS = 'test/unit/intake/dead-letters.test.ts';
const QUEUE = 'test/unit/intake/queue.test.ts';
const HTTP = 'test/unit/intake/http.test.ts';
const ITEMS = 'test/unit/intake/ledger-of-intake.test.ts';

/** How lead requests come in: twice, under two ids, malformed, and from whoever cannot sign. */
export const INTAKE: readonly Mutant[] = [
  {
    id: 'intake-conflict',
    protects: 'I6: the same id with other fields never runs',
    file: ACCEPT,
    search: 'if (!asksForTheSame(lead, handoff)) {',
    replace: 'if (handoff === undefined) {',
    caughtBy: { test: SAME_ID },
  },
  {
    id: 'intake-conflict-shown',
    protects: 'I6: … and is shown',
    file: 'functions/intake/keep-conflict.ts',
    search: 'await ledger.addConflict(key, { intentHash: hash, firstSeenAt, lead }, expiresAt);',
    replace: '',
    caughtBy: { test: SAME_ID },
  },
  {
    id: 'intake-starts-again',
    protects: 'I10: a crash between the handoff and its start loses nothing (model)',
    file: ACCEPT,
    search: 'const admission = await admit(handoff, ports);',
    replace: "const admission = accepted ? await admit(handoff, ports) : 'started';",
    caughtBy: { test: CRASH, name: 'the handoff was written and its execution never started' },
  },
  {
    id: 'intake-closed',
    protects: 'what is closed is not started again',
    file: ACCEPT,
    search: "if (closedAt !== null) return joinedTo === undefined ? 'closed' : 'joined';",
    replace: '',
    caughtBy: { test: CRASH, name: 'what is closed is not started again' },
  },
  {
    id: 'intake-asked',
    protects: 'what a person is asked about is not asked again when it is delivered again',
    file: ACCEPT,
    search: "if (isAsked) return 'asked';",
    replace: '',
    caughtBy: { test: SAME_PERSON, name: 'delivered again it is asked about as before' },
  },
  {
    id: 'person-started',
    protects: 'what a person has let go on, or what runs already, is neither asked about nor joined',
    file: ADMIT,
    search: "if ((await workflow.status(handoff.execution)) !== 'DOES_NOT_EXIST') return 'started';",
    replace: '',
    caughtBy: { test: SAME_PERSON, name: 'let go by a person it runs' },
  },
  {
    id: 'person-listed-first',
    protects: 'I10: it is on the waiting list whatever becomes of the event',
    file: ADMIT,
    search: 'await ledger.putWaiting(handoff, untold);',
    replace: '',
    caughtBy: { test: SAME_PERSON, name: 'while events cannot be published' },
  },
  {
    id: 'person-old-request',
    protects: 'an old request that is delivered again is no rival of a newer one',
    file: 'functions/domain/same-person.ts',
    search: 'Math.abs(last.acceptedAt - handoff.acceptedAt)',
    replace: '(handoff.acceptedAt - last.acceptedAt)',
    caughtBy: { test: SAME_PERSON, name: 'never let go is let go' },
  },
  {
    id: 'person-one-winner',
    protects: 'of two handoffs of one person one stands',
    file: LEDGER,
    search: "ConditionExpression: 'attribute_not_exists(pk) OR acceptedAt <= :before'",
    replace:
      "ConditionExpression: 'attribute_not_exists(pk) OR acceptedAt < :before OR acceptedAt > :before'",
    caughtBy: { test: ITEMS },
  },
  {
    id: 'join-open-only',
    protects: 'a closed handoff is not joined',
    file: LEDGER,
    search: "ConditionExpression: 'closedAt = :open AND #run = :run'",
    replace: "ConditionExpression: '#run = :run AND (closedAt = :open OR #run = :run)'",
    caughtBy: { test: ITEMS },
  },
  {
    id: 'rotation-ticket',
    protects: 'a request that is delivered again draws no ticket, and keeps its owner',
    file: ACCEPT,
    search: `const { accepted, handoff } = known.handoff
    ? { accepted: false, handoff: known.handoff }
    : await`,
    replace: 'const { accepted, handoff } = await',
    caughtBy: { test: 'test/unit/intake/owner-rules.test.ts', name: 'draws no ticket' },
  },
  {
    id: 'dead-letter-no-replay',
    protects: 'while an id is investigated nothing but an approver’s request is accepted',
    file: ACCEPT,
    search: 'known.handoff === null && !approved && isUnderInvestigation(known.deadLetters)',
    replace: 'approved && isUnderInvestigation(known.deadLetters) && known === null',
    caughtBy: { test: DEAD_LETTERS, name: 'an ordinary request under it is refused' },
  },
  {
    id: 'dead-letter-approver',
    protects: 'only an approver hands in what is investigated',
    file: 'functions/intake/approve.ts',
    search: 'assertApprover(approval.by, ports.route);',
    replace: '',
    caughtBy: { test: DEAD_LETTERS, name: 'is no approver' },
  },
  {
    id: 'dead-letter-told-once',
    protects: 'a dead letter that is over is not told any more',
    file: 'functions/intake/keep-dead-letter.ts',
    search: 'if (resolution === null && waiting.dueAt === waiting.since) {',
    replace: 'if (waiting.dueAt === waiting.since) {',
    caughtBy: { test: DEAD_LETTERS, name: 'one that ended before anybody could be told' },
  },
  {
    id: 'dead-letter-kept',
    protects: 'I10: an open dead letter does not expire with the handoff of its id',
    file: LEDGER,
    search: "if (item.sk?.S?.startsWith('DEAD#')) continue;",
    replace: '',
    caughtBy: { test: ITEMS, name: 'what expires in the table' },
  },
  {
    id: 'batch-names-its-failures',
    protects: 'I10: where all messages failed, none is deleted',
    file: 'functions/intake/batch-function.ts',
    search: 'throw error;',
    replace: 'void error;',
    caughtBy: { test: QUEUE },
  },
  {
    id: 'signature-route',
    protects: 'who cannot sign for a route gets nothing accepted',
    file: 'functions/intake/receive-lead.ts',
    search: '!(await isSignedFor(route, body, headers, ports))',
    replace: 'ports === undefined',
    caughtBy: { test: HTTP },
  },
  {
    id: 'signature-full-stop',
    protects: 'what is signed cannot be cut elsewhere',
    file: 'functions/adapters/webhook-signature.ts',
    search: 'if (!WELL_FORMED_ID.test(id) || !WELL_FORMED_TIMESTAMP.test(timestamp)) return false;',
    replace: '',
    caughtBy: { test: HTTP, name: 'a full stop in the id is refused' },
  },
  {
    id: 'dead-letter-field-names',
    protects: 'I11: the name of a field that nobody knows is not told',
    file: 'functions/domain/dead-letter.ts',
    search: 'field: known ? error.field : null',
    replace: 'field: known ? error.field : error.field',
    caughtBy: { test: DEAD_LETTERS, name: 'a field whose name could be' },
  },
];
