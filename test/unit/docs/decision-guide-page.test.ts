import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { decisionGuidePage } from '../../../docs/decision-guide.ts';

test('docs/decision-guide.md is what the code prints', () => {
  const page = readFileSync(new URL('../../../docs/decision-guide.md', import.meta.url), 'utf8');
  expect(page, 'run `npm run docs`').toBe(decisionGuidePage());
});
