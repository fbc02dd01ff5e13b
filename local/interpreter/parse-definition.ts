import jsonata from 'jsonata';
import type { StateMachineDefinition } from './definition.ts';
import { InvalidDefinition, UnsupportedFeature } from './errors.ts';
import { expressionText, isExpression } from './expressions.ts';
import { isObject, type Json, type JsonObject } from './json.ts';
import { refuseUnknownFields, refuseUnknownType } from './known-fields.ts';
import { parseResource } from './resources.ts';

/** Longest state name, in characters. https://docs.aws.amazon.com/step-functions/latest/dg/service-quotas.html */
const LONGEST_NAME = 80;
const VARIABLE_NAME = /^[\p{L}_][\p{L}\p{N}_]*$/u;

export interface ParseOptions {
  /** Integrations beyond Lambda and SQS that the engine's TaskRunner knows, such as `events:putEvents`. */
  integrations?: readonly string[];
}

/**
 * Validates a state machine written in the Amazon States Language with JSONata.
 * What is not known is refused, field by field, before anything runs.
 * @throws UnsupportedFeature naming the state and the feature: JSONPath, distributed Map, unknown state types,
 * fields and Resources
 * @throws InvalidDefinition for what AWS refuses at creation too
 */
export function parseDefinition(asl: string | object, options: ParseOptions = {}): StateMachineDefinition {
  const definition = (typeof asl === 'string' ? JSON.parse(asl) : structuredClone(asl)) as Json;
  if (!isObject(definition)) throw new InvalidDefinition('the definition is not a JSON object.');
  const validator = new Validator(options.integrations ?? []);
  refuseUnknownFields('state machine', definition);
  wholeSeconds(definition, 'TimeoutSeconds', 1);
  validator.states(definition, {
    language: definition.QueryLanguage ?? 'JSONPath',
    outerVariables: new Set(),
  });
  return definition as unknown as StateMachineDefinition;
}

interface Surroundings {
  language: Json;
  /** Variables assigned in the scopes around; an inner scope may read but not assign them. */
  outerVariables: ReadonlySet<string>;
}

class Validator {
  readonly #integrations: readonly string[];
  readonly #names = new Set<string>();

  constructor(integrations: readonly string[]) {
    this.#integrations = integrations;
  }

  states(definition: JsonObject, around: Surroundings, owner?: string): void {
    const { StartAt, States } = definition;
    if (!isObject(States) || Object.keys(States).length === 0)
      throw new InvalidDefinition('there are no States.', owner);
    const own = new Set<string>();
    for (const [name, state] of Object.entries(States)) {
      if (!isObject(state)) throw new InvalidDefinition('the state is not a JSON object.', name);
      refuseJsonPath(state, around.language, name);
      for (const variable of assignedVariables(state, name)) own.add(variable);
    }
    for (const variable of own) {
      if (around.outerVariables.has(variable)) {
        throw new InvalidDefinition(`it assigns "${variable}", a variable of an outer scope.`, owner);
      }
    }
    const inner = { language: around.language, outerVariables: new Set([...around.outerVariables, ...own]) };
    for (const [name, state] of Object.entries(States)) this.#state(name, state as JsonObject, States, inner);
    target(StartAt, States, 'StartAt', owner);
  }

  #state(name: string, state: JsonObject, siblings: JsonObject, inner: Surroundings): void {
    if (name.length > LONGEST_NAME)
      throw new InvalidDefinition(`the name is longer than ${LONGEST_NAME} characters.`, name);
    if (this.#names.has(name)) throw new InvalidDefinition('the name is used twice.', name);
    this.#names.add(name);
    refuseUnknownType(state.Type, name);
    refuseUnknownFields(state.Type as 'Pass', state, name);
    checkExpressions(state, name);
    checkTransition(state, siblings, name);
    checkErrorHandling(state, siblings, name);
    if (state.Type === 'Task') this.#task(state, name);
    if (state.Type === 'Choice') checkChoices(state, siblings, name);
    if (state.Type === 'Wait') checkWait(state, name);
    if (state.Type === 'Parallel') this.#parallel(state, name, inner);
    if (state.Type === 'Map') this.#map(state, name, inner);
  }

