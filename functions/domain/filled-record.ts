import type { ActionState } from './action-state.ts';
import { refusalInWords } from './choice-words.ts';
import type { DecisionKind } from './decision.ts';
import type { LedgerRecord } from './handoff.ts';
import {
  contactLink,
  executionLink,
  type LinkContext,
  messageLink,
  type RecordLinks,
  recoveryLink,
} from './links.ts';
import { type Choice, type ChoiceOptions, choicesOf, findingSeen } from './recovery-choices.ts';
import { type ActionRecord, type RecoveryRecord, recoveryRecord, statesOf } from './recovery-record.ts';
import type { Stage } from './stage-numbers.ts';
import { mustChange, notKnown } from './what-is-missing.ts';

/** What a recovery record is filled with. `contractOf` comes from the caller, because the contracts are the adapters'. */
export interface RecordOptions extends ChoiceOptions {
  readonly stage: Stage;
  /** Where the person's AWS is, for commands to copy; absent where the stage says it. */
  readonly endpoint?: string | undefined;
  /** Null where the caller does not know the state machine: then there are no links to the console. */
  readonly links: LinkContext | null;
}

/** One action, with what a person needs to decide about it. */
export interface FilledAction extends ActionRecord {
  readonly destination: string;
  /** A person is asked about it, or may be. */
  readonly asked: boolean;
  /** What nobody knows about it, and what must change first, in a sentence; null where it is not stuck, or for nothing. */
  readonly notKnown: string | null;
  readonly mustChange: string | null;
  readonly choices: readonly Choice[];
  readonly refusedChoices: readonly {
    readonly decision: DecisionKind;
    readonly why: string;
    readonly because: string;
  }[];
}

/** The input of a route's recovery state machine that starts a handoff again. */
export interface ResubmitInput {
  readonly leadRequestId: string;
  readonly decision: 'resubmit';
  readonly by: '';
  readonly reason: '';
}

/** The filled record that a recovery owner decides from. */
export interface FilledRecord extends Omit<RecoveryRecord, 'actions'> {
  readonly links: RecordLinks;
  readonly actions: readonly FilledAction[];
  /** Starts the handoff again where its execution is gone; null where it is not. */
  readonly resubmit: ResubmitInput | null;
  /** The console's "Redrive" can let the ended execution go on as well. */
  readonly canRedrive: boolean;
}

/** The recovery record with its links, and with everything that may be decided now. No personal data of the lead. */
export function filledRecord(record: LedgerRecord, options: RecordOptions): FilledRecord {
  const held = recoveryRecord(record);
  const states = statesOf(record);
  return {
    ...held,
    links: linksOf(held, options),
    actions: held.actions.map((action) => {
      const state = states.find((one) => one.action === action.action) as ActionState;
      return filledAction(action, state, record, options);
    }),
    resubmit: resubmitInput(record),
    canRedrive: isGone(record) && held.waiting.some(({ why }) => canRedrive(why)),
  };
}

export function linksOf(
  { route, execution, contactId, actions }: RecoveryRecord,
  { links, route: settings }: Pick<RecordOptions, 'links' | 'route'>,
): RecordLinks {
  const contact = actions.find(({ action }) => action === 'upsert-contact');
  const introduction = actions.find(({ action }) => action === 'send-introduction');
  return {
    execution: links && executionLink(links, execution),
    recovery: links && recoveryLink(links, { route }),
    contact: isAttested(contact) ? null : contactLink(settings.crm, contactId),
    message: messageLink(
      (isAttested(introduction) ? null : introduction?.evidence) ?? introduction?.lateEvidence ?? null,
    ),
  };
}

/** Only a person's word stands for it: no page of the destination's is known to show it. */
function isAttested(action: ActionRecord | undefined): boolean {
  return action?.evidence?.kind === 'attested';
}

export function filledAction(
  action: ActionRecord,
  state: ActionState,
  record: LedgerRecord,
  options: RecordOptions,
): FilledAction {
  const contract = options.contractOf(action.action);
  const { route, stage, endpoint } = options;
  const place = { route, stage, endpoint, contract };
  const { asked, possible, refused } = choicesOf(state, record, options);
  return {
    ...action,
    destination: contract.destination,
    asked,
    notKnown: asked || isGone(record) ? notKnown(state, place) : null,
    mustChange: asked ? mustChange(state, place) : null,
    choices: possible,
    refusedChoices: refused.map(({ decision, why }) => ({
      decision,
      why,
      because: refusalInWords(why, findingSeen(state)),
    })),
  };
}

function resubmitInput(record: LedgerRecord): ResubmitInput | null {
  if (!isGone(record)) return null;
  return { leadRequestId: record.handoff.leadRequestId, decision: 'resubmit', by: '', reason: '' };
}

/** The handoff as a whole waits, because its execution is gone. */
function isGone({ handoff, waiting }: LedgerRecord): boolean {
  return (
    handoff.closedAt === null &&
    waiting.some(({ action, execution }) => action === 'handoff' && execution === handoff.execution)
  );
}

/** Step Functions redrives what failed, was aborted or timed out; what is missing or succeeded it cannot. */
export function canRedrive(why: string): boolean {
  return why === 'execution-failed' || why === 'execution-aborted' || why === 'execution-timed-out';
}
