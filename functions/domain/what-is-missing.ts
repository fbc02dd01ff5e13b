import type { ActionName } from './action.ts';
import { type ActionState, FINAL_PHASES } from './action-state.ts';
import { EFFECTS } from './choice-words.ts';
import { type CommandPlace, commandLine } from './command-line.ts';
import type { ReceiverContract } from './contract.ts';
import { settleTime } from './decision-guide.ts';
import { type RouteSettings, secretName } from './route.ts';
import { destinationName, readableTime } from './words.ts';

/** Where a sentence about an action comes from. */
export interface ActionPlace extends CommandPlace {
  readonly route: Pick<RouteSettings, 'name'>;
  readonly contract: ReceiverContract;
}

/** What nobody knows about an action on which a person is asked, in a sentence; null where everything is known. */
export function notKnown(state: ActionState, { contract }: ActionPlace): string | null {
  const { phase, lastRead, lateEvidence } = state;
  if (FINAL_PHASES.includes(phase)) return null;
  const { happened } = EFFECTS[state.action];
  const destination = destinationName(contract.destination);
  if (phase === 'taken-over') return 'Whether the person who took it over has done it.';
  switch (lastRead?.finding) {
    case undefined:
      return state.attempt === 0 ? null : `Whether ${happened}: ${destination} was not read since.`;
    case 'unclear:unreadable':
      return `Whether ${happened}: ${destination} could not be read, or did not show it clearly.`;
    case 'unclear:too-early':
      return state.phase === 'refused'
        ? `Whether ${happened}: ${destination} refused the last attempt, but before ${readableTime(settleTime(state, contract))} that proves nothing, because what was sent could still take effect.`
        : `Whether ${happened}: when ${destination} was read, the request could still take effect.`;
    case 'superseded:owner-changed':
      return 'Whether the owner that somebody else set is meant to stay.';
    case 'superseded:possible-overwrite':
      return 'Whether the owner that was written over was meant to stay.';
    case 'superseded:contact-archived':
    case 'superseded:contact-deleted':
      return lastRead.absenceProven
        ? 'Whether the contact is meant to come back.'
        : `Whether the contact is meant to come back, and whether ${happened} before it went.`;
    case 'superseded:sender-no-longer-owner':
      return lastRead.absenceProven || !state.requestLeft
        ? null
        : `Whether ${happened} in the name of the former owner.`;
    case 'absent':
      if (lateEvidence)
        return `Which is true: an attempt reported success late, and ${destination} does not show it.`;
      return contract.kind === 'stamp-and-search' && state.attempt > 0
        ? `Whether there is a task that the search of ${destination} does not show: it leaves archived ones out.`
        : null;
    default:
      return null;
  }
}

/** What has to change before an action can go on, in a sentence; null for nothing, or where only a decision is missing. */
export function mustChange(state: ActionState, place: ActionPlace): string | null {
  const { lastRead } = state;
  if (lastRead === null) return null;
  // Where all attempts are used up, what the last one said is what stands in the way.
  const code = lastRead.reason === 'attempts-exhausted' ? (state.reason ?? lastRead.reason) : lastRead.reason;
  return REMEDIES.get(code)?.(state.action, place) ?? remedyByPattern(code, state, place);
}

/** The contact, its owner and its consent hang on the address, so that a later action takes no other one. */
const OTHER_ADDRESS =
  'The email address is the one field that cannot be corrected any more, because the contact was made under it: where it is wrong, stop what is left, and hand the lead in as a new lead request, under an id of its own.';

type Remedy = (action: ActionName, place: ActionPlace) => string;

const reachable: Remedy = (_, place) => `${name(place)} must be reachable again.`;
const restoreContact: Remedy = () => 'Restore the contact in HubSpot, or stop the action.';
const correctLead: Remedy = (action, place) =>
  `${name(place)} does not accept what was sent. Where a field of the lead is wrong, hand the lead in again under the same id with that field corrected; amend can then be chosen here.${action === 'upsert-contact' ? '' : ` ${OTHER_ADDRESS}`}`;
const quota: Remedy = (_, place) => `Raise the quota at ${name(place)}, or wait until it starts anew.`;

const REMEDIES: ReadonlyMap<string, Remedy> = new Map<string, Remedy>(
  Object.entries({
    credentials: (_, place) => `Put a valid token into the secret ${secret(place)}.`,
    permissions: (_, place) =>
      `Give the token in the secret ${secret(place)} the permission that it lacks; "${doctor(place)}" names it.`,
    'invalid-access': (_, place) => `Give the token in the secret ${secret(place)} the access that it lacks.`,
    'sender-not-verified': (_, place) => `Verify the sender's domain at ${name(place)}.`,
    'invalid-from-address': () =>
      'Correct the From address of the introduction in the route file, and deploy. Then choose amend: resume would send the same message again.',
    'daily-quota-exceeded': quota,
    'monthly-quota-exceeded': quota,
    'invalid-request': correctLead,
    'validation-error': correctLead,
    'missing-required-field': correctLead,
    'invalid-parameter': correctLead,
    'record-not-found': restoreContact,
    'evidence-not-found': (_, place) =>
      `Confirm again with the id of this lead's record at ${name(place)}; leave "evidence" out where it was done elsewhere, as from your own mailbox.`,
    'contact-archived': restoreContact,
    'contact-deleted': restoreContact,
    'owner-unknown': () =>
      'HubSpot does not know the contact’s owner as an active user. Give the contact another owner, or activate this one.',
    'owner-stopped': () =>
      'The introduction goes out in the name of the contact’s owner: look in HubSpot whether the contact has the right one.',
    'route-paused': () => 'The route must be opened again.',
    'breaker-open': (_, place) => `${name(place)} must work again.`,
    unreadable: (action, place) => {
      const read = action === 'send-introduction' ? `${name(place)} and HubSpot` : name(place);
      return `${read} must be readable again; "${doctor(place)}" says what is wrong.`;
    },
    'resolve-failed': reachable,
    'connect-refused': reachable,
    'connect-failed': reachable,
    'connect-timeout': reachable,
    'tls-failed': reachable,
    'secret-unavailable': (_, place) => `The secret ${secret(place)} must be there and readable.`,
  } satisfies Record<string, Remedy>),
);

function remedyByPattern(code: string, state: ActionState, place: ActionPlace): string | null {
  if (state.phase !== 'refused') return null;
  return code.startsWith('invalid-')
    ? correctLead(state.action, place)
    : `${name(place)} refused it; what it asks for must be mended before it can go on.`;
}

function doctor(place: ActionPlace): string {
  return commandLine('doctor', { about: [place.route.name] }, place);
}

function name({ contract }: ActionPlace): string {
  return destinationName(contract.destination);
}

function secret({ stage, route, contract }: ActionPlace): string {
  return secretName(stage, route.name, contract.destination, 'write');
}
