import * as v from 'valibot';
import { line } from './lead-request.ts';

/** Control characters, and those of which nobody sees that they are there: zero-width ones, and ones that turn the direction of writing. */
const UNSEEN = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u;

const EMAIL = /[^\s@]+@[^\s@]+\.[^\s@]{2,}/;

/** Times and dates of all orders, which are no phone numbers. */
const WHEN = /(?<!\w)(?:\d{1,4}[-./]\d{1,2}[-./]\d{1,4}|\d{1,2}:\d{2}(?::\d{2})?)(?!\w)/g;

/** Digits in groups. A run of them that belongs to a word, as in `form-7-1042`, is a reference. */
const GROUPS = /(?<![\w-])[+(]{0,2}\d[\d ()./-]{5,}\d(?![\w-])/g;

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
  return v.pipe(typed(100), v.nonEmpty(expected));
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
      (text) => !EMAIL.test(text),
      'holds an email address: name no person of the lead, and use references instead, such as the number of a ticket',
    ),
    v.check(
      (text) => !holdsPhoneNumber(text),
      'holds what looks like a phone number: use references instead, such as the number of a ticket, without blanks in it',
    ),
  );
}

/** Seven digits or more that begin like a phone number or are written in groups; a plain number is an id. */
function holdsPhoneNumber(text: string): boolean {
  return (text.replaceAll(WHEN, '').match(GROUPS) ?? []).some((run) => {
    const digits = run.replaceAll(/\D/g, '');
    return (
      digits.length >= 7 && digits.length <= 15 && (/^[+(]*0|^\+/.test(run) || /\d[ ()./-]+\d/.test(run))
    );
  });
}
