import type { Mutant } from '../mutant.ts';

const LEDGER = 'functions/adapters/dynamodb/ledger.ts';
const RECOVERS = 'test/unit/recovery/ledger-of-recovery.test.ts';
const INTAKES = 'test/unit/intake/ledger-of-intake.test.ts';
const TABLES = 'test/unit/core/ledger-meets-its-own-write.test.ts';

/** The conditions of the ledger’s writes. */
export const LEDGER_WRITES: readonly Mutant[] = [
  {
    id: 'ledger-first-write',
    protects: 'I1: of two first writes one stands',
    file: LEDGER,
    search: "state.version === 0 ? 'attribute_not_exists(pk)'",
    replace: "state.version === 0 ? 'attribute_not_exists(nothing)'",
    caughtBy: { test: TABLES, name: 'of two claims one stands' },
  },
  {
    id: 'ledger-version',
    protects: 'I1: a write on an old version does not stand',
    file: LEDGER,
    search: "'#version = :seen'",
    replace: "'#version >= :seen'",
    caughtBy: { test: 'test/unit/core/ledger-two-writers-of-one-version.test.ts' },
  },
  {
    id: 'ledger-lost-race',
    protects: 'I1: a lost race is not a win',
    file: LEDGER,
    search: 'if (lost === null) return result;',
    replace: 'return result;',
    caughtBy: { test: TABLES, name: 'of two claims one stands' },
  },
  {
    id: 'ledger-rejection-on-old-state',
    protects: 'a rejection on an old state is thought over on the new one',
    file: LEDGER,
    search: 'if (fresh) return result;',
    replace: 'return result;',
    caughtBy: { test: TABLES, name: 'a rejection on an old state is thought over' },
  },
  {
    id: 'ledger-freeze',
    protects: 'I5: a frozen operation is written once',
    file: LEDGER,
    search:
      "toItem(keys.lead(key), sk, operation), {\n      ConditionExpression: 'attribute_not_exists(pk)',",
    replace:
      "toItem(keys.lead(key), sk, operation), {\n      ConditionExpression: 'attribute_not_exists(nothing)',",
    caughtBy: { test: TABLES, name: 'a frozen operation is written once' },
  },
  {
    id: 'ledger-freeze-stands',
    protects: 'I5: whoever freezes second works with what stands',
    file: 'functions/actions/prepare.ts',
    search: 'return (await ledger.freeze(key, operation)) as Operation<A>;',
    replace: 'await ledger.freeze(key, operation);\n  return operation;',
    caughtBy: { test: 'test/unit/core/two-freezes-one-body.test.ts' },
  },
  {
    id: 'ledger-accept',
    protects: 'I6: a handoff is written once',
    file: LEDGER,
    search:
      "toItem(keys.lead(handoff), keys.handoff, indexed), {\n      ConditionExpression: 'attribute_not_exists(pk)',",
    replace:
      "toItem(keys.lead(handoff), keys.handoff, indexed), {\n      ConditionExpression: 'attribute_not_exists(nothing)',",
    caughtBy: { test: TABLES, name: 'a handoff is written once' },
  },
  {
    id: 'ledger-conflict',
    protects: 'I6: a conflict keeps when it was first seen',
    file: LEDGER,
    search:
      "keys.conflict(conflict.intentHash), item), {\n      ConditionExpression: 'attribute_not_exists(pk)',",
    replace:
      "keys.conflict(conflict.intentHash), item), {\n      ConditionExpression: 'attribute_not_exists(nothing)',",
    caughtBy: { test: TABLES, name: 'a conflict is written once' },
  },
  {
    id: 'ledger-close-fence',
    protects: 'I13: only the current execution closes',
    file: LEDGER,
    search: "'execution = :execution AND closedAt = :open'",
    replace: "'(execution = :execution OR pk <> :execution) AND closedAt = :open'",
    caughtBy: { test: TABLES, name: 'a close that meets itself' },
  },
  {
    id: 'ledger-close-once',
    protects: 'a close keeps its first time',
    file: LEDGER,
    search: "'execution = :execution AND closedAt = :open'",
    replace: "'execution = :execution AND (closedAt = :open OR closedAt <> :open)'",
    caughtBy: { test: TABLES, name: 'a close that meets itself' },
  },
  {
    id: 'ledger-close-was-ours',
    protects: 'I10: a close whose answer was lost gives its items an end all the same',
    file: LEDGER,
    search: 'if (handoff?.execution !== execution || handoff.closedAt === null) return false;',
    replace: 'return false;',
    caughtBy: { test: TABLES, name: 'a close that meets itself' },
  },
  {
    id: 'ledger-fence-of-its-run',
    protects: 'I13: of two who take the fence one wins',
    file: LEDGER,
    search: "'#run = :from AND closedAt = :open'",
    replace: "'(#run = :from OR execution <> :execution) AND closedAt = :open'",
    caughtBy: { test: RECOVERS, name: 'on DynamoDB the fence of several who take it at once' },
  },
  {
    id: 'ledger-fence-of-the-closed',
    protects: 'what is closed is not started again',
    file: LEDGER,
    search: "'#run = :from AND closedAt = :open'",
    replace: "'#run = :from AND (closedAt = :open OR closedAt <> :open)'",
    caughtBy: { test: RECOVERS, name: 'on DynamoDB the fence of a closed handoff' },
  },
  {
    id: 'ledger-open-listed',
    protects: 'I10: what was accepted is found by the sweep',
    file: LEDGER,
    search: 'waitingKey: openPartition(handoff.route),\n      waitingSince: handoff.acceptedAt,',
    replace: '',
    caughtBy: { test: RECOVERS, name: 'on DynamoDB the list of what is open has a handoff' },
  },
  {
    id: 'ledger-closed-unlisted',
    protects: 'what is closed is not swept for ever',
    file: LEDGER,
    search: "UpdateExpression: 'SET closedAt = :at REMOVE waitingKey, waitingSince',",
    replace: "UpdateExpression: 'SET closedAt = :at',",
    caughtBy: { test: RECOVERS, name: 'on DynamoDB the list of what is open has a handoff' },
  },
  {
    id: 'ledger-joined-unlisted',
    protects: 'what is joined is not swept for ever',
    file: LEDGER,
    search:
      "expiresAt = :expiry REMOVE waitingKey, waitingSince',\n      ConditionExpression: 'closedAt = :open AND",
    replace: "expiresAt = :expiry',\n      ConditionExpression: 'closedAt = :open AND",
    caughtBy: { test: INTAKES, name: 'leaves the open ones' },
  },
  {
    id: 'ledger-dead-letter-once',
    protects: 'I10: a message that comes again does not open its dead letter again',
    file: LEDGER,
    search:
      "...listed(key, deadLetter.waiting) }), {\n      ConditionExpression: 'attribute_not_exists(pk)',",
    replace:
      "...listed(key, deadLetter.waiting) }), {\n      ConditionExpression: 'attribute_not_exists(nothing)',",
    caughtBy: { test: INTAKES, name: 'a dead letter is written once' },
  },
  {
    id: 'ledger-dead-letter-over',
    protects: 'a dead letter whose investigation ended is not asked about again',
    file: LEDGER,
    search: "REMOVE waitingKey, waitingSince',\n      ConditionExpression: 'attribute_exists(pk) AND",
    replace: "',\n      ConditionExpression: 'attribute_exists(pk) AND",
    caughtBy: { test: INTAKES, name: 'and is never made anew' },
  },
  {
    id: 'ledger-waiting-key',
    protects: 'I10: waiting work is in the list',
    file: LEDGER,
    search: "{ waitingKey: waitingPartition(kind, kind === 'ask' ? key.route : who), waitingSince: since }",
    replace: '{ waitingSince: since }',
    caughtBy: { test: TABLES, name: 'waiting work is listed' },
  },
  {
    id: 'ledger-consistent-read',
    protects: 'I13: the fence is read as it is, not as it was',
    file: LEDGER,
    search: 'Key: { pk: { S: pk }, sk: { S: sk } },\n          ConsistentRead: true,',
    replace: 'Key: { pk: { S: pk }, sk: { S: sk } },',
    caughtBy: { test: 'test/unit/core/ledger-reads-what-is-there.test.ts' },
  },
  {
    id: 'reconcile-version',
    protects: 'a conclusion that the ledger has overtaken is void',
    file: 'functions/domain/transition-reconcile.ts',
    search: "if (state.version !== event.seenVersion) return new Rejected('changed-since-read');",
    replace: '',
    caughtBy: { test: 'test/unit/core/absence-is-earned.test.ts', name: 'and the worker reported meanwhile' },
  },
  {
    id: 'reconcile-drawn-again',
    protects: 'a conclusion that was not written is not acted on',
    file: 'functions/reconcile/reconcile.ts',
    search: 'if (written instanceof Rejected) continue;',
    replace: '',
    caughtBy: { test: 'test/unit/core/absence-is-earned.test.ts', name: 'and the worker reported meanwhile' },
  },
  {
    id: 'history-keeps-its-beginning',
    protects: 'the audit trail keeps its first entry',
    file: 'functions/domain/action-history.ts',
    search: 'return history.toSpliced(Math.max(1, idle), 1);',
    replace: 'return history.toSpliced(0, 1);',
    caughtBy: { test: 'test/unit/domain/history-cap.test.ts' },
  },
  {
    id: 'reconcile-met-again',
    protects: 'a conclusion of ours that the SDK repeats is ours (model)',
    file: 'functions/domain/transition-reconcile.ts',
    search: 'if (state.lastRead?.id === event.id) return state;',
    replace: '',
    caughtBy: { test: 'test/unit/domain/transition-reconcile.test.ts', name: 'met again' },
  },
  {
    id: 'decision-written-once',
    protects: 'a decision that was used is not written a second time (model)',
    file: 'functions/domain/transition.ts',
    search: 'if (state.lastDecision?.decision.id === event.decision.id) return state;',
    replace: '',
    caughtBy: {
      test: 'test/unit/core/decision-never-lost-or-kept.test.ts',
      name: 'a decision whose write is met again',
    },
  },
  {
    id: 'decision-not-replaced',
    protects: 'a second decision is refused while the first one waits',
    file: 'functions/domain/transition.ts',
    search: "if (state.decision && !mayReplace) return new Rejected('already-decided');",
    replace: '',
    caughtBy: {
      test: 'test/unit/core/decision-never-lost-or-kept.test.ts',
      name: 'nothing takes the place of a stop',
    },
  },
  {
    id: 'decision-consumed-once',
    protects: 'a decision answers one question (model)',
    file: 'functions/domain/transition-reconcile.ts',
    search: 'decision: event.decisionConsumed ? null : state.decision,',
    replace: 'decision: state.decision,',
    caughtBy: {
      test: 'test/unit/core/decision-never-lost-or-kept.test.ts',
      name: 'resume: the decision is used up',
    },
  },
];
