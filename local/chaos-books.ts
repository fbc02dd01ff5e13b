import type { LedgerRecord } from '../functions/domain/handoff.ts';
import type { LeadRequest } from '../functions/domain/lead-request.ts';
import { decisionImbalances } from './chaos-books-decisions.ts';
import { effectImbalances } from './chaos-books-effects.ts';
import { executionImbalances } from './chaos-books-executions.ts';
import { fieldImbalances } from './chaos-books-fields.ts';
import { ledgerImbalances, untold } from './chaos-books-ledger.ts';
import { ownerImbalances } from './chaos-books-owner.ts';
import { requestImbalances } from './chaos-books-requests.ts';
import { senderImbalances } from './chaos-books-sender.ts';
import { strayEffects } from './chaos-books-stray.ts';
import type { ByHand, PersonsRequest } from './chaos-requests.ts';
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
  /** What people asked of the recovery state machine. */
  readonly requests: readonly PersonsRequest[];
  readonly byHand: readonly ByHand[];
}

/** Everything that is compared: what we say, and what the destinations hold. */
export interface Books {
  readonly leads: readonly BookedLead[];
  readonly inspection: Inspection;
  /** Of the handoff state machine. */
  readonly executions: readonly BookedExecution[];
  readonly notices: readonly Notice[];
  /** Names of executions that chaos stopped. */
  readonly stopped: ReadonlySet<string>;
}

export interface BookedExecution {
  readonly name: string;
  readonly status: string;
}

/** A question that was on its way to a person: an execution of the state machine that tells people. */
export interface Notice {
  readonly leadRequestId: string;
  readonly action: string;
  /** When it began, epoch milliseconds. */
  readonly at: number;
}

export type ImbalanceKind =
  | 'lost'
  | 'unsettled'
  | 'wait-without-name'
  | 'asked-needlessly'
  | 'untold'
  | 'closed-without-evidence'
  | 'claimed-twice'
  | 'claimed-without-grant'
  | 'claimed-over-decision'
  | 'decision-overwritten'
  | 'decision-unheard'
  | 'heard-without-decision'
  | 'decision-vanished'
  | 'decision-recorded-twice'
  | 'refusal-recorded'
  | 'wrong-answer'
  | 'conflict-hidden'
  | 'execution-failed'
  | 'two-running'
  | 'old-run-running'
  | 'contact-twice'
  | 'task-twice'
  | 'email-twice'
  | 'new-operation-undecided'
  | 'wrong-fields'
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
      ...untold(booked, books.notices),
      ...decisionImbalances(booked),
      ...requestImbalances(booked),
      ...executionImbalances(booked, books),
      ...effectImbalances(booked, books.inspection),
      ...fieldImbalances(booked, books.inspection),
      ...senderImbalances(booked, books.inspection),
    ]),
    ...ownerImbalances(books),
    ...strayEffects(books),
  ];
}
