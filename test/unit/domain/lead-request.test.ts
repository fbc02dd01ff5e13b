import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  InvalidLeadRequest,
  MAX_LEAD_REQUEST_BYTES,
  parseLeadRequest,
} from '../../../functions/domain/lead-request.ts';

const LEAST = { leadRequestId: 'inq-1', email: 'jo@customer.example' };

/** How many characters a text may have. */
const LONGEST: readonly (readonly [field: string, maximum: number])[] = [
  ['firstName', 100],
  ['lastName', 100],
  ['company', 200],
  ['phone', 50],
  ['message', 5000],
  ['country', 100],
  ['language', 35],
  ['companySize', 50],
  ['sourceReference', 200],
];

function refusalOf(input: unknown): InvalidLeadRequest {
  try {
    parseLeadRequest(input);
  } catch (error) {
    if (error instanceof InvalidLeadRequest) return error;
    throw error;
  }
  throw new Error('It was accepted.');
}

test('a lead request with every field comes out as it went in', () => {
  const whole = {
    leadRequestId: 'Form_7-0042',
    email: 'jo.lind@customer.example',
    firstName: 'Jo',
    lastName: 'Lind',
    company: 'Lind Oy',
    phone: '+358 40 123',
    message: 'Hello,\nplease call.\tThanks',
    country: 'Finland',
    language: 'fi',
    companySize: '11-50',
    sourceReference: 'https://example.com/s/42',
    ownerId: '71',
  };

  expect(parseLeadRequest(whole)).toEqual(whole);
});

describe('the least is an id and an email', () => {
  test('they suffice', () => {
    expect(parseLeadRequest(LEAST)).toEqual(LEAST);
  });

  test.each(['leadRequestId', 'email'])('%s may not be missing', (field) => {
    expect(refusalOf({ ...LEAST, [field]: undefined }).message).toBe(`${field}: is missing.`);
  });

  test.each([
    'firstName',
    'lastName',
    'company',
    'phone',
    'message',
    'country',
    'language',
    'companySize',
    'sourceReference',
    'ownerId',
  ])('an empty or null %s says nothing and is left out', (field) => {
    expect(parseLeadRequest({ ...LEAST, [field]: '' })).toStrictEqual(LEAST);
    expect(parseLeadRequest({ ...LEAST, [field]: null })).toStrictEqual(LEAST);
  });

  test('blanks alone say nothing either', () => {
    expect(parseLeadRequest({ ...LEAST, company: ' \u00a0 ' })).toEqual(LEAST);
  });
});

describe('texts', () => {
  test('composed and decomposed letters are the same, outer blanks are gone', () => {
    expect(parseLeadRequest({ ...LEAST, firstName: '  Zoe\u0308 ' }).firstName).toBe('Zo\u00eb');
  });

  test.each([
    'Ελένη Παπαδοπούλου',
    'Анна Иванова',
    'محمد علي',
    '田中 太郎',
    'நவீன்',
    'Zoë 👩🏽‍💻',
    'O’Brien-Núñez',
  ])('any script: %s', (name) => {
    expect(parseLeadRequest({ ...LEAST, lastName: name }).lastName).toBe(name.normalize('NFC'));
  });

  test('the lines of a message end with one character', () => {
    expect(parseLeadRequest({ ...LEAST, message: 'a\r\nb\rc\r\r\nd\r\n' }).message).toBe('a\nb\nc\n\nd');
  });

  test.each([
    ['firstName', 'Jo\nBcc: x@y.example', 'firstName: expected one line without control characters.'],
    ['company', 'Lind\u2028Oy', 'company: expected one line without control characters.'],
    ['phone', '12\u0000', 'phone: expected one line without control characters.'],
    ['message', 'a\u0007b', 'message: expected text without control characters.'],
    ['lastName', 'L\ud800', 'lastName: expected well-formed Unicode text.'],
    ['message', '\udc00', 'message: expected well-formed Unicode text.'],
  ])('%s may not hold %j', (field, value, message) => {
    expect(refusalOf({ ...LEAST, [field]: value }).message).toBe(message);
  });

  test.each(LONGEST)('%s has at most %i characters', (field, maximum) => {
    expect(parseLeadRequest({ ...LEAST, [field]: 'x'.repeat(maximum) })).toHaveProperty(field);
    expect(refusalOf({ ...LEAST, [field]: 'x'.repeat(maximum + 1) }).message).toBe(
      `${field}: expected at most ${maximum} characters.`,
    );
  });

  test('all of them at their longest are read, however they are written', () => {
    const longest = Object.fromEntries(LONGEST.map(([field, maximum]) => [field, '田'.repeat(maximum)]));
    const escaped = JSON.stringify({ ...LEAST, ...longest }).replaceAll('田', '\\u7530');

    expect(parseLeadRequest(JSON.parse(escaped))).toEqual({ ...LEAST, ...longest });
    expect(Buffer.byteLength(escaped)).toBeLessThan(MAX_LEAD_REQUEST_BYTES);
  });

  test.each([7, true, {}, ['Jo']])('a name that is %j is no text', (value) => {
    expect(refusalOf({ ...LEAST, firstName: value }).message).toBe('firstName: expected a text.');
  });
});

