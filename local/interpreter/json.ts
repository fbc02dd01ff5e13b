/** A JSON value, which is all that travels through a state machine. */
export type Json = null | boolean | number | string | Json[] | { [key: string]: Json };

export type JsonObject = { [key: string]: Json };

/** True for a JSON object (not null, not an array). */
export function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The name that AWS uses for the type of a JSON value in its error texts. */
export function jsonType(value: Json): string {
  if (value === null) return 'null';
  return Array.isArray(value) ? 'array' : typeof value;
}

/** Size in bytes of the value as JSON text in UTF-8, which is what AWS's limits count. */
export function jsonBytes(value: Json): number {
  return Buffer.byteLength(JSON.stringify(value), 'utf8');
}
