import { globSync, readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { withWords, wordsFor } from '../../../functions/domain/words.ts';

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
  expect(codes.filter((code) => wordsFor(code) === null)).toEqual([]);
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
