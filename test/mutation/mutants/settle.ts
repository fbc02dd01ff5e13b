import type { Mutant } from '../mutant.ts';

const ATTEMPT = 'functions/actions/attempt.ts';
const LATE = 'test/unit/core/late-result-after-newer-claim.test.ts';
const SETTLES = 'test/unit/domain/transition-settle.test.ts';
const THROWS = 'test/unit/core/throw-after-claim.test.ts';

/** What happens after the claim: an outcome, never an exception, and never over a newer claim. */
export const SETTLE: readonly Mutant[] = [
  {
    id: 'no-throw-after-call',
    protects: 'I3: from the call on the attempt returns an outcome',
    file: ATTEMPT,
    search: 'return await call();\n  } catch (error) {',
    replace: 'return await call();\n  } catch (error) {\n    throw error;',
    caughtBy: { test: THROWS },
  },
  {
    id: 'thrown-is-unknown',
    protects: 'I3: what threw after the claim is unknown, not proven without effect',
    file: ATTEMPT,
    search: 'return await call();\n  } catch (error) {',
    replace:
      "return await call();\n  } catch (error) {\n    return { outcome: 'not-applied', reason: 'threw', requestLeft: false };",
    caughtBy: { test: THROWS },
  },
  {
    id: 'unsettled-is-unknown',
    protects: 'I3: a settle that failed is unknown',
    file: ATTEMPT,
    search:
      '// The effect may be there and the ledger does not know it: only a read of the destination can tell.',
    replace: 'return outcome;',
    caughtBy: { test: THROWS, name: 'never arrived: unknown' },
  },
  {
    id: 'outcome-before-powertools',
    protects: 'I3: the outcome wins over an error of Powertools (model)',
    file: 'functions/actions/action-function.ts',
    search: "if ('outcome' in own) return own.outcome;",
    replace: "if ('outcome' in own) throw error;",
    caughtBy: { test: 'test/unit/core/powertools-remembers-what-was-returned.test.ts' },
  },
  {
    id: 'own-error-before-powertools',
    protects: 'I3: a refusal of ours is not masked by Powertools',
    file: 'functions/actions/action-function.ts',
    search: 'throw own.error;',
    replace: 'throw error;',
    caughtBy: {
      test: 'test/unit/core/powertools-remembers-what-was-returned.test.ts',
      name: 'is not masked by a record that could not be deleted',
    },
  },
  {
    id: 'settle-is-ours',
    protects: 'settle is conditional on our claim',
    file: 'functions/domain/transition-settle.ts',
    search: "if (ours && state.phase === 'claimed') {",
    replace: "if (state.phase === 'claimed') {",
    caughtBy: { test: LATE, name: 'it does not replace the claim' },
  },
  {
    id: 'late-result-is-kept',
    protects: 'a late success is kept as evidence',
    file: 'functions/domain/transition-settle.ts',
    search: '  return next(state, { lateEvidence: evidence }, late);\n}',
    replace: '  return next(state, {}, late);\n}',
    caughtBy: { test: LATE, name: 'it does not replace the claim' },
  },
  {
    id: 'late-result-stands-alone',
    protects: 'a newer attempt without effect leaves the late success as the only one',
    file: 'functions/domain/transition-settle.ts',
    search:
      'if (hadNone && state.lateEvidence) return lateOneStands(state, event, state.lateEvidence, entry);',
    replace: '',
    caughtBy: { test: LATE, name: 'attempt 2 provably had no effect' },
  },
  {
    id: 'late-result-after-stop',
    protects: 'a success after the stop turns it into stopped-but-done (model)',
    file: 'functions/domain/transition-settle.ts',
    search: "return next(state, { phase: 'stopped-but-done', evidence, lateEvidence: evidence }, late);",
    replace: 'return next(state, { lateEvidence: evidence }, late);',
    caughtBy: { test: 'test/unit/core/stop-loses-no-effect.test.ts', name: 'a worker that reports success' },
  },
  {
    id: 'possible-duplicate',
    protects: 'two attempts that may both have had an effect warn',
    file: 'functions/domain/action-history.ts',
    search: 'warnings: duplicateWarning(changed), ',
    replace: '',
    caughtBy: { test: LATE, name: 'it does not replace the claim' },
  },
  {
    id: 'possible-duplicate-of-two-records',
    protects: 'two records for one operation warn',
    file: 'functions/domain/action-history.ts',
    search: 'newerMayHaveHadOne.includes(state.phase) || twoRecords',
    replace: 'newerMayHaveHadOne.includes(state.phase)',
    caughtBy: { test: LATE, name: 'attempt 2 succeeds as well' },
  },
  {
    id: 'possible-overwrite-warns',
    protects: 'I7: a possible overwrite is a warning on the action',
    file: 'functions/domain/transition-settle.ts',
    search: "reason === 'possible-overwrite'\n",
    replace: "reason === 'never'\n",
    caughtBy: { test: SETTLES, name: 'a possible overwrite is a warning that stays' },
  },
  {
    id: 'doubt-is-remembered',
    protects: 'an unknown attempt is in doubt until its absence is proven (model)',
    file: 'functions/domain/transition-settle.ts',
    search: "mayHaveLanded: state.mayHaveLanded || outcome.outcome === 'unknown',",
    replace: 'mayHaveLanded: state.mayHaveLanded,',
    caughtBy: { test: SETTLES, name: 'unknown: it may have landed' },
  },
  {
    id: 'doubt-outlives-not-applied',
    protects: 'a proven not-applied says nothing about the attempt before it (model)',
    file: 'functions/domain/decision-guide.ts',
    search: "return state.phase === 'not-applied' && !state.mayHaveLanded;",
    replace: "return state.phase === 'not-applied';",
    caughtBy: { test: 'test/unit/domain/decision-guide.test.ts' },
  },
  {
    id: 'request-left-is-remembered',
    protects: 'I5: that a request of this identity left is remembered',
    file: 'functions/domain/transition-settle.ts',
    search: 'const requestLeft = state.requestLeft || left;',
    replace: 'const requestLeft = left;',
    caughtBy: { test: 'test/unit/domain/transition-told-twice.test.ts' },
  },
  {
    id: 'lost-worker-may-have-sent',
    protects: 'a worker that never reported may have sent its request (model)',
    file: 'functions/domain/transition-reconcile.ts',
    search: ": { requestLeft: state.requestLeft || state.phase === 'claimed' }),",
    replace: ': { requestLeft: state.requestLeft }),',
    caughtBy: { test: 'test/unit/domain/transition-reconcile.test.ts' },
  },
  {
    id: 'final-stays-final',
    protects: 'what is final changes only towards done',
    file: 'functions/domain/transition-reconcile.ts',
    search:
      "if (final && change.kind !== 'none' && change.kind !== 'done' && change.kind !== 'warn')\n    return 'already-final';",
    replace: '',
    caughtBy: { test: 'test/unit/domain/transition-reconcile.test.ts' },
  },
];
