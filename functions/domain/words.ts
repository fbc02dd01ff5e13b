/** What the codes of findings, dispositions, phases and reasons mean to people. Codes with a name in them are in PATTERNS. */
const WORDS: ReadonlyMap<string, string> = new Map(
  Object.entries({
    // Findings (functions/domain/finding.ts)
    absent: 'the destination does not have it',
    'unclear:too-early': 'too early to say, a request may still take effect',
    'unclear:unreadable': 'the destination could not be read',
    'superseded:owner-changed': 'somebody else changed the owner',
    'superseded:possible-overwrite': "somebody else's owner may have been written over",
    'superseded:sender-no-longer-owner': 'the sender is no longer the owner',
    'superseded:contact-archived': 'the contact was archived',
    'superseded:contact-deleted': 'the contact was deleted',
    'superseded:task-changed': 'somebody changed the task',

    // Dispositions
    resume: 'it may be tried again',
    wait: 'it is looked at again later',
    park: 'it waits until work may go out again',
    ask: 'a person has to decide',
    stop: 'it has ended',

    // Phases (functions/domain/action-state.ts)
    open: 'not tried yet',
    claimed: 'a worker has it',
    performed: 'it was done',
    'not-applied': 'it had no effect',
    unknown: 'what it did is not known',
    refused: 'the destination refused',
    'taken-over': 'a person has taken it over',
    stopping: 'it is being stopped',
    stopped: 'it was stopped',
    'stopped-but-done': 'it was stopped, but had been done',
    'stopped-unclear': 'it was stopped, and what it did stays unclear',

    // Why it goes on like this (functions/domain/decision-guide.ts, conclusion.ts)
    'evidence-says-done': 'the destination shows that it was done',
    'stopped-by-person': 'a person stopped it',
    'not-current': 'another execution acts for this handoff',
    'worker-may-run': 'its worker may still be running',
    'too-early': 'too early to say, a request may still take effect',
    unreadable: 'the destination could not be read',
    'owner-changed-by-person': 'a person changed the owner, and that stands',
    'task-changed-by-person': 'a person changed the task, and that stands',
    'owner-changed': 'somebody else changed the owner',
    'possible-overwrite': "somebody else's owner may have been written over",
    'sender-no-longer-owner': 'the sender is no longer the owner',
    'contact-archived': 'the contact was archived',
    'contact-deleted': 'the contact was deleted',
    'task-changed': 'somebody changed the task',
    superseded: 'a person changed what it was about',
    'owner-unknown': 'the CRM does not know the owner',
    'owner-stopped': 'assigning the owner was stopped',
    'opted-out': 'the person has opted out',
    'late-evidence':
      'an attempt that was given up reported success late, and the destination does not show it',
    'never-claimed': 'no attempt was made yet',
    'same-key': 'the destination recognises a repeat by its key',
    'key-window-over': 'the destination may no longer recognise a repeat',
    'no-contract': 'the destination does not recognise repeats',
    'residual-risk': 'a repeat might have its effect twice',
    'route-paused': 'the route is paused',
    'breaker-open': 'the destination has failed too often lately',
    'attempts-exhausted': 'all attempts are used up',
    'approval-point': 'the route wants a person to approve it',
    'back-off': 'a pause before the next attempt',
    'too-many-turns': 'it was looked at too often',
    'decision-outdated': 'the destination now shows something else than the person saw',
    'decision-not-possible': 'what the person decided is not possible here',
    confirmed: 'a person confirmed it',
    'owner-kept': 'a person kept the owner',
    released: 'a person gave it back',
    'ledger-moving': 'others kept writing meanwhile',

    // Why the handoff as a whole waits (functions/recovery)
    'execution-failed': 'its execution failed',
    'execution-aborted': 'its execution was stopped',
    'execution-timed-out': 'its execution took too long',
    'execution-missing': 'its execution does not exist',
    'execution-succeeded-open': 'its execution ended before the handoff was closed',
    'same-person': 'the same person sent another lead request at about that time',

    // What else the recovery owner hears of (functions/intake)
    'dead-letter': 'a message of the queue could not be accepted',
    'other-fields': 'the same id came with other fields',

    // What an attempt says of itself (functions/adapters, functions/actions)
    'request-invalid': 'the request could not be made',
    'deadline-passed': 'too little time was left to send it',
    'resolve-failed': "the destination's name could not be resolved",
    'connect-refused': 'nothing listens at the destination',
    'connect-failed': 'the destination could not be connected to',
    'connect-timeout': 'connecting took too long',
    'tls-failed': 'the connection could not be secured',
    timeout: 'no answer came in time',
    'connection-reset': 'the connection broke before the answer was whole',
    'connection-failed': 'the connection failed before the answer was whole',
    'response-too-large': 'the answer was too long to read',
    unparsable: 'the answer could not be understood',
    'secret-unavailable': 'its secret could not be read',
    'rate-limited': 'too many requests for the destination',
    'daily-quota-exceeded': 'the quota of the day is used up',
    'monthly-quota-exceeded': 'the quota of the month is used up',
    'already-exists': 'the record exists already',
    'owner-differs': 'the answer names another owner',
    'not-corrected': 'the corrected fields could not be put in the place of the first ones',
    'not-read-back': 'what was written could not be read back',
    'contact-unclear': 'the contact is neither complete nor incomplete',
    credentials: 'the destination does not take the token',
    permissions: 'the token may not do this',
    'record-not-found': 'the destination does not have the record',
    'evidence-not-found': 'the record that the person named is not there, or is not this lead’s',
    conflict: 'it conflicts with what the destination has',
    'invalid-request': 'the destination does not accept the request',
    'key-used-with-other-bytes': 'the key was used before with another message',
    'same-key-in-flight': 'a request with the same key is under way',
    'sender-not-verified': "the sender's domain is not verified",
    'invalid-idempotency-key': 'the destination does not accept the key',
    'invalid-from-address': 'the destination does not accept the From address',
    'invalid-parameter': 'the destination does not accept a parameter',
    'invalid-access': 'the destination does not allow it',
    'missing-required-field': 'a field that the destination needs is missing',
    'validation-error': 'the destination found the request invalid',
    'not-found': 'the destination does not have it',
    'method-not-allowed': 'the destination does not allow it',
    'security-error': 'the destination sees a danger in it',
    'claimed-by-another': 'another worker had it',
    unrecorded: 'no reason was recorded',
    threw: 'the program failed',
  }),
);

