import type { ActionName, LeadKey } from '../../functions/domain/action.ts';
import { type ActionState, openAction } from '../../functions/domain/action-state.ts';
import type { Amendment } from '../../functions/domain/amendment.ts';
import type { DeadLetter, Resolution } from '../../functions/domain/dead-letter.ts';
import type {
  Conflict,
  Handoff,
  LedgerRecord,
  OpenHandoff,
  Resubmission,
  Waiting,
  WaitingSubject,
} from '../../functions/domain/handoff.ts';
import type { Operation } from '../../functions/domain/operation.ts';
import type { PersonsHandoff } from '../../functions/domain/same-person.ts';
import { type ActionEvent, Rejected, transition } from '../../functions/domain/transition.ts';
import { type Gates, type Ledger, LedgerUnavailable, type UnderId } from '../../functions/ports/ledger.ts';
import type { LedgerHooks, LedgerWrite } from './write-faults.ts';

/** What the ledger keeps of one lead request. */
interface Partition {
  handoff: Handoff | null;
  expiresAt: number | null;
  readonly actions: Map<ActionName, ActionState>;
  readonly operations: Map<string, Operation>;
  readonly waiting: Map<WaitingSubject, Waiting>;
  readonly conflicts: Map<string, Conflict>;
  readonly deadLetters: Map<string, DeadLetter>;
}

/**
 * The ledger in memory: the same single-item conditional writes as on DynamoDB, decided by the same `transition`. States are
 * immutable, so that nothing is copied.
 */
export class InMemoryLedger implements Ledger {
  readonly #partitions = new Map<string, Partition>();
  readonly #pausedRoutes = new Set<string>();
  readonly #openBreakers = new Set<string>();
  readonly #tickets = new Map<string, number>();
  readonly #persons = new Map<string, PersonsHandoff>();
  /** Every event that was applied, in order. */
  readonly applied: { readonly action: ActionName; readonly event: ActionEvent }[] = [];
  hooks: LedgerHooks;

  constructor(hooks: LedgerHooks = {}) {
    this.hooks = hooks;
  }

  pauseRoute(route: string, paused = true): void {
    if (paused) this.#pausedRoutes.add(route);
    else this.#pausedRoutes.delete(route);
  }

  openBreaker(destination: string, open = true): void {
    if (open) this.#openBreakers.add(destination);
    else this.#openBreakers.delete(destination);
  }

  /** Another execution has taken the fence, as a test's beginning. */
  putFence(key: LeadKey, execution: string, run: number): void {
    const partition = this.#partition(key);
    if (partition.handoff) partition.handoff = { ...partition.handoff, execution, run };
  }

  /** Puts a state in place, as a test's beginning. */
  put(key: LeadKey, state: ActionState): void {
    this.#partition(key).actions.set(state.action, state);
  }

  expiryOf(key: LeadKey): number | null {
    return this.#partition(key).expiresAt;
  }

  async handoff(key: LeadKey): Promise<Handoff | null> {
    this.#read('handoff');
    return this.#partition(key).handoff;
  }

  async action(key: LeadKey, action: ActionName): Promise<ActionState> {
    this.#read('action');
    return this.#current(key, action);
  }

  async record(key: LeadKey): Promise<LedgerRecord | null> {
    this.#read('record');
    const { handoff, actions, operations, waiting, conflicts } = this.#partition(key);
    return (
      handoff && {
        handoff,
        actions: [...actions.values()],
        operations: [...operations.values()],
        waiting: [...waiting.values()],
        conflicts: [...conflicts.values()],
      }
    );
  }

