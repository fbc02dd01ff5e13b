import { globSync, readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import {
  destinationName,
  inWords,
  readableTime,
  withWords,
  wordsFor,
} from '../../../functions/domain/words.ts';

/** Where the codes of findings, dispositions and outcomes are written. */
const SOURCES = [
  'functions/domain/{decision-guide,conclusion,persons-answer,guides-answer,transition,transition-*}.ts',
  'functions/recovery/ended-execution.ts',
  'functions/adapters/{http,hubspot,resend}/{classify,write-once,read-session,failure-code}.ts',
  'functions/actions/attempt.ts',
  'functions/actions/steps/*.ts',
];

const CODE = "'([a-z]+(?:-[a-z]+)*)'";
const PLACES = [
  new RegExp(`reason: ${CODE}`, 'g'),
  new RegExp(String.raw`\b(?:ask|keep|stop|resume|wait|turnedDown|notSent)\(\s*${CODE}`, 'g'),
  new RegExp(String.raw`reason \?\? ${CODE}`, 'g'),
  new RegExp(String.raw`(?:return|\?|:) ${CODE}(?=;|,?\n|\)| :)`, 'g'),
  new RegExp(String.raw`^ {2}\w+: ${CODE},$`, 'gm'),
  new RegExp(String.raw`^ {2}\| ${CODE}`, 'gm'),
];
/** Found in the same places, and no codes of outcomes or reasons. */
const NO_REASONS = [
  // Kinds of events, changes, contracts and rejections, which are not shown.
  /^(claim|settle|reconcile|decide|none|grant|take-over|release|warn|stopping|done|threw|unclear)$/,
  /^(no-grant|grant-expired|key-window-passed|already-(claimed|settled|decided|final)|older-attempt)$/,
  /^(not-claimable|operation-mismatch|changed-since-read|worker|person|receipt|attested|record)$/,
  /^(idempotency-key|natural-key|conditional-write|stamp-and-search)$/,
  /^(set|kept|keep|overwrite|already|event|turned-down|asked|asked-before|closed)$/,
];

function codesInSources(): string[] {
  const codes = globSync(SOURCES).flatMap((file) => {
    const text = readFileSync(file, 'utf8');
    return PLACES.flatMap((place) => [...text.matchAll(place)].map(([, code]) => code ?? ''));
  });
  return [...new Set(codes)].filter((code) => !NO_REASONS.some((pattern) => pattern.test(code))).sort();
}

it('has words for every code that the sources write', () => {
  const codes = codesInSources();

  expect(codes).toEqual(
    expect.arrayContaining([
      'attempts-exhausted',
      'connection-reset',
      'daily-quota-exceeded',
      'evidence-says-done',
      'owner-differs',
      'same-key',
      'timeout',
      'validation-error',
    ]),
  );
  expect(codes.length).toBeGreaterThan(70);
  // Words between blanks, as a part of a sentence, and so not the code once more.
  expect(codes.filter((code) => !/^[a-z]\w* [\w ,:'’-]+$/.test(wordsFor(code) ?? ''))).toEqual([]);
});

it.each([
  ['superseded:sender-no-longer-owner', 'the sender is no longer the owner'],
  ['unclear:too-early', 'too early to say, a request may still take effect'],
  ['status-503', 'the destination answered with status 503'],
  ['invalid-phone', 'the destination does not accept the value of phone'],
  [
    'hubspot-unreadable-rate-limited',
    'hubspot could not be read before: too many requests for the destination',
  ],
  [
    'hubspot-unreadable-status-502',
    'hubspot could not be read before: the destination answered with status 502',
  ],
  ['unsettled-resend', 'how it ended could not be written down'],
  ['threw-TypeError', 'the program failed: TypeError'],
  ['create-task-stopped', 'create-task was stopped'],
  ['decided-keep-owner', 'a person decided: keep-owner'],
])('says %s in plain words', (code, words) => {
  expect(wordsFor(code)).toBe(words);
});

it('shows what it has no words for as it is', () => {
  expect(wordsFor('a-code-of-tomorrow')).toBeNull();
  expect(wordsFor('constructor')).toBeNull();
  expect(withWords('a-code-of-tomorrow')).toBe('a-code-of-tomorrow');
  expect(withWords('absent', 'a-code-of-tomorrow')).toBe(
    'absent · a-code-of-tomorrow (the destination does not have it)',
  );
});

/** Codes that are written elsewhere than in SOURCES, or in another form. */
it.each([
  ['absent', 'the destination does not have it'],
  ['unclear:unreadable', 'the destination could not be read'],
  ['superseded:owner-changed', 'somebody else changed the owner'],
  ['superseded:possible-overwrite', "somebody else's owner may have been written over"],
  ['superseded:contact-archived', 'the contact was archived'],
  ['superseded:contact-deleted', 'the contact was deleted'],
  ['superseded:task-changed', 'somebody changed the task'],
  ['resume', 'it may be tried again'],
  ['wait', 'it is looked at again later'],
  ['park', 'it waits until work may go out again'],
  ['ask', 'a person has to decide'],
  ['stop', 'it has ended'],
  ['open', 'not tried yet'],
  ['claimed', 'a worker has it'],
  ['performed', 'it was done'],
  ['not-applied', 'it had no effect'],
  ['unknown', 'what it did is not known'],
  ['refused', 'the destination refused'],
  ['taken-over', 'a person has taken it over'],
  ['stopping', 'it is being stopped'],
  ['stopped', 'it was stopped'],
  ['stopped-but-done', 'it was stopped, but had been done'],
  ['stopped-unclear', 'it was stopped, and what it did stays unclear'],
  ['same-person', 'the same person sent another lead request at about that time'],
  ['dead-letter', 'a message of the queue could not be accepted'],
  ['other-fields', 'the same id came with other fields'],
  ['sender-no-longer-owner', 'the sender is no longer the owner'],
  ['task-changed', 'somebody changed the task'],
  ['ledger-moving', 'others kept writing meanwhile'],
  ['threw', 'the program failed'],
  ['late-timeout', 'late: no answer came in time'],
  ['late-a-code-of-tomorrow', 'late: a-code-of-tomorrow'],
])('says %s, which people meet as well, in plain words', (code, words) => {
  expect(wordsFor(code)).toBe(words);
});

it.each([
  'xstatus-503',
  'status-',
  'status-503x',
  'my-invalid-phone',
  'invalid-',
  'not-threw-x',
  'not-unsettled-x',
  'undecided-x',
  'translate-x',
  'create-task-stopped-x',
])('has no words for %s, which only looks like a code', (code) => {
  expect(wordsFor(code)).toBeNull();
});

it('says each meaning of several codes once', () => {
  expect(withWords('unclear:unreadable', 'unreadable', 'timeout')).toBe(
    'unclear:unreadable · unreadable · timeout (the destination could not be read; no answer came in time)',
  );
});

it('says a code in words first, and a code without words alone', () => {
  expect(inWords('timeout')).toBe('no answer came in time (timeout)');
  expect(inWords('a-code-of-tomorrow')).toBe('a-code-of-tomorrow');
});

it('calls a destination by its name', () => {
  expect(destinationName('hubspot')).toBe('HubSpot');
  expect(destinationName('resend')).toBe('Resend');
  expect(destinationName('another')).toBe('another');
});

it('says a time in one form, whole seconds and UTC', () => {
  expect(readableTime('2026-05-04T09:30:12.987Z')).toBe('2026-05-04 09:30:12Z');
  expect(readableTime('2026-05-04T11:30:12+02:00')).toBe('2026-05-04 09:30:12Z');
  expect(readableTime(Date.UTC(2026, 4, 4, 9, 30, 12))).toBe('2026-05-04 09:30:12Z');
});
