/** The bare name of a function that is given by name, by ARN, partial ARN, or with a qualifier. */
export function functionNameOf(given: string): string {
  const parts = given.split(':');
  const at = parts.indexOf('function');
  return (at < 0 ? parts[0] : parts[at + 1]) ?? given;
}

export function functionArnOf(given: string): string {
  return `arn:aws:lambda:us-east-1:000000000000:function:${functionNameOf(given)}`;
}
