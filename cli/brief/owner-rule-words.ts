import type { OwnerRule } from '../../functions/domain/owner-rule.ts';

const FIELDS: Readonly<Record<string, string>> = {
  country: 'the country is',
  companySize: 'the company size is',
  language: 'the language is',
  emailDomain: 'the address is at',
};

/** How a route chooses the owner of a lead, in Markdown. */
export function ownerRuleInWords(rule: OwnerRule): string {
  switch (rule.rule) {
    case 'fixed':
      return `Always owner ${rule.ownerId}.`;
    case 'from-request':
      return `The owner that the lead request names; owner ${rule.fallbackOwnerId} where it names none.`;
    case 'round-robin': {
      const sum = rule.owners.reduce((total, { weight }) => total + weight, 0);
      const shares = rule.owners.map(
        ({ ownerId, weight }) => `- owner ${ownerId}: ${weight} of ${sum} leads (${percent(weight / sum)})`,
      );
      return ['In turn, by weight:', '', ...shares].join('\n');
    }
    case 'first-match':
      return [
        'The first of these that fits (upper and lower case make no difference):',
        '',
        ...rule.rules.map(({ when, ownerId }, i) => `${i + 1}. owner ${ownerId}, where ${conditions(when)}`),
        `${rule.rules.length + 1}. owner ${rule.defaultOwnerId}, for all others`,
      ].join('\n');
  }
}

function conditions(when: Readonly<Record<string, readonly string[] | undefined>>): string {
  return Object.entries(when)
    .filter(([, values]) => values !== undefined)
    .map(([field, values = []]) => `${FIELDS[field] ?? field} ${values.join(' or ')}`)
    .join(' and ');
}

function percent(share: number): string {
  return `${Math.round(share * 1_000) / 10} %`;
}
