import type { ActionName } from '../../../functions/domain/action.ts';
import { type ActionState, openAction } from '../../../functions/domain/action-state.ts';
import type { RecordOptions } from '../../../functions/domain/filled-record.ts';
import type { LedgerRecord, Waiting } from '../../../functions/domain/handoff.ts';
import type { Operation } from '../../../functions/domain/operation.ts';
import type { RouteAnswers } from '../../../functions/domain/route.ts';
import { CONTRACTS, NUMBERS, testRoute } from '../../model/settings.ts';

/** Friday evening: the lead was accepted then. */
export const FRIDAY = Date.parse('2026-05-08T16:30:00Z');
const HOUR = 3_600_000;

/** Values of the lead, none of which may be shown. */
export const PERSONAL = {
  email: 'jo.lind@customer.example.com',
  firstName: 'Jo-Personal',
  lastName: 'Lind-Personal',
  company: 'Lind Oy Personal',
  phone: '+358401234567',
  message: 'Please call me, personally',
};

function claimed(name: string, after: number): Partial<ActionState> {
  const at = FRIDAY + after;
  return {
    attempt: 1,
    claim: {
      id: `claim-${name}`,
      by: { kind: 'worker', name: `request-${name}` },
      at,
      deadline: at + 12_000,
      goneAt: at + 15_000,
      traceId: `trace-${name}`,
    },
    firstClaimAt: at,
    requestLeft: true,
  };
}

export function performed(
  action: ActionName,
  recordId: string,
  after: number,
  facts: Record<string, string> = {},
): ActionState {
  const destination = CONTRACTS[action].destination;
  return {
    ...openAction(action),
    ...claimed(action, after),
    phase: 'performed',
    evidence: { kind: 'receipt', destination, recordId, readAt: FRIDAY + after + 500, facts },
  };
}

/** An action whose attempt ended without an answer, and on which a person is asked after a read. */
export function uncertain(
  action: ActionName,
  finding: string,
  reason: string,
  more: Partial<ActionState> = {},
): ActionState {
  return {
    ...openAction(action),
    ...claimed(action, 3_000),
    phase: 'unknown',
    settledAt: FRIDAY + 11_000,
    reason: 'timeout',
    mayHaveLanded: true,
    lastRead: {
      id: 'read-1',
      at: FRIDAY + 2 * HOUR,
      finding,
      disposition: 'ask',
      reason,
      absenceProven: finding === 'absent',
      heard: null,
    },
    ...more,
  };
}

export function asked(action: Waiting['action'], why: string, more: Partial<Waiting> = {}): Waiting {
  return {
    action,
    kind: 'ask',
    token: 'the-task-token',
    execution: 'web.inq-1.1',
    who: 'robin@revops.example.com',
    why,
    since: FRIDAY + 2 * HOUR,
    dueAt: FRIDAY + 6 * HOUR,
    asked: 0,
    ...more,
  };
}

const OWNER_BEFORE: Operation<'assign-owner'> = {
  action: 'assign-owner',
  revision: 1,
  identity: 'web/inq-1/assign-owner',
  body: { contactId: '1001', ownerId: '71', baseline: { ownerId: null, changedAt: FRIDAY - 24 * HOUR } },
  bodyHash: 'hash',
  frozenAt: FRIDAY,
};

/** A handoff whose contact, owner and task are done, and the introduction as given. */
export function ledgerRecord(
  actions: readonly ActionState[],
  more: Partial<LedgerRecord> = {},
): LedgerRecord {
  const done = [
    performed('upsert-contact', '1001', 1_000),
    performed('assign-owner', '1001', 2_000, { ownerId: '71' }),
    performed('create-task', '5005', 2_500),
  ].filter(({ action }) => !actions.some((other) => other.action === action));
  return {
    handoff: {
      route: 'web',
      leadRequestId: 'inq-1',
      lead: { leadRequestId: 'inq-1', ...PERSONAL, sourceReference: 'form 9' },
      ownerId: '71',
      intentHash: 'a'.repeat(64),
      acceptedAt: FRIDAY,
      closedAt: null,
      execution: 'web.inq-1.1',
      run: 1,
      amendments: [],
    },
    actions: [...done, ...actions],
    operations: [OWNER_BEFORE],
    waiting: [],
    conflicts: [],
    ...more,
  };
}

export function recordOptions(
  more: Partial<Omit<RecordOptions, 'route'>> & { readonly route?: Partial<RouteAnswers> } = {},
): RecordOptions {
  const { route, ...others } = more;
  return {
    route: testRoute({ crm: { adapter: 'hubspot', portalId: '4711' }, ...route }),
    stage: 'prod',
    numbers: NUMBERS,
    now: FRIDAY + 2 * HOUR + 60_000,
    links: { stateMachineArn: 'arn:aws:states:eu-west-1:111122223333:stateMachine:lead-handoff-prod' },
    contractOf: (action) => CONTRACTS[action],
    ...others,
  };
}
