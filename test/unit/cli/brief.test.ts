import { expect, it } from 'vitest';
import { ANSWERED, QUESTIONS } from '../../../cli/brief/answers.ts';
import { brief } from '../../../cli/commands/brief.ts';
import type { RouteAnswers, RouteSettings } from '../../../functions/domain/route.ts';
import { website } from '../../../routes/website.ts';
import { ROUTE_ANSWERS, testRoute } from '../../model/settings.ts';
import { fakeContext } from './fake-context.ts';
import { runHandoff } from './run-handoff.ts';

async function pageOf(
  route: RouteSettings,
  options: { stage?: string; json?: boolean } = {},
): Promise<string> {
  const { context, written } = fakeContext([route], {});
  expect(await brief(undefined, options, context, {})).toBe(0);
  return written.stdout.join('\n');
}

/** What the page answers to a question. */
async function answerTo(question: string, answers: Partial<RouteAnswers>, stage = 'prod'): Promise<string> {
  const page = await pageOf(testRoute(answers), { stage });
  const [, after] = page.split(`**${question}**\n\n`);
  return after?.split(/\n\n(?:\*\*|##)/)[0] ?? 'not asked';
}

it('answers every question of a route file', () => {
  expect([...ANSWERED].sort()).toEqual([...QUESTIONS].sort());
  expect(new Set(ANSWERED).size).toBe(ANSWERED.length);
  const asked = [...Object.keys(ROUTE_ANSWERS), 'askSlaSeconds', 'retentionDays'].sort();
  expect([...QUESTIONS].sort()).toEqual(asked);
});

it('is a page that an integration owner can read', async () => {
  const page = await pageOf(website);

  for (const line of [
    '# Route website: the brief',
    'What route `website` does with a lead in stage `prod`, printed from the route file and the code: `npx handoff brief website --stage prod`.',
    'The contact form of the website; its form id and submission number make the lead request id.',
    'The form service, when the form is sent. Ids are never made up: a request without one is refused.',
    'Yes: the source sends the same id when it sends a lead request again, so a repeat is recognised by it.',
    'At least once: it sends again until it is answered. Every repeat is harmless.',
    'It is refused, the first request stands, and the other fields are kept as a conflict in its record. The recovery owner is told at once.',
    'Within 1 d of the first one it waits until the recovery owner (Robin Okafor) lets it go on or stops it.',
    'Always owner 71.',
    "At most 4 times (the stage's number); then a person is asked. Between attempts it pauses 10 s and more, up to 15 min.",
    'Robin Okafor (robin.okafor@revops.example.com), the recovery owner.',
    'Mia Lindqvist (mia.lindqvist@revops.example.com), 3 times at most; after that it stays open under an alarm.',
    'Tomas Vega (tomas.vega@revops.example.com). They alone correct fields, end the investigation of dead letters, and resume at the approval point.',
    "4 h (the stage's number).",
    '30 handoffs a minute, oldest first, once work can be parked: nothing pauses a route yet.',
    'Template version `1`. Every value of a lead is escaped in the HTML part.',
    '- From: `{{owner.name}} <{{owner.email}}>`',
    '- Reply-To: `{{owner.email}}`',
    '- Subject: `Your inquiry`',
    '<p>Hello {{lead.firstName|there}},</p>',
    'Call {{lead.fullName}}',
    "400 days, the lead's personal data included; then the ledger forgets it.",
    '| `upsert-contact` | HubSpot | the record itself: there is one of its kind (`natural-key`) | as long as the record exists | 1 min | 10 s |',
    '| `create-task` | HubSpot | a stamp in the text, found by search (`stamp-and-search`) | as long as the record exists | 1 min | 1 min |',
    '| `send-introduction` | Resend | a key that it recognises a repeat by (`idempotency-key`) | 1 d, relied on for 23 h | 1 min | 10 s |',
    '- `prod/website/hubspot/read`: a token of a HubSpot private app that reads contacts and owners',
    '- `prod/website/resend/write`: a Resend key that only sends',
    '- `prod/website/intake`: the key by which senders sign what they post (`whsec_…`); for leads over HTTP',
    '- A request that was given up on takes effect within 1 min or never (the landing bound). Before that nothing is believed to be absent.',
    '- Resend has no read-only API key: reading sent mail needs a full-access key, so the reader is trusted to send nothing but GET requests with it.',
    '- <https://resend.com/docs/dashboard/emails/idempotency-keys>',
  ]) {
    expect(page.split('\n')).toContain(line);
  }
});

it.each<[string, Partial<RouteAnswers>, string]>([
  [
    'Does the id survive a retry?',
    {
      identity: { originatesIn: 'x', survivesRetry: false },
      samePerson: { policy: 'join', windowHours: 36 },
    },
    'No: the source sends a lead request again under another id.',
  ],
  [
    'What happens when the same person comes under another id?',
    { samePerson: { policy: 'join', windowHours: 36 } },
    'Within 1 d 12 h of the first one it is closed at once and points to the first.',
  ],
  [
    'What happens when the same person comes under another id?',
    { samePerson: { policy: 'allow', windowHours: 1 } },
    'It is handed off as well.',
  ],
  [
    'What does the source promise about delivery?',
    { delivery: 'at-most-once' },
    'At most once: it sends once.',
  ],
  [
    'What happens when a known id comes with other fields?',
    { changedFields: 'keep' },
    'The recovery owner is not told; the record shows it.',
  ],
  [
    'What if the contact has an owner already?',
    { existingOwner: 'replace' },
    'The chosen owner takes their place.',
  ],
  [
    'What if a person changes the owner while the handoff runs?',
    { changedOwner: 'keep' },
    'The handoff goes on with that owner.',
  ],
  ['May values of an existing contact be changed?', { contactValues: 'overwrite' }, 'Yes: '],
  ['How often is an action tried?', { limits: { attemptsPerAction: 2 } }, 'At most 2 times; then'],
  [
    'Which errors are retried?',
    { underSameKey: { tooEarly: 'wait', unreadable: 'ask' } },
    'while the destination cannot be read: the recovery owner is asked.',
  ],
  [
    'May a task that was not found be created again?',
    { acceptSecondTask: false },
    'No: the recovery owner is asked.',
  ],
  [
    'May a task that was not found be created again?',
    { crm: { adapter: 'hubspot', uniqueTaskProperty: 'lead_handoff_id' } },
    'It is found by its unique property, so there is no doubt.',
  ],
  [
    'By what are tasks found again?',
    { crm: { adapter: 'hubspot', uniqueTaskProperty: 'lead_handoff_id' } },
    'By the task property `lead_handoff_id`, which must be declared unique: `npx handoff setup` creates it.',
  ],
  ['Which CRM?', { crm: { adapter: 'hubspot', portalId: '77' } }, 'HubSpot, account 77.'],
  ['How long has a person to answer?', { askSlaSeconds: 5_400 }, '1 h 30 min.'],
  [
    'Is there a point that nothing passes again without approval?',
    { approvalPoint: 'send-introduction' },
    'Yes: every resume of `send-introduction` needs an approver.',
  ],
  ['How long is a closed handoff kept?', { retentionDays: 1 }, "1 day, the lead's personal data included"],
])('%s (%j)', async (question, answers, answer) => {
  expect(await answerTo(question, answers)).toContain(answer);
});

const OWNERS = 'Who becomes the owner of a lead?';

it('says in words how each rule chooses the owner', async () => {
  const owner = (rule: RouteAnswers['owner']) => answerTo(OWNERS, { owner: rule });

  expect(await owner({ rule: 'from-request', fallbackOwnerId: '71' })).toContain(
    'The owner that the lead request names; owner 71 where it names none.',
  );
  const turn = await owner({
    rule: 'round-robin',
    owners: [
      { ownerId: '71', weight: 2 },
      { ownerId: '82', weight: 1 },
    ],
  });
  expect(turn).toContain(
    'In turn, by weight:\n\n- owner 71: 2 of 3 leads (66.7 %)\n- owner 82: 1 of 3 leads (33.3 %)',
  );
  const first = await owner({
    rule: 'first-match',
    rules: [{ when: { country: ['FI', 'SE'], emailDomain: ['acme.example'] }, ownerId: '82' }],
    defaultOwnerId: '71',
  });
  expect(first).toContain(
    '1. owner 82, where the country is FI or SE and the address is at acme.example\n2. owner 71, for all others',
  );
});

it('states what it assumes only where that is assumed', async () => {
  const careful = await pageOf(
    testRoute({
      identity: { originatesIn: 'x', survivesRetry: false },
      samePerson: { policy: 'ask', windowHours: 1 },
      delivery: 'at-most-once',
      crm: { adapter: 'hubspot', uniqueTaskProperty: 'lead_handoff_id' },
    }),
  );

  expect(careful).not.toContain("HubSpot's search shows a new task");
  expect(careful).not.toContain('The source keeps its promise');
  expect(careful).toContain('- Somebody else notices a lead that the source lost on its way.');
  expect(careful).toContain('| `create-task` | HubSpot | the record itself: there is one of its kind');
});

it('shows a template as it is, whatever is in it', async () => {
  const task = { subject: 'Call', body: 'Look:\n```\n{{lead.message}}\n```', dueInHours: 1.5 };

  expect(await answerTo('What does the follow-up task say?', { task })).toBe(
    'Due 1 h 30 min after it is first about to be created.\n\n````text\nCall\n\nLook:\n```\n{{lead.message}}\n```\n````',
  );
});

it('has the numbers and the secrets of the stage that is asked for', async () => {
  const page = await pageOf(website, { stage: 'local' });

  expect(page).toContain('| 1 min, relied on for 55 s | 1 s |');
  expect(page).toContain('- `local/website/hubspot/write`: ');
  expect(page).toContain('Resend. In stage `local` a sandbox stands in its place.');
});

it('is the same as data', async () => {
  const { stage, briefs } = JSON.parse(await pageOf(website, { json: true }));

  expect(stage).toBe('prod');
  expect(briefs).toHaveLength(1);
  expect(Object.keys(briefs[0])).toEqual(['route', 'sections', 'contracts', 'secrets', 'assumptions']);
  expect(briefs[0].contracts[3]).toMatchObject({
    action: 'send-introduction',
    destination: 'resend',
    kind: 'idempotency-key',
    keyWindowMs: 86_400_000,
    landingBoundMs: 60_000,
  });
});

it('needs no AWS, and knows the routes', async () => {
  const all = await runHandoff(['brief']);
  const other = await runHandoff(['brief', 'webside']);

  expect(all.stdout).toMatch(/^# Route website: the brief\n/);
  expect([all.exitCode, all.stderr]).toEqual([0, '']);
  expect(other.stderr).toBe('There is no such route: expected one of website.\n');
  expect(other.exitCode).toBe(2);
});
