import * as v from 'valibot';
import { line } from './lead-request.ts';

/** Control characters, and those of which nobody sees that they are there: zero-width ones, and ones that turn the direction of writing. */
const UNSEEN = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u;

/** Fillers count as letters, and show nothing. */
const LETTER_OR_DIGIT = /(?!\p{Default_Ignorable_Code_Point})[\p{L}\p{N}]/u;

const EMAIL = /[^\s@]@[^\s@]+\.[^\s@]{2}/;

/** Times and dates of all orders, which are no phone numbers. */
const WHEN = /(?<!\w|\d[./-])(?:\d{1,4}[-./]\d{1,2}[-./]\d{1,4}(?![./-]\d)|\d{1,2}:\d{2}(?::\d{2})?)(?!\w)/g;

const OCTET = '(?:25[0-5]|2[0-4]\\d|1\\d\\d|[1-9]?\\d)';

/** Addresses of computers, and large numbers in groups of three, as in `1.234.567`. */
const IN_DOTS = new RegExp(
  `(?<![\\w+./-])(?:(?:${OCTET}\\.){3}${OCTET}(?:/\\d{1,2})?|[1-9]\\d{0,2}(?:\\.\\d{3}){2,})(?![\\w-]|[./]\\d)`,
  'g',
);

/** Digits in groups. A run of them that belongs to a word, as in `form-7-1042`, is a reference; one that begins with a plus never is. */
const GROUPS = /(?:(?<![\w-])[+(]{0,2}|\+\(?)\d[\d ()./-]{5,}\d(?![\w-])/g;

/** Numbers of three digits, all of the same ten. */
const OF_ONE_TEN = /^([1-9]\d)\d(?: \1\d)+$/;

/** One line that a person typed, all of which can be seen. */
function typed(maximum: number) {
  return v.pipe(
    line(maximum),
    v.check(
      (text) => !UNSEEN.test(text),
      'expected one line without control, zero-width or direction characters',
    ),
  );
}

/**
 * Who decides: a name or an email address.
 *
 * @param expected what the refusal of an empty one says
 */
export function typedName(expected: string) {
  return v.pipe(
    typed(100),
    v.nonEmpty(expected),
    v.check((text) => LETTER_OR_DIGIT.test(text), 'expected at least one letter or digit'),
  );
}

/**
 * Why somebody decides so: kept, and seen by everybody who may look at executions, so that it holds nobody's address or number.
 *
 * @param expected what the refusal of an empty one says
 */
export function typedReason(expected: string) {
  return v.pipe(
    typed(200),
    v.nonEmpty(expected),
    v.check(
      (text) => !EMAIL.test(plain(text)),
      'holds an email address: name no person of the lead, and use references instead, such as the number of a ticket',
    ),
    v.check(
      (text) => !holdsPhoneNumber(plain(text)),
      'holds what looks like a phone number: use references instead, such as the number of a ticket, without blanks in it',
    ),
  );
}

/** With the digits, blanks and signs of all scripts as those of ASCII: an address is one in every way of writing it. */
function plain(text: string): string {
  return text
    .normalize('NFKC')
    .replaceAll(/\p{Nd}/gu, asciiDigit)
    .replaceAll(/[\p{Pd}\u2212]/gu, '-')
    .replaceAll(/[·•∙⋅。]/g, '.')
    .replaceAll(/[⁄∕]/g, '/')
    .replaceAll(/\s/g, ' ');
}

/** Unicode has the digits of a script in one row, from 0 to 9. */
function asciiDigit(digit: string): string {
  const code = digit.codePointAt(0) ?? 0;
  let before = 0;
  while (/\p{Nd}/u.test(String.fromCodePoint(code - before - 1))) before += 1;
  return String(before % 10);
}

/** Seven digits or more that begin like a phone number or are written in groups; a plain number is an id. */
function holdsPhoneNumber(text: string): boolean {
  return [...text.replaceAll(IN_DOTS, '#').replaceAll(WHEN, '').matchAll(GROUPS)].some(([run]) => {
    const digits = run.replaceAll(/\D/g, '');
    return (
      digits.length >= 7 &&
      digits.length <= 15 &&
      (/^\(*0|\+/.test(run) || /\d[ ()./-]+\d/.test(run)) &&
      !isList(run)
    );
  });
}

/** Ids of one ten in their order, each once, as in `501 502 503`. */
function isList(run: string): boolean {
  return OF_ONE_TEN.test(run) && [...new Set(run.split(' '))].sort().join(' ') === run;
}
