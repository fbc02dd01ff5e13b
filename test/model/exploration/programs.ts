import type { DecoratedAttempt } from '../../../functions/actions/action-function.ts';
import { runAttempt } from '../../../functions/actions/attempt.ts';
import { prepare } from '../../../functions/actions/prepare.ts';
import { assignOwnerSteps } from '../../../functions/actions/steps/assign-owner.ts';
import { createTaskSteps } from '../../../functions/actions/steps/create-task.ts';
import { sendIntroductionSteps } from '../../../functions/actions/steps/send-introduction.ts';
import type { ActionSteps } from '../../../functions/actions/steps/steps.ts';
import { upsertContactSteps } from '../../../functions/actions/steps/upsert-contact.ts';
import { contactProperties } from '../../../functions/adapters/hubspot/properties.ts';
import type { ActionName } from '../../../functions/domain/action.ts';
import type { ReceiverContract } from '../../../functions/domain/contract.ts';
import { NotApplied, OutcomeUnknown, Refused } from '../../../functions/domain/errors.ts';
import type { Outcome } from '../../../functions/domain/outcome.ts';
import type { RouteSettings } from '../../../functions/domain/route.ts';
import type { StageNumbers } from '../../../functions/domain/stage-numbers.ts';
import type { Ledger } from '../../../functions/ports/ledger.ts';
import { readOwner } from '../../../functions/reconcile/reads/assign-owner.ts';
import { readTask } from '../../../functions/reconcile/reads/create-task.ts';
import { readIntroduction } from '../../../functions/reconcile/reads/send-introduction.ts';
import { readContact } from '../../../functions/reconcile/reads/upsert-contact.ts';
import { type ReadDestination, reconcile } from '../../../functions/reconcile/reconcile.ts';
import { answerPerson } from '../../../functions/recovery/answer-person.ts';
import { closeRecord } from '../../../functions/recovery/close-record.ts';
import { executionEnded } from '../../../functions/recovery/ended-execution.ts';
import { openWait } from '../../../functions/recovery/open-wait.ts';
import type { RecoveryPorts } from '../../../functions/recovery/ports.ts';
import { sweepHandoff } from '../../../functions/recovery/sweep-handoff.ts';
import type { Io, Program } from './coroutine.ts';
import { KEY, runOf } from './handoff.ts';
import {
  type Crm,
  crmPort,
  eventsPort,
  ledgerPort,
  type Mail,
  mailPort,
  type Transition,
  workflowPort,
} from './ports.ts';
import { decoratedBy } from './powertools.ts';
import type { Asking, Role } from './world.ts';

// The module builds the DynamoDB client when it is loaded; nothing here calls it.
process.env.LEDGER_TABLE ??= 'ledger';
process.env.AWS_REGION ??= 'eu-central-1';
// The tracer would follow every promise of the exploration.
process.env.AWS_XRAY_MANUAL_MODE ??= 'true';
const { keepingOutcome } = await import('../../../functions/actions/action-function.ts');

/** What surrounds the production code; a seeded bug takes the place of one of these. */
export interface Surroundings {
  readonly ledger: (io: Io, decide?: Transition, inPieces?: boolean) => Ledger;
  readonly crm: (io: Io) => Crm;
  readonly mail: (io: Io) => Mail;
  readonly read: <A extends ActionName>(read: ReadDestination<A>) => ReadDestination<A>;
  readonly decorated: (io: Io, endsAt: number) => DecoratedAttempt;
  readonly keep: typeof keepingOutcome;
  readonly wait: typeof openWait;
  readonly answer: typeof answerPerson;
  /** What the functions believe of the receiver and of their own times. */
  readonly contract: (contract: ReceiverContract) => ReceiverContract;
  readonly numbers: (numbers: StageNumbers) => StageNumbers;
}

export const FAITHFUL: Surroundings = {
  ledger: ledgerPort,
  crm: crmPort,
  mail: mailPort,
  read: (read) => read,
  decorated: decoratedBy,
  keep: keepingOutcome,
  wait: openWait,
  answer: answerPerson,
  contract: (contract) => contract,
  numbers: (numbers) => numbers,
};

/** One invocation of a function. */
export interface Invocation {
  readonly name: string;
  readonly execution: string;
  readonly attempt: number;
  readonly turns: number;
  readonly asked: number;
  readonly error: string | null;
  readonly reason: string | null;
  readonly endsAt: number;
  readonly asking: Asking | null;
}

/** The functions of one action, as production code on ports whose every request is a step. */
export class Programs {
  readonly action: ActionName;
  readonly route: RouteSettings;
  readonly numbers: StageNumbers;
  readonly contract: ReceiverContract;
  readonly #around: Surroundings;
  readonly #inPieces: boolean;

  constructor(
    action: ActionName,
    contract: ReceiverContract,
    route: RouteSettings,
    numbers: StageNumbers,
    around: Surroundings,
    inPieces: boolean,
  ) {
    this.action = action;
    this.route = route;
    this.numbers = around.numbers(numbers);
    this.contract = around.contract(contract);
    this.#around = around;
    this.#inPieces = inPieces;
  }

