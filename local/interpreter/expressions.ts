import jsonata from 'jsonata';
import type { Clock } from './clock.ts';
import { UnsupportedFeature } from './errors.ts';
import { isObject, type Json, type JsonObject, jsonType } from './json.ts';
import { awsFunctions } from './jsonata-functions.ts';

/** An expression failed; `message` is AWS's sentence about it and `location` the field that holds it. */
export class QueryFailed extends Error {
  override readonly name = 'QueryFailed';
  readonly location: string;

  constructor(message: string, location: string) {
    super(message);
    this.location = location;
  }
}

/** What an expression may read: `$states` and the variables in scope. */
export interface Bindings {
  states: JsonObject;
  variables: JsonObject;
}

/** Evaluation steps after which an expression is taken to be endless; this takes about a second. */
const MOST_STEPS = 500_000;

/** True for a string that is a JSONata expression: it starts with `{%` and ends with `%}`, without blanks around. */
export function isExpression(value: unknown): value is string {
  return typeof value === 'string' && value.length >= 4 && value.startsWith('{%') && value.endsWith('%}');
}

/** The JSONata text inside `{% %}`. */
export function expressionText(value: string): string {
  return value.slice(2, -2).trim();
}

/**
 * Evaluates JSONata as Step Functions does: every `{% %}` string of a template, at any depth, each on its own.
 * An expression that returns nothing, or something that JSON does not have, is an error.
 * https://docs.aws.amazon.com/step-functions/latest/dg/transforming-data.html
 */
export class Expressions {
  readonly #functions: Record<string, unknown>;

  constructor(sources: { clock: Clock; ids: () => string }) {
    this.#functions = awsFunctions(sources);
  }

  /**
   * The template with its expressions replaced by their values.
   * @param field where the template stands, as AWS names it in error texts, such as `Output` or `Choices[0]/Condition`
   * @throws QueryFailed
   */
  async evaluate(template: Json, field: string, bindings: Bindings): Promise<Json> {
    if (isExpression(template)) return await this.#expression(expressionText(template), field, bindings);
    if (Array.isArray(template)) {
      const values: Json[] = [];
      for (const [index, element] of template.entries()) {
        values.push(await this.evaluate(element, `${field}[${index}]`, bindings));
      }
      return values;
    }
    if (!isObject(template)) return template;
    const values: JsonObject = {};
    for (const [key, value] of Object.entries(template)) {
      values[key] = await this.evaluate(value, `${field}/${key}`, bindings);
    }
    return values;
  }

  /**
   * Like `evaluate`, and the value must be of the JSON type (as AWS names it).
   * @throws QueryFailed
   */
  async evaluateAs(type: string, template: Json, field: string, bindings: Bindings): Promise<Json> {
    const value = await this.evaluate(template, field, bindings);
    if (jsonType(value) === type) return value;
    throw new QueryFailed(
      `${subject(template, field)} returned an unexpected result type. Expected '${type}', but was '${jsonType(value)}' for value: ${JSON.stringify(value)}`,
      field,
    );
  }

  async #expression(text: string, field: string, { states, variables }: Bindings): Promise<Json> {
    let value: unknown;
    try {
      value = await bounded(jsonata(text)).evaluate(undefined, { ...this.#functions, ...variables, states });
    } catch (thrown) {
      if (thrown instanceof UnsupportedFeature) throw thrown;
      throw new QueryFailed(
        `${sentence(text, field)} threw an error during evaluation${describe(thrown)}`,
        field,
      );
    }
    if (value === undefined)
      throw new QueryFailed(`${sentence(text, field)} returned nothing (undefined).`, field);
    if (!isJson(value))
      throw new QueryFailed(`${sentence(text, field)} returned an unsupported result type.`, field);
    return JSON.parse(JSON.stringify(value)) as Json;
  }
}

/** Makes the expression fail after too many steps, as AWS fails one that never ends. */
function bounded(expression: jsonata.Expression): jsonata.Expression {
  let steps = 0;
  const count = () => {
    steps += 1;
    if (steps > MOST_STEPS) throw new Error('Expression evaluation timeout: Check for infinite loop');
  };
  // jsonata looks for this callback before each step; its types know string names only.
  expression.assign(Symbol.for('jsonata.__evaluate_entry') as unknown as string, count);
  return expression;
}

function sentence(text: string, field: string): string {
  return `The JSONata expression '${text}' specified for the field '${field}'`;
}

function subject(template: Json, field: string): string {
  return isExpression(template) ? sentence(expressionText(template), field) : `The field '${field}'`;
}

/** AWS ends the sentence with `. CODE: message` for JSONata's own errors and with `: message` for others. */
function describe(thrown: unknown): string {
  const { code, message } = thrown as { code?: string; message?: string };
  return code === undefined ? `: ${message ?? String(thrown)}` : `. ${code}: ${message}`;
}

function isJson(value: unknown): boolean {
  if (value === null || typeof value === 'string' || typeof value === 'boolean') return true;
  if (typeof value === 'number') return Number.isFinite(value);
  if (Array.isArray(value)) return value.every(isJson);
  if (typeof value !== 'object') return false;
  if ('_jsonata_lambda' in value || '_jsonata_function' in value) return false;
  return Object.values(value).every((inner) => inner === undefined || isJson(inner));
}
