import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';

const PAGES = ['README.md', 'docs/local.md', 'examples/leads.ndjson'];
const LEAD = /"leadRequestId": ?"([\w-]+)", ?"email": ?"([^"]+)"/g;

/** Every lead request that the pages say to hand in: its id and its address. */
const drills = PAGES.flatMap((page) => {
  const text = readFileSync(new URL(`../../../${page}`, import.meta.url), 'utf8');
  return [...text.matchAll(LEAD)].map(([, id = '', email = '']) => ({
    page,
    id,
    email: email.toLowerCase(),
  }));
});

test('no two drills share an address: the second one would be held, because the same person has another', () => {
  expect(drills.length).toBeGreaterThan(7);
  for (const { id, email } of drills) {
    const ids = new Set(drills.filter((other) => other.email === email).map((other) => other.id));
    expect([...ids], email).toEqual([id]);
  }
});

test('no two drills share an id', () => {
  const ids = drills.map(({ id }) => id);

  expect(ids).toEqual([...new Set(ids)]);
});
