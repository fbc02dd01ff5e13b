import { writeFileSync } from 'node:fs';
import { type ActionState, openAction } from '../functions/domain/action-state.ts';
import type { ContractKind, ReceiverContract } from '../functions/domain/contract.ts';
import { decide, type GuideFacts, LIMITS, MAX_TURNS, RULES } from '../functions/domain/decision-guide.ts';
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

function cell(kind: ContractKind, keyWindowMs: number, finding: Finding): string {
  const contract: ReceiverContract = {
    destination: 'crm',
    kind,
    keyWindowMs: kind === 'idempotency-key' ? keyWindowMs : null,
    keyWindowMarginMs: HOUR,
    landingBoundMs: 60_000,
    readLagMs: 10_000,
    sources: [],
  };
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
      limits: {},
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
`;
}

if (import.meta.main) {
  writeFileSync(new URL('./decision-guide.md', import.meta.url), decisionGuidePage());
}
