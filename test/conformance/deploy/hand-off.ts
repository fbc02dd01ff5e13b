import { executionName } from '../../../functions/domain/action.ts';
import type { RecoveryOpened } from '../../../functions/domain/recovery-opened.ts';
import type { Account } from './account.ts';
import { recovery } from './recovery.ts';
import { effectsAt, planFault, type Story, toldStates } from './stories.ts';
import { expectEqual } from './unexpected.ts';

/** A decision is carried out when nothing of the attempt before can take effect any more, at stage test after a minute and a half. */
const ENDS_WITHIN_MS = 180_000;

/** Where leads are handed off: a deployed stack, and the destination that it writes to. */
export interface Place {
  readonly operator: Account;
  readonly sandboxUrl: string;
  readonly stackName: string;
  readonly route: string;
}

/**
 * Hands one lead in and waits for the end of its handoff; says what was seen.
 *
 * @throws Unexpected where its end, its states or its effects are not those of the story
 */
export async function handOff(story: Story, place: Place): Promise<string> {
  const { operator, sandboxUrl, stackName, route } = place;
  const { title, lead, decision } = story;
  const execution = executionName({ route, leadRequestId: lead.leadRequestId }, 1);
  await planFault(sandboxUrl, story);
  await handIn(story, place);
  const decided = decision && (await personOf(place).decide(story, ENDS_WITHIN_MS));
  if (decided) {
    expectEqual(`how the decision about ${title} was carried on`, decided.carriedOn, 'answered');
  }
  const { status, states, failure } = await operator.untilEnded(stackName, execution, ENDS_WITHIN_MS);
  expectEqual(`the end of ${execution}`, [status, failure], ['SUCCEEDED', undefined]);
  expectEqual(`the states of ${execution}`, toldStates(states).sort(), [...story.states].sort());
  expectEqual(`the effects of ${title}`, await effectsAt(sandboxUrl, lead.email), story.effects);
  const by = decided ? `, ${decided.decision} decided by ${decided.by}` : '';
  return `by the ${story.by}${by}, SUCCEEDED, ${states.length} states, one of each at the destination`;
}

async function handIn({ lead, by }: Story, { operator, stackName, route }: Place): Promise<void> {
  const request = { route, lead: { ...lead, firstName: 'Rehearsal', company: 'Rehearsal' } };
  if (by === 'queue') await operator.send(`${stackName}-leads`, request);
  else await operator.invoke(`${stackName}-start`, request);
}

/** Starts the notice state machine with an event, because no rule does so here. Nobody is subscribed to its topics. */
export async function tellByHand({ operator, stackName, route }: Place): Promise<string> {
  const detail: RecoveryOpened = {
    route,
    leadRequestId: 'rehearsal-told',
    action: 'send-introduction',
    why: 'refused',
    who: 'robin.okafor@revops.example.com',
    asked: 0,
    escalated: false,
    dueAt: null,
    text: 'A recovery record.\nIts second line.',
  };
  const told: string[] = [];
  for (const escalated of [false, true]) {
    const event = { detail: { ...detail, escalated } };
    const notice = `${stackName}-notice-${route}`;
    const { status, states, failure } = await operator.execute(notice, event, ENDS_WITHIN_MS);
    expectEqual('the end of a notice', [status, failure], ['SUCCEEDED', undefined]);
    told.push(states.at(-1) ?? '');
  }
  expectEqual('what the notices did', told, ['Tell recovery owner', 'Tell escalation owner']);
  return `${told.join(', ')}: SUCCEEDED`;
}

/** Invokes the sweep, because no schedule does so here. Every handoff is closed by now, so that it finds nothing. */
export async function sweepByHand(place: Place): Promise<string> {
  await place.operator.invoke(`${place.stackName}-sweep`, {});
  expectEqual('what waits after the sweep', await personOf(place).waiting(), 0);
  return 'nothing waits';
}

function personOf({ operator, stackName, route }: Place) {
  return recovery(operator, `${stackName}-recovery-${route}`);
}