const PATTERNS: readonly (readonly [RegExp, (...parts: string[]) => string])[] = [
  [/^status-(\d+)$/, (status) => `the destination answered with status ${status}`],
  [/^invalid-(.+)/, (field) => `the destination does not accept the value of ${field}`],
  [/(.+)-unreadable-(.+)/, (destination, code) => `${destination} could not be read before: ${said(code)}`],
  [/^unsettled-/, () => 'how it ended could not be written down'],
  [/^threw-(.+)/, (name) => `the program failed: ${name}`],
  [/^decided-(.+)/, (decision) => `a person decided: ${decision}`],
  [/(.+)-stopped$/, (action) => `${action} was stopped`],
  [/^late-(.+)/, (outcome) => `late: ${said(outcome)}`],
];

/** A code in plain words; null for one that has none, which is then shown as it is. */
export function wordsFor(code: string): string | null {
  const words = WORDS.get(code);
  if (words !== undefined) return words;
  for (const [pattern, say] of PATTERNS) {
    const match = pattern.exec(code);
    if (match) return say(...match.slice(1));
  }
  return null;
}

/** Codes as they are, and in parentheses what they mean, each meaning once. */
export function withWords(...codes: readonly string[]): string {
  const words = new Set(codes.flatMap((code) => wordsFor(code) ?? []));
  const said = words.size === 0 ? '' : ` (${[...words].join('; ')})`;
  return `${codes.join(' · ')}${said}`;
}

/** What a code means, and the code in parentheses; a code without words alone. */
export function inWords(code: string): string {
  const words = wordsFor(code);
  return words === null ? code : `${words} (${code})`;
}

function said(code: string): string {
  return wordsFor(code) ?? code;
}

const DESTINATIONS: Readonly<Record<string, string>> = { hubspot: 'HubSpot', resend: 'Resend' };

/** A destination as people call it. */
export function destinationName(destination: string): string {
  return DESTINATIONS[destination] ?? destination;
}

/** A time (ISO 8601 or epoch milliseconds) as people read it: `2026-05-04 09:30:12Z`. */
export function readableTime(at: number | string): string {
  return new Date(at).toISOString().replace('T', ' ').replace(/\.\d+/, '');
}
