import { expect } from 'vitest';
import type { Json, JsonObject } from '../../local/interpreter/json.ts';
import { RecordedValues } from './recorded-values.ts';
import type { Recording, Replay } from './recording.ts';

/** Asserts that the replay ended as AWS did, with the same history as far as its order is binding. */
export function expectSameExecution(
  recording: Recording,
  { result, events, assignedVariables }: Replay,
): void {
  const { status, output, error, cause, eventsOrder, events: expected } = recording.expect;
  const values = new RecordedValues();
  const ended = { status, output, error, cause } as JsonObject;
  const actual: JsonObject = { ...result };
  if (expected && eventsOrder === 'exact') expectSameEvents(expected, events, values);
  if (expected && eventsOrder === 'one-interleaving') expectSameLinks(expected, events);
  if (expected && eventsOrder === 'branches-sorted') {
    expectSameMultiset(expected, events, recording.expect.lostEvents ?? 0);
  }
  expect(values.align(ended, actual)).toEqual(ended);
  const variables = (recording.expect.assignedVariables ?? []) as unknown as Json;
  expect(values.align(variables, assignedVariables as unknown as Json)).toEqual(variables);
}

function expectSameEvents(expected: JsonObject[], events: JsonObject[], values: RecordedValues): void {
  const actual = withoutAfter(events);
  const wanted = withoutAfter(expected);
  expect(values.align(wanted, actual)).toEqual(wanted);
}

/** Concurrent stretches: the same events, each following the same kind of event. */
function expectSameLinks(expected: JsonObject[], events: JsonObject[]): void {
  expect(linked(events)).toEqual(linked(expected));
}

function linked(events: JsonObject[]): string[] {
  return events
    .map(({ after, ...event }) => {
      const before = events[Number(after ?? 0) - 1];
      return JSON.stringify([sortedKeys(event), before ? [before.type ?? null, before.state ?? null] : null]);
    })
    .sort();
}

/** The recorder sorted the events inside a Parallel and lost its Succeeded or Failed event. */
function expectSameMultiset(expected: JsonObject[], events: JsonObject[], lost: number): void {
  const kept = events.filter(({ type }) => !/^Parallel(StateSucceeded|StateFailed)$/.test(String(type)));
  expect(events.length - kept.length).toBe(lost);
  expect(unordered(kept)).toEqual(unordered(expected));
}

/** Task events inside a sorted stretch have no `state` in the recordings, so it is left out here. */
function unordered(events: JsonObject[]): string[] {
  return withoutAfter(events)
    .map((event) => JSON.stringify(sortedKeys(event)))
    .sort();
}

function withoutAfter(events: JsonObject[]): JsonObject[] {
  return events.map(({ after: _after, ...event }) => event);
}

function sortedKeys(event: JsonObject): JsonObject {
  return Object.fromEntries(Object.entries(event).sort(([one], [other]) => one.localeCompare(other)));
}
