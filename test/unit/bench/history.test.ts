import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { keepRun, lastRun } from '../../../local/bench-history.ts';
import { runAt } from './support.ts';

let directory: string;
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'bench-history-'));
});
afterEach(() => rmSync(directory, { recursive: true }));

describe('the last run', () => {
  it('is none before the first', () => {
    expect(lastRun(directory)).toBeNull();
    expect(lastRun(join(directory, 'not-there'))).toBeNull();
  });

  it('is the newest that was kept, whatever was kept after it', () => {
    const older = runAt('2026-01-05T12:00:00.000Z', { states: 6 });
    const newer = runAt('2026-01-05T12:00:01.000Z', { states: 7 });
    keepRun(join(directory, 'made'), newer);
    const file = keepRun(join(directory, 'made'), older);

    expect(lastRun(join(directory, 'made'))).toEqual(newer);
    expect(basename(file)).toBe('2026-01-05T12-00-00.000Z.json');
  });

  it('passes over files that are no runs', () => {
    const run = runAt('2026-01-05T12:00:00.000Z', { states: 6 });
    keepRun(directory, run);
    writeFileSync(join(directory, '2026-01-06.json'), '{"at":');
    writeFileSync(join(directory, '2026-01-07.json'), '{"at":"2026-01-07","leads":"many"}');
    writeFileSync(join(directory, '2026-01-08.txt'), '');

    expect(lastRun(directory)).toEqual(run);
  });
});
