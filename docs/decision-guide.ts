import { writeFileSync } from 'node:fs';
import type { ActionName } from '../functions/domain/action.ts';
import { type ActionState, openAction } from '../functions/domain/action-state.ts';
import { refusalInWords } from '../functions/domain/choice-words.ts';
import type { ContractKind, ReceiverContract } from '../functions/domain/contract.ts';
import { DECISIONS, type DecisionKind } from '../functions/domain/decision.ts';
import { decide, type GuideFacts, LIMITS, MAX_TURNS, RULES } from '../functions/domain/decision-guide.ts';
import {
  type DecisionDetails,
  type DecisionRefusal,
  judgeDecision,
  type SeenFinding,
} from '../functions/domain/decision-rules.ts';
import type { Finding } from '../functions/domain/finding.ts';
import { STAGE_NUMBERS } from '../functions/domain/stage-numbers.ts';

/** Prints `docs/decision-guide.md` from the code: `npm run docs`. */

const HOUR = 3_600_000;
const NOW = 1_000 * HOUR;

const FINDINGS: readonly (readonly [string, Finding])[] = [
  [
    'done',
    {
      finding: 'done',
      evidence: { kind: 'record', destination: 'crm', recordId: '1', readAt: NOW, facts: {} },
    },
  ],
  ['absent', { finding: 'absent' }],
  ['too early', { finding: 'unclear', cause: 'too-early' }],
  ['unreadable', { finding: 'unclear', cause: 'unreadable' }],
];

const CONTRACTS: readonly (readonly [string, ContractKind, number])[] = [
  ['idempotency-key, inside its window', 'idempotency-key', 24 * HOUR],
  ['idempotency-key, window over', 'idempotency-key', 2 * HOUR],
  ['natural-key', 'natural-key', 0],
  ['conditional-write', 'conditional-write', 0],
  ['stamp-and-search (tasks, residual risk accepted)', 'stamp-and-search', 0],
  ['none', 'none', 0],
];

/** An attempt that ended unknown an hour and a half ago. */
const UNKNOWN: ActionState = {
  ...openAction('create-task'),
  phase: 'unknown',
  attempt: 1,
  version: 3,
  firstClaimAt: NOW - 1.5 * HOUR,
  claim: {
    id: 'c',
    by: { kind: 'worker', name: 'w' },
    at: NOW - 1.5 * HOUR,
    deadline: NOW - 1.5 * HOUR,
    goneAt: NOW - 1.5 * HOUR,
  },
  settledAt: NOW - 1.5 * HOUR,
  requestLeft: true,
  mayHaveLanded: true,
};

function contractOf(kind: ContractKind, keyWindowMs: number): ReceiverContract {
  return {
    destination: 'crm',
    kind,
    keyWindowMs: kind === 'idempotency-key' ? keyWindowMs : null,
    keyWindowMarginMs: HOUR,
    landingBoundMs: 60_000,
    readLagMs: 10_000,
    sources: [],
  };
}

function cell(kind: ContractKind, keyWindowMs: number, finding: Finding): string {
  const contract = contractOf(kind, keyWindowMs);
  const facts: GuideFacts = {
    now: NOW,
    action: 'create-task',
    state: UNKNOWN,
    finding,
    contract,
    executionCurrent: true,
    stoppedDependency: null,
    route: {
      changedOwner: 'ask',
      approvalPoint: null,
      underSameKey: { tooEarly: 'resume', unreadable: 'resume' },
      acceptSecondTask: true,
      limits: { attemptsPerAction: null },
    },
    numbers: STAGE_NUMBERS.prod,
    routePaused: false,
    breakerOpen: false,
    lastError: null,
    turns: 0,
    random: 0,
  };
  return `${decide(facts).disposition} (${decide(facts).rule})`;
}

/** What a person may have been shown, and the action that it can be shown of where only one can. */
const SEEN: readonly (readonly [string, SeenFinding, ActionName?])[] = [
  ['done', { code: 'done', absenceProven: false }],
  ['absent', { code: 'absent', absenceProven: true }],
  ['unclear: too early', { code: 'unclear:too-early', absenceProven: false }],
  ['unclear: unreadable', { code: 'unclear:unreadable', absenceProven: false }],
  ['superseded: owner changed', { code: 'superseded:owner-changed', absenceProven: false }, 'assign-owner'],
  [
    'superseded: possible overwrite',
    { code: 'superseded:possible-overwrite', absenceProven: false },
    'assign-owner',
  ],
  [
    'superseded: sender no longer owner',
    { code: 'superseded:sender-no-longer-owner', absenceProven: false },
    'send-introduction',
  ],
  [
    'superseded: sender no longer owner, proven not sent',
    { code: 'superseded:sender-no-longer-owner', absenceProven: true },
    'send-introduction',
  ],
  [
    'superseded: contact archived or deleted',
    { code: 'superseded:contact-archived', absenceProven: false },
    'send-introduction',
  ],
  [
    'superseded: contact archived or deleted, proven not sent',
    { code: 'superseded:contact-archived', absenceProven: true },
    'send-introduction',
  ],
  ['superseded: task changed', { code: 'superseded:task-changed', absenceProven: false }, 'create-task'],
];

