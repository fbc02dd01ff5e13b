import type { ActionName } from '../domain/action.ts';
import type { ReceiverContract } from '../domain/contract.ts';
import type { LinkContext, RecordOptions } from '../domain/recovery-text.ts';
import type { RouteSettings } from '../domain/route.ts';
import type { Stage, StageNumbers } from '../domain/stage-numbers.ts';
import type { Clock } from '../ports/clock.ts';
import type { Events } from '../ports/events.ts';
import type { Ledger } from '../ports/ledger.ts';
import type { Workflow } from '../ports/workflow.ts';

/** What recovery works with, for the handoffs of one route. */
export interface RecoveryPorts {
  readonly ledger: Ledger;
  readonly workflow: Workflow;
  readonly events: Events;
  readonly clock: Clock;
  readonly route: RouteSettings;
  readonly stage: Stage;
  readonly numbers: StageNumbers;
  readonly links: LinkContext;
  /** The promise of the destination that an action writes to. */
  readonly contractOf: (action: ActionName) => ReceiverContract;
}

/** What a recovery record is filled with now. */
export function recordOptions(ports: RecoveryPorts): RecordOptions {
  const { route, stage, numbers, links, contractOf, clock } = ports;
  return { route, stage, numbers, links, contractOf, now: clock() };
}
