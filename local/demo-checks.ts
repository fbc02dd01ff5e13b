import type { RecoveryRecord } from '../functions/domain/recovery-record.ts';

/** What `GET /inspect` of the sandbox destination answers, as far as the demo reads it. */
export interface Inspection {
  readonly contacts: readonly {
    readonly id: string;
    readonly email: string;
    readonly ownerId: string | null;
    readonly ownerHistory: readonly { readonly value: string; readonly sourceType: string }[];
  }[];
  readonly tasks: readonly { readonly contactIds: readonly string[] }[];
  readonly emails: readonly { readonly to: readonly string[]; readonly from: string }[];
  readonly requests: readonly { readonly operation: string | null; readonly fault?: string }[];
}

export interface Check {
  readonly name: string;
  readonly expected: unknown;
  readonly actual: unknown;
  readonly pass: boolean;
}

/** What must be true of one lead at the end; effects are counted at the destination, not in our own records. */
interface Expectation {
  readonly leadRequestId: string;
  readonly email: string;
  readonly status: string;
  readonly ownerId: string;
  readonly emails: number;
  readonly introduction: { readonly finding: string; readonly disposition: string };
}

/** The person's owner in the third story. */
export const PERSONS_OWNER = '82';
const PERSONS_SENDER = 'Ben Okoro <ben.okoro@sales.example.com>';

const EXPECTED: readonly Expectation[] = [
  {
    leadRequestId: 'quiet-1',
    email: 'nadia.haddad@harbour.example.com',
    status: 'closed',
    ownerId: '71',
    emails: 1,
    introduction: { finding: 'done', disposition: 'keep' },
  },
  {
    leadRequestId: 'lost-answer-2',
    email: 'per.lund@fjord.example.com',
    status: 'closed',
    ownerId: '71',
    emails: 1,
    introduction: { finding: 'done', disposition: 'keep' },
  },
  {
    leadRequestId: 'dropped-3',
    email: 'mei.tanaka@kumo.example.com',
    status: 'waiting',
    ownerId: PERSONS_OWNER,
    emails: 0,
    introduction: { finding: 'superseded:sender-no-longer-owner', disposition: 'ask' },
  },
];

/** Before anybody has decided. */
export function checksBefore(records: readonly RecoveryRecord[], inspection: Inspection): Check[] {
  return EXPECTED.flatMap((expected) => checksOf(expected, records, inspection));
}

/** After a person has decided about the third lead: sent once, by the owner whom a person chose, and closed on evidence. */
export function checksAfter(record: RecoveryRecord, inspection: Inspection): Check[] {
  const [, , third] = EXPECTED as [Expectation, Expectation, Expectation];
  const expected: Expectation = {
    ...third,
    status: 'closed',
    emails: 1,
    introduction: { finding: 'done', disposition: 'keep' },
  };
  const [email] = inspection.emails.filter(({ to }) => to.includes(third.email));
  const evidence = record.actions.flatMap((action) => action.evidence?.kind ?? 'none');
  const check = (name: string, want: unknown, actual: unknown): Check => ({
    name: `${record.leadRequestId} decided: ${name}`,
    expected: want,
    actual,
    pass: want === actual,
  });
  return [
    ...checksOf(expected, [record], inspection).map((one) => ({
      ...one,
      name: one.name.replace(':', ' decided:'),
    })),
    check('sent by', PERSONS_SENDER, email?.from),
    check(
      'actions closed on what the destination says',
      4,
      evidence.filter((kind) => kind === 'receipt' || kind === 'record').length,
    ),
  ];
}

function checksOf(
  expected: Expectation,
  records: readonly RecoveryRecord[],
  inspection: Inspection,
): Check[] {
  const record = records.find(({ leadRequestId }) => leadRequestId === expected.leadRequestId);
  const introduction = record?.actions.find(({ action }) => action === 'send-introduction');
  const contacts = inspection.contacts.filter(({ email }) => email === expected.email);
  const [contact] = contacts;
  const ours = contact?.ownerHistory.filter(({ sourceType }) => sourceType === 'INTEGRATION') ?? [];
  const tasks = inspection.tasks.filter(({ contactIds }) => contact && contactIds.includes(contact.id));
  const emails = inspection.emails.filter(({ to }) => to.includes(expected.email));
  const check = (name: string, want: unknown, actual: unknown): Check => ({
    name: `${expected.leadRequestId}: ${name}`,
    expected: want,
    actual,
    pass: want === actual,
  });
  return [
    check('status', expected.status, record?.status),
    check('contacts', 1, contacts.length),
    check('owner writes of ours', 1, ours.length),
    check('owner', expected.ownerId, contact?.ownerId),
    check('tasks', 1, tasks.length),
    check('emails', expected.emails, emails.length),
    check('introduction found', expected.introduction.finding, introduction?.finding),
    check('introduction disposition', expected.introduction.disposition, introduction?.disposition),
  ];
}
