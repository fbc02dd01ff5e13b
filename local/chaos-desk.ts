import { setTimeout as sleep } from 'node:timers/promises';
import {
  DescribeExecutionCommand,
  type DescribeExecutionCommandOutput,
  ExecutionAlreadyExists,
  ExecutionDoesNotExist,
  StartExecutionCommand,
} from '@aws-sdk/client-sfn';
import type { AwsAccess } from '../cli/aws/access.ts';
import type { RefusalName } from '../functions/domain/decision-refusals.ts';
import type { ChaosEngine } from './chaos-engine.ts';
import type { Journal, TrackedLead } from './chaos-journal.ts';
import { executionArn, machineArn, RECOVERY_MACHINE } from './chaos-names.ts';
import type { PersonsInput, PersonsRequest, RequestEnd } from './chaos-requests.ts';

const REFUSALS: Readonly<Record<RefusalName, true>> = {
  InvalidDecision: true,
  UnknownHandoff: true,
  HandoffClosed: true,
  NobodyIsAsked: true,
  StaleDecision: true,
  AlreadyDecided: true,
  DecisionNotPossible: true,
  NotAnApprover: true,
  NothingToAmend: true,
  SamePerson: true,
};

const LOOK_EVERY_MS = 100;
const DOWN_MS = 250;
/** As long as somebody waits before a console that does not answer. */
const PATIENCE_MS = 40_000;

/** Where people decide: each request is an execution of the route's recovery state machine, started under a name of its own. */
export class Desk {
  readonly #engine: ChaosEngine;
  readonly #journal: Journal;
  #asked = 0;

  constructor(engine: ChaosEngine, journal: Journal) {
    this.#engine = engine;
    this.#journal = journal;
  }

  /** Starts the execution and waits for its end; patience has an end as well, and then the end is not known. */
  async ask(tracked: TrackedLead, input: PersonsInput, mustBeRefused = false): Promise<PersonsRequest> {
    this.#asked += 1;
    const execution = `chaos-${this.#asked}`;
    const request: PersonsRequest = { execution, input, askedAt: Date.now(), mustBeRefused, end: null };
    tracked.requests.push(request);
    await this.#hear(request, Date.now() + PATIENCE_MS, true);
    if (input.decision !== 'show') this.#journal.note(tracked, told(request));
    return request;
  }

  /** Looks once more for the ends that nobody waited for. */
  async hearAll(): Promise<void> {
    for (const request of this.#journal.leads.flatMap(({ requests }) => requests)) {
      if (request.end === null) await this.#hear(request, Date.now() + PATIENCE_MS, false);
    }
  }

  /** Goes on while the engine is down: starting again under the same name changes nothing. */
  async #hear(request: PersonsRequest, giveUpAt: number, starting: boolean): Promise<void> {
    let started = !starting;
    while (Date.now() < giveUpAt) {
      const { aws } = this.#engine;
      try {
        if (aws && !started) await start(aws, request);
        started ||= aws !== null;
        request.end = aws && (await endOf(aws, request));
        if (request.end) return;
        await sleep(aws ? LOOK_EVERY_MS : DOWN_MS);
      } catch (error) {
        if (this.#engine.failure) throw this.#engine.failure;
        if (!starting && error instanceof ExecutionDoesNotExist) {
          request.end = { outcome: 'failed', error: 'NeverStarted' };
          return;
        }
        await sleep(DOWN_MS);
      }
    }
  }
}

async function start({ stepFunctions }: AwsAccess, { execution, input }: PersonsRequest): Promise<void> {
  const stateMachineArn = machineArn(RECOVERY_MACHINE);
  try {
    await stepFunctions.send(
      new StartExecutionCommand({ stateMachineArn, name: execution, input: JSON.stringify(input) }),
    );
  } catch (error) {
    if (!(error instanceof ExecutionAlreadyExists)) throw error;
  }
}

async function endOf(
  { stepFunctions }: AwsAccess,
  { execution }: PersonsRequest,
): Promise<RequestEnd | null> {
  const command = new DescribeExecutionCommand({ executionArn: executionArn(RECOVERY_MACHINE, execution) });
  return outcomeOf(await stepFunctions.send(command));
}

function outcomeOf({ status, output, error = '' }: DescribeExecutionCommandOutput): RequestEnd | null {
  if (status === 'RUNNING') return null;
  if (status === 'SUCCEEDED') return { outcome: 'answered', answer: JSON.parse(output ?? '{}') };
  const refused = status === 'FAILED' && Object.hasOwn(REFUSALS, error);
  return refused ? { outcome: 'refused', error } : { outcome: 'failed', error: error || String(status) };
}

function told({ input, end, execution }: PersonsRequest): string {
  const { decision, action = '', by = 'nobody' } = input;
  return `${by}: ${decision} ${action} (${execution}): ${end === null ? 'no answer yet' : endInWords(end)}`;
}

export function endInWords(end: RequestEnd): string {
  if (end.outcome !== 'answered') return `${end.outcome}, ${end.error}`;
  const { recorded, result, carriedOn, execution, run } = end.answer;
  const told = recorded === undefined ? { execution, run } : { recorded, result, carriedOn, execution };
  return `answered ${JSON.stringify(told)}`;
}
