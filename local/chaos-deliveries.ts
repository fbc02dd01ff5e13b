import { InvokeCommand } from '@aws-sdk/client-lambda';
import type { AwsAccess } from '../cli/aws/access.ts';
import { executionName, type LeadKey } from '../functions/domain/action.ts';
import { increase } from './chaos-counts.ts';
import type { ChaosEngine } from './chaos-engine.ts';
import type { Journal, TrackedLead } from './chaos-journal.ts';
import { ROUTE } from './chaos-names.ts';
import type { Deed } from './chaos-schedule.ts';

/** More would take the processes away that the handoffs need. */
const AT_ONCE = 3;

/** Delivers attempts to their functions by hand, as a queue, a redrive or a mistaken operator would. */
export class Deliveries {
  readonly #engine: ChaosEngine;
  readonly #journal: Journal;
  #underWay = 0;

  constructor(engine: ChaosEngine, journal: Journal) {
    this.#engine = engine;
    this.#journal = journal;
  }

  async deliver(deed: Extract<Deed, { do: 'deliver' }>, tracked: TrackedLead): Promise<void> {
    const { aws } = this.#engine;
    if (!aws || this.#underWay >= AT_ONCE) return this.#journal.missed('deliver');
    this.#underWay += 1;
    try {
      const said = await delivered(deed, tracked, aws);
      increase(this.#journal.totals.deliveries, said);
      this.#journal.note(
        tracked,
        `delivered ${deed.action} (${deed.attempt} attempt, ${deed.execution} execution): ${said}`,
      );
    } catch {
      // The engine, and the ledger with it, went down meanwhile; what the delivery did is on the ledger.
      increase(this.#journal.totals.deliveries, 'no answer');
    } finally {
      this.#underWay -= 1;
    }
  }
}

/** What the function says: the outcome, or the name of its error. */
async function delivered(
  { action, attempt: which, execution: whose }: Extract<Deed, { do: 'deliver' }>,
  { lead: { leadRequestId } }: TrackedLead,
  { ledger, lambda }: AwsAccess,
): Promise<string> {
  const key: LeadKey = { route: ROUTE, leadRequestId };
  const handoff = await ledger.handoff(key);
  if (!handoff) return 'no handoff';
  const { attempt: last } = await ledger.action(key, action);
  const attempt = Math.max(1, last + { current: 0, older: -1, next: 1 }[which]);
  const execution = whose === 'current' ? handoff.execution : executionName(key, handoff.run + 1);
  const answer = await lambda.send(
    new InvokeCommand({
      FunctionName: `lead-handoff-local-${action}`,
      Payload: JSON.stringify({ ...key, run: handoff.run, execution, attempt }),
    }),
  );
  return saidBy(answer.Payload);
}

function saidBy(payload: Uint8Array | undefined): string {
  const answer = JSON.parse(Buffer.from(payload ?? []).toString('utf8')) as {
    outcome?: string;
    errorType?: string;
  };
  return answer.errorType ?? answer.outcome ?? 'nothing';
}