describe('email', () => {
  test.each([
    'jo@customer.example',
    'jo+form@mail.customer.example',
    "o'brien@customer.example",
    'a/b@customer.example',
    'jo@xn--mller-kva.example',
    'jo@firma.xn--p1ai',
  ])('%s is one', (email) => {
    expect(parseLeadRequest({ ...LEAST, email }).email).toBe(email);
  });

  test('its case and its outer blanks make no difference', () => {
    expect(parseLeadRequest({ ...LEAST, email: ' Jo.Lind@Customer.EXAMPLE ' }).email).toBe(
      'jo.lind@customer.example',
    );
  });

  test.each([
    '',
    'jo',
    'jo@customer',
    '@customer.example',
    'jo@',
    'jo..lind@customer.example',
    '.jo@customer.example',
    'jo@-customer.example',
    'jo@customer..example',
    'jo lind@customer.example',
    'Jo <jo@customer.example>',
    'jo@customer.example,ann@customer.example',
    'jo@[192.0.2.1]',
    'jö@customer.example',
  ])('%j is none', (email) => {
    expect(refusalOf({ ...LEAST, email }).message).toBe('email: expected an email address.');
  });

  test('it has at most 254 characters', () => {
    const long = `${'j'.repeat(243)}@example.com`;
    expect(refusalOf({ ...LEAST, email: long }).message).toBe('email: expected at most 254 characters.');
  });
});

describe('leadRequestId', () => {
  test.each(['a', 'A-Z_0-9', 'x'.repeat(64)])('%s is one', (leadRequestId) => {
    expect(parseLeadRequest({ ...LEAST, leadRequestId }).leadRequestId).toBe(leadRequestId);
  });

  test.each(['', 'x'.repeat(65), 'a b', 'a/b', 'a#b', 'a.b', 'inq-1\n', 'é'])(
    '%j is none',
    (leadRequestId) => {
      expect(refusalOf({ ...LEAST, leadRequestId }).message).toBe(
        'leadRequestId: expected 1 to 64 of the characters A-Z a-z 0-9 _ -.',
      );
    },
  );

  test('a number is none: 7 and "7" would be one lead', () => {
    expect(refusalOf({ ...LEAST, leadRequestId: 7 }).message).toBe(
      'leadRequestId: expected the id that the source gave this inquiry, as a text.',
    );
  });
});

test.each(['a b', 'a/b', 'x'.repeat(65)])('ownerId %j is no id of a CRM', (ownerId) => {
  expect(refusalOf({ ...LEAST, ownerId }).message).toBe('ownerId: expected an owner id of the CRM.');
});

test('an ownerId that is a number is no text', () => {
  expect(refusalOf({ ...LEAST, ownerId: 71 }).message).toBe('ownerId: expected a text.');
});

test('nothing is looked at after the first field that is wrong', () => {
  const input = {
    leadRequestId: 'a b',
    get email(): string {
      throw new Error('It was looked at.');
    },
  };

  expect(refusalOf(input).message).toMatch(/^leadRequestId: /);
});

describe('what it does not know it refuses', () => {
  test.each(['firstname', 'toString', 'constructor', 'hasOwnProperty'])('a field called %s', (name) => {
    expect(refusalOf({ ...LEAST, [name]: 'x' }).message).toBe(`${name}: is not a field of a lead request.`);
  });

  test('a field whose name could itself be personal is not named', () => {
    expect(refusalOf({ ...LEAST, 'ann@customer.example': 1 }).message).toBe(
      'a field: is not a field of a lead request.',
    );
    expect(refusalOf(JSON.parse('{"leadRequestId":"a","email":"a@b.example","__proto__":"x"}')).message).toBe(
      'a field: is not a field of a lead request.',
    );
  });

  test.each([null, undefined, 7, 'lead', true])('%j is no lead request', (input) => {
    expect(refusalOf(input).message).toBe(
      'lead request: expected a JSON object with the fields of a lead request.',
    );
  });
});

test('whatever is refused, no value is repeated', () => {
  const marked = fc.string({ minLength: 1, maxLength: 6_000 }).map((text) => `QZ7${text}QZ7`);
  fc.assert(
    fc.property(
      fc.constantFrom('leadRequestId', 'email', 'firstName', 'message', 'ownerId', 'language', 'other'),
      fc.oneof(marked, fc.array(marked), fc.dictionary(fc.constant('a'), marked)),
      (field, value) => {
        let message = '';
        try {
          parseLeadRequest({ ...LEAST, [field]: value });
        } catch (error) {
          message = (error as Error).message;
        }
        expect(message).not.toContain('QZ7');
      },
    ),
    { numRuns: 300 },
  );
});

test('what was accepted is accepted again, unchanged', () => {
  const text = fc.option(fc.string({ unit: 'grapheme', maxLength: 120 }), { nil: undefined });
  fc.assert(
    fc.property(fc.record({ firstName: text, company: text, message: text, country: text }), (fields) => {
      let once: unknown;
      try {
        once = parseLeadRequest({ ...LEAST, ...fields });
      } catch {
        return;
      }
      expect(parseLeadRequest(once)).toEqual(once);
      expect(JSON.parse(JSON.stringify(once))).toEqual(once);
    }),
    { numRuns: 300 },
  );
});
