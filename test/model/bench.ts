import { type PreparedAttempt, runAttempt } from '../../functions/actions/attempt.ts';
import { prepare } from '../../functions/actions/prepare.ts';
import { assignOwnerSteps } from '../../functions/actions/steps/assign-owner.ts';
import { createTaskSteps } from '../../functions/actions/steps/create-task.ts';
import { sendIntroductionSteps } from '../../functions/actions/steps/send-introduction.ts';
import type { ActionSteps } from '../../functions/actions/steps/steps.ts';
import { upsertContactSteps } from '../../functions/actions/steps/upsert-contact.ts';
import { contactProperties } from '../../functions/adapters/hubspot/properties.ts';
import { type ActionName, executionName, type LeadKey } from '../../functions/domain/action.ts';
import type { ActionState } from '../../functions/domain/action-state.ts';
import type { ReceiverContract } from '../../functions/domain/contract.ts';
import type { Decision } from '../../functions/domain/decision.ts';
import { findingCode } from '../../functions/domain/finding.ts';
import type { Outcome } from '../../functions/domain/outcome.ts';
import type { RouteAnswers, RouteSettings } from '../../functions/domain/route.ts';
import type { ActionEvent, Rejected } from '../../functions/domain/transition.ts';
import { type Accepted, acceptLead } from '../../functions/intake/accept-lead.ts';
import type { IntakePorts } from '../../functions/intake/ports.ts';
import { readOwner } from '../../functions/reconcile/reads/assign-owner.ts';
import { readTask } from '../../functions/reconcile/reads/create-task.ts';
import {
  namedContact,
  namedEmail,
  namedOwner,
  namedTask,
  type ReadNamed,
} from '../../functions/reconcile/reads/named-record.ts';
import { readIntroduction } from '../../functions/reconcile/reads/send-introduction.ts';
import { readContact } from '../../functions/reconcile/reads/upsert-contact.ts';
import { type ReadDestination, type Reconciled, reconcile } from '../../functions/reconcile/reconcile.ts';
import { closeRecord } from '../../functions/recovery/close-record.ts';
import { putOnWaitingList } from '../../functions/recovery/wait.ts';
import { countedIds, FakeClock } from './clock.ts';
import { InMemoryCrm } from './in-memory-crm.ts';
import { InMemoryLedger } from './in-memory-ledger.ts';
import { InMemoryMail } from './in-memory-mail.ts';
import { InMemoryWorkflow } from './in-memory-workflow.ts';
import { type PausePoint, pausePoint } from './pause-point.ts';
import { CONTRACTS, NUMBERS, testRoute } from './settings.ts';
import type { LedgerWrite } from './write-faults.ts';

export const KEY: LeadKey = { route: 'web', leadRequestId: 'inq-1' };

export const LEAD = {
  leadRequestId: 'inq-1',
  email: 'jo.lind@customer.example.com',
  firstName: 'Jo',
  lastName: 'Lind',
  company: 'Lind Oy',
};

export interface BenchOptions {
  readonly route?: Partial<RouteAnswers>;
  readonly contracts?: Partial<Record<ActionName, ReceiverContract>>;
  readonly uniqueTasks?: boolean;
  /** How long the receivers really hide an effect; 0 unless told. */
  readonly readLagMs?: number;
}

/** One handoff with everything around it in memory, driven by the production code. Nothing moves unless the test moves it. */
export class Bench {
  readonly clock = new FakeClock();
  readonly ids = countedIds();
  readonly ledger = new InMemoryLedger();
  readonly route: RouteSettings;
  readonly crm: InMemoryCrm;
  readonly mail: InMemoryMail;
  readonly contracts: Readonly<Record<ActionName, ReceiverContract>>;
  /** Milliseconds that a function has left; a test may shorten it. */
  remainingMs = NUMBERS.functionTimeoutSeconds * 1000;
  readonly workflow = new InMemoryWorkflow();

