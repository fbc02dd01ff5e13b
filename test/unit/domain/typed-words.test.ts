import * as v from 'valibot';
import { describe, expect, it } from 'vitest';
import { approvalSchema } from '../../../functions/domain/approval.ts';
import { Refusal } from '../../../functions/domain/decision-refusals.ts';
import { parsePersonsRequest } from '../../../functions/domain/decision-request.ts';

const DECISION = {
  decision: 'stop',
  leadRequestId: 'inq-1',
  action: 'create-task',
  by: 'Robin',
  reason: 'why',
} as const;

function refusal(more: object): string | null {
  const parsed = parsePersonsRequest({ ...DECISION, ...more });
  return parsed instanceof Refusal ? parsed.message : null;
}

const HIDDEN: [string, string][] = [
  ['a zero-width space', '\u200b'],
  ['a zero-width joiner', '\u200d'],
  ['a byte order mark', '\ufeff'],
  ['an override of the direction', '\u202e'],
  ['an isolate of a direction', '\u2067'],
  ['a mark of a direction', '\u200f'],
  ['a soft hyphen', '\u00ad'],
  ['a control character of C1', '\u0085'],
];

describe.each(['by', 'reason'])('%s', (field) => {
  it.each(HIDDEN)('is refused with %s in it, by its name', (_what, character) => {
    expect(refusal({ [field]: `Ro${character}bin` })).toBe(
      `${field}: expected one line without control, zero-width or direction characters.`,
    );
  });

  it.each(['Łukasz Żółć', 'أحمد', '山田 太郎', "Seán O'Brien-Núñez", 'Zoë 🙂'])('may be %s', (text) => {
    expect(refusal({ [field]: text })).toBeNull();
  });
});

it('who decides may say it by an email address', () => {
  expect(refusal({ by: 'robin@revops.example.com' })).toBeNull();
});

it.each(['\u3164', '\u2800', '👩', '🙂🙂', '\ufe0f', '…', '- - -', '"?"'])(
  'who decides is somebody: not %j',
  (by) => {
    expect(refusal({ by })).toBe('by: expected at least one letter or digit.');
  },
);

it.each([
  'asked ann.lee@example.com',
  'ann.lee@example.com',
  'mail to <ann@example.co.uk> bounced',
  'ann＠example.com',
  'ann﹫example．com',
  'ann@example。com',
  'ann@𝐞𝐱𝐚𝐦𝐩𝐥𝐞.com',
])('a reason holds no email address: %s', (reason) => {
  expect(refusal({ reason })).toBe(
    'reason: holds an email address: name no person of the lead, and use references instead, such as the number of a ticket.',
  );
});

it.each([
  '+358401234567',
  '+358 40 123 4567',
  'called (555) 123-4567',
  'called 555-123-4567 twice',
  'reached at 0401234567',
  '06 12 34 56 78',
  'on 0049/30/901820',
  '06.12.34.56.78',
  '06-12-34-56-78',
  '555.123.4567',
  '+1.234.567.890',
  '(212) 555.0199',
  '030.123.456',
  '612 345 678',
  '555 019 9123',
  'tel:0401234567',
  'mobile+358401234567',
  '０３０ １２３４５６７',
  '＋３５８４０１２３４５６７',
  '٠٣٠١٢٣٤٥٦٧',
  '०४०-१२३४५६७',
  '𝟎𝟒𝟎𝟏𝟐𝟑𝟒𝟓𝟔𝟕',
  '555‑123‑4567',
  '555 – 123 – 4567',
  '555−123−4567',
  '555·123·4567',
  '555\u00a0123\u20094567',
  '555⁄123⁄4567',
  '555-1234',
  'phone: 0401234567',
  'on (0401234567)',
  'on (+494012345678)',
  '+123456789012345',
  '+44 501 502 503',
  '501 502 9123 44',
  '501 502 512',
  '555 555 555',
  '559 555 551',
  '+358 40 12-34-56 78',
])('a reason holds no phone number: %s', (reason) => {
  expect(refusal({ reason })).toMatch(
    /^reason: holds what looks like a phone number: use references instead/,
  );
});

it.each([
  'ticket 20260504',
  'HubSpot record 51234567890 is the right one',
  'INC-1234567',
  'form-7-1042 and form-7-1043',
  'down from 2026-05-04 09:30:12 to 2026-05-05 10:00',
  'on 04.05.2026 at 09:30',
  'release 1.14.2, build 4711',
  '3 of 4 attempts, 429 each time',
  'run 0b6f2f7a-9d4a-4a25-8a70-1b0b5f5f1c11',
  'see the channel @revops',
  'IP 10.0.0.12 was blocked',
  'IP 192.168.100.200:443, net 10.20.30.0/24',
  '1.234.567 rows',
  'between 10.000.000 and 12.000.000.',
  'HubSpot 501 502 503 archived',
  'on ２０２６-０５-０４',
  'حالة ٤٧١١',
  'room 555-123',
  'at 10:30 1234567 was archived, at 10:30:12 1234568 as well',
  'at 9:05 1234567 was archived',
  'counts 512 1.234.567 4711',
  '1234 5678 9012 3456',
  'package web@1.2',
])('a reason may hold references, times and counts: %s', (reason) => {
  expect(refusal({ reason })).toBeNull();
});

it('holds for the word of an approver as well', () => {
  const word = { by: 'Tomas', reason: 'ann.lee@example.com wrote' };

  expect(v.safeParse(approvalSchema, word).success).toBe(false);
  expect(v.safeParse(approvalSchema, { ...word, reason: 'the source wrote, ticket 4711' }).success).toBe(
    true,
  );
});
