import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { ActionName } from '../../../functions/domain/action.ts';
import type { ActionState } from '../../../functions/domain/action-state.ts';
import { readableTime } from '../../../functions/domain/words.ts';
import type { ExecutionRecord } from '../../../local/execution-record.ts';
import { closed, decided, fewAtOnce, REFUSED, waitsFor } from './recovery.ts';
import { leadOf, ONE_OF_EACH, type Stack, startStack, submit } from './stack.ts';

/** Two people read the same record and decide in the same moment. */

const ANA = { by: 'Ana Ito', reason: 'The portal works again.' };
const BEN = { by: 'Ben Sørensen', reason: 'Sales may take another request.' };

/** Leads about whose task and introduction people are asked at once: two rounds each. */
const LEADS = Array.from({ length: 10 }, (_, i) => `round-${i}`);
/** Questions that are answered need no looking after: the next leads come while the earlier ones wait for their destination. */
const AT_ONCE = 2;

let stack: Stack;
let rounds: ReadonlyMap<string, Promise<Round[]>>;

beforeAll(async () => {
  stack = await startStack();
  // A decision stays undecided until its destination was read, and nobody comes too late to be told so.
  const slow = { kind: 'delay', delayMs: 600, times: 1_000 };
  await stack.destination.plan({ operation: 'search-tasks', ...slow }, { operation: 'list-emails', ...slow });
  rounds = fewAtOnce(LEADS, AT_ONCE, decidedByTwo);
}, 120_000);

afterAll(() => stack.engine.stop());

interface Round {
  readonly leadRequestId: string;
  readonly action: ActionName;
  /** The decisions of the two, as their executions ended. */
  readonly ends: readonly ExecutionRecord[];
  /** The winner's decision once more. */
  readonly again: ExecutionRecord;
}

async function decidedByTwo(leadRequestId: string): Promise<Round[]> {
  const { email } = leadOf(leadRequestId);
  await stack.destination.plan(
    { operation: 'create-task', match: { email }, ...REFUSED },
    { operation: 'send-email', match: { email }, ...REFUSED },
  );
  await submit(stack, leadOf(leadRequestId));
  const actions = ['create-task', 'send-introduction'] as const;
  return Promise.all(actions.map((action) => round(leadRequestId, action)));
}

async function round(leadRequestId: string, action: ActionName): Promise<Round> {
  await waitsFor(stack, leadRequestId, action);
  const request = { leadRequestId, action, decision: 'resume' };
  const people = LEADS.indexOf(leadRequestId) % 2 === 0 ? [ANA, BEN] : [BEN, ANA];
  const ends = await Promise.all(people.map((person) => decided(stack, { ...request, ...person })));
  expect(ends.map(({ status, end }) => end?.error ?? status)).toContain('SUCCEEDED');
  const winner = people[ends.findIndex(({ status }) => status === 'SUCCEEDED')];
  const again = await decided(stack, { ...request, ...winner });
  return { leadRequestId, action, ends, again };
}

describe('two people decide at once', () => {
  test.each(LEADS)(
    '%s: one wins, the other is told who and when, and it happens once',
    {
      timeout: 120_000,
    },
    async (id) => {
      const played = (await rounds.get(id)) ?? [];
      expect(played).toHaveLength(2);
      const record = await closed(stack, id);
      for (const { action, ends, again } of played) {
        const state = record.actions.find((each) => each.action === action);
        expect(ends.map(({ status }) => status).sort()).toEqual(['FAILED', 'SUCCEEDED']);
        const won = answerOf(ends.find(({ status }) => status === 'SUCCEEDED'));
        const lost = ends.find(({ status }) => status === 'FAILED')?.end;
        // Whoever is late by more than the carrying out takes is told the same of a question that is answered.
        expect(lost?.error).toMatch(/^(AlreadyDecided|NobodyIsAsked)$/);
        expect(lost?.cause).toContain(`resume by ${won.by} at ${readableTime(won.decidedAt)}, `);
        expect(answerOf(again)).toMatchObject({ by: won.by, decidedAt: won.decidedAt, recorded: 'before' });
        expect(state).toMatchObject({ phase: 'performed', attempt: 2, warnings: [], decision: null });
        expect(state?.lastDecision).toMatchObject({ decision: { by: won.by }, result: 'used' });
        expect(happened(state, 'decided-resume')).toBe(1);
        expect(happened(state, 'claimed')).toBe(2);
      }
      expect(record.handoff.run).toBe(1);
      expect(record.waiting).toEqual([]);
      expect(await stack.destination.effects(leadOf(id).email)).toEqual(ONE_OF_EACH);
    },
  );
});

function answerOf(execution: ExecutionRecord | undefined): { by: string; decidedAt: string } {
  return JSON.parse(execution?.end?.output ?? '{}');
}

function happened(state: ActionState | undefined, what: string): number {
  return state?.history.filter(({ event }) => event === what).length ?? 0;
}
