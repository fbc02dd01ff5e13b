import * as v from 'valibot';

/** A text as JSON, or undefined where it is none. */
export function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** A text as JSON of the given shape, or undefined where it is not. */
export function parsed<T>(schema: v.GenericSchema<unknown, T>, text: string): T | undefined {
  const result = v.safeParse(schema, jsonOf(text));
  return result.success ? result.output : undefined;
}
