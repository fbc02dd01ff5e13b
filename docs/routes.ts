import { readFileSync, writeFileSync } from 'node:fs';
import { SECTIONS } from '../cli/brief/answers.ts';
import { readableSpan } from '../cli/render/words.ts';
import { regions } from '../examples/routes/regions.ts';
import { rotation } from '../examples/routes/rotation.ts';
import type { LeadRequest } from '../functions/domain/lead-request.ts';
import { chosenOwner } from '../functions/domain/owner-rule.ts';
import { ROUTE_QUESTIONS, type RouteQuestion } from '../functions/domain/route-questions.ts';
import { STAGE_NUMBERS } from '../functions/domain/stage-numbers.ts';
import { PLACEHOLDERS } from '../functions/domain/template.ts';

/** Prints `docs/routes.md` from the code and from `examples/routes/`: `npm run docs`. */

/** What is told beside the code of an example; every file of `examples/routes/` is here. */
export const EXAMPLES: readonly { readonly file: string; readonly title: string; readonly told: string }[] = [
  {
    file: 'contact-form.ts',
    title: 'A form',
    told: 'Every question answered once. The other examples say only what they answer otherwise.',
  },
  {
    file: 'rotation.ts',
    title: 'A weighted round robin',
    told: `An owner's weight is a share, and not a number of leads in a row: the first eight leads go to ${ownersOfTickets(8).join(', ')}. The owner is drawn once, when the lead request is accepted; the same request again draws nothing.`,
  },
  {
    file: 'regions.ts',
    title: 'The first rule that fits the fields',
    told: [
      'The rules are gone through from the top. Within a rule every field must fit, by any of its values; upper and lower case make no',
      'difference. A lead without the field does not fit.',
      '',
      leadsTable(),
    ].join('\n'),
  },
  {
    file: 'customers.ts',
    title: 'An existing owner is kept',
    told: [
      'The request may name an owner (`ownerId`), but a contact that has one keeps it, and the introduction comes from that owner. Where a',
      'person changes the owner while the handoff runs, the handoff goes on with the new one; with `changedOwner: "ask"` the recovery owner',
      'is asked first. Blank values of the contact are filled, and none is changed.',
    ].join('\n'),
  },
  {
    file: 'webinar.ts',
    title: 'The same person is joined',
    told: [
      'The id of a request does not survive a retry here, so a repeat can only be known by its person. Two requests of one address less',
      'than 48 hours apart are one lead: the second one is closed at once with the status `joined`, and points to the first. `"allow"` is',
      'refused together with `survivesRetry: false`.',
    ].join('\n'),
  },
  {
    file: 'approval.ts',
    title: 'An approval point',
    told: [
      'The first attempt of the introduction goes out by itself. Where it does not plainly succeed and would be tried again, the recovery',
      'owner is asked, and that decision needs one of the `approvers` in `--by`. Whoever is asked has an hour here;',
      'then the escalation owner is asked.',
    ].join('\n'),
  },
];

/** What has to be changed in a copy of an example under `routes/`: what an import begins with there, and here. */
export const MOVED = [
  ['../../functions/', '../functions/'],
  ['./contact-form.ts', '../examples/routes/contact-form.ts'],
] as const;

function ownersOfTickets(count: number): string[] {
  const lead: LeadRequest = { leadRequestId: 'form-1', email: 'jo@harbour.example.com' };
  return Array.from({ length: count }, (_, i) => chosenOwner(rotation.owner, lead, i + 1));
}

function leadsTable(): string {
  const leads: readonly Omit<LeadRequest, 'leadRequestId'>[] = [
    { email: 'jo@eu.partner.example.com', country: 'FI', companySize: '1000+' },
    { email: 'jo@harbour.example.com', country: 'finland', companySize: '1000+' },
    { email: 'jo@harbour.example.com', country: 'Finland', companySize: '50' },
    { email: 'jo@harbour.example.com' },
  ];
  return table(
    ['email', 'country', 'companySize', 'owner'],
    leads.map((lead) => [
      lead.email,
      lead.country ?? '',
      lead.companySize ?? '',
      chosenOwner(regions.owner, { leadRequestId: 'form-1', ...lead }, 0),
    ]),
  );
}

