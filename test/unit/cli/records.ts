import type { ActionRecord, RecoveryRecord } from '../../../functions/domain/recovery-record.ts';

const untouched: Omit<ActionRecord, 'action'> = {
  attempt: 0,
  phase: 'open',
  finding: null,
  disposition: null,
  reason: null,
  outcomeReason: null,
  readAt: null,
  warnings: [],
  evidence: null,
  lateEvidence: null,
  absenceProven: false,
  lastAttempt: null,
  lastDecision: null,
};

/** A handoff whose owner a person changed: its recovery owner is asked. */
export function askedRecord(changes: Partial<RecoveryRecord> = {}): RecoveryRecord {
  return {
    route: 'website',
    leadRequestId: 'form-7-1042',
    sourceReference: null,
    status: 'waiting',
    execution: 'website.form-7-1042.1',
    run: 1,
    acceptedAt: '2026-05-04T09:30:00.000Z',
    closedAt: null,
    joinedTo: null,
    ownerId: '82',
    owner: {
      ownerId: '82',
      readAt: '2026-05-04T09:30:12.000Z',
      how: 'kept',
      changedSince: null,
      chosenOwnerId: '71',
      before: { ownerId: null, changedAt: null },
    },
    contactId: '1001',
    actions: [
      {
        ...untouched,
        action: 'upsert-contact',
        attempt: 1,
        phase: 'performed',
        finding: 'done',
        disposition: 'keep',
        evidence: {
          kind: 'receipt',
          destination: 'hubspot',
          recordId: '1001',
          readAt: '2026-05-04T09:30:01.250Z',
          facts: { status: 201 },
        },
      },
      {
        ...untouched,
        action: 'assign-owner',
        attempt: 2,
        phase: 'unknown',
        finding: 'superseded:owner-changed',
        disposition: 'ask',
        reason: 'owner-changed',
        evidence: {
          kind: 'record',
          destination: 'hubspot',
          recordId: '1001',
          readAt: '2026-05-04T09:30:12.000Z',
          facts: { ownerId: '82', owner: 'kept' },
        },
      },
      { ...untouched, action: 'create-task', attempt: 1, phase: 'claimed' },
      { ...untouched, action: 'send-introduction' },
    ],
    waiting: [
      {
        action: 'assign-owner',
        kind: 'ask',
        who: 'robin.okafor@revops.example.com',
        why: 'owner-changed',
        since: '2026-05-04T09:30:13.000Z',
        dueAt: '2026-05-04T13:30:13.000Z',
        asked: 0,
      },
    ],
    conflicts: [],
    amendments: [],
    resubmissions: [],
    ...changes,
  };
}
