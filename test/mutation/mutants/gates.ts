import type { Mutant } from '../mutant.ts';

const PREPARE = 'functions/actions/prepare.ts';
const CLOSE = 'functions/recovery/close-record.ts';
const WAIT = 'functions/recovery/wait.ts';
const FENCE = 'test/unit/core/not-current-execution-refuses.test.ts';
const WAITING = 'test/unit/core/waiting-work-has-a-name.test.ts';
const INVISIBLE = 'test/unit/core/new-contact-not-visible-yet.test.ts';

/** The gates before a claim, the fence, the waiting list and the close. */
export const GATES: readonly Mutant[] = [
  {
    id: 'gate-time',
    protects: 'a function with too little time left claims nothing',
    file: 'functions/actions/attempt.ts',
    search: "if (usableMs < numbers.httpTimeoutMs) throw new Held('too-little-time');",
    replace: '',
    caughtBy: {
      test: 'test/unit/core/two-workers-one-attempt.test.ts',
      name: 'a function with too little time left',
    },
  },
  {
    id: 'gate-current',
    protects: 'I13: an execution that lost the fence claims nothing',
    file: PREPARE,
    search: 'if (handoff.execution !== request.execution) throw new NotCurrent(request.execution);',
    replace: '',
    caughtBy: { test: FENCE, name: 'claims nothing and calls nothing' },
  },
  {
    id: 'gate-paused',
    protects: 'a paused route lets nothing be claimed',
    file: PREPARE,
    search: "if (gates.routePaused) throw new Held('route-paused');",
    replace: '',
    caughtBy: { test: WAITING, name: 'lets nothing be claimed, and parks' },
  },
  {
    id: 'gate-breaker',
    protects: 'an open breaker lets nothing be claimed',
    file: PREPARE,
    search: "if (gates.breakerOpen) throw new Held('breaker-open');",
    replace: '',
    caughtBy: { test: WAITING, name: 'lets nothing be claimed, and parks' },
  },
  {
    id: 'gate-dependency',
    protects: 'nothing starts before what it needs is done',
    file: PREPARE,
    search: 'for (const dependency of dependencies) assertDone(dependency, state);',
    replace: 'void assertDone;',
    caughtBy: { test: 'test/unit/core/stopped-contact-stops-the-rest.test.ts' },
  },
  {
    id: 'gate-dependency-stopped',
    protects: 'what needs a stopped contact is not called',
    file: PREPARE,
    search: 'throw new DependencyStopped(dependency.action);',
    replace: 'return;',
    caughtBy: {
      test: 'test/unit/core/stopped-contact-stops-the-rest.test.ts',
      name: 'what needs it is not called',
    },
  },
  {
    id: 'gate-contact-known',
    protects: 'nothing runs on a contact that has no record id',
    file: PREPARE,
    search:
      "if (action !== 'upsert-contact' && written.contactId === null) throw new Held('contact-unknown');",
    replace: '',
    caughtBy: { test: 'test/unit/core/contact-without-record.test.ts' },
  },
  {
    id: 'gate-contact-visible',
    protects: 'a freeze waits while our reads may not show the new contact',
    file: 'functions/actions/steps/steps.ts',
    search: "if (contact === null && readsMayLag) throw new Held('contact-not-visible');",
    replace: '',
    caughtBy: { test: INVISIBLE },
  },
  {
    id: 'gate-owner-visible',
    protects: 'the introduction is not frozen under the owner before ours',
    file: 'functions/actions/steps/send-introduction.ts',
    search: "if (another && input.readsMayLag) throw new Held('owner-not-visible');",
    replace: '',
    caughtBy: { test: INVISIBLE },
  },
  {
    id: 'fence-reconcile',
    protects: 'I13: a reconcile of another execution reads nothing and writes nothing',
    file: 'functions/reconcile/reconcile.ts',
    search: 'return handoff.execution === request.execution;',
    replace: 'return handoff.execution !== undefined && request.execution !== undefined;',
    caughtBy: { test: FENCE, name: 'reads nothing, writes nothing' },
  },
  {
    id: 'fence-waiting-list',
    protects: 'I13: another execution puts nothing on the waiting list',
    file: WAIT,
    search: 'if (record.handoff.execution !== request.execution) throw new NotCurrent(request.execution);',
    replace: '',
    caughtBy: { test: FENCE, name: 'puts nothing on the waiting list' },
  },
  {
    id: 'fence-leaves-the-list',
    protects: 'I13: another execution takes nothing off the waiting list',
    file: 'functions/reconcile/reconcile.ts',
    search: 'if (current) await leaveWaiting(',
    replace: 'await leaveWaiting(',
    caughtBy: { test: FENCE, name: 'does not take what waits' },
  },
  {
    id: 'fence-close',
    protects: 'I13: another execution closes nothing and fails over nothing',
    file: CLOSE,
    search: 'if (record.handoff.execution !== request.execution) return { closed: false };',
    replace: '',
    caughtBy: { test: FENCE, name: 'does not fail at its close' },
  },
  {
    id: 'close-when-final',
    protects: 'I10: nothing closes while an action is open',
    file: CLOSE,
    search: 'if (notFinal.length > 0) throw new NotFinal(notFinal);',
    replace: 'void NotFinal;',
    caughtBy: {
      test: 'test/unit/core/stopped-contact-stops-the-rest.test.ts',
      name: 'a handoff does not close while anything is open',
    },
  },
  {
    id: 'close-with-evidence',
    protects: 'I10: performed without evidence is not final',
    file: CLOSE,
    search: "!FINAL_PHASES.includes(phase) || (phase === 'performed' && evidence === null)",
    replace: '!FINAL_PHASES.includes(phase) || evidence === undefined',
    caughtBy: { test: 'test/unit/core/close-is-repeated.test.ts', name: 'performed without evidence' },
  },
  {
    id: 'close-empties-the-list',
    protects: 'what is closed waits for nobody',
    file: CLOSE,
    search: 'if (closed) await Promise.all(',
    replace: 'if (!closed) await Promise.all(',
    caughtBy: {
      test: 'test/unit/core/stop-loses-no-effect.test.ts',
      name: 'what is closed waits for nobody',
    },
  },
  {
    id: 'waiting-leaves-when-it-goes-on',
    protects: 'what goes on is not shown as waiting',
    file: 'functions/reconcile/reconcile.ts',
    search:
      "if (goesOn || (disposition === 'wait' && answered)) await ledger.removeWaiting(key, state.action);",
    replace: 'void [goesOn, answered, ledger];',
    caughtBy: { test: WAITING, name: 'that was answered leaves the list' },
  },
  {
    id: 'waiting-not-for-what-is-over',
    protects: 'what is over is not put on the waiting list',
    file: WAIT,
    search: "if (over) throw new Held('nothing-to-wait-for');",
    replace: 'void (over && Held);',
    caughtBy: { test: WAITING },
  },
  {
    id: 'waiting-stays-while-asked',
    protects: 'I10: what is asked stays on the list',
    file: 'functions/reconcile/reconcile.ts',
    search: "if (goesOn || (disposition === 'wait' && answered)) await",
    replace: 'await',
    caughtBy: { test: WAITING, name: 'stays on the list as long as it is asked' },
  },
  {
    id: 'waiting-escalates',
    protects: 'I10: an unanswered question goes to the escalation owner',
    file: 'functions/recovery/asked-person.ts',
    search: '(asked === 0 ? route.recoveryOwner : route.escalationOwner).email',
    replace: 'route.recoveryOwner.email',
    caughtBy: { test: WAITING, name: 'a question' },
  },
  {
    id: 'waiting-oldest-first',
    protects: 'asked again, it has waited since it was asked first',
    file: WAIT,
    search: 'const since = earlier?.kind === kind ? earlier.since : now;',
    replace: 'const since = earlier?.kind === undefined ? now : now;',
    caughtBy: { test: WAITING, name: 'asked again' },
  },
  {
    id: 'times-nest',
    protects: 'call < claim < function < task, or it does not synthesize',
    file: 'functions/domain/stage-numbers.ts',
    search: 'if (inner && inner[1] >= outerMs) {',
    replace: 'if (inner && inner[1] > outerMs) {',
    caughtBy: { test: 'test/unit/domain/stage-numbers.test.ts' },
  },
];