function questionTables(): string {
  return SECTIONS.map(([title, keys]) => {
    const rows = keys.flatMap((key) =>
      Object.entries(ROUTE_QUESTIONS)
        .filter(([path]) => /^\w+/.exec(path)?.[0] === key && !path.endsWith('[]'))
        .map(([path, question]) => [
          `\`${path}\``,
          question.question,
          answerCell(question),
          leftOutCell(question),
        ]),
    );
    return `### ${title}\n\n${table(['answer', 'question', 'allowed', 'left out'], rows)}`;
  }).join('\n\n');
}

function answerCell({ choices, expects }: RouteQuestion): string {
  if (choices)
    return choices.map(([answer, meaning]) => `\`${JSON.stringify(answer)}\`: ${meaning}`).join('<br>');
  return expects ?? 'the answers below';
}

function leftOutCell({ otherwise }: RouteQuestion): string {
  return otherwise ?? '';
}

function examples(): string {
  return EXAMPLES.map(({ file, title, told }) => {
    const code = readFileSync(new URL(`../examples/routes/${file}`, import.meta.url), 'utf8');
    return `### ${title}\n\n[examples/routes/${file}](../examples/routes/${file})\n\n\`\`\`ts\n${code}\`\`\`\n\n${told}`;
  }).join('\n\n');
}

function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]) =>
    `| ${cells.map((text) => text.replaceAll('|', '\\|')).join(' | ')} |`;
  return [line(head), line(head.map(() => '---')), ...rows.map(line)].join('\n');
}

/** The page, as it must stand in the repository. */
export function routesPage(): string {
  const { attempts, askSlaSeconds } = STAGE_NUMBERS.prod;
  return `# Routes

<!-- Printed from functions/domain/route-questions.ts and examples/routes/ by \`npm run docs\`. Do not edit. -->

A route is a configured path for leads: where they come from, who gets them, what may be repeated, and who decides when nobody
knows. It is one file under \`routes/\`, which exports what \`defineRoute\` returns. **Every file directly under \`routes/\` is a route**;
there is no list to add it to. To begin, copy [an example](#examples) or [routes/website.ts](../routes/website.ts). In a copy of an
example its imports have to be changed: \`${MOVED[0][0]}\` becomes \`${MOVED[0][1]}\`, and where it builds on the contact form
\`${MOVED[1][0]}\` becomes \`${MOVED[1][1]}\`. A name is a route's own: two files with the same \`name\` fail.

A route file asks the questions that somebody has to have answered before leads go out on it. There is no answer that is taken for
granted, except where the last column of the tables names one.

- \`npx handoff brief <route>\` prints the answers in sentences, for whoever owns the integration.
- \`npx handoff doctor <route>\` asks the destinations whether the owners, the sender and the task property exist.

## When something is wrong

All that is wrong is said at once, by synthesis (\`npx cdk synth\`, \`npx cdk deploy\`, \`npm run local\`) and by \`npx handoff\`. Each line has the
file, the question, what is expected and what was found. A long text is not shown, in case it is a key in the wrong place.

\`\`\`text
routes/draft.ts: existingOwner: What if the contact has an owner already? Expected "keep" or "replace", found "foo".
routes/draft.ts: recoveryOwner.email: Where is the recovery owner written to? Expected an email address, found nothing.
\`\`\`

A file with such lines fails synthesis, also while it is a draft. It is not in the way of commands about another route
(\`npx handoff show ID --route website\`). Commands about all routes do the others, print the lines, and end with 1. A draft that is to
wait can be kept in a folder under \`routes/\`, where it is not looked at.

## The questions

An answer is named by its path in the file; \`[]\` stands for each item of a list. Where the last column is empty the answer is required.

${questionTables()}

The stage's numbers in production: ${attempts} attempts per action, and ${readableSpan(askSlaSeconds * 1_000)} for a person to answer. They stand in
[functions/domain/stage-numbers.ts](../functions/domain/stage-numbers.ts).

\`drainPerMinute\` is asked for and has no effect yet: nothing pauses a route or opens a breaker by itself.

## Templates

The texts of the task and the introduction are templates. \`{{lead.firstName}}\` is replaced by the value of the lead, and
\`{{lead.firstName|there}}\` by \`there\` where the lead has none. In the HTML every value is escaped. There are:
${PLACEHOLDERS.map((name) => `\`${name}\``).join(', ')}.

Both bodies of the introduction must show \`{{reference}}\`: by it one person's two messages are told apart when they are read back.

## Examples

The owners 71, 82 and 93 are those of the sandbox, so that each of these runs with \`npm run local\`.

${examples()}
`;
}

if (import.meta.main) {
  writeFileSync(new URL('./routes.md', import.meta.url), routesPage());
}