  async apply(key: LeadKey, event: ActionEvent, seen: ActionState): Promise<ActionState | Rejected> {
    const { action } = seen;
    const write: LedgerWrite = { what: 'apply', key, action, event: event.type };
    let state = seen;
    let fresh = false;
    for (;;) {
      const result = transition(state, event);
      if (result instanceof Rejected) {
        if (fresh) return result;
        state = await this.action(key, action);
        fresh = true;
        continue;
      }
      if (result === state) return state;
      const { version } = state;
      const written = await this.#write(write, () => {
        if (this.#current(key, action).version !== version) return false;
        this.#partition(key).actions.set(action, result);
        this.applied.push({ action, event });
        return true;
      });
      if (written) return result;
      state = this.#current(key, action);
      fresh = true;
    }
  }

  async freeze(key: LeadKey, operation: Operation): Promise<Operation> {
    const { operations } = this.#partition(key);
    const name = `${operation.action}#${operation.revision}`;
    const write: LedgerWrite = { what: 'freeze', key, action: operation.action, event: null };
    await this.#write(write, () => putOnce(operations, name, operation));
    return operations.get(name) as Operation;
  }

  async operation(key: LeadKey, action: ActionName, revision: number): Promise<Operation | null> {
    this.#read('operation');
    return this.#partition(key).operations.get(`${action}#${revision}`) ?? null;
  }

  async underId(key: LeadKey): Promise<UnderId> {
    this.#read('under-id');
    const { handoff, waiting, conflicts, deadLetters } = this.#partition(key);
    return {
      handoff,
      waiting: [...waiting.values()],
      conflicts: [...conflicts.values()],
      deadLetters: [...deadLetters.values()],
    };
  }

  async drawTicket(route: string): Promise<number> {
    let ticket = 0;
    const key = { route, leadRequestId: '' };
    await this.#write({ what: 'draw-ticket', key, action: null, event: null }, () => {
      ticket = (this.#tickets.get(route) ?? 0) + 1;
      this.#tickets.set(route, ticket);
      return true;
    });
    return ticket;
  }

  async claimPerson(
    person: string,
    key: LeadKey,
    acceptedAt: number,
    { windowMs }: { windowMs: number },
  ): Promise<PersonsHandoff> {
    const name = `${person} ${key.route}`;
    let standing: PersonsHandoff = { leadRequestId: key.leadRequestId, acceptedAt };
    await this.#write({ what: 'claim-person', key, action: null, event: null }, () => {
      const there = this.#persons.get(name);
      const stands = there !== undefined && there.acceptedAt > acceptedAt - windowMs;
      if (stands) standing = there;
      else this.#persons.set(name, standing);
      return !stands;
    });
    return standing;
  }

  async personsHandoff(person: string, route: string): Promise<PersonsHandoff | null> {
    this.#read('under-id');
    return this.#persons.get(`${person} ${route}`) ?? null;
  }

  async releasePerson(person: string, key: LeadKey): Promise<void> {
    const name = `${person} ${key.route}`;
    await this.#write({ what: 'release-person', key, action: null, event: null }, () => {
      const there = this.#persons.get(name);
      if (there?.leadRequestId !== key.leadRequestId) return false;
      this.#persons.set(name, { ...there, acceptedAt: 0 });
      return true;
    });
  }

  async join(
    key: LeadKey,
    run: number,
    joinedTo: string,
    { at, expiresAt }: { at: number; expiresAt: number },
  ): Promise<Handoff> {
    const partition = this.#partition(key);
    await this.#write({ what: 'join', key, action: null, event: null }, () => {
      const { handoff } = partition;
      if (!handoff || handoff.run !== run || handoff.closedAt !== null) return false;
      partition.handoff = { ...handoff, closedAt: at, joinedTo };
      partition.expiresAt = expiresAt;
      return true;
    });
    return partition.handoff as Handoff;
  }

  async addDeadLetter(key: LeadKey, deadLetter: DeadLetter): Promise<DeadLetter> {
    const { deadLetters } = this.#partition(key);
    const { messageId } = deadLetter;
    await this.#write({ what: 'add-dead-letter', key, action: 'dead-letter', event: null }, () =>
      putOnce(deadLetters, messageId, deadLetter),
    );
    return deadLetters.get(messageId) as DeadLetter;
  }

  async resolveDeadLetter(key: LeadKey, messageId: string, resolution: Resolution): Promise<void> {
    await this.#write({ what: 'resolve-dead-letter', key, action: 'dead-letter', event: null }, () =>
      this.#changeDeadLetter(key, messageId, { resolution }),
    );
  }

  #changeDeadLetter(key: LeadKey, messageId: string, change: Partial<DeadLetter>): boolean {
    const { deadLetters } = this.#partition(key);
    const standing = deadLetters.get(messageId);
    if (!standing || standing.resolution !== null) return false;
    deadLetters.set(messageId, { ...standing, ...change });
    return true;
  }

  async accept(handoff: Handoff): Promise<{ accepted: boolean; handoff: Handoff }> {
    const partition = this.#partition(handoff);
    const accepted = await this.#write({ what: 'accept', key: handoff, action: null, event: null }, () => {
      if (partition.handoff) return false;
      partition.handoff = handoff;
      return true;
    });
    return { accepted, handoff: partition.handoff as Handoff };
  }

  async addConflict(key: LeadKey, conflict: Conflict): Promise<void> {
    const { conflicts } = this.#partition(key);
    await this.#write({ what: 'conflict', key, action: null, event: null }, () =>
      putOnce(conflicts, conflict.intentHash, conflict),
    );
  }

  async conflict(key: LeadKey, intentHash: string): Promise<Conflict | null> {
    this.#read('record');
    return this.#partition(key).conflicts.get(intentHash) ?? null;
  }

  async amend(key: LeadKey, amendment: Amendment): Promise<void> {
    const partition = this.#partition(key);
    const conflict = partition.conflicts.get(amendment.intentHash);
    if (!conflict) throw new LedgerUnavailable('amend: the corrected fields are not there', null);
    await this.#write({ what: 'amend', key, action: null, event: null }, () => {
      const { handoff } = partition;
      if (!handoff || handoff.amendments.some(({ decisionId }) => decisionId === amendment.decisionId)) {
        return false;
      }
      partition.handoff = { ...handoff, lead: conflict.lead, amendments: [...handoff.amendments, amendment] };
      return true;
    });
  }

  async takeFence(
    key: LeadKey,
    fromRun: number,
    execution: string,
    resubmission?: Omit<Resubmission, 'run'>,
  ): Promise<Handoff> {
    const partition = this.#partition(key);
    await this.#write({ what: 'take-fence', key, action: null, event: null }, () => {
      const { handoff } = partition;
      if (!handoff || handoff.run !== fromRun || handoff.closedAt !== null) return false;
      const run = fromRun + 1;
      const asked = resubmission ? [{ run, ...resubmission }] : [];
      const resubmissions = [...(handoff.resubmissions ?? []), ...asked];
      partition.handoff = { ...handoff, execution, run, resubmissions };
      return true;
    });
    return partition.handoff as Handoff;
  }

  async close(key: LeadKey, execution: string, at: number, expiresAt: number): Promise<boolean> {
    const partition = this.#partition(key);
    await this.#write({ what: 'close', key, action: null, event: null }, () => {
      if (partition.handoff?.execution !== execution || partition.handoff.closedAt !== null) return false;
      partition.handoff = { ...partition.handoff, closedAt: at };
      return true;
    });
    const closed = partition.handoff?.execution === execution && partition.handoff.closedAt !== null;
    if (closed) partition.expiresAt = expiresAt;
    return closed;
  }

  async putWaiting(key: LeadKey, waiting: Waiting): Promise<void> {
    const { messageId } = waiting;
    await this.#write({ what: 'put-waiting', key, action: waiting.action, event: null }, () => {
      if (messageId !== undefined) return this.#changeDeadLetter(key, messageId, { waiting });
      this.#partition(key).waiting.set(waiting.action, waiting);
      return true;
    });
  }

  async removeWaiting(key: LeadKey, action: WaitingSubject): Promise<void> {
    await this.#write({ what: 'remove-waiting', key, action, event: null }, () => {
      this.#partition(key).waiting.delete(action);
      return true;
    });
  }

  async listWaiting(kind: Waiting['kind'], partition: string): Promise<readonly (LeadKey & Waiting)[]> {
    this.#read('waiting');
    const all = [...this.#partitions].flatMap(([pk, { waiting, deadLetters }]) => {
      const letters = [...deadLetters.values()].filter(({ resolution }) => resolution === null);
      const items = [...waiting.values(), ...letters.map((letter) => letter.waiting)];
      return items.map((item) => ({ ...keyOf(pk), ...item }));
    });
    return all
      .filter((item) => item.kind === kind && (kind === 'ask' ? item.route : item.who) === partition)
      .sort((a, b) => a.since - b.since);
  }

  async listOpen(route: string): Promise<readonly OpenHandoff[]> {
    this.#read('open');
    return [...this.#partitions.values()]
      .flatMap(({ handoff }) => handoff ?? [])
      .filter((handoff) => handoff.route === route && handoff.closedAt === null)
      .sort((a, b) => a.acceptedAt - b.acceptedAt);
  }

  async gates(route: string, destination: string): Promise<Gates> {
    this.#read('gates');
    return {
      routePaused: this.#pausedRoutes.has(route),
      breakerOpen: this.#openBreakers.has(destination),
    };
  }

  #partition(key: LeadKey): Partition {
    const pk = `${key.route}/${key.leadRequestId}`;
    const known = this.#partitions.get(pk);
    if (known) return known;
    const made: Partition = {
      handoff: null,
      expiresAt: null,
      actions: new Map(),
      operations: new Map(),
      waiting: new Map(),
      conflicts: new Map(),
      deadLetters: new Map(),
    };
    this.#partitions.set(pk, made);
    return made;
  }

  #current(key: LeadKey, action: ActionName): ActionState {
    return this.#partition(key).actions.get(action) ?? openAction(action);
  }

  #read(what: Parameters<NonNullable<LedgerHooks['readFails']>>[0]): void {
    if (this.hooks.readFails?.(what)) throw new LedgerUnavailable('read', null);
  }

  /** @returns what the last delivery of the write came to: false when its condition was not met. */
  async #write(write: LedgerWrite, put: () => boolean): Promise<boolean> {
    const fault = this.hooks.fault?.(write) ?? null;
    await this.hooks.beforeWrite?.(write);
    if (fault === 'before') throw new LedgerUnavailable('write', null);
    let written = put();
    if (fault === 'after') throw new LedgerUnavailable('write', null);
    if (fault === 'met-again') written = put();
    await this.hooks.afterWrite?.(write);
    return written;
  }
}

function putOnce<V>(map: Map<string, V>, name: string, value: V): boolean {
  if (map.has(name)) return false;
  map.set(name, value);
  return true;
}

function keyOf(pk: string): LeadKey {
  const [route = '', leadRequestId = ''] = pk.split('/');
  return { route, leadRequestId };
}
