import type { Handoff, Waiting } from '../domain/handoff.ts';
import { answerDueAt, samePersonOpened } from '../domain/intake-notice.ts';
import { type PersonsHandoff, personKey, personTimes, rivalOf, SAME_PERSON } from '../domain/same-person.ts';
import { executionInput } from '../domain/workflow-data.ts';
import { EventsUnavailable } from '../ports/events.ts';
import type { IntakePorts } from './ports.ts';

const DAY = 86_400_000;

/** What became of a handoff that is written down: its execution runs, or the same person's other one is in its way. */
export type Admission = 'started' | 'joined' | 'asked';

/**
 * Lets an open handoff go on that nobody is asked about: starts its execution, unless its person has another handoff. Safe to repeat
 * and to die in, because the person's last handoff is written before anything is started: whoever does this again comes to the same
 * end.
 *
 * @throws LedgerUnavailable, WorkflowUnavailable; doing it again is safe
 */
export async function admit(handoff: Handoff, ports: IntakePorts): Promise<Admission> {
  const { workflow, route, numbers } = ports;
  const rival = await rivalHandoff(handoff, ports);
  if (rival === null) {
    await workflow.start(handoff.execution, executionInput(handoff, handoff.run, route, numbers));
    return 'started';
  }
  // A person who was asked has let it go on, or it went on under another answer of the route.
  if ((await workflow.status(handoff.execution)) !== 'DOES_NOT_EXIST') return 'started';
  return route.samePerson.policy === 'join' ? join(handoff, rival, ports) : ask(handoff, rival, ports);
}

async function rivalHandoff(
  handoff: Handoff,
  { ledger, route }: IntakePorts,
): Promise<PersonsHandoff | null> {
  if (route.samePerson.policy === 'allow') return null;
  const { acceptedAt, lead } = handoff;
  const times = personTimes(acceptedAt, route);
  const last = await ledger.claimPerson(personKey(lead.email), handoff, acceptedAt, times);
  return rivalOf(handoff, last, route.samePerson);
}

async function join(
  handoff: Handoff,
  { leadRequestId: other }: PersonsHandoff,
  { ledger, clock, route }: IntakePorts,
): Promise<Admission> {
  const at = clock();
  const expiresAt = at + route.retentionDays * DAY;
  const standing = await ledger.join(handoff, handoff.run, other, { at, expiresAt });
  return standing.joinedTo === undefined ? 'started' : 'joined';
}

/** Due at once until its event is out: whoever finds it so, as the sweep does, tells it. */
async function ask(handoff: Handoff, rival: PersonsHandoff, ports: IntakePorts): Promise<Admission> {
  const { ledger, events, clock, route } = ports;
  const since = clock();
  const untold: Waiting = {
    action: 'handoff',
    kind: 'ask',
    token: null,
    execution: handoff.execution,
    who: route.recoveryOwner.email,
    why: SAME_PERSON,
    rival: rival.leadRequestId,
    since,
    dueAt: since,
    asked: 0,
  };
  await ledger.putWaiting(handoff, untold);
  const told = { ...untold, dueAt: answerDueAt(since, ports) };
  try {
    await events.publish(samePersonOpened(handoff, rival, told, ports));
  } catch (error) {
    if (!(error instanceof EventsUnavailable)) throw error;
    return 'asked';
  }
  await ledger.putWaiting(handoff, told);
  return 'asked';
}
