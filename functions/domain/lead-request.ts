import * as v from 'valibot';

/** The largest lead request that is read, in bytes of UTF-8 JSON; what its fields may hold is far less. */
export const MAX_LEAD_REQUEST_BYTES = 65_536;

/** A lead request cannot be accepted; the message names the field and what is expected, and repeats no value. */
export class InvalidLeadRequest extends Error {
  override readonly name = 'InvalidLeadRequest';
  readonly field: string;

  constructor(field: string, expected: string) {
    super(`${field}: ${expected}.`);
    this.field = field;
  }
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what this looks for
const CONTROL = /[\u0000-\u001f\u007f\u2028\u2029]/;
// biome-ignore lint/suspicious/noControlCharactersInRegex: as above, but a message may have lines and tabs
const CONTROL_BUT_LINES = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f]/;

/** The dot-atom addresses of RFC 5322 (O'Brien has one) at a domain name of ASCII labels (RFC 1035; IDNA as `xn--`). */
const EMAIL =
  /^[a-z0-9!#$%&'*+/=?^_`{|}~-]+(?:\.[a-z0-9!#$%&'*+/=?^_`{|}~-]+)*@(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)+(?:[a-z]{2,63}|xn--[a-z0-9-]{1,58}[a-z0-9])$/;

const normalised = v.pipe(
  v.string('expected a text'),
  v.check((text) => text.isWellFormed(), 'expected well-formed Unicode text'),
  v.transform((text) => text.normalize('NFC').trim()),
);

/** One line of text, in NFC and trimmed. */
export function line(maximum: number) {
  return v.pipe(
    normalised,
    v.check((text) => !CONTROL.test(text), 'expected one line without control characters'),
    v.maxLength(maximum, `expected at most ${maximum} characters`),
  );
}

/** Forms send empty fields; an empty or null field says nothing and is left out. */
function optionalField<T extends v.GenericSchema<unknown, string>>(schema: T) {
  return v.pipe(
    v.nullish(schema),
    v.transform((text) => (text === null || text === '' ? undefined : text)),
  );
}

const leadRequestId = v.pipe(
  v.string('expected the id that the source gave this inquiry, as a text'),
  v.regex(/^[A-Za-z0-9_-]{1,64}$/, 'expected 1 to 64 of the characters A-Z a-z 0-9 _ -'),
);

/** What a source sends, before it is normalised. */
export const leadRequestSchema = v.strictObject(
  {
    leadRequestId,
    email: v.pipe(
      line(254),
      v.nonEmpty('expected an email address'),
      v.toLowerCase(),
      v.regex(EMAIL, 'expected an email address'),
    ),
    firstName: optionalField(line(100)),
    lastName: optionalField(line(100)),
    company: optionalField(line(200)),
    phone: optionalField(line(50)),
    message: optionalField(
      v.pipe(
        normalised,
        v.transform((text) => text.replaceAll(/\r\n?/g, '\n')),
        v.check((text) => !CONTROL_BUT_LINES.test(text), 'expected text without control characters'),
        v.maxLength(5_000, 'expected at most 5000 characters'),
      ),
    ),
    country: optionalField(line(100)),
    language: optionalField(line(35)),
    companySize: optionalField(line(50)),
    sourceReference: optionalField(line(200)),
    ownerId: optionalField(
      v.pipe(
        v.string('expected a text'),
        v.regex(/^[A-Za-z0-9_-]{0,64}$/, 'expected an owner id of the CRM'),
      ),
    ),
  },
  'expected a JSON object with the fields of a lead request',
);

/** One inbound inquiry: texts in NFC and trimmed, the email in lower case, empty fields left out. */
export type LeadRequest = Readonly<v.InferOutput<typeof leadRequestSchema>>;

/** The fields that a lead request may have. */
export const LEAD_REQUEST_FIELDS: readonly string[] = Object.keys(leadRequestSchema.entries);

/** Whether a lead request may have this id. */
export function isLeadRequestId(value: unknown): value is string {
  return v.is(leadRequestId, value);
}

/**
 * Reads a lead request.
 *
 * @throws InvalidLeadRequest naming the first field that is missing, unknown or wrong.
 */
export function parseLeadRequest(input: unknown): LeadRequest {
  const parsed = v.safeParse(leadRequestSchema, input, { abortEarly: true });
  if (!parsed.success) {
    const issue = parsed.issues[0];
    const field = v.getDotPath(issue);
    if (field === null) throw new InvalidLeadRequest('lead request', issue.message);
    // A key that is not a plain word could itself be personal data: it is not repeated.
    const shown = /^[A-Za-z][A-Za-z0-9_]{0,39}$/.test(field) ? field : 'a field';
    if (issue.expected === 'never') throw new InvalidLeadRequest(shown, 'is not a field of a lead request');
    if (issue.input === undefined) throw new InvalidLeadRequest(shown, 'is missing');
    throw new InvalidLeadRequest(shown, issue.message);
  }
  const present = Object.entries(parsed.output).filter(([, value]) => value !== undefined);
  return Object.fromEntries(present) as unknown as LeadRequest;
}
