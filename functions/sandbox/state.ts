import type { Contact, Task } from './crm-record.ts';
import type { PlannedFault } from './faults.ts';
import type { RequestLog } from './request-log.ts';
import { createRequestLog } from './request-log.ts';
import type { SandboxSettings } from './settings.ts';

/** A message that Resend accepted. */
export interface Email {
  readonly id: string;
  readonly from: string;
  readonly to: readonly string[];
  readonly cc: readonly string[];
  readonly bcc: readonly string[];
  readonly replyTo: readonly string[];
  readonly subject: string;
  readonly html: string | null;
  readonly text: string | null;
  readonly scheduledAt: string | null;
  readonly key: string | null;
  /** Epoch milliseconds. */
  readonly acceptedAt: number;
  lastEvent: string;
}

/** What Resend remembers of an idempotency key. */
export interface RememberedKey {
  readonly payloadHash: string;
  /** Epoch milliseconds of the first use. */
  readonly at: number;
  /** The request with this key is in progress up to here (epoch milliseconds, exclusive). */
  inFlightUntil: number;
  emailId: string | null;
}

/** A request that was given up on by its sender and takes effect later. */
export interface LateEffect {
  readonly dueAt: number;
  readonly land: (at: number) => void;
}

/** Everything one sandbox knows. A reset makes a new one. */
export interface SandboxState {
  settings: SandboxSettings;
  nextCrmId: number;
  readonly contacts: Map<string, Contact>;
  /** Lower-case address (primary and secondary) of a live contact to its id. */
  readonly contactIdByEmail: Map<string, string>;
  readonly tasks: Map<string, Task>;
  /** Oldest first. */
  readonly emails: Email[];
  readonly emailById: Map<string, Email>;
  readonly keys: Map<string, RememberedKey>;
  readonly faults: PlannedFault[];
  readonly lateEffects: LateEffect[];
  readonly log: RequestLog;
  /** Times of the requests inside the current window, by vendor. */
  readonly recentRequests: Map<string, number[]>;
}

export function createState(settings: SandboxSettings): SandboxState {
  return {
    settings,
    nextCrmId: 1001,
    contacts: new Map(),
    contactIdByEmail: new Map(),
    tasks: new Map(),
    emails: [],
    emailById: new Map(),
    keys: new Map(),
    faults: [],
    lateEffects: [],
    log: createRequestLog(),
    recentRequests: new Map(),
  };
}

export function nextCrmId(state: SandboxState): string {
  const id = String(state.nextCrmId);
  state.nextCrmId += 1;
  return id;
}
