import { describe, expect, it } from 'vitest';
import { InvalidDefinition, UnsupportedFeature } from '../../local/interpreter/errors.ts';
import { isObject, type Json, type JsonObject } from '../../local/interpreter/json.ts';
import { parseDefinition } from '../../local/interpreter/parse-definition.ts';
import { start } from './interpreter-harness.ts';
import { loadRecordings } from './recording.ts';

/** Nothing that only JSONPath knows may be taken in silence: it would run and mean something else. */

const PATH_FIELDS = [
  ...[
    'InputPath',
    'Parameters',
    'ResultSelector',
    'ResultPath',
    'OutputPath',
    'Result',
    'Variable',
    'ItemsPath',
  ],
  ...['SecondsPath', 'TimestampPath', 'TimeoutSecondsPath', 'HeartbeatSecondsPath', 'ErrorPath', 'CausePath'],
  ...[
    'MaxConcurrencyPath',
    'ToleratedFailureCountPath',
    'ToleratedFailurePercentagePath',
    'And',
    'Or',
    'Not',
  ],
];
const COMPARISONS = [
  'StringEquals',
  'NumericLessThanPath',
  'IsPresent',
  'TimestampGreaterThan',
  'BooleanEquals',
];

const EVERY_STATE: JsonObject = {
  QueryLanguage: 'JSONata',
  StartAt: 'Pass',
  States: {
    Pass: { Type: 'Pass', Output: { a: [{ b: 1 }] }, Assign: { c: { d: 1 } }, Next: 'Task' },
    Task: {
      Type: 'Task',
      Resource: 'arn:aws:states:::lambda:invoke',
      Arguments: { FunctionName: 'f', Payload: { e: 1 } },
      Retry: [{ ErrorEquals: ['A'] }],
      Catch: [{ ErrorEquals: ['B'], Output: { f: 1 }, Next: 'Choice' }],
      Next: 'Choice',
    },
    Choice: {
      Type: 'Choice',
      Choices: [{ Condition: true, Output: { g: 1 }, Next: 'Wait' }],
      Default: 'Wait',
    },
    Wait: { Type: 'Wait', Seconds: 1, Next: 'Parallel' },
    Parallel: {
      Type: 'Parallel',
      Arguments: { h: 1 },
      Branches: [{ StartAt: 'Inner', States: { Inner: { Type: 'Pass', Output: { i: 1 }, End: true } } }],
      Next: 'Map',
    },
    Map: {
      Type: 'Map',
      Items: [1],
      ItemSelector: { j: 1 },
      ItemProcessor: {
        StartAt: 'Each',
        States: { Each: { Type: 'Fail', Error: 'E', Cause: 'C' } },
      },
      Next: 'Succeed',
    },
    Succeed: { Type: 'Succeed', Output: { k: 1 } },
  },
};

type Path = (string | number)[];

/** The places of all objects in the value that `keep` wants, with the name of the state that they stand in. */
function places(value: Json, keep: (path: Path) => boolean, path: Path = []): Path[] {
  if (typeof value !== 'object' || value === null) return [];
  const inner = Object.entries(value).flatMap(([key, each]) =>
    places(each, keep, [...path, Array.isArray(value) ? Number(key) : key]),
  );
  return !Array.isArray(value) && keep(path) ? [path, ...inner] : inner;
}

function withField(definition: JsonObject, path: Path, field: string): JsonObject {
  const changed = structuredClone(definition);
  let place: Json = changed;
  for (const key of path) place = (place as JsonObject)[key] as Json;
  (place as JsonObject)[field] = '$.path';
  return changed;
}

function refusal(definition: JsonObject): UnsupportedFeature | InvalidDefinition | undefined {
  try {
    parseDefinition(definition);
    return undefined;
  } catch (thrown) {
    if (thrown instanceof UnsupportedFeature || thrown instanceof InvalidDefinition) return thrown;
    throw thrown;
  }
}

const stateOf = (path: Path) => path[path.lastIndexOf('States') + 1];
const isTemplate = (path: Path) =>
  path.some((key) => ['Output', 'Assign', 'Arguments', 'ItemSelector', 'Payload'].includes(String(key)));
const isState = (path: Path) => path.at(-2) === 'States';
const isRule = (path: Path) => ['Choices', 'Catch', 'Retry'].includes(String(path.at(-2)));
const isTop = (path: Path) => path.length === 0;

