/**
 * The results of some work on each item, in the order of the items, a few at a time. What has begun is finished, also where the items
 * end in an error.
 *
 * @param work must not reject
 * @throws what the items throw, after the results of those before
 */
export async function* inOrder<T, R>(
  items: AsyncIterable<T>,
  atOnce: number,
  work: (item: T) => Promise<R>,
): AsyncGenerator<R> {
  const begun: Promise<R>[] = [];
  let failure: { readonly error: unknown } | null = null;
  try {
    for await (const item of items) {
      begun.push(work(item));
      if (begun.length >= atOnce) yield (await begun.shift()) as R;
    }
  } catch (error) {
    failure = { error };
  }
  for (const result of begun) yield await result;
  if (failure !== null) throw failure.error;
}
