import { InvokeCommand } from '@aws-sdk/client-lambda';
import { executionName, type LeadKey } from '../functions/domain/action.ts';
import type { ChaosEngine } from './chaos-engine.ts';
import { increase, type Journal, type TrackedLead } from './chaos-journal.ts';
import type { Deed } from './chaos-schedule.ts';
import { ROUTE } from './chaos-submit.ts';

/** More would take the processes away that the handoffs need. */
const AT_ONCE = 3;
let underWay = 0;

/** Delivers an attempt to its function by hand, as a queue, a redrive or a mistaken operator would. */
export async function deliverAttempt(
  deed: Extract<Deed, { do: 'deliver' }>,
  tracked: TrackedLead,
  engine: ChaosEngine,
  journal: Journal,
): Promise<void> {
  const { aws } = engine;
  if (!aws || underWay >= AT_ONCE) return journal.missed('deliver');
  underWay += 1;
  try {
    const key: LeadKey = { route: ROUTE, leadRequestId: tracked.lead.leadRequestId };
    const handoff = await aws.ledger.handoff(key);
    const { attempt: last } = await aws.ledger.action(key, deed.action);
    const attempt = Math.max(1, last + { current: 0, older: -1, next: 1 }[deed.attempt]);
    if (!handoff) return journal.missed('deliver');
    const execution = deed.execution === 'current' ? handoff.execution : executionName(key, handoff.run + 1);
    const answer = await aws.lambda.send(
      new InvokeCommand({
        FunctionName: `lead-handoff-local-${deed.action}`,
        Payload: JSON.stringify({ ...key, run: handoff.run, execution, attempt }),
      }),
    );
    const said = saidBy(answer.Payload);
    increase(journal.totals.deliveries, said);
    journal.note(
      tracked,
      `delivered ${deed.action} ${attempt} (${deed.attempt}, ${deed.execution}): ${said}`,
    );
  } catch {
    // The engine, or the ledger with it, went down meanwhile; what the delivery did is on the ledger.
    increase(journal.totals.deliveries, 'no answer');
  } finally {
    underWay -= 1;
  }
}

function saidBy(payload: Uint8Array | undefined): string {
  const answer = JSON.parse(Buffer.from(payload ?? []).toString('utf8')) as {
    outcome?: string;
    errorType?: string;
  };
  return answer.errorType ?? answer.outcome ?? 'nothing';
}
