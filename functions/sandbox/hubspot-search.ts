import * as v from 'valibot';
import { invalidInput } from './hubspot-errors.ts';
import { slice, wholeNumber } from './hubspot-paging.ts';

/**
 * The CRM search endpoints: filter groups are joined by OR, the filters of one group by AND.
 * https://developers.hubspot.com/docs/api-reference/2026-03/crm/search-the-crm
 */

const OPERATORS = [
  'EQ',
  'NEQ',
  'LT',
  'LTE',
  'GT',
  'GTE',
  'BETWEEN',
  'IN',
  'NOT_IN',
  'HAS_PROPERTY',
  'NOT_HAS_PROPERTY',
  'CONTAINS_TOKEN',
  'NOT_CONTAINS_TOKEN',
] as const;

const scalar = v.pipe(v.union([v.string(), v.number(), v.boolean()]), v.transform(String));

const filter = v.object({
  propertyName: v.string(),
  operator: v.picklist(OPERATORS),
  value: v.optional(scalar),
  highValue: v.optional(scalar),
  values: v.optional(v.array(scalar)),
});

const sort = v.union([
  v.string(),
  v.object({ propertyName: v.string(), direction: v.optional(v.picklist(['ASCENDING', 'DESCENDING'])) }),
]);

const request = v.object({
  filterGroups: v.optional(v.array(v.object({ filters: v.array(filter) })), []),
  sorts: v.optional(v.array(sort), []),
  properties: v.optional(v.array(v.string())),
  query: v.optional(v.string()),
  limit: v.optional(v.union([v.number(), v.string()])),
  after: v.optional(v.union([v.number(), v.string()])),
});

type Filter = v.InferOutput<typeof filter>;
type SearchRequest = v.InferOutput<typeof request>;

/** https://developers.hubspot.com/changelog/breaking-change-expanded-filtering-capabilities-and-error-messaging-in-hubspots-search-api */
const MAX_GROUPS = 5;
const MAX_FILTERS_PER_GROUP = 10;
const MAX_FILTERS = 25;
const MAX_PAGE = 200;
const MAX_RESULTS = 10_000;

export interface Searchable<T> {
  readonly isKnown: (name: string) => boolean;
  /** Every value of a property; several only for associations. */
  readonly valuesOf: (item: T, name: string) => readonly string[];
  readonly render: (item: T, properties: readonly string[] | null) => unknown;
}

/** Throws `HubspotRefusal` (400) for a request HubSpot would not take. */
export function search<T>(
  body: unknown,
  candidates: readonly T[],
  searchable: Searchable<T>,
): Record<string, unknown> {
  const wanted = parse(body, searchable);
  const matches = candidates.filter(
    (item) =>
      wanted.filterGroups.length === 0 ||
      wanted.filterGroups.some((group) =>
        group.filters.every((one) => matchesFilter(one, searchable.valuesOf(item, one.propertyName))),
      ),
  );
  const sorted = sortBy(matches, wanted.sorts[0], searchable);
  const limit = wholeNumber(wanted.limit, 10, 'limit');
  const after = wholeNumber(wanted.after, 0, 'after');
  if (limit > MAX_PAGE) throw invalidInput(`limit must not be greater than ${MAX_PAGE}.`);
  if (after + limit > MAX_RESULTS) {
    throw invalidInput(`paging through search results is limited to the first ${MAX_RESULTS} results.`);
  }
  const properties = wanted.properties && wanted.properties.length > 0 ? wanted.properties : null;
  return {
    total: matches.length,
    ...slice(sorted, after, limit, (item) => searchable.render(item, properties)),
  };
}

function parse<T>(body: unknown, searchable: Searchable<T>): SearchRequest {
  const parsed = v.safeParse(request, body);
  if (!parsed.success)
    throw invalidInput(`There was a problem with the request: ${v.summarize(parsed.issues)}`);
  const { filterGroups, sorts, query } = parsed.output;
  const filters = filterGroups.flatMap((group) => group.filters);
  if (
    filterGroups.length > MAX_GROUPS ||
    filters.length > MAX_FILTERS ||
    filterGroups.some((group) => group.filters.length > MAX_FILTERS_PER_GROUP)
  ) {
    throw invalidInput(
      `A search takes at most ${MAX_GROUPS} filter groups, ${MAX_FILTERS_PER_GROUP} filters per group and ${MAX_FILTERS} filters.`,
    );
  }
  if (sorts.length > 1) throw invalidInput('A search takes one sort.');
  if (query) throw invalidInput('The sandbox does not search by `query`; use filterGroups.');
  for (const { propertyName } of filters) {
    if (!searchable.isKnown(propertyName)) throw invalidInput(`Property ${propertyName} does not exist.`);
  }
  for (const one of filters) requireOperands(one);
  return parsed.output;
}

