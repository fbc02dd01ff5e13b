import { isObject, type Json, type JsonObject } from '../../local/interpreter/json.ts';

/**
 * Rewrites a simple JSONPath definition in JSONata, meaning the same, so that a recording of it can hold the
 * interpreter to what AWS did around the expressions: events, retries, timeouts, tokens, branches.
 */
export function translated(definition: JsonObject): JsonObject {
  const { QueryLanguage: _language, ...machine } = states(definition);
  return { ...machine, QueryLanguage: 'JSONata' };
}

function states(definition: JsonObject): JsonObject {
  const all = Object.entries(definition.States as JsonObject).map(([name, value]) => [
    name,
    state(value as JsonObject),
  ]);
  return { ...definition, States: Object.fromEntries(all) };
}

function state({ QueryLanguage: _language, ...original }: JsonObject): JsonObject {
  const renamed: JsonObject = {};
  for (const [field, value] of Object.entries(original)) {
    if (field === 'Parameters') renamed.Arguments = template(value);
    else if (field === 'Result') renamed.Output = value;
    else if (field === 'Assign') renamed.Assign = template(value);
    else if (field === 'InputPath' || field === 'ItemsPath') renamed.Items = expression(value);
    else if (field === 'OutputPath') renamed.Output = expression(value);
    else if (field.endsWith('Path') && field !== 'ResultPath')
      renamed[field.slice(0, -4)] = expression(value);
    else if (field === 'Branches') renamed.Branches = (value as JsonObject[]).map(states);
    else if (field === 'ItemProcessor') renamed.ItemProcessor = states(value as JsonObject);
    else renamed[field] = value;
  }
  return renamed;
}

function template(value: Json): Json {
  if (Array.isArray(value)) return value.map(template);
  if (!isObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, inner]) =>
      key.endsWith('.$') ? [key.slice(0, -2), expression(inner)] : [key, template(inner)],
    ),
  );
}

/** `$$.a` is the context object, `$.a` the input, `$a` a variable. */
function expression(path: Json): string {
  const text = String(path);
  if (text.startsWith('$$')) return `{% $states.context${text.slice(2)} %}`;
  return /^\$\w/.test(text) ? `{% ${text} %}` : `{% $states.input${text.slice(1)} %}`;
}
