/** A function was deployed without something it needs; the message names the variable. */
export class MissingEnvironment extends Error {
  override readonly name = 'MissingEnvironment';
  constructor(variable: string) {
    super(`The environment variable ${variable} is not set.`);
  }
}

/** @throws MissingEnvironment */
export function environment(variable: string): string {
  const value = process.env[variable];
  if (value === undefined || value === '') throw new MissingEnvironment(variable);
  return value;
}