describe('a JSONata definition with one thing of JSONPath in it', () => {
  it('is accepted without it', () => {
    expect(refusal(EVERY_STATE)).toBeUndefined();
    expect(places(EVERY_STATE, isState)).toHaveLength(9);
    expect(places(EVERY_STATE, isRule)).toHaveLength(3);
  });

  it.each(PATH_FIELDS)('is refused for %s at any state, rule, catcher and retrier, by its name', (field) => {
    const where = places(EVERY_STATE, (path) => (isState(path) || isRule(path)) && !isTemplate(path));
    expect(where).toHaveLength(12);
    for (const path of where) {
      expect(refusal(withField(EVERY_STATE, path, field)), path.join('/')).toMatchObject({
        name: 'UnsupportedFeature',
        feature: `the JSONPath field "${field}"`,
        state: stateOf(path),
      });
    }
  });

  it.each(COMPARISONS)('is refused for the comparison %s in a choice rule', (field) => {
    const [rule = []] = places(EVERY_STATE, (path) => path.at(-2) === 'Choices');

    expect(refusal(withField(EVERY_STATE, rule, field))).toMatchObject({
      feature: `the field "${field}" of a choice rule`,
      state: 'Choice',
    });
  });

  it('is refused for a key that ends with .$ in a state, and keeps one in a template as it is written', async () => {
    for (const path of places(EVERY_STATE, (each) => isState(each) && !isTemplate(each))) {
      const message = refusal(withField(EVERY_STATE, path, 'value.$'))?.message;
      expect(message).toMatch(/^State '.+' uses the field "value\.\$" of a /);
    }
    // AWS was recorded doing so (output.base-cases.base-literals): under JSONata the key is a key and the path a text.
    const output = { 'value.$': '$.path' };
    expect((await start({ One: { Type: 'Pass', Output: output, End: true } }).end()).output).toEqual(output);
  });

  it.each([...PATH_FIELDS, 'value.$'])('is refused for %s beside StartAt', (field) => {
    for (const path of places(EVERY_STATE, (each) => isTop(each) || each.at(-1) === 'ItemProcessor')) {
      expect(refusal(withField(EVERY_STATE, path, field))?.message).toContain(`"${field}"`);
    }
  });

  it('is refused for a state of that language', () => {
    for (const path of places(EVERY_STATE, isState)) {
      const definition = withField(EVERY_STATE, path, 'QueryLanguage');
      expect(refusal(definition)).toMatchObject({
        feature: 'the JSONPath query language',
        state: stateOf(path),
      });
    }
  });
});

const recordings = loadRecordings();
const foreign = recordings.filter(({ queryLanguage }) => queryLanguage !== 'JSONata');
const spoken = recordings.filter(({ queryLanguage }) => queryLanguage === 'JSONata');

describe.skipIf(recordings.length === 0)('recorded definitions', () => {
  it('in JSONPath that call themselves JSONata are refused, or have nothing of JSONPath', () => {
    const accepted = foreign.map(({ definition }) => asJsonata(definition)).filter((each) => !refusal(each));

    for (const definition of accepted) {
      const keys = [...JSON.stringify(definition).matchAll(/"([^"]+)":/g)].map(([, key]) => String(key));
      expect(keys.filter((key) => PATH_FIELDS.includes(key))).toEqual([]);
    }
    expect(accepted.length).toBeLessThan(foreign.length / 2);
  });

  it('in JSONata with one field of JSONPath added to any state are refused', () => {
    for (const { definition } of spoken) {
      for (const path of places(definition, isState)) {
        if (isTemplate(path)) continue;
        for (const field of PATH_FIELDS) {
          expect(refusal(withField(definition, path, field))).toMatchObject({
            feature: `the JSONPath field "${field}"`,
          });
        }
      }
    }
  });
});

/** The definition with every mention of its query language taken away but one that is not true. */
function asJsonata(definition: JsonObject): JsonObject {
  const without = (value: Json): Json => {
    if (Array.isArray(value)) return value.map(without);
    if (!isObject(value)) return value;
    const kept = Object.entries(value).filter(([key]) => key !== 'QueryLanguage');
    return Object.fromEntries(kept.map(([key, each]) => [key, without(each)]));
  };
  return { ...(without(definition) as JsonObject), QueryLanguage: 'JSONata' };
}
