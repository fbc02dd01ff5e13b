import type { Mutant } from '../mutant.ts';

const CLIENT = 'functions/adapters/http/effect-aware-client.ts';
const WRITE = 'functions/adapters/http/write-once.ts';
const LEFT = 'test/unit/adapters/request-left.test.ts';
const HUBSPOT_WRITER = 'test/unit/adapters/hubspot-writer.test.ts';
const HUBSPOT_READER = 'test/unit/adapters/hubspot-reader.test.ts';
const RESEND_SENDER = 'test/unit/adapters/resend-sender.test.ts';
const RESEND_READER = 'test/unit/adapters/resend-reader.test.ts';

/** What the wire can prove, and what an answer means. */
export const DESTINATIONS: readonly Mutant[] = [
  {
    id: 'http-request-left',
    protects: 'from the first byte on the request may have left',
    file: CLIENT,
    search: '      requestLeft = true;\n',
    replace: '',
    caughtBy: { test: LEFT, name: 'when no answer comes in time' },
  },
  {
    id: 'http-request-did-not-leave',
    protects: 'before the connection stands, no byte has left',
    file: CLIENT,
    search: 'let requestLeft = false;',
    replace: 'let requestLeft = true;',
    caughtBy: { test: LEFT, name: 'when the connection is refused' },
  },
  {
    id: 'http-writes-after-tls',
    protects: 'nothing is written before TLS stands',
    file: CLIENT,
    search: "if (secure) phase = 'tls';\n        else sendNow();",
    replace: 'sendNow();',
    caughtBy: { test: LEFT, name: 'when nobody vouches for the certificate' },
  },
  {
    id: 'http-fresh-connection',
    protects: 'a write uses a fresh connection: kept-alive ones go stale over a freeze',
    file: CLIENT,
    search: 'agent: false,',
    replace: 'agent: (secure ? https : http).globalAgent,',
    caughtBy: { test: LEFT, name: 'costs one connection and one request per call' },
  },
  {
    id: 'http-no-retry',
    protects: 'one request per call: no hidden retry',
    file: WRITE,
    search: '    const answer = await callOnce({',
    replace:
      '    const twice: typeof callOnce = (call) => callOnce(call).catch(() => callOnce(call));\n    const answer = await twice({',
    caughtBy: { test: HUBSPOT_WRITER, name: 'is unknown after a reset' },
  },
  {
    id: 'http-no-retry-on-status',
    protects: 'one request per call: an answer is not asked for again',
    file: WRITE,
    search: '    const answer = await callOnce({',
    replace:
      '    const twice: typeof callOnce = async (call) => {\n      const first = await callOnce(call);\n      return first.status >= 500 ? callOnce(call) : first;\n    };\n    const answer = await twice({',
    caughtBy: { test: RESEND_SENDER, name: 'a send' },
  },
  {
    id: 'http-deadline-of-the-claim',
    protects: 'the call ends inside its claim',
    file: WRITE,
    search: 'Math.min(options.timeoutMs, call.deadline - options.clock())',
    replace: 'options.timeoutMs',
    caughtBy: { test: 'test/unit/core/a-call-ends-with-its-claim.test.ts' },
  },
  {
    id: 'http-left-is-unknown',
    protects: 'a request that may have left is unknown',
    file: WRITE,
    search: "return left ? { outcome: { outcome: 'unknown', reason } } : notSent(reason);",
    replace: 'return left ? notSent(reason) : notSent(reason);',
    caughtBy: { test: HUBSPOT_WRITER, name: 'is unknown after a reset' },
  },
  {
    id: 'http-refused-is-not-applied',
    protects: 'a refused connection is proven without effect',
    file: WRITE,
    search: "return left ? { outcome: { outcome: 'unknown', reason } } : notSent(reason);",
    replace: "return left || reason ? { outcome: { outcome: 'unknown', reason } } : notSent(reason);",
    caughtBy: { test: HUBSPOT_WRITER, name: 'is not applied when the connection is refused' },
  },
  {
    id: 'http-429-left',
    protects: 'I5: a 429 had no effect, but its request left',
    file: WRITE,
    search: '    requestLeft: true,',
    replace: '    requestLeft: false,',
    caughtBy: { test: HUBSPOT_WRITER },
  },
  {
    id: 'hubspot-5xx-unknown',
    protects: 'a 5xx of HubSpot is unknown, not proven without effect',
    file: 'functions/adapters/hubspot/classify.ts',
    search: 'if (status < 400 || status >= 500 || UNDECIDED.has(status)) {',
    replace:
      "if (status < 400 || status >= 500 || UNDECIDED.has(status)) {\n    return { outcome: 'not-applied', reason: 'status', requestLeft: true };",
    caughtBy: { test: HUBSPOT_WRITER },
  },
  {
    id: 'hubspot-5xx-not-refused',
    protects: 'only a 4xx is a refusal',
    file: 'functions/adapters/hubspot/classify.ts',
    search: 'if (status < 400 || status >= 500 || UNDECIDED.has(status)) {',
    replace: 'if (status < 400 || UNDECIDED.has(status)) {',
    caughtBy: { test: HUBSPOT_WRITER },
  },
  {
    id: 'hubspot-unparsable-success',
    protects: 'a success that cannot be read is unknown',
    file: 'functions/adapters/hubspot/classify.ts',
    search: "if (!record) return { outcome: 'unknown', reason: 'unparsable' };",
    replace: "if (!record) return { outcome: 'refused', reason: 'unparsable' };",
    caughtBy: { test: HUBSPOT_WRITER },
  },
  {
    id: 'hubspot-owner-differs',
    protects: 'I7: an answer that names another owner is no success',
    file: 'functions/adapters/hubspot/classify.ts',
    search: "return { outcome: 'unknown', reason: 'owner-differs' };",
    replace: '{}',
    caughtBy: { test: HUBSPOT_WRITER, name: 'does not claim an owner that the answer contradicts' },
  },
  {
    id: 'hubspot-foreign-404',
    protects: 'I4: a 404 that the destination did not write proves no absence',
    file: 'functions/adapters/http/read-session.ts',
    search: 'if (answer.status === 404 && destination.saysNotFound(jsonOf(answer.text))) return null;',
    replace: 'if (answer.status === 404) return null;',
    caughtBy: { test: HUBSPOT_READER, name: 'HubSpot is unreadable' },
  },
  {
    id: 'hubspot-archived-too',
    protects: 'archived records are read as well',
    file: 'functions/adapters/hubspot/reader.ts',
    search:
      "for (const archived of ['false', 'true']) {\n    const query = new URLSearchParams({\n      ...(key ===",
    replace:
      "for (const archived of ['false']) {\n    const query = new URLSearchParams({\n      ...(key ===",
    caughtBy: { test: HUBSPOT_READER, name: 'is looked for among the archived' },
  },
  {
    id: 'hubspot-stamp-whole',
    protects: 'a task is ours by its whole stamp, not by a word that looks alike',
    file: 'functions/adapters/hubspot/reader.ts',
    search: "if (carriesStamp(properties.hs_task_body ?? '', stamp)) {",
    replace: "if (carriesStamp(properties.hs_task_body ?? '', stamp) || id) {",
    caughtBy: { test: HUBSPOT_READER, name: 'is found by its token' },
  },
  {
    id: 'hubspot-search-lag',
    protects: 'I4: what is found by search lags longer than what is read by key',
    file: 'functions/adapters/hubspot/contract.ts',
    search: 'readLagMs: unique ? numbers.readLagMs : numbers.searchLagMs,',
    replace: 'readLagMs: numbers.readLagMs,',
    caughtBy: {
      test: 'test/unit/adapters/hubspot-mapping.test.ts',
      name: 'what HubSpot promises about repeats',
    },
  },
  {
    id: 'hubspot-page-cap',
    protects: 'I4: a search longer than we read proves no absence',
    file: 'functions/adapters/hubspot/reader.ts',
    search: "  throw new DestinationUnreadable(HUBSPOT, 'page-cap');",
    replace: '  return null;',
    caughtBy: { test: HUBSPOT_READER, name: 'is not declared absent when there are more pages' },
  },
  {
    id: 'resend-key',
    protects: 'I5: the send carries the identity as its key',
    file: 'functions/adapters/resend/sender.ts',
    search: "headers: { 'idempotency-key': call.identity },",
    replace: '',
    caughtBy: { test: RESEND_SENDER, name: 'carries the identity as key' },
  },
  {
    id: 'resend-key-conflicts',
    protects: 'a key in flight, or with other bytes, is unknown',
    file: 'functions/adapters/resend/classify.ts',
    search:
      "if (status === 409) return { outcome: 'unknown', reason: KEY_CONFLICT_OF[name] ?? 'status-409' };",
    replace: '',
    caughtBy: { test: RESEND_SENDER },
  },
  {
    id: 'resend-5xx-unknown',
    protects: 'a 5xx of Resend is unknown',
    file: 'functions/adapters/resend/classify.ts',
    search: 'if (status < 400 || status >= 500 || UNDECIDED.has(status)) {',
    replace:
      "if (status < 400 || status >= 500 || UNDECIDED.has(status)) {\n    return { outcome: 'not-applied', reason: 'status', requestLeft: true };",
    caughtBy: { test: RESEND_SENDER },
  },
  {
    id: 'resend-whole-body',
    protects: 'a sent message is ours by its whole text and HTML',
    file: 'functions/adapters/resend/reader.ts',
    search: 'if (!equals(email, message)) continue;',
    replace: '',
    caughtBy: { test: RESEND_READER },
  },
  {
    id: 'resend-pending',
    protects: 'scheduled, queued or cancelled is not done',
    file: 'functions/adapters/resend/reader.ts',
    search: "return NOT_ON_ITS_WAY.has(last_event ?? '')",
    replace: "return NOT_ON_ITS_WAY.has('')",
    caughtBy: { test: RESEND_READER },
  },
  {
    id: 'resend-page-cap',
    protects: 'I4: a list longer than we read proves no absence',
    file: 'functions/adapters/resend/reader.ts',
    search: "return pending ?? { kind: 'page-cap' };",
    replace: "return pending ?? { kind: 'none' };",
    caughtBy: { test: RESEND_READER, name: 'concludes nothing from a list that is longer' },
  },
  {
    id: 'resend-page-cap-unclear',
    protects: 'I4: … and reconcile calls it unclear',
    file: 'functions/domain/findings.ts',
    search: "if (sent.kind === 'page-cap' || sent.kind === 'pending') return UNREADABLE;",
    replace: "if (sent.kind === 'pending') return UNREADABLE;",
    caughtBy: { test: 'test/unit/domain/findings.test.ts' },
  },
  {
    id: 'resend-back-to-the-claim',
    protects: 'the list is read back to the first claim',
    file: 'functions/reconcile/reads/send-introduction.ts',
    search: 'Math.min(since, operation.frozenAt)',
    replace: 'Math.max(since, operation.frozenAt) + 600_000',
    caughtBy: { test: 'test/unit/core/sent-list-read-back-to-the-claim.test.ts' },
  },
];
