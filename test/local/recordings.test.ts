import { afterAll, describe, expect, it } from 'vitest';
import { UnsupportedFeature } from '../../local/interpreter/errors.ts';
import type { Json, JsonObject } from '../../local/interpreter/json.ts';
import { parseDefinition } from '../../local/interpreter/parse-definition.ts';
import { expectSameExecution } from './expect-same-execution.ts';
import { loadRecordings, type Recording, replay } from './recording.ts';

const recordings = loadRecordings();
const spoken = recordings.filter(({ queryLanguage }) => queryLanguage === 'JSONata');
const foreign = recordings.filter(({ queryLanguage }) => queryLanguage !== 'JSONata');

let passed = 0;

if (recordings.length === 0) {
  it.skip('replays recorded AWS executions (the folder shared/states-recordings is not beside the repository)', () => {});
} else {
  describe('the interpreter does what AWS was recorded doing', () => {
    it('has all 29 JSONata recordings', () => {
      expect(spoken).toHaveLength(29);
    });

    it.each(spoken.map((recording) => [recording.name, recording] as const))(
      '%s',
      async (_name, recording) => {
        const replayed = await replay(recording);

        expectSameExecution(recording, replayed);
        passed += 1;
      },
    );

    it.each(spoken.map((recording) => [recording.name, recording] as const))(
      '%s would fail if the replay differed in anything',
      async (_name, recording) => {
        const replayed = await replay(recording);

        for (const differing of differences(recording)) {
          expect(() => expectSameExecution(differing, replayed), JSON.stringify(differing.expect)).toThrow();
        }
      },
    );
  });

  describe('what the interpreter does not know, it refuses', () => {
    it('refuses 46 recordings, all of them for JSONPath states', () => {
      expect(refusedFeatures()).toEqual({ 'the JSONPath query language': 46 });
    });

    it.each(foreign.map(({ name, definition }) => [name, definition] as const))(
      '%s is refused with the name of a state',
      (_name, definition) => {
        const { state, message } = refusal(definition) ?? {};

        expect(Object.keys(definition.States as JsonObject)).toContain(state);
        expect(message).toBe(
          `State '${state}' uses the JSONPath query language, which the local engine does not know.`,
        );
      },
    );
  });

  afterAll(() => console.log(summary()));
}

/** One line, such as: 29 of 29 JSONata recordings pass; 46 of 75 are refused: the JSONPath query language (46). */
function summary(): string {
  const refused = Object.entries(refusedFeatures()).map(([feature, count]) => `${feature} (${count})`);
  return `${passed} of ${spoken.length} JSONata recordings pass; ${foreign.length} of ${recordings.length} are refused: ${refused.join(', ')}.`;
}

function refusedFeatures(): Record<string, number> {
  const refusals: Record<string, number> = {};
  for (const { definition } of foreign) {
    const feature = refusal(definition)?.feature ?? 'accepted';
    refusals[feature] = (refusals[feature] ?? 0) + 1;
  }
  return refusals;
}

/** The recording with another end, and with each of its events changed. */
function differences(recording: Recording): Recording[] {
  const { events, output, error } = recording.expect;
  const changed = (change: Partial<Recording['expect']>): Recording => ({
    ...recording,
    expect: { ...recording.expect, ...change },
  });
  return [
    changed({ status: 'ANOTHER' }),
    ...(output === undefined ? [] : [changed({ output: { another: output } })]),
    ...(error === undefined ? [] : [changed({ error: `${error}Other` })]),
    ...(events ?? []).flatMap((event, index) => [
      changed({ events: events?.with(index, { ...event, type: 'Another' }) ?? null }),
      changed({ events: events?.toSpliced(index, 1) ?? null }),
    ]),
  ];
}

function refusal(definition: Json): UnsupportedFeature | undefined {
  try {
    parseDefinition(JSON.stringify(definition));
    return undefined;
  } catch (thrown) {
    if (thrown instanceof UnsupportedFeature) return thrown;
    throw thrown;
  }
}
