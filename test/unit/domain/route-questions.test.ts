import type * as v from 'valibot';
import { expect, test } from 'vitest';
import { routeSchema } from '../../../functions/domain/route.ts';
import { ROUTE_QUESTIONS } from '../../../functions/domain/route-questions.ts';

interface AnySchema {
  readonly type: string;
  readonly entries?: Readonly<Record<string, AnySchema>>;
  readonly options?: readonly (AnySchema | string)[];
  readonly item?: AnySchema;
  readonly wrapped?: AnySchema;
  readonly literal?: string;
  readonly pipe?: readonly AnySchema[];
}

interface Asked {
  readonly path: string;
  readonly optional: boolean;
  /** Null where the answers cannot be counted. */
  readonly answers: readonly unknown[] | null;
}

/** Every question that a schema asks, groups included. */
function asked(schema: AnySchema, path: string): Asked[] {
  const { type, entries, options, item, wrapped, literal } = schema;
  const group: Asked[] = path === '' ? [] : [{ path, optional: false, answers: null }];
  if (entries) {
    const under = (name: string) => (path === '' ? name : `${path}.${name}`);
    return [...group, ...Object.entries(entries).flatMap(([name, one]) => asked(one, under(name)))];
  }
  if (item) return [...group, ...(item.entries ? asked(item, `${path}[]`) : [])];
  if (wrapped) {
    const [first, ...others] = asked(wrapped, path) as [Asked, ...Asked[]];
    if (type === 'optional') return [{ ...first, optional: true }, ...others];
    const answers = first.answers && [...first.answers, null];
    return [{ ...first, answers }, ...others];
  }
  if (type === 'variant') {
    const variants = (options as readonly AnySchema[]).flatMap((one) => asked(one, path));
    const rules = variants.filter((one) => one.path === `${path}.rule`).flatMap((one) => one.answers ?? []);
    const rest = variants.filter((one) => one.path !== `${path}.rule`);
    return [...rest, { path: `${path}.rule`, optional: false, answers: rules }];
  }
  if (type === 'boolean') return [{ path, optional: false, answers: [true, false] }];
  if (type === 'picklist') return [{ path, optional: false, answers: options ?? [] }];
  if (type === 'literal') return [{ path, optional: false, answers: [literal] }];
  return group;
}

const byPath = new Map(
  asked(routeSchema as unknown as v.GenericSchema & AnySchema, '').map((one) => [one.path, one]),
);

test('every question of a route has its words, and no other has', () => {
  expect(Object.keys(ROUTE_QUESTIONS).sort()).toEqual([...byPath.keys()].sort());
});

test.each([...byPath])('%s: what may be answered is what is said', (path, { answers, optional }) => {
  const words = ROUTE_QUESTIONS[path];

  expect(words?.question).toMatch(/[?.]$/);
  expect(words?.choices === undefined ? null : new Set(words.choices.map(([answer]) => answer))).toEqual(
    answers === null ? null : new Set(answers),
  );
  expect(words?.otherwise !== undefined).toBe(optional);
});