/** The states that say more than the finding does. */
const STATES: readonly (readonly [string, Partial<ActionState>, SeenFinding])[] = [
  [
    'never tried',
    { phase: 'open', attempt: 0, claim: null, requestLeft: false, mayHaveLanded: false, firstClaimAt: null },
    { code: 'absent', absenceProven: true },
  ],
  [
    'proven to have had no effect, and unreadable now',
    { phase: 'not-applied', mayHaveLanded: false },
    { code: 'unclear:unreadable', absenceProven: false },
  ],
  [
    'the sender is no longer the owner, and no request ever left',
    { phase: 'not-applied', mayHaveLanded: false, requestLeft: false },
    { code: 'superseded:sender-no-longer-owner', absenceProven: true },
  ],
  [
    'refused, and not there',
    { phase: 'refused', mayHaveLanded: false },
    { code: 'absent', absenceProven: true },
  ],
  ['taken over by a person', { phase: 'taken-over' }, { code: 'absent', absenceProven: true }],
  ['being stopped', { phase: 'stopping' }, { code: 'unclear:unreadable', absenceProven: false }],
  ['performed', { phase: 'performed' }, { code: 'done', absenceProven: false }],
  ['stopped', { phase: 'stopped' }, { code: 'absent', absenceProven: true }],
];

/** Each decision with everything that it may need. */
function detailsOf(kind: DecisionKind): DecisionDetails {
  switch (kind) {
    case 'confirm':
    case 'amend':
      return { kind, evidence: '1' };
    case 'take-over':
      return { kind, riskAccepted: true };
    case 'release':
      return { kind, notDone: true };
    default:
      return { kind };
  }
}

/** The action that a decision is about, where it is about one alone. */
const ONLY: Partial<Record<DecisionKind, ActionName>> = {
  'keep-owner': 'assign-owner',
  'send-as-current-owner': 'send-introduction',
};

function judged(
  kind: DecisionKind,
  seen: SeenFinding,
  contract: ReceiverContract,
  more: Partial<ActionState> = {},
  shownOf: ActionName | undefined = undefined,
): string {
  const action = shownOf ?? ONLY[kind] ?? 'send-introduction';
  const released: Partial<ActionState> = kind === 'release' ? { phase: 'taken-over' } : {};
  const state: ActionState = { ...UNKNOWN, action, ...released, ...more };
  const judgement = judgeDecision(
    { now: NOW, action, state, seen, contract, numbers: STAGE_NUMBERS.prod },
    detailsOf(kind),
  );
  if (judgement === 'allowed') return 'allowed';
  return judgement === 'if-proven' ? 'if proven' : `no: ${judgement.refused}`;
}

/** One column per decision, and one per group of contracts where the contract makes a difference. */
function decisionColumns(): { readonly head: string; readonly cells: readonly string[] }[] {
  return DECISIONS.flatMap((kind) => {
    const groups = new Map<string, string[]>();
    const cellsOf = new Map<string, readonly string[]>();
    for (const [name, contractKind, keyWindowMs] of CONTRACTS) {
      const contract = contractOf(contractKind, keyWindowMs);
      const cells = SEEN.map(([, seen, shownOf]) => judged(kind, seen, contract, {}, shownOf));
      const key = cells.join();
      groups.set(key, [...(groups.get(key) ?? []), name]);
      cellsOf.set(key, cells);
    }
    return [...groups].map(([key, contracts]) => ({
      head: groups.size === 1 ? `\`${kind}\`` : `\`${kind}\` under ${contractsText(contracts)}`,
      cells: cellsOf.get(key) ?? [],
    }));
  });
}

function contractsText(contracts: readonly string[]): string {
  return contracts.length > CONTRACTS.length / 2 ? 'every other contract' : contracts.join('; ');
}