  #task(state: JsonObject, name: string): void {
    if (typeof state.Resource !== 'string') throw new InvalidDefinition('a Task needs a Resource.', name);
    parseResource(state.Resource, this.#integrations, name);
    wholeSeconds(state, 'TimeoutSeconds', 1, name);
    wholeSeconds(state, 'HeartbeatSeconds', 1, name);
    const { TimeoutSeconds: timeout, HeartbeatSeconds: heartbeat } = state;
    if (typeof timeout === 'number' && typeof heartbeat === 'number' && heartbeat >= timeout) {
      throw new InvalidDefinition('HeartbeatSeconds must be smaller than TimeoutSeconds.', name);
    }
  }

  #parallel(state: JsonObject, name: string, inner: Surroundings): void {
    if (!Array.isArray(state.Branches) || state.Branches.length === 0) {
      throw new InvalidDefinition('a Parallel needs Branches.', name);
    }
    for (const branch of state.Branches) {
      if (!isObject(branch)) throw new InvalidDefinition('a branch is not a JSON object.', name);
      refuseUnknownFields('branch', branch, name);
      this.states(branch, inner, name);
    }
  }

  #map(state: JsonObject, name: string, inner: Surroundings): void {
    const processor = state.ItemProcessor;
    if (!isObject(processor)) throw new InvalidDefinition('a Map needs an ItemProcessor.', name);
    refuseUnknownFields('item processor', processor, name);
    const config = processor.ProcessorConfig;
    if (config !== undefined && (!isObject(config) || (config.Mode ?? 'INLINE') !== 'INLINE')) {
      throw new UnsupportedFeature('a distributed Map (ProcessorConfig)', name);
    }
    if (isObject(state.Items)) throw new UnsupportedFeature('an object as Items of a Map', name);
    this.states(processor, inner, name);
  }
}

function refuseJsonPath(state: JsonObject, language: Json, name: string): void {
  const own = state.QueryLanguage ?? language;
  if (own !== 'JSONata') throw new UnsupportedFeature('the JSONPath query language', name);
}

function checkTransition(state: JsonObject, siblings: JsonObject, name: string): void {
  if (['Choice', 'Succeed', 'Fail'].includes(String(state.Type))) return;
  if ((state.Next === undefined) === (state.End === undefined)) {
    throw new InvalidDefinition('it needs either Next or End.', name);
  }
  if (state.Next !== undefined) target(state.Next, siblings, 'Next', name);
  else if (state.End !== true) throw new InvalidDefinition('End must be true.', name);
}

function checkChoices(state: JsonObject, siblings: JsonObject, name: string): void {
  if (!Array.isArray(state.Choices) || state.Choices.length === 0) {
    throw new InvalidDefinition('a Choice needs Choices.', name);
  }
  for (const rule of state.Choices) {
    if (!isObject(rule)) throw new InvalidDefinition('a choice rule is not a JSON object.', name);
    refuseUnknownFields('choice rule', rule, name);
    if (typeof rule.Condition !== 'boolean' && !isExpression(rule.Condition)) {
      throw new InvalidDefinition('a Condition must be a boolean or a JSONata expression.', name);
    }
    target(rule.Next, siblings, 'Next', name);
  }
  if (state.Default !== undefined) target(state.Default, siblings, 'Default', name);
}

function checkWait(state: JsonObject, name: string): void {
  if ((state.Seconds === undefined) === (state.Timestamp === undefined)) {
    throw new InvalidDefinition('a Wait needs either Seconds or Timestamp.', name);
  }
  wholeSeconds(state, 'Seconds', 0, name);
}

