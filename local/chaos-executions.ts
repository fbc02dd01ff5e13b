import { InvokeCommand } from '@aws-sdk/client-lambda';
import {
  ExecutionDoesNotExist,
  ListExecutionsCommand,
  RedriveExecutionCommand,
  StopExecutionCommand,
} from '@aws-sdk/client-sfn';
import { increase } from './chaos-counts.ts';
import type { TrackedLead } from './chaos-journal.ts';
import { executionArn, HANDOFF_MACHINE, leadOf, machineArn, ROUTE, SWEEP } from './chaos-names.ts';
import { type Bureau, waitingLead } from './chaos-recovery.ts';
import type { Deed } from './chaos-schedule.ts';

/* What people do to executions and to the waiting list from the consoles of AWS, and to a handoff as a whole. */

type DeedOf<K extends Deed['do']> = Extract<Deed, { do: K }>;

function leadFor({ lead, back }: { lead: number | null; back: number }, { journal }: Bureau) {
  return lead === null ? journal.back(back) : waitingLead(lead, journal);
}

export async function resubmit(deed: DeedOf<'resubmit'>, bureau: Bureau): Promise<void> {
  const tracked = leadFor(deed, bureau);
  if (!tracked) return bureau.journal.missed('resubmit');
  const { leadRequestId } = tracked.lead;
  const ask = () =>
    bureau.desk.ask(tracked, {
      leadRequestId,
      decision: 'resubmit',
      by: bureau.journal.newPerson(),
      reason: 'It looks stuck.',
    });
  await Promise.all(Array.from({ length: deed.people }, ask));
}

export async function stopExecution(deed: DeedOf<'stop-execution'>, bureau: Bureau): Promise<void> {
  const { engine, journal } = bureau;
  const tracked = leadFor(deed, bureau);
  const execution = tracked && (await currentExecution(tracked, bureau));
  if (!tracked || !execution || !engine.aws) return journal.missed('stop-execution');
  try {
    await engine.aws.stepFunctions.send(
      new StopExecutionCommand({ executionArn: executionArn(HANDOFF_MACHINE, execution), error: 'Console' }),
    );
  } catch (error) {
    if (error instanceof ExecutionDoesNotExist) return journal.missed('stop-execution');
    // The engine went down meanwhile: it may have been stopped.
  }
  journal.stopped.add(execution);
  journal.totals.stops += 1;
  journal.note(tracked, `stopped ${execution}`);
}

async function currentExecution({ lead }: TrackedLead, { engine }: Bureau): Promise<string | null> {
  const key = { route: ROUTE, leadRequestId: lead.leadRequestId };
  const handoff = await engine.aws?.ledger.handoff(key).catch(() => null);
  return handoff && handoff.closedAt === null ? handoff.execution : null;
}

export async function redrive({ pick }: DeedOf<'redrive'>, { engine, journal }: Bureau): Promise<void> {
  const { stepFunctions } = engine.aws ?? {};
  if (!stepFunctions) return journal.missed('redrive');
  try {
    const { executions = [] } = await stepFunctions.send(
      new ListExecutionsCommand({ stateMachineArn: machineArn(HANDOFF_MACHINE), statusFilter: 'ABORTED' }),
    );
    const chosen = executions[Math.floor(pick * executions.length)];
    if (!chosen?.executionArn) return journal.missed('redrive');
    await stepFunctions.send(new RedriveExecutionCommand({ executionArn: chosen.executionArn }));
    increase(journal.totals.redrives, 'redriven');
    const tracked = journal.leads.find(({ lead }) => lead.leadRequestId === leadOf(chosen.name ?? ''));
    if (tracked) journal.note(tracked, `redrove ${chosen.name}`);
  } catch (error) {
    increase(journal.totals.redrives, error instanceof Error ? error.name : 'failed');
  }
}

/** As if the item had never been written, or the write had been lost. */
export async function loseWait({ lead, pick }: DeedOf<'lose-wait'>, bureau: Bureau): Promise<void> {
  const { engine, journal } = bureau;
  const tracked = waitingLead(lead, journal);
  const { ledger } = engine.aws ?? {};
  if (!tracked || !ledger) return journal.missed('lose-wait');
  const key = { route: ROUTE, leadRequestId: tracked.lead.leadRequestId };
  try {
    const waiting = (await ledger.record(key))?.waiting ?? [];
    const chosen = waiting[Math.floor(pick * waiting.length)];
    if (!chosen) return journal.missed('lose-wait');
    await ledger.removeWaiting(key, chosen.action);
    journal.totals.lostWaits += 1;
    journal.note(tracked, `lost the wait of ${chosen.action}, ${chosen.token ? 'with' : 'without'} a token`);
  } catch {
    journal.missed('lose-wait');
  }
}

/** Sweeps out of turn, as an event that is delivered twice does. */
export async function sweep({ times }: DeedOf<'sweep'>, { engine, journal }: Bureau): Promise<void> {
  const { lambda } = engine.aws ?? {};
  if (!lambda) return journal.missed('sweep');
  const invoke = () =>
    lambda.send(new InvokeCommand({ FunctionName: SWEEP, Payload: '{}' })).catch(() => null);
  journal.totals.extraSweeps += times;
  await Promise.all(Array.from({ length: times }, invoke));
}
