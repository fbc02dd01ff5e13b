import { describe, expect, it } from 'vitest';
import { UnsupportedFeature } from '../../local/interpreter/errors.ts';
import type { Json, JsonObject } from '../../local/interpreter/json.ts';
import { parseDefinition } from '../../local/interpreter/parse-definition.ts';
import { expectSameExecution } from './expect-same-execution.ts';
import { loadRecordings, replay } from './recording.ts';

const recordings = loadRecordings();
const spoken = recordings.filter(({ queryLanguage }) => queryLanguage === 'JSONata');
const foreign = recordings.filter(({ queryLanguage }) => queryLanguage !== 'JSONata');

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
      },
    );
  });

  describe('what the interpreter does not know, it refuses', () => {
    it('refuses 46 recordings, all of them for JSONPath states', () => {
      const refusals: Record<string, number> = {};
      for (const { definition } of foreign) {
        const feature = refusal(definition)?.feature ?? 'accepted';
        refusals[feature] = (refusals[feature] ?? 0) + 1;
      }

      expect(refusals).toEqual({ 'the JSONPath query language': 46 });
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