function requireOperands(one: Filter): void {
  const needsNone = one.operator === 'HAS_PROPERTY' || one.operator === 'NOT_HAS_PROPERTY';
  const needsList = one.operator === 'IN' || one.operator === 'NOT_IN';
  if (needsNone) return;
  if (needsList && one.values === undefined) throw invalidInput(`${one.operator} needs values.`);
  if (!needsList && one.value === undefined) throw invalidInput(`${one.operator} needs a value.`);
  if (one.operator === 'BETWEEN' && one.highValue === undefined)
    throw invalidInput('BETWEEN needs a highValue.');
}

function matchesFilter(one: Filter, values: readonly string[]): boolean {
  const value = one.value ?? '';
  const any = (test: (held: string) => boolean) => values.some(test);
  switch (one.operator) {
    case 'EQ':
      return any((held) => compare(held, value) === 0);
    case 'NEQ':
      return values.length > 0 && !any((held) => compare(held, value) === 0);
    case 'LT':
      return any((held) => compare(held, value) < 0);
    case 'LTE':
      return any((held) => compare(held, value) <= 0);
    case 'GT':
      return any((held) => compare(held, value) > 0);
    case 'GTE':
      return any((held) => compare(held, value) >= 0);
    case 'BETWEEN':
      return any((held) => compare(held, value) >= 0 && compare(held, one.highValue ?? '') <= 0);
    case 'IN':
      return any((held) => (one.values ?? []).some((wanted) => compare(held, wanted) === 0));
    case 'NOT_IN':
      return (
        values.length > 0 && !any((held) => (one.values ?? []).some((wanted) => compare(held, wanted) === 0))
      );
    case 'HAS_PROPERTY':
      return values.length > 0;
    case 'NOT_HAS_PROPERTY':
      return values.length === 0;
    case 'CONTAINS_TOKEN':
      return any((held) => containsToken(held, value));
    case 'NOT_CONTAINS_TOKEN':
      return values.length > 0 && !any((held) => containsToken(held, value));
  }
}

/** Numbers and times by value (a time may be given in milliseconds), other text without regard to case. */
function compare(a: string, b: string): number {
  const [x, y] = [comparable(a), comparable(b)];
  if (typeof x === 'number' && typeof y === 'number') return x - y;
  const [left, right] = [a.toLowerCase(), b.toLowerCase()];
  return left === right ? 0 : left < right ? -1 : 1;
}

function comparable(text: string): number | string {
  if (/^-?\d+(\.\d+)?$/.test(text)) return Number(text);
  return /^\d{4}-\d{2}-\d{2}T/.test(text) ? Date.parse(text) : text;
}

/**
 * Words, not substrings: the text and the value are cut at everything that is neither letter nor digit, and every word
 * of the value must occur, in any order. `*` stands for any run of characters. Looser than a phrase on purpose: a
 * client has to compare what it gets back.
 */
function containsToken(held: string, value: string): boolean {
  if (value.includes('*')) {
    const pattern = value
      .split('*')
      .map((part) => part.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'))
      .join('.*');
    const whole = new RegExp(`^${pattern}$`, 'is');
    return whole.test(held) || held.split(/\s+/).some((word) => whole.test(word));
  }
  const heldWords = new Set(words(held));
  const wanted = words(value);
  return wanted.length > 0 && wanted.every((word) => heldWords.has(word));
}

function words(text: string): string[] {
  return text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];
}

function sortBy<T>(
  items: readonly T[],
  by: v.InferOutput<typeof sort> | undefined,
  searchable: Searchable<T>,
): T[] {
  if (by === undefined) return [...items];
  const descendingText = typeof by === 'string' && by.startsWith('-');
  const propertyName = typeof by === 'string' ? by.replace(/^-/, '') : by.propertyName;
  const descending = typeof by === 'string' ? descendingText : by.direction === 'DESCENDING';
  if (!searchable.isKnown(propertyName)) throw invalidInput(`Property ${propertyName} does not exist.`);
  const value = (item: T) => searchable.valuesOf(item, propertyName)[0] ?? '';
  const ascending = [...items].sort((a, b) => compare(value(a), value(b)));
  return descending ? ascending.reverse() : ascending;
}
