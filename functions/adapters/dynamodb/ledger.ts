import type { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { marshall } from '@aws-sdk/util-dynamodb';
import type { ActionName, LeadKey } from '../../domain/action.ts';
import { type ActionState, openAction } from '../../domain/action-state.ts';
import type { Amendment } from '../../domain/amendment.ts';
import type { DeadLetter, Resolution } from '../../domain/dead-letter.ts';
import type {
  Conflict,
  Handoff,
  LedgerRecord,
  OpenHandoff,
  Resubmission,
  Waiting,
  WaitingSubject,
} from '../../domain/handoff.ts';
import type { Operation } from '../../domain/operation.ts';
import type { PersonsHandoff } from '../../domain/same-person.ts';
import { type ActionEvent, Rejected, transition } from '../../domain/transition.ts';
import { type Gates, type Ledger, LedgerUnavailable, type UnderId } from '../../ports/ledger.ts';
import { ItemTable, type Update } from './item-table.ts';
import {
  fromItem,
  type Item,
  keys,
  leadKeyOf,
  openPartition,
  toAction,
  toConflict,
  toDeadLetter,
  toHandoff,
  toItem,
  toOpenHandoff,
  toOperation,
  toPersonsHandoff,
  toWaiting,
  waitingPartition,
} from './items.ts';

/** Writers that meet each other on one item give up after this many turns. */
const MAX_CONTENTION = 12;

/** The ledger on one DynamoDB table. `transition` decides; this only turns its answer into one conditional write. */
export class DynamoDBLedger implements Ledger {
  readonly #table: ItemTable;

  constructor(client: DynamoDBClient, table: string) {
    this.#table = new ItemTable(client, table);
  }

  async handoff(key: LeadKey): Promise<Handoff | null> {
    const item = await this.#table.get(keys.lead(key), keys.handoff);
    return item ? toHandoff(item) : null;
  }

  async action(key: LeadKey, action: ActionName): Promise<ActionState> {
    const item = await this.#table.get(keys.lead(key), keys.action(action));
    return item ? toAction(item) : openAction(action);
  }

  async operation(key: LeadKey, action: ActionName, revision: number): Promise<Operation | null> {
    const item = await this.#table.get(keys.lead(key), keys.operation(action, revision));
    return item ? toOperation(item) : null;
  }

  async record(key: LeadKey): Promise<LedgerRecord | null> {
    const ofKind = itemsByKind(await this.#table.partition(keys.lead(key)));
    const [handoff] = ofKind(keys.handoff);
    return handoff
      ? {
          handoff: toHandoff(handoff),
          actions: ofKind('ACTION#').map(toAction),
          operations: ofKind('OPERATION#').map(toOperation),
          waiting: ofKind('WAITING#').map(toWaiting),
          conflicts: ofKind('CONFLICT#').map(toConflict),
        }
      : null;
  }

  async apply(key: LeadKey, event: ActionEvent, seen: ActionState): Promise<ActionState | Rejected> {
    let state = seen;
    let fresh = false;
    for (let turn = 0; turn < MAX_CONTENTION; turn++) {
      const result = transition(state, event);
      if (result instanceof Rejected) {
        if (fresh) return result;
        state = await this.action(key, seen.action);
        fresh = true;
        continue;
      }
      if (result === state) return state;
      const lost = await this.#table.putIf(toItem(keys.lead(key), keys.action(seen.action), result), {
        ConditionExpression: state.version === 0 ? 'attribute_not_exists(pk)' : '#version = :seen',
        ...(state.version === 0
          ? {}
          : {
              ExpressionAttributeNames: { '#version': 'version' },
              ExpressionAttributeValues: { ':seen': { N: String(state.version) } },
            }),
      });
      if (lost === null) return result;
      state = lost.item ? toAction(lost.item) : await this.action(key, seen.action);
      fresh = true;
    }
    throw new LedgerUnavailable('too many writers', null);
  }

  async freeze(key: LeadKey, operation: Operation): Promise<Operation> {
    const sk = keys.operation(operation.action, operation.revision);
    const lost = await this.#table.putIf(toItem(keys.lead(key), sk, operation), {
      ConditionExpression: 'attribute_not_exists(pk)',
    });
    if (lost === null) return operation;
    const standing = lost.item
      ? toOperation(lost.item)
      : await this.operation(key, operation.action, operation.revision);
    if (standing === null) throw new LedgerUnavailable('freeze', null);
    return standing;
  }

  async underId(key: LeadKey): Promise<UnderId> {
    const ofKind = itemsByKind(await this.#table.partition(keys.lead(key)));
    const [handoff] = ofKind(keys.handoff);
    return {
      handoff: handoff ? toHandoff(handoff) : null,
      waiting: ofKind('WAITING#').map(toWaiting),
      conflicts: ofKind('CONFLICT#').map(toConflict),
      deadLetters: ofKind('DEAD#').map(toDeadLetter),
    };
  }

  async drawTicket(route: string): Promise<number> {
    return this.#table.increment(keys.route(route), keys.rotation, 'ticket');
  }

  async claimPerson(
    person: string,
    { route, leadRequestId }: LeadKey,
    acceptedAt: number,
    { windowMs, expiresAt }: { windowMs: number; expiresAt: number },
  ): Promise<PersonsHandoff> {
    const [pk, sk] = [keys.person(person), keys.route(route)];
    const mine = { leadRequestId, acceptedAt };
    const lost = await this.#table.putIf(toItem(pk, sk, { ...mine, expiresAt: epochSeconds(expiresAt) }), {
      ConditionExpression: 'attribute_not_exists(pk) OR acceptedAt <= :before',
      ExpressionAttributeValues: { ':before': { N: String(acceptedAt - windowMs) } },
    });
    if (lost === null) return mine;
    const standing = lost.item ?? (await this.#table.get(pk, sk));
    if (standing === null) throw new LedgerUnavailable('claim a person', null);
    return toPersonsHandoff(standing);
  }

  async personsHandoff(person: string, route: string): Promise<PersonsHandoff | null> {
    const item = await this.#table.get(keys.person(person), keys.route(route));
    return item ? toPersonsHandoff(item) : null;
  }

  async releasePerson(person: string, { route, leadRequestId }: LeadKey): Promise<void> {
    await this.#table.update(keys.person(person), keys.route(route), {
      // So long ago that it is in nobody's way.
      UpdateExpression: 'SET acceptedAt = :never',
      ConditionExpression: 'leadRequestId = :mine',
      ExpressionAttributeValues: marshall({ ':never': 0, ':mine': leadRequestId }),
    });
  }

  async join(
    key: LeadKey,
    run: number,
    joinedTo: string,
    { at, expiresAt }: { at: number; expiresAt: number },
  ): Promise<Handoff> {
    await this.#update(key, keys.handoff, {
      UpdateExpression:
        'SET closedAt = :at, joinedTo = :other, expiresAt = :expiry REMOVE waitingKey, waitingSince',
      ConditionExpression: 'closedAt = :open AND #run = :run',
      ExpressionAttributeNames: { '#run': 'run' },
      ExpressionAttributeValues: marshall({
        ':at': at,
        ':other': joinedTo,
        ':expiry': epochSeconds(expiresAt),
        ':open': null,
        ':run': run,
      }),
    });
    const standing = await this.handoff(key);
    if (standing === null) throw new LedgerUnavailable('join', null);
    if (standing.joinedTo === joinedTo) await this.#expire(keys.lead(key), expiresAt);
    return standing;
  }

  async addDeadLetter(key: LeadKey, deadLetter: DeadLetter): Promise<DeadLetter> {
    const [pk, sk] = [keys.lead(key), keys.deadLetter(deadLetter.messageId)];
    const item = toItem(pk, sk, { ...deadLetter, ...listed(key, deadLetter.waiting) });
    const lost = await this.#table.putIf(item, { ConditionExpression: 'attribute_not_exists(pk)' });
    if (lost === null) return deadLetter;
    const standing = lost.item ?? (await this.#table.get(pk, sk));
    if (standing === null) throw new LedgerUnavailable('add a dead letter', null);
    return toDeadLetter(standing);
  }

  async resolveDeadLetter(
    key: LeadKey,
    messageId: string,
    resolution: Resolution,
    expiresAt: number,
  ): Promise<void> {
    await this.#update(key, keys.deadLetter(messageId), {
      UpdateExpression: 'SET #resolution = :resolution, expiresAt = :expiry REMOVE waitingKey, waitingSince',
      ConditionExpression: 'attribute_exists(pk) AND #resolution = :none',
      ExpressionAttributeNames: { '#resolution': 'resolution' },
      ExpressionAttributeValues: marshall({
        ':resolution': resolution,
        ':expiry': epochSeconds(expiresAt),
        ':none': null,
      }),
    });
  }

  async accept(handoff: Handoff): Promise<{ accepted: boolean; handoff: Handoff }> {
    const indexed = {
      ...handoff,
      waitingKey: openPartition(handoff.route),
      waitingSince: handoff.acceptedAt,
    };
    const lost = await this.#table.putIf(toItem(keys.lead(handoff), keys.handoff, indexed), {
      ConditionExpression: 'attribute_not_exists(pk)',
    });
    if (lost === null) return { accepted: true, handoff };
    const standing = lost.item ? toHandoff(lost.item) : await this.handoff(handoff);
    if (standing === null) throw new LedgerUnavailable('accept', null);
    return { accepted: false, handoff: standing };
  }

  async addConflict(key: LeadKey, conflict: Conflict, expiresAt?: number): Promise<void> {
    const item = { ...conflict, ...(expiresAt === undefined ? {} : { expiresAt: epochSeconds(expiresAt) }) };
    await this.#table.putIf(toItem(keys.lead(key), keys.conflict(conflict.intentHash), item), {
      ConditionExpression: 'attribute_not_exists(pk)',
    });
  }

  async conflict(key: LeadKey, intentHash: string): Promise<Conflict | null> {
    const item = await this.#table.get(keys.lead(key), keys.conflict(intentHash));
    return item ? toConflict(item) : null;
  }

  async amend(key: LeadKey, amendment: Amendment): Promise<void> {
    const conflict = await this.#table.get(keys.lead(key), keys.conflict(amendment.intentHash));
    if (!conflict) throw new LedgerUnavailable('amend: the corrected fields are not there', null);
    for (let turn = 0; turn < MAX_CONTENTION; turn++) {
      const handoff = await this.handoff(key);
      const { amendments = [] } = handoff ?? {};
      if (!handoff || amendments.some(({ decisionId }) => decisionId === amendment.decisionId)) return;
      const written = await this.#update(key, keys.handoff, {
        UpdateExpression: 'SET #lead = :lead, amendments = :after',
        // They are only ever added.
        ConditionExpression: 'size(amendments) = :before',
        // LEAD is a reserved word: https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/ReservedWords.html.
        ExpressionAttributeNames: { '#lead': 'lead' },
        ExpressionAttributeValues: marshall({
          ':lead': toConflict(conflict).lead,
          ':before': amendments.length,
          ':after': [...amendments, amendment],
        }),
      });
      if (written) return;
    }
    throw new LedgerUnavailable('too many writers', null);
  }

  async takeFence(
    key: LeadKey,
    fromRun: number,
    execution: string,
    resubmission?: Omit<Resubmission, 'run'>,
  ): Promise<Handoff> {
    await this.#update(key, keys.handoff, {
      UpdateExpression:
        'SET execution = :execution, #run = :next, resubmissions = list_append(if_not_exists(resubmissions, :none), :asked)',
      ConditionExpression: '#run = :from AND closedAt = :open',
      ExpressionAttributeNames: { '#run': 'run' },
      ExpressionAttributeValues: marshall({
        ':execution': execution,
        ':next': fromRun + 1,
        ':from': fromRun,
        ':open': null,
        ':none': [],
        ':asked': resubmission ? [{ run: fromRun + 1, ...resubmission }] : [],
      }),
    });
    const standing = await this.handoff(key);
    if (standing === null) throw new LedgerUnavailable('take the fence', null);
    return standing;
  }

  async close(key: LeadKey, execution: string, at: number, expiresAt: number): Promise<boolean> {
    const closed = await this.#update(key, keys.handoff, {
      // What is closed leaves the index of open handoffs.
      UpdateExpression: 'SET closedAt = :at REMOVE waitingKey, waitingSince',
      ConditionExpression: 'execution = :execution AND closedAt = :open',
      ExpressionAttributeValues: marshall({ ':at': at, ':execution': execution, ':open': null }),
    });
    if (!closed) {
      const handoff = await this.handoff(key);
      if (handoff?.execution !== execution || handoff.closedAt === null) return false;
    }
    await this.#expire(keys.lead(key), expiresAt);
    return true;
  }

  async putWaiting(key: LeadKey, waiting: Waiting): Promise<void> {
    if (waiting.messageId !== undefined) return this.#askAboutDeadLetter(key, waiting.messageId, waiting);
    const item = { ...waiting, ...listed(key, waiting) };
    await this.#table.put(toItem(keys.lead(key), keys.waiting(waiting.action), item));
  }

  async #askAboutDeadLetter(key: LeadKey, messageId: string, waiting: Waiting): Promise<void> {
    await this.#update(key, keys.deadLetter(messageId), {
      UpdateExpression: 'SET waiting = :waiting',
      ConditionExpression: 'attribute_exists(pk) AND #resolution = :none',
      ExpressionAttributeNames: { '#resolution': 'resolution' },
      ExpressionAttributeValues: marshall({ ':waiting': waiting, ':none': null }),
    });
  }

  async removeWaiting(key: LeadKey, subject: WaitingSubject): Promise<void> {
    await this.#table.remove(keys.lead(key), keys.waiting(subject));
  }

  async listWaiting(kind: Waiting['kind'], partition: string): Promise<readonly (LeadKey & Waiting)[]> {
    const items = await this.#table.waiting(waitingPartition(kind, partition));
    return items.map((item) => ({ ...toWaiting(item), ...leadKeyOf(fromItem(item).pk) }));
  }

  async listOpen(route: string): Promise<readonly OpenHandoff[]> {
    const items = await this.#table.waiting(openPartition(route));
    return items.map(toOpenHandoff);
  }

  async gates(route: string, destination: string): Promise<Gates> {
    const [state, breaker] = await Promise.all([
      this.#table.get(keys.route(route), keys.routeState),
      this.#table.get(keys.destination(destination), keys.breaker),
    ]);
    return { routePaused: state?.state?.S === 'paused', breakerOpen: breaker?.state?.S === 'open' };
  }

  /** False where the condition does not hold: then nothing is written. */
  #update(key: LeadKey, sk: string, update: Update): Promise<boolean> {
    return this.#table.update(keys.lead(key), sk, update);
  }

  /** Gives every item of a closed handoff its time to live. A dead letter gets its own when its investigation is over. */
  async #expire(pk: string, expiresAt: number): Promise<void> {
    for (const item of await this.#table.partition(pk)) {
      if (item.sk?.S?.startsWith('DEAD#')) continue;
      await this.#table.update(pk, item.sk?.S ?? '', {
        UpdateExpression: 'SET expiresAt = :expiry',
        ConditionExpression: 'attribute_exists(pk)',
        ExpressionAttributeValues: marshall({ ':expiry': epochSeconds(expiresAt) }),
      });
    }
  }
}

/** As DynamoDB's time to live wants it. */
function epochSeconds(at: number): number {
  return Math.ceil(at / 1000);
}

/** What puts an item into the index of waiting work. */
function listed(key: LeadKey, { kind, who, since }: Waiting): object {
  return { waitingKey: waitingPartition(kind, kind === 'ask' ? key.route : who), waitingSince: since };
}

function itemsByKind(items: readonly Item[]): (prefix: string) => Item[] {
  return (prefix) => items.filter((item) => item.sk?.S?.startsWith(prefix));
}
