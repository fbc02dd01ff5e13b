import { setTimeout as sleep } from 'node:timers/promises';
import type { PersonsRequest } from '../../../functions/domain/decision-request.ts';
import type { ShownRecord } from '../../../functions/recovery/answer-person.ts';
import type { RecordedAnswer } from '../../../functions/recovery/record-decision.ts';
import type { WaitingAnswer } from '../../../functions/recovery/waiting-list.ts';
import type { Account } from './account.ts';
import type { Story } from './stories.ts';
import { Unexpected } from './unexpected.ts';

const ANSWERED_WITHIN_MS = 30_000;
/** Between two looks at the waiting list, each of which is an execution. */
const LOOK_EVERY_MS = 1_000;

/** The people of one route, who have nothing but its recovery state machine. */
export interface Recovery {
  /** Waits until the story's lead is on the waiting list, and decides with a line of its recovery record. */
  decide(story: Story, withinMs: number): Promise<RecordedAnswer>;
  /** How many wait. */
  waiting(): Promise<number>;
}

export function recovery(operator: Account, stateMachine: string): Recovery {
  const ask = async <Answer>(request: PersonsRequest): Promise<Answer> => {
    const { status, output, failure } = await operator.execute(stateMachine, request, ANSWERED_WITHIN_MS);
    if (status === 'SUCCEEDED') return JSON.parse(output ?? 'null') as Answer;
    throw new Unexpected(`${stateMachine} answers ${request.decision} with ${status} (${failure}).`);
  };
  const waiting = async () => (await ask<WaitingAnswer>({ decision: 'waiting' })).waiting;

  return {
    async decide({ lead: { leadRequestId }, decision: wanted }, withinMs) {
      const giveUpAt = Date.now() + withinMs;
      while (!(await waiting()).some((item) => item.leadRequestId === leadRequestId)) {
        if (Date.now() > giveUpAt) throw new Unexpected(`Nobody is asked about ${leadRequestId}.`);
        await sleep(LOOK_EVERY_MS);
      }
      const { record } = await ask<ShownRecord>({ decision: 'show', leadRequestId });
      const choice = record.actions
        .find(({ action }) => action === wanted?.action)
        ?.choices.find(({ decision }) => decision === wanted?.decision);
      if (choice === undefined) throw new Unexpected(`The record does not offer ${wanted?.decision}.`);
      return ask({ ...choice.input, by: 'Robin Okafor', reason: 'The receiver takes it again' });
    },
    waiting: async () => (await waiting()).length,
  };
}