function decisionTable(): string {
  const columns = decisionColumns();
  return table(
    ['what the person was shown', ...columns.map(({ head }) => head)],
    SEEN.map(([name], i) => [name, ...columns.map(({ cells }) => cells[i] ?? '')]),
  );
}

function stateTable(): string {
  const contract = contractOf('natural-key', 0);
  return table(
    ['the action', ...DECISIONS.map((kind) => `\`${kind}\``)],
    STATES.map(([name, state, seen]) => [
      name,
      ...DECISIONS.map((kind) => judged(kind, seen, contract, state)),
    ]),
  );
}

/** Every reason that the two tables give, in the order of the rules. */
function refusalList(): string {
  const shown = `${decisionTable()}${stateTable()}`;
  return REFUSALS.filter((code) => shown.includes(`no: ${code} `))
    .map((code) => `- \`${code}\`: ${refusalInWords(code)}`)
    .join('\n');
}

const REFUSALS: readonly DecisionRefusal[] = [
  'already-done',
  'already-final',
  'taken-over',
  'not-taken-over',
  'person-changed-it',
  'no-owner-to-keep',
  'not-an-introduction',
  'nothing-was-sent',
  'not-for-this-finding',
  'risk-not-accepted',
  'statement-missing',
  'evidence-missing',
  'not-proven',
];

function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]) =>
    `| ${cells.map((text) => text.replaceAll('|', '\\|')).join(' | ')} |`;
  return [line(head), line(head.map(() => '---')), ...rows.map(line)].join('\n');
}

/** The page, as it must stand in the repository. */
export function decisionGuidePage(): string {
  return `# The decision guide

<!-- Printed from functions/domain/decision-guide.ts by \`npm run docs\`. Do not edit. -->

After an action ended without a plain success, its reconcile function reads the destination, comes to a finding, and asks this
table what happens next. **The first rule that applies decides.** The code is
[functions/domain/decision-guide.ts](../functions/domain/decision-guide.ts).

A finding is \`done\`, \`absent\`, \`unclear\` (too early, or unreadable) or \`superseded\` (a person changed what the action was about).
"Not found" counts as absent only in a read that started at or after the settle time: claim time + function timeout + the
destination's landing bound + its read lag.

${table(
  ['rule', 'when', 'then'],
  RULES.map(({ id, situation, result }) => [id, situation, result]),
)}

## The limits

Every **resume** passes these limits, in this order:

${LIMITS.map(({ situation, result }, i) => `${i + 1}. ${situation}: ${result}.`).join('\n')}

After ${MAX_TURNS} turns of one branch in one execution a person is asked.

## By receiver contract

The last attempt ended \`unknown\`; limits aside. In brackets: the rule.

${table(
  ['receiver contract', ...FINDINGS.map(([name]) => name)],
  CONTRACTS.map(([name, kind, keyWindowMs]) => [
    name,
    ...FINDINGS.map(([, finding]) => cell(kind, keyWindowMs, finding)),
  ]),
)}

"Wait" on an unreadable destination is bounded by the route's read limit; then a person is asked.

## What a person may decide

A person's decision is written on the action, bound to what the person was shown. Reconcile reads the destination once more and
carries it out if that read is no worse; else it asks again. What cannot be read is read up to three times before that. The rules are in
[functions/domain/decision-rules.ts](../functions/domain/decision-rules.ts).

- **allowed**: what the person was shown bears the decision.
- **if proven**: it can be recorded, and is carried out only if the fresh read proves that the action's effect is not there.
- **no**: it is refused at once, and nothing changes.

The last attempt ended \`unknown\`; for \`release\` a person had taken the action over.

${decisionTable()}

Some states say more than the finding (contract natural-key; where it is about the sender, the introduction):

${stateTable()}

What some decisions need besides:

- \`confirm\` of the contact needs the contact's id as \`evidence\`; elsewhere the record's id may be given, and is read back.
- \`take-over\` on an unclear finding needs \`riskAccepted\`. It waits until the last attempt can no longer take effect.
- \`release\` needs \`notDone\`, the statement that the person did not do it.
- \`amend\` takes the hash of a corrected request, which came in under the same id, as \`evidence\`; without one the request is written
  anew from the route's settings as they are deployed now.
- \`amend\`, and \`resume\` of the action that is the route's approval point, need an approver of the route in \`by\`.
- While a decision waits to be carried out only \`stop\` may take its place.

The reasons of the refusals:

${refusalList()}
`;
}

if (import.meta.main) {
  writeFileSync(new URL('./decision-guide.md', import.meta.url), decisionGuidePage());
}
