import { describe, expect, it } from 'vitest';
import { InvalidDefinition, UnsupportedFeature } from '../../local/interpreter/errors.ts';
import { parseDefinition } from '../../local/interpreter/parse-definition.ts';
import { FUNCTION } from './interpreter-harness.ts';

const end = { Type: 'Pass', End: true };

function machine(state: object, top: object = {}): object {
  return { QueryLanguage: 'JSONata', StartAt: 'One', States: { One: state, Two: end }, ...top };
}

function map(fields: object, processor: object = {}): object {
  const ItemProcessor = { StartAt: 'Do', States: { Do: end }, ...processor };
  return { Type: 'Map', ItemProcessor, End: true, ...fields };
}

describe('parseDefinition refuses what the engine does not know', () => {
  it.each<[feature: string, definition: object]>([
    ['the JSONPath query language', { StartAt: 'One', States: { One: end } }],
    ['the JSONPath query language', machine({ ...end, QueryLanguage: 'JSONPath' })],
    ['the JSONPath field "Parameters"', machine({ ...end, Parameters: {} })],
    [
      'the JSONPath field "ResultPath"',
      machine({ Type: 'Task', Resource: FUNCTION, ResultPath: '$.x', End: true }),
    ],
    ['the JSONPath field "SecondsPath"', machine({ Type: 'Wait', SecondsPath: '$.x', End: true })],
    [
      'the JSONPath field "Variable"',
      machine({ Type: 'Choice', Choices: [{ Variable: '$.x', Next: 'Two' }] }),
    ],
    ['a distributed Map (ProcessorConfig)', machine(map({}, { ProcessorConfig: { Mode: 'DISTRIBUTED' } }))],
    ['a distributed Map ("ItemReader")', machine(map({ ItemReader: {} }))],
    ['an object as Items of a Map', machine(map({ Items: { a: 1 } }))],
    ['the field "Iterator" of a Map', machine(map({ Iterator: {} }))],
    ['the state type "Loop"', machine({ Type: 'Loop' })],
    ['the field "Arguments" of a Pass', machine({ ...end, Arguments: {} })],
    [
      'the field "Credentials" of a Task',
      machine({ Type: 'Task', Resource: FUNCTION, Credentials: {}, End: true }),
    ],
    ['the field "Sleep" of a retrier', machine(retrying({ ErrorEquals: ['A'], Sleep: 1 }))],
    ['the JitterStrategy "HALF"', machine(retrying({ ErrorEquals: ['A'], JitterStrategy: 'HALF' }))],
    ['the Resource "arn:aws:states:::dynamodb:getItem"', machine(task('arn:aws:states:::dynamodb:getItem'))],
    [
      'the Resource "arn:aws:states:::sqs:sendMessage.sync"',
      machine(task('arn:aws:states:::sqs:sendMessage.sync')),
    ],
    [
      'the Resource "arn:aws:states:us-east-1:111111111111:activity:a"',
      machine(task('arn:aws:states:us-east-1:111111111111:activity:a')),
    ],
  ])('%s', (feature, definition) => {
    const refusal = refusalOf(definition);

    expect(refusal).toBeInstanceOf(UnsupportedFeature);
    expect(refusal).toMatchObject({ feature, state: 'One', name: 'UnsupportedFeature' });
    expect(refusal?.message).toBe(`State 'One' uses ${feature}, which the local engine does not know.`);
  });

  it('an unknown field of the state machine', () => {
    expect(refusalOf(machine(end, { Tracing: true }))?.message).toBe(
      'The state machine uses the field "Tracing" of a state machine, which the local engine does not know.',
    );
  });

  it('inside branches too, naming the inner state', () => {
    const branch = { StartAt: 'Inner', States: { Inner: { ...end, InputPath: '$' } } };

    expect(refusalOf(machine({ Type: 'Parallel', Branches: [branch], End: true }))).toMatchObject({
      state: 'Inner',
    });
  });

  it('but takes an integration that the engine says its runner knows', () => {
    const definition = machine(task('arn:aws:states:::events:putEvents.waitForTaskToken'));

    expect(() => parseDefinition(definition)).toThrow(UnsupportedFeature);
    expect(parseDefinition(definition, { integrations: ['events:putEvents'] }).StartAt).toBe('One');
  });
});

describe('parseDefinition refuses what AWS refuses', () => {
  it.each<[problem: string, definition: object]>([
    ['StartAt names the state "Nowhere", which is not there.', machine(end, { StartAt: 'Nowhere' })],
    ['Next names the state "Nowhere", which is not there.', machine({ Type: 'Pass', Next: 'Nowhere' })],
    ['it needs either Next or End.', machine({ Type: 'Pass' })],
    ['a Wait needs either Seconds or Timestamp.', machine({ Type: 'Wait', End: true })],
    [
      'Seconds must be a whole number from 0 to 99999999, not 1.5.',
      machine({ Type: 'Wait', Seconds: 1.5, End: true }),
    ],
    [
      'HeartbeatSeconds must be smaller than TimeoutSeconds.',
      machine({ ...task(FUNCTION), TimeoutSeconds: 5, HeartbeatSeconds: 5 }),
    ],
    [
      'States.ALL must stand alone, in the last retrier.',
      machine(retrying({ ErrorEquals: ['A', 'States.ALL'] })),
    ],
    ['"states" cannot be the name of a variable.', machine({ ...end, Assign: { states: 1 } })],
    [
      "the JSONata expression '1 +' is invalid: Unexpected end of expression",
      machine({ ...end, Output: ['{% 1 + %}'] }),
    ],
    ['the name is used twice.', machine(map({}, { StartAt: 'Two', States: { Two: end } }))],
    [
      'it assigns "lead", a variable of an outer scope.',
      machine({
        Type: 'Parallel',
        Assign: { lead: 1 },
        Branches: [{ StartAt: 'Inner', States: { Inner: { ...end, Assign: { lead: 2 } } } }],
        End: true,
      }),
    ],
  ])('%s', (problem, definition) => {
    expect(() => parseDefinition(definition)).toThrow(InvalidDefinition);
    expect(() => parseDefinition(definition)).toThrow(problem);
  });

  it('also as JSON text', () => {
    expect(() => parseDefinition('[]')).toThrow('the definition is not a JSON object.');
    expect(parseDefinition(JSON.stringify(machine(end)))).toEqual(machine(end));
  });
});

function task(resource: string): object {
  return { Type: 'Task', Resource: resource, End: true };
}

function retrying(retrier: object): object {
  return { ...task(FUNCTION), Retry: [retrier] };
}

function refusalOf(definition: object): UnsupportedFeature | undefined {
  try {
    parseDefinition(definition);
    return undefined;
  } catch (thrown) {
    return thrown as UnsupportedFeature;
  }
}
