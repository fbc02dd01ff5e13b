import type { AwsAccess } from '../cli/aws/access.ts';
import { askRecovery } from '../cli/aws/recovery-machine.ts';
import type { DecideRequest, PersonsRequest } from '../functions/domain/decision-request.ts';
import type { FilledRecord } from '../functions/domain/filled-record.ts';

/** The recovery record as a person gets it, and what that person decides. */
export interface DemoDecision {
  readonly record: FilledRecord;
  readonly text: string;
  readonly input: DecideRequest;
}

/** What the recovery owner of the demo's third lead wants: the introduction in the name of the owner whom somebody chose meanwhile. */
const WANTED = { action: 'send-introduction', decision: 'send-as-current-owner' } as const;
const PERSON = { by: 'Robin Okafor', reason: 'The new owner introduces himself' } as const;

/**
 * Reads the record of a lead through the route's recovery state machine, takes the line of one choice from it, fills in who and why,
 * and starts the state machine with it: what a person does in the console.
 */
export async function decideAsPerson(
  aws: AwsAccess,
  route: string,
  leadRequestId: string,
): Promise<DemoDecision> {
  const { record, text } = (await answerOf(aws, route, { decision: 'show', leadRequestId })) as {
    record: FilledRecord;
    text: string;
  };
  const choice = record.actions
    .find(({ action }) => action === WANTED.action)
    ?.choices.find(({ decision }) => decision === WANTED.decision);
  if (!choice) throw new Error(`${leadRequestId} does not offer ${WANTED.decision}.`);
  const input = { ...choice.input, ...PERSON };
  await answerOf(aws, route, input);
  return { record, text, input };
}

async function answerOf(aws: AwsAccess, route: string, request: PersonsRequest): Promise<unknown> {
  const recovered = await askRecovery(aws, route, request, () => {});
  if (recovered.outcome === 'answered') return recovered.answer;
  const why = recovered.outcome === 'refused' ? recovered.message : recovered.status;
  throw new Error(`${request.decision} was not answered: ${why}`);
}
