import jsonata from 'jsonata';

/** Evaluates as Step Functions does; an undefined result fails an execution there and so fails here. */
export async function evaluate(expression: unknown, $states: object): Promise<unknown> {
  if (typeof expression !== 'string') return expression;
  const code = /^\{% (.*) %\}$/s.exec(expression)?.[1];
  if (code === undefined) return expression;
  const result = await jsonata(code).evaluate(undefined, { states: $states });
  if (result === undefined) throw new Error(`${expression} is undefined`);
  return JSON.parse(JSON.stringify(result));
}
