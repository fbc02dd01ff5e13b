import { expect, it } from 'vitest';
import { WrongUsage } from '../../../cli/errors.ts';
import { parseSubmitOptions, type SubmitOptions } from '../../../cli/submission/options.ts';

it('has answers where nothing is said', () => {
  expect(parseSubmitOptions({})).toEqual({
    map: { fieldOf: new Map(), leavesOutOthers: false },
    atOnce: 8,
    errors: undefined,
    skipsInvalid: false,
    dryRun: false,
    json: false,
    approval: undefined,
  });
});

it('reads what is said', () => {
  const how = parseSubmitOptions({
    map: ['Mail=email', '*='],
    concurrency: '50',
    errors: 'x.ndjson',
    skipInvalid: true,
    approvedBy: ' Tomas Vega ',
    reason: 'misspelt',
    keptUnder: 'dead-1',
  });

  expect(how.map).toEqual({ fieldOf: new Map([['Mail', 'email']]), leavesOutOthers: true });
  expect(how).toMatchObject({ atOnce: 50, errors: 'x.ndjson', skipsInvalid: true });
  expect(how.approval).toEqual({ by: 'Tomas Vega', reason: 'misspelt', keptUnder: 'dead-1' });
});

const BOTH = 'Say who approves it and why: --approved-by WHO --reason WHY.';

it.each<[SubmitOptions, string]>([
  [{ approvedBy: 'Tomas Vega' }, BOTH],
  [{ reason: 'because' }, BOTH],
  [{ keptUnder: 'dead-1' }, BOTH],
  [{ approvedBy: 'Tomas Vega', reason: ' ' }, '--reason: expected why, in one line'],
  [{ approvedBy: '', reason: 'why' }, '--approved-by: expected the name or the email address'],
  [{ approvedBy: 'T', reason: 'why', keptUnder: 'a b' }, '--kept-under: expected 1 to 64 of the characters'],
  [{ concurrency: '0' }, '--concurrency: expected a number from 1 to 50.'],
  [{ concurrency: '51' }, '--concurrency: expected a number from 1 to 50.'],
  [{ concurrency: '1e1' }, '--concurrency: expected a number from 1 to 50.'],
  [{ map: ['email'] }, '--map: expected COLUMN=FIELD'],
])('%j is wrong usage', (options, sentence) => {
  expect(() => parseSubmitOptions(options)).toThrow(WrongUsage);
  expect(() => parseSubmitOptions(options)).toThrow(sentence);
});
