import { describe, expect, test } from 'vitest';
import { buildBundles } from '../../lib/constructs/function-bundles.ts';
import { ENTRIES, SANDBOX_ENTRY } from '../../lib/handoff-stack.ts';

const { bundles, metafile } = buildBundles([...ENTRIES, SANDBOX_ENTRY]);

/** Our own files that a bundle is made of. */
function sourcesOf(entry: string): string[] {
  const output = Object.values(metafile.outputs).find(({ entryPoint }) => entryPoint === entry);
  const sources = Object.keys(output?.inputs ?? {}).filter((path) => !path.startsWith('node_modules/'));
  if (!sources.includes(entry)) throw new Error(`${entry} is no bundle.`);
  return sources;
}

test.each([...ENTRIES, SANDBOX_ENTRY])('%s stays within 650 kB', (entry) => {
  expect(bundles.get(entry)?.length).toBeLessThanOrEqual(650_000);
});

describe('I9: readers cannot write', () => {
  const readers = ENTRIES.filter((entry) => entry.startsWith('functions/reconcile/'));

  test('there is a reader for each action', () => {
    expect(readers).toEqual([
      'functions/reconcile/upsert-contact.ts',
      'functions/reconcile/assign-owner.ts',
      'functions/reconcile/create-task.ts',
      'functions/reconcile/send-introduction.ts',
    ]);
  });

  test.each(readers)('%s holds no module that writes', (entry) => {
    const writing = sourcesOf(entry).filter(
      (path) => /(^|[/-])(writer|sender)s?\.ts$/.test(path) || path.startsWith('functions/actions/'),
    );
    expect(writing).toEqual([]);
  });

  test('the rule knows a writer when it sees one', () => {
    const writers = sourcesOf('functions/actions/send-introduction.ts').filter((path) =>
      /(^|[/-])(writer|sender)s?\.ts$/.test(path),
    );
    expect(writers).not.toEqual([]);
  });
});
