import { contractOf } from '../../functions/adapters/contracts.ts';
import { HUBSPOT } from '../../functions/adapters/hubspot/contract.ts';
import { RESEND } from '../../functions/adapters/resend/contract.ts';
import { ACTIONS, type ActionName } from '../../functions/domain/action.ts';
import type { ContractKind, ReceiverContract } from '../../functions/domain/contract.ts';
import { type RouteSettings, secretName } from '../../functions/domain/route.ts';
import { destinationName } from '../../functions/domain/words.ts';
import { readableSpan } from '../render/words.ts';
import { type BriefContext, intakeSecretOf } from './answers.ts';

/** What the destination of an action promises about repeats. */
export interface BriefContract extends ReceiverContract {
  readonly action: ActionName;
}

export function contractsOf(route: RouteSettings, { numbers }: BriefContext): readonly BriefContract[] {
  return ACTIONS.map((action) => ({ action, ...contractOf(action, route, numbers) }));
}

const KINDS: Readonly<Record<ContractKind, string>> = {
  'idempotency-key': 'a key that it recognises a repeat by',
  'natural-key': 'the record itself: there is one of its kind',
  'conditional-write': 'a condition: it refuses what is not up to date',
  'stamp-and-search': 'a stamp in the text, found by search',
  none: 'nothing',
};

/** A table row per action: the receiver, by what and how long it recognises an identity, and how long the effect may be open. */
export function contractRow(contract: BriefContract): readonly string[] {
  const { action, destination, kind, landingBoundMs, readLagMs } = contract;
  return [
    `\`${action}\``,
    destinationName(destination),
    `${KINDS[kind]} (\`${kind}\`)`,
    recognises(contract),
    readableSpan(landingBoundMs),
    readableSpan(readLagMs),
  ];
}

export const CONTRACT_HEAD = [
  'action',
  'receiver',
  'recognises a repeat by',
  'for how long',
  'landing bound',
  'visible after',
];

function recognises({ kind, keyWindowMs, keyWindowMarginMs }: ReceiverContract): string {
  if (keyWindowMs !== null) {
    const trusted = readableSpan(keyWindowMs - keyWindowMarginMs);
    return `${readableSpan(keyWindowMs)}, relied on for ${trusted}`;
  }
  return kind === 'none' ? 'not at all' : 'as long as the record exists';
}

/** A secret that the route needs, and what it is for. */
export interface BriefSecret {
  readonly name: string;
  readonly holds: string;
}

export function secretsOf(route: RouteSettings, context: BriefContext): readonly BriefSecret[] {
  const named = (destination: string, use: 'read' | 'write') =>
    secretName(context.stage, route.name, destination, use);
  return [
    {
      name: named(HUBSPOT, 'read'),
      holds: 'a token of a HubSpot private app that reads contacts and owners',
    },
    { name: named(HUBSPOT, 'write'), holds: 'a token of a HubSpot private app that also writes contacts' },
    { name: named(RESEND, 'read'), holds: 'a Resend key with full access: Resend has none that only reads' },
    { name: named(RESEND, 'write'), holds: 'a Resend key that only sends' },
    {
      name: intakeSecretOf(route, context),
      holds: 'the key by which senders sign what they post (`whsec_…`); for leads over HTTP',
    },
  ];
}

/** What is taken for granted, and would have to be thought over where it is not so. */
export function assumptionsOf(route: RouteSettings, context: BriefContext): readonly string[] {
  const { numbers } = context;
  const { crm, identity, delivery, samePerson } = route;
  const contracts = contractsOf(route, context);
  const window = contracts.find(({ keyWindowMs }) => keyWindowMs !== null)?.keyWindowMs ?? null;
  const exceptions = new Set(
    contracts.flatMap(({ readCredentialException }) => readCredentialException ?? []),
  );
  return [
    `A request that was given up on takes effect within ${readableSpan(numbers.landingBoundMs)} or never (the landing bound). Before that nothing is believed to be absent.`,
    `What was written can be read by its key after ${readableSpan(numbers.readLagMs)}.`,
    ...(crm.uniqueTaskProperty === undefined
      ? [
          `HubSpot's search shows a new task after ${readableSpan(numbers.searchLagMs)}, and never an archived one.`,
        ]
      : []),
    'HubSpot has no conditional write: the owner is read, written and read again. A change by a person in between is noticed afterwards, and put to the recovery owner.',
    ...(window === null ? [] : [`Resend recognises a key for ${readableSpan(window)}.`]),
    ...exceptions,
    ...(identity.survivesRetry
      ? ['The source keeps its promise and sends a lead request again under the same id.']
      : []),
    ...(delivery === 'at-most-once' ? ['Somebody else notices a lead that the source lost on its way.'] : []),
    ...(samePerson.policy === 'allow'
      ? []
      : ['A person is an address as HubSpot tells them apart: in lower case, with its dots and plus tags.']),
  ];
}

/** The vendors' pages that the contracts rest on, each once. */
export function sourcesOf(contracts: readonly ReceiverContract[]): readonly string[] {
  return [...new Set(contracts.flatMap(({ sources }) => sources))];
}
