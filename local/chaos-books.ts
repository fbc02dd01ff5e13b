import type { LedgerRecord } from '../functions/domain/handoff.ts';
import type { LeadRequest } from '../functions/domain/lead-request.ts';
import { effectImbalances, strayEffects } from './chaos-books-effects.ts';
import { ledgerImbalances } from './chaos-books-ledger.ts';
import { ownerImbalances } from './chaos-books-owner.ts';
import { senderImbalances } from './chaos-books-sender.ts';
import type { Inspection } from './chaos-sandbox.ts';

/** One lead as chaos submitted it and as the ledger holds it. */
export interface BookedLead {
  readonly lead: LeadRequest;
  readonly accepted: boolean;
  /** Null where the ledger does not know it. */
  readonly record: LedgerRecord | null;
  readonly refusedHashes: readonly string[];
  readonly wrongAnswers: readonly string[];
  readonly optedOutAt: number | null;
}

/** Everything that is compared: what we say, and what the destinations hold. */
export interface Books {
  readonly leads: readonly BookedLead[];
  readonly inspection: Inspection;
  readonly executions: readonly BookedExecution[];
}

export interface BookedExecution {
  readonly name: string;
  readonly status: string;
  /** Of one that failed, oldest first. */
  readonly lastEvents: readonly string[];
}

export type ImbalanceKind =
  | 'lost'
  | 'unsettled'
  | 'wait-without-name'
  | 'closed-without-evidence'
  | 'claimed-twice'
  | 'claimed-without-grant'
  | 'wrong-answer'
  | 'conflict-hidden'
  | 'execution-failed'
  | 'contact-twice'
  | 'task-twice'
  | 'email-twice'
  | 'effect-missing'
  | 'effect-of-another'
  | 'effect-denied'
  | 'effect-nobody-asked-for'
  | 'owner-overwritten'
  | 'sent-by-former-owner'
  | 'sent-after-opt-out';

export interface Imbalance {
  /** Null where no lead is concerned. */
  readonly leadRequestId: string | null;
  readonly kind: ImbalanceKind;
  readonly detail: string;
}

/** Compares what we say with what the destinations hold. Pure; empty when the books balance. */
export function balance(books: Books): Imbalance[] {
  return [
    ...books.leads.flatMap((booked) => [
      ...ledgerImbalances(booked),
      ...effectImbalances(booked, books.inspection),
      ...senderImbalances(booked, books.inspection),
    ]),
    ...ownerImbalances(books),
    ...strayEffects(books),
    ...failedExecutions(books),
  ];
}

/** What the states language calls an end that is none of ours. */
const FAILED = ['FAILED', 'TIMED_OUT', 'ABORTED'];

export function hasFailed({ status }: Pick<BookedExecution, 'status'>): boolean {
  return FAILED.includes(status);
}

function failedExecutions({ executions }: Books): Imbalance[] {
  return executions.filter(hasFailed).map(({ name, status }) => ({
    leadRequestId: name.split('.')[1] ?? null,
    kind: 'execution-failed',
    detail: `the execution ${name} ended as ${status}`,
  }));
}