  of(role: Role, invocation: Invocation): Program {
    switch (role) {
      case 'act':
        return this.#act(invocation);
      case 'reconcile':
        return this.#reconcile(invocation);
      case 'ask':
      case 'park':
        return this.#wait(role, invocation);
      case 'close':
        return this.#close(invocation);
      case 'decide':
        return this.#answer(invocation);
      case 'ended':
        return this.#ended(invocation);
      case 'sweep':
        return (io) => sweepHandoff(KEY, this.#recovery(io));
    }
  }

  /** The action's handler behind its parser: gates, freeze, the decorated attempt, and the outcome as the workflow sees it. */
  #act({ name, execution, attempt, endsAt }: Invocation): Program {
    return async (io) => {
      const { contract, numbers, route } = this;
      const ledger = this.#around.ledger(io);
      const clock = io.clock;
      const request = { ...KEY, run: runOf(execution), execution, attempt };
      const steps = this.#steps(this.action, io);
      const prepared = await prepare(this.action, request, name, steps.freeze, { ledger, clock, contract });
      const ports = { ledger, clock, ids: io.id, numbers, route, remainingMs: () => endsAt - clock() };
      const input = {
        idempotencyKey: `${KEY.route}/${KEY.leadRequestId}#${attempt}`,
        intentHash: prepared.handoff.intentHash,
      };
      return seenByWorkflow(
        await this.#around.keep(this.#around.decorated(io, endsAt), input, () =>
          runAttempt(prepared, steps.perform, ports),
        ),
      );
    };
  }

  #reconcile({ execution, attempt, turns, error }: Invocation): Program {
    return (io) =>
      reconcile(
        this.action,
        { ...KEY, run: runOf(execution), execution, attempt, turns, error },
        this.#around.read(this.#read(this.action, io)),
        {
          ledger: this.#around.ledger(io),
          clock: io.clock,
          ids: io.id,
          random: () => 0.5,
          route: this.route,
          numbers: this.numbers,
          contract: this.contract,
          readNamed: async () => ({ kind: 'not-read' }),
        },
      );
  }

  #wait(kind: 'ask' | 'park', { name, execution, attempt, asked, reason }: Invocation): Program {
    const request = { ...KEY, run: runOf(execution), execution, action: this.action, reason, asked, attempt };
    return (io) => this.#around.wait(kind, { ...request, token: name }, this.#recovery(io));
  }

  #close({ execution }: Invocation): Program {
    return (io) => {
      const ports = { ledger: this.#around.ledger(io), clock: io.clock, retentionDays: 400 };
      return closeRecord({ ...KEY, run: runOf(execution), execution }, ports);
    };
  }

  /** The function behind the state machine of a person's requests. */
  #answer({ asking }: Invocation): Program {
    return async (io) => {
      if (!asking) throw new TypeError('Nobody asked for anything.');
      return this.#around.answer(asking.request, asking.execution, this.#recovery(io));
    };
  }

  #ended({ execution }: Invocation): Program {
    return (io) => executionEnded(KEY, { execution, status: 'ABORTED', key: KEY }, this.#recovery(io));
  }

  #recovery(io: Io): RecoveryPorts {
    return {
      ledger: this.#around.ledger(io, undefined, this.#inPieces),
      workflow: workflowPort(io),
      events: eventsPort(io),
      clock: io.clock,
      route: this.route,
      stage: 'test',
      numbers: this.numbers,
      links: { stateMachineArn: 'arn:aws:states:eu-central-1:123456789012:stateMachine:handoff' },
      contractOf: () => this.contract,
    };
  }

  #steps<A extends ActionName>(action: A, io: Io): ActionSteps<A> {
    const { route, contract } = this;
    const { clock } = io;
    const reader = this.#around.crm(io);
    const steps: { [N in ActionName]: () => ActionSteps<N> } = {
      'upsert-contact': () =>
        upsertContactSteps({
          reader,
          writer: reader,
          toProperties: contactProperties,
          route,
          contract,
          clock,
        }),
      'assign-owner': () => assignOwnerSteps({ reader, writer: reader, route, contract, clock }),
      'create-task': () => createTaskSteps({ reader, writer: reader, route, clock }),
      'send-introduction': () => sendIntroductionSteps({ reader, sender: this.#around.mail(io), route }),
    };
    return steps[action]();
  }

  #read<A extends ActionName>(action: A, io: Io): ReadDestination<A> {
    const { contract } = this;
    const crm = this.#around.crm(io);
    const reads: { [N in ActionName]: () => ReadDestination<N> } = {
      'upsert-contact': () => readContact(crm, contract),
      'assign-owner': () => readOwner(crm, contract),
      'create-task': () => readTask(crm, contract),
      'send-introduction': () => readIntroduction(this.#around.mail(io), crm, contract),
    };
    return reads[action]();
  }
}

function seenByWorkflow(outcome: Outcome): 'performed' {
  switch (outcome.outcome) {
    case 'performed':
      return 'performed';
    case 'not-applied':
      throw new NotApplied(outcome.reason);
    case 'unknown':
      throw new OutcomeUnknown(outcome.reason);
    case 'refused':
      throw new Refused(outcome.reason);
  }
}
