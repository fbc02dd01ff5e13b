import type { Exchange } from './recorder.ts';

/** What a request asks for, whatever the order of its parts and however it writes its lists. */
export function meaningOf({ method, path, query, body }: Exchange) {
  const parameters: Record<string, string[]> = {};
  for (const name of new Set(query.keys())) {
    parameters[name] = query
      .getAll(name)
      .flatMap((value) => value.split(','))
      .sort();
  }
  return {
    method,
    path: decodeURIComponent(path),
    parameters,
    body: body === '' ? null : (JSON.parse(body) as unknown),
  };
}

/** The meanings of a recording whose first half our adapters asked and whose second half the vendor's client. */
export function halves(exchanges: readonly Exchange[]) {
  const { length } = exchanges;
  if (length === 0 || length % 2 === 1) throw new Error(`${length} requests have no two equal halves.`);
  const meanings = exchanges.map(meaningOf);
  return [meanings.slice(0, length / 2), meanings.slice(length / 2)] as const;
}
