import * as v from 'valibot';
import type { LeadRequest } from './lead-request.ts';

const text = v.pipe(v.string(), v.nonEmpty());
const texts = v.pipe(v.array(text), v.minLength(1));

/** Many enough for a sales team, few enough that the sequence of a rotation is drawn up at every lead. */
const MOST_OWNERS = 50;

const weightedOwner = v.strictObject({
  ownerId: text,
  /** The owner's share: an owner of weight 2 gets twice the leads of one of weight 1. */
  weight: v.pipe(v.number(), v.integer(), v.minValue(1), v.maxValue(100)),
});

/** Every field that is named must match, by any of its values; case makes no difference. */
const conditions = v.pipe(
  v.strictObject({
    country: v.optional(texts),
    companySize: v.optional(texts),
    language: v.optional(texts),
    /** The domain of the lead's address, or one that it is a subdomain of. */
    emailDomain: v.optional(texts),
  }),
  v.check((when) => Object.values(when).some((values) => values !== undefined)),
);

/** How a route chooses the owner of a lead. Owner ids are those of the CRM. */
export const ownerRuleSchema = v.variant('rule', [
  v.strictObject({ rule: v.literal('fixed'), ownerId: text }),
  /** The request names its owner; `fallbackOwnerId` serves those that do not. */
  v.strictObject({ rule: v.literal('from-request'), fallbackOwnerId: text }),
  v.strictObject({
    rule: v.literal('round-robin'),
    owners: v.pipe(
      v.array(weightedOwner),
      v.minLength(1),
      v.maxLength(MOST_OWNERS),
      v.check((owners) => new Set(owners.map(({ ownerId }) => ownerId)).size === owners.length),
    ),
  }),
  /** The first rule whose conditions the lead meets decides. */
  v.strictObject({
    rule: v.literal('first-match'),
    rules: v.pipe(v.array(v.strictObject({ when: conditions, ownerId: text })), v.minLength(1)),
    defaultOwnerId: text,
  }),
]);

export type OwnerRule = Readonly<v.InferOutput<typeof ownerRuleSchema>>;
type WeightedOwner = v.InferOutput<typeof weightedOwner>;
type Conditions = v.InferOutput<typeof conditions>;

/** Whether the rule needs a number that no other lead of the route has. */
export function drawsTicket(rule: OwnerRule): boolean {
  return rule.rule === 'round-robin';
}

/**
 * The owner that the rule chooses for a lead.
 *
 * @param ticket the number of the lead on its route, counted from 1; only `round-robin` looks at it
 */
export function chosenOwner(rule: OwnerRule, lead: LeadRequest, ticket: number): string {
  switch (rule.rule) {
    case 'fixed':
      return rule.ownerId;
    case 'from-request':
      return lead.ownerId ?? rule.fallbackOwnerId;
    case 'round-robin':
      return ownerOfTicket(rule.owners, ticket);
    case 'first-match':
      return rule.rules.find(({ when }) => matches(when, lead))?.ownerId ?? rule.defaultOwnerId;
  }
}

/** The owners that a rule names. Those that lead requests bring along are not known before. */
export function namedOwners(rule: OwnerRule): string[] {
  switch (rule.rule) {
    case 'fixed':
      return [rule.ownerId];
    case 'from-request':
      return [rule.fallbackOwnerId];
    case 'round-robin':
      return rule.owners.map(({ ownerId }) => ownerId);
    case 'first-match':
      return [...new Set([...rule.rules.map(({ ownerId }) => ownerId), rule.defaultOwnerId])];
  }
}

/** The sequence repeats after as many tickets as its weights add up to. */
function ownerOfTicket(owners: readonly WeightedOwner[], ticket: number): string {
  const sequence = smoothSequence(owners);
  return sequence[(ticket - 1) % sequence.length] as string;
}

/**
 * Every owner as often as its weight says, and as far apart as that allows: at each step every owner gains its weight, the richest one
 * is taken and pays the sum of all weights (https://github.com/nginx/nginx/commit/52327e0627f49dbda1e8db695e63a4b0af4448b1).
 */
function smoothSequence(owners: readonly WeightedOwner[]): string[] {
  const accounts = owners.map((owner) => ({ ...owner, credit: 0 }));
  const sum = owners.reduce((total, { weight }) => total + weight, 0);
  return Array.from({ length: sum }, () => {
    for (const account of accounts) account.credit += account.weight;
    const richest = accounts.reduce((best, account) => (account.credit > best.credit ? account : best));
    richest.credit -= sum;
    return richest.ownerId;
  });
}

function matches({ emailDomain, ...fields }: Conditions, lead: LeadRequest): boolean {
  const plain = Object.entries(fields) as ['country' | 'companySize' | 'language', string[] | undefined][];
  return (
    plain.every(([field, values]) => values === undefined || anyOf(values, lead[field])) &&
    (emailDomain === undefined || isWithinAny(emailDomain, domainOf(lead.email)))
  );
}

function anyOf(values: readonly string[], value: string | undefined): boolean {
  return value !== undefined && values.some((candidate) => folded(candidate) === folded(value));
}

function isWithinAny(domains: readonly string[], domain: string): boolean {
  return domains.map(folded).some((candidate) => domain === candidate || domain.endsWith(`.${candidate}`));
}

function domainOf(email: string): string {
  return folded(email.slice(email.lastIndexOf('@') + 1));
}

function folded(value: string): string {
  return value.normalize('NFC').trim().toLowerCase();
}