  /** The executions that were asked for, in order. */
  get started(): readonly string[] {
    return this.workflow.started;
  }

  constructor(options: BenchOptions = {}) {
    this.route = testRoute(options.route);
    this.contracts = { ...CONTRACTS, ...options.contracts };
    const readLagMs = options.readLagMs ?? 0;
    this.crm = new InMemoryCrm(this.clock.now, { readLagMs, uniqueTasks: options.uniqueTasks ?? false });
    this.mail = new InMemoryMail(this.clock.now, { readLagMs, keyWindowMs: NUMBERS.keyWindowMs });
  }

  accept(lead: unknown = LEAD): Promise<Accepted> {
    return acceptLead(lead, this.intake());
  }

  /** What intake works with; nobody listens to its events. */
  intake(more: Partial<IntakePorts> = {}): IntakePorts {
    const { ledger, workflow, route } = this;
    const events = { publish: async () => {} };
    const clock = this.clock.now;
    return { ledger, workflow, events, route, stage: 'test', numbers: NUMBERS, clock, ...more };
  }

  state(action: ActionName): Promise<ActionState> {
    return this.ledger.action(KEY, action);
  }

  /** The gates and the freeze of an action function. */
  prepare(action: ActionName, attempt: number, execution = executionName(KEY, 1)): Promise<PreparedAttempt> {
    const request = { ...KEY, run: 1, execution, attempt };
    return prepare(action, request, `worker-${this.ids()}`, this.#steps(action).freeze, {
      ledger: this.ledger,
      clock: this.clock.now,
      contract: this.contracts[action],
    });
  }

  /** The decorated part of an action function. */
  run(prepared: PreparedAttempt): Promise<Outcome> {
    return runAttempt(prepared, this.#steps(prepared.state.action).perform, {
      ledger: this.ledger,
      clock: this.clock.now,
      ids: this.ids,
      numbers: NUMBERS,
      route: this.route,
      remainingMs: () => this.remainingMs,
    });
  }

  /** An action function without its Powertools decorator. */
  async act(action: ActionName, attempt: number, execution?: string): Promise<Outcome> {
    return this.run(await this.prepare(action, attempt, execution));
  }

  reconcile(
    action: ActionName,
    {
      error = null,
      turns = 0,
      execution = executionName(KEY, 1),
    }: { error?: string | null; turns?: number; execution?: string } = {},
  ): Promise<Reconciled> {
    return reconcile(action, { ...KEY, run: 1, execution, attempt: 1, turns, error }, this.#read(action), {
      ledger: this.ledger,
      clock: this.clock.now,
      ids: this.ids,
      random: () => 0.5,
      route: this.route,
      numbers: NUMBERS,
      contract: this.contracts[action],
      readNamed: this.#readNamed(action),
    });
  }

  ask(action: ActionName, asked = 0, reason = 'absent', execution = executionName(KEY, 1)) {
    const request = {
      ...KEY,
      run: 1,
      execution,
      action,
      token: `token-${action}`,
      reason,
      asked,
      attempt: 1,
    };
    return putOnWaitingList('ask', request, this.#waitPorts(action));
  }

  park(action: ActionName, reason = 'route-paused', execution = executionName(KEY, 1)) {
    const request = { ...KEY, run: 1, execution, action, token: 'token', reason, asked: 0, attempt: 1 };
    return putOnWaitingList('park', request, this.#waitPorts(action));
  }

  close(execution = executionName(KEY, 1)): Promise<{ closed: boolean }> {
    const { ledger, clock } = this;
    return closeRecord({ ...KEY, run: 1, execution }, { ledger, clock: clock.now, retentionDays: 400 });
  }

  /** A person decides on what the last reconcile found, or on `findingSeen`. */
  async decide(
    action: ActionName,
    kind: Decision['kind'],
    more: Partial<Decision> = {},
  ): Promise<ActionState | Rejected> {
    const state = await this.state(action);
    const decision: Decision = {
      id: this.ids(),
      kind,
      by: 'robin',
      reason: 'looked at it',
      at: this.clock.now(),
      findingSeen: state.lastRead?.finding ?? findingCode({ finding: 'absent' }),
      ...more,
    };
    return this.ledger.apply(KEY, { type: 'decide', decision }, state);
  }

  /** Performs the actions before this one, undisturbed. */
  async upTo(action: ActionName): Promise<void> {
    const before: Record<ActionName, readonly ActionName[]> = {
      'upsert-contact': [],
      'assign-owner': ['upsert-contact'],
      'create-task': ['upsert-contact', 'assign-owner'],
      'send-introduction': ['upsert-contact', 'assign-owner'],
    };
    await this.accept();
    for (const name of before[action]) await this.act(name, 1);
  }

  /** Holds the next worker right before or after its request to this receiver; one that is never let go has died there. */
  pauseAt(receiver: 'crm' | 'mail', moment: 'beforeWrite' | 'afterWrite'): PausePoint {
    const point = pausePoint();
    this[receiver].wire.hooks = { [moment]: point.hold };
    return point;
  }

  /** Holds the next writer of this event right before or after its write. */
  pauseWrite(event: ActionEvent['type'], moment: 'beforeWrite' | 'afterWrite'): PausePoint {
    const point = pausePoint();
    this.ledger.hooks = {
      [moment]: (write: LedgerWrite) => (write.event === event ? point.hold() : undefined),
    };
    return point;
  }

  /** An attempt whose worker dies at this moment of its call. */
  async dyingAct(action: ActionName, attempt: number, moment: 'beforeWrite' | 'afterWrite'): Promise<void> {
    const point = this.pauseAt(action === 'send-introduction' ? 'mail' : 'crm', moment);
    void this.act(action, attempt);
    await point.reached;
  }

  #waitPorts(action: ActionName) {
    const { destination } = this.contracts[action];
    return {
      ledger: this.ledger,
      clock: this.clock.now,
      route: this.route,
      numbers: NUMBERS,
      destination,
    };
  }

  #steps<A extends ActionName>(action: A): ActionSteps<A> {
    const { crm, mail, route } = this;
    const clock = this.clock.now;
    const contract = this.contracts[action];
    const steps: { [N in ActionName]: () => ActionSteps<N> } = {
      'upsert-contact': () =>
        upsertContactSteps({
          reader: crm,
          writer: crm,
          toProperties: contactProperties,
          route,
          contract,
          clock,
        }),
      'assign-owner': () => assignOwnerSteps({ reader: crm, writer: crm, route, contract, clock }),
      'create-task': () => createTaskSteps({ reader: crm, writer: crm, route, clock }),
      'send-introduction': () => sendIntroductionSteps({ reader: crm, sender: mail, route }),
    };
    return steps[action]();
  }

  #read<A extends ActionName>(action: A): ReadDestination<A> {
    const { crm, mail } = this;
    const contract = this.contracts[action];
    const reads: { [N in ActionName]: () => ReadDestination<N> } = {
      'upsert-contact': () => readContact(crm, contract),
      'assign-owner': () => readOwner(crm, contract),
      'create-task': () => readTask(crm, contract),
      'send-introduction': () => readIntroduction(mail, crm, contract),
    };
    return reads[action]();
  }

  #readNamed(action: ActionName): ReadNamed<ActionName> {
    const { crm: reader, mail } = this;
    const ports = { reader, contract: this.contracts[action], clock: this.clock.now };
    const reads: { [N in ActionName]: () => ReadNamed<N> } = {
      'upsert-contact': () => namedContact(ports),
      'assign-owner': () => namedOwner(ports),
      'create-task': () => namedTask(ports),
      'send-introduction': () => namedEmail({ ...ports, reader: mail }),
    };
    return reads[action]() as ReadNamed<ActionName>;
  }
}
