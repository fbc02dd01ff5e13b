import type { RouteSettings } from '../domain/route.ts';
import type { Stage, StageNumbers } from '../domain/stage-numbers.ts';
import type { Clock } from '../ports/clock.ts';
import type { Events } from '../ports/events.ts';
import type { Ledger } from '../ports/ledger.ts';
import type { Workflow } from '../ports/workflow.ts';

/** What intake works with, for the lead requests of one route. */
export interface IntakePorts {
  readonly ledger: Ledger;
  readonly workflow: Workflow;
  readonly events: Events;
  readonly clock: Clock;
  readonly route: RouteSettings;
  readonly stage: Stage;
  readonly numbers: StageNumbers;
}
