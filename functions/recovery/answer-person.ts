import type { LeadKey } from '../domain/action.ts';
import { type ShownDeadLetters, shownDeadLetters } from '../domain/dead-letter-record.ts';
import { handoffClosed, Refusal, unknownHandoff } from '../domain/decision-refusals.ts';
import {
  type PersonsRequest,
  parsePersonsRequest,
  type ResubmitRequest,
} from '../domain/decision-request.ts';
import { type FilledRecord, filledRecord } from '../domain/filled-record.ts';
import { recoveryText } from '../domain/recovery-text.ts';
import { type RecoveryPorts, recordOptions } from './ports.ts';
import { type RecordedAnswer, recordDecision } from './record-decision.ts';
import { resubmit } from './resubmit.ts';
import { listWaiting, type WaitingAnswer } from './waiting-list.ts';

/** The answer to `show`: the recovery record as data and as text. */
export interface ShownRecord {
  readonly record: FilledRecord;
  readonly text: string;
}

/** The answer to `resubmit`. */
export interface ResubmittedAnswer extends Pick<ResubmitRequest, 'leadRequestId' | 'by'> {
  /** The execution that acts for the handoff now. */
  readonly execution: string;
  readonly run: number;
}

/** What the function answers: the state machine fails with a refusal, and has an answer as its output. */
export type PersonsAnswer =
  | { readonly refused: Refusal }
  | { readonly answer: RecordedAnswer | ResubmittedAnswer | ShownDeadLetters | ShownRecord | WaitingAnswer };

/**
 * Answers what a person typed as the input of a route's recovery state machine.
 *
 * @param execution the name of the execution that the person started
 * @throws LedgerUnavailable, WorkflowUnavailable; asking again is safe
 */
export async function answerPerson(
  input: unknown,
  execution: string,
  ports: RecoveryPorts,
): Promise<PersonsAnswer> {
  const request = parsePersonsRequest(input);
  const answer = request instanceof Refusal ? request : await answerOf(request, execution, ports);
  return answer instanceof Refusal ? { refused: answer } : { answer };
}

function answerOf(request: PersonsRequest, execution: string, ports: RecoveryPorts) {
  switch (request.decision) {
    case 'waiting':
      return listWaiting(ports);
    case 'show':
      return showRecord(request, ports);
    case 'resubmit':
      return resubmitOnRequest(request, execution, ports);
    default:
      return recordDecision(request, execution, ports);
  }
}

async function showRecord(
  { leadRequestId }: Pick<LeadKey, 'leadRequestId'>,
  ports: RecoveryPorts,
): Promise<ShownRecord | ShownDeadLetters | Refusal> {
  const key: LeadKey = { route: ports.route.name, leadRequestId };
  const record = await ports.ledger.record(key);
  if (!record) {
    const { deadLetters } = await ports.ledger.underId(key);
    return deadLetters.length === 0 ? unknownHandoff(key) : shownDeadLetters(key, deadLetters, ports);
  }
  const options = recordOptions(ports);
  return { record: filledRecord(record, options), text: recoveryText(record, options) };
}

async function resubmitOnRequest(
  { leadRequestId, by, reason }: ResubmitRequest,
  execution: string,
  ports: RecoveryPorts,
): Promise<ResubmittedAnswer | Refusal> {
  const key: LeadKey = { route: ports.route.name, leadRequestId };
  const handoff = await ports.ledger.handoff(key);
  if (!handoff) return unknownHandoff(key);
  const standing = await resubmit(handoff, ports, { execution, by, reason, at: ports.clock() });
  if (standing.closedAt !== null) {
    const record = await ports.ledger.record(key);
    return handoffClosed(standing, record?.actions ?? []);
  }
  return { leadRequestId, by, execution: standing.execution, run: standing.run };
}