function checkErrorHandling(state: JsonObject, siblings: JsonObject, name: string): void {
  const { Retry = [], Catch = [] } = state;
  if (!Array.isArray(Retry) || !Array.isArray(Catch))
    throw new InvalidDefinition('Retry and Catch are arrays.', name);
  for (const [index, retrier] of Retry.entries()) {
    checkErrorEquals('retrier', retrier, index === Retry.length - 1, name);
    const { JitterStrategy = 'NONE' } = retrier as JsonObject;
    if (JitterStrategy !== 'FULL' && JitterStrategy !== 'NONE') {
      throw new UnsupportedFeature(`the JitterStrategy "${JitterStrategy}"`, name);
    }
  }
  for (const [index, catcher] of Catch.entries()) {
    checkErrorEquals('catcher', catcher, index === Catch.length - 1, name);
    target((catcher as JsonObject).Next, siblings, 'Next of a Catch', name);
  }
}

function checkErrorEquals(part: 'retrier' | 'catcher', value: Json, isLast: boolean, name: string): void {
  if (!isObject(value)) throw new InvalidDefinition(`a ${part} is not a JSON object.`, name);
  refuseUnknownFields(part, value, name);
  const errors = value.ErrorEquals;
  if (!Array.isArray(errors) || errors.length === 0)
    throw new InvalidDefinition(`a ${part} needs ErrorEquals.`, name);
  if (errors.includes('States.ALL') && (errors.length > 1 || !isLast)) {
    throw new InvalidDefinition(`States.ALL must stand alone, in the last ${part}.`, name);
  }
}

function target(name: Json | undefined, siblings: JsonObject, field: string, owner?: string): void {
  if (typeof name !== 'string' || !Object.hasOwn(siblings, name)) {
    throw new InvalidDefinition(
      `${field} names the state ${JSON.stringify(name)}, which is not there.`,
      owner,
    );
  }
}

/** Refuses a literal that is not a whole number of seconds; AWS's largest is 99,999,999. */
function wholeSeconds(fields: JsonObject, field: string, least: number, name?: string): void {
  const value = fields[field];
  if (value === undefined || isExpression(value)) return;
  if (Number.isInteger(value) && (value as number) >= least && (value as number) <= 99_999_999) return;
  throw new InvalidDefinition(
    `${field} must be a whole number from ${least} to 99999999, not ${JSON.stringify(value)}.`,
    name,
  );
}

/** Names that the state assigns, in its own Assign, its choice rules and its catchers. */
function assignedVariables(state: JsonObject, name: string): string[] {
  const rules = [state.Choices, state.Catch].flatMap((list) => (Array.isArray(list) ? list : []));
  return [state, ...rules].filter(isObject).flatMap(({ Assign }) => {
    if (Assign === undefined) return [];
    if (!isObject(Assign)) throw new InvalidDefinition('Assign must be a JSON object.', name);
    for (const variable of Object.keys(Assign)) {
      if (variable === 'states' || variable.length > LONGEST_NAME || !VARIABLE_NAME.test(variable)) {
        throw new InvalidDefinition(`"${variable}" cannot be the name of a variable.`, name);
      }
    }
    return Object.keys(Assign);
  });
}

/** Parses every expression of the state itself, so that a typing mistake is found before anything runs. */
function checkExpressions(state: JsonObject, name: string): void {
  const { Branches: _branches, ItemProcessor: _processor, Comment: _comment, ...own } = state;
  for (const text of expressionsIn(own)) {
    try {
      jsonata(text);
    } catch (thrown) {
      throw new InvalidDefinition(
        `the JSONata expression '${text}' is invalid: ${(thrown as Error).message}`,
        name,
      );
    }
  }
}

function expressionsIn(template: Json): string[] {
  if (isExpression(template)) return [expressionText(template)];
  if (typeof template !== 'object' || template === null) return [];
  return Object.values(template).flatMap(expressionsIn);
}
