import type { Evidence } from './evidence.ts';

/** What reconcile concludes from what the destination says. */
export type Finding = Done | Absent | Unclear | Superseded;

export interface Done {
  readonly finding: 'done';
  readonly evidence: Evidence;
}

export interface Absent {
  readonly finding: 'absent';
}

export interface Unclear {
  readonly finding: 'unclear';
  readonly cause: 'too-early' | 'unreadable';
}

/** A person changed what the action was about. */
export interface Superseded {
  readonly finding: 'superseded';
  readonly cause:
    | 'owner-changed'
    | 'possible-overwrite'
    | 'sender-no-longer-owner'
    | 'contact-archived'
    | 'contact-deleted'
    | 'task-changed';
  readonly evidence: Evidence | null;
  /** Besides: the read proves that the action's own effect is not there. */
  readonly absenceProven: boolean;
}

/** The action's own effect, where the finding shows that it happened, whatever people did with it since. */
export function shownEffect(finding: Finding): Evidence | null {
  if (finding.finding === 'done') return finding.evidence;
  if (finding.finding !== 'superseded') return null;
  const { cause, evidence } = finding;
  return cause === 'task-changed' || cause === 'possible-overwrite' ? evidence : null;
}

export type FindingName = Finding['finding'];

/** A finding as a short code for records and logs: `done`, `absent`, `unclear:too-early`, `superseded:owner-changed`. */
export function findingCode(finding: Finding): string {
  return 'cause' in finding ? `${finding.finding}:${finding.cause}` : finding.finding;
}
