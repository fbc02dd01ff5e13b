import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { NO_MAP } from '../../../cli/leads/column-map.ts';
import { openLeadFile } from '../../../cli/leads/lead-file.ts';
import { isRefusal } from '../../../cli/leads/rows.ts';
import { type LargeCsv, writeLargeCsv } from './large-csv.ts';
import { runHandoff } from './run-handoff.ts';

const ROWS = 100_000;
const MB = 1024 * 1024;

let directory: string;
let path: string;
let written: LargeCsv;

beforeAll(async () => {
  directory = mkdtempSync(join(tmpdir(), 'handoff-large-'));
  path = join(directory, 'large.csv');
  written = await writeLargeCsv(path, ROWS);
});

afterAll(() => rmSync(directory, { recursive: true, force: true }));

async function* nothing(): AsyncIterable<Uint8Array> {}

/** What is in use after everything that is not has been given back, in bytes. */
function memoryInUse(): { heap: number; numbers: number } {
  setFlagsFromString('--expose-gc');
  const collect = runInNewContext('gc') as () => void;
  collect();
  collect();
  const { heapUsed, arrayBuffers } = process.memoryUsage();
  return { heap: heapUsed, numbers: arrayBuffers };
}

it('reads and validates them with memory that does not grow with them', async () => {
  const file = await openLeadFile(path, nothing(), NO_MAP);
  const inUse: { heap: number; numbers: number }[] = [];
  const badLines: number[] = [];
  let good = 0;
  for await (const row of file.rows()) {
    if (isRefusal(row)) badLines.push(row.line);
    else good += 1;
    if ((good + badLines.length) % 10_000 === 0) inUse.push(memoryInUse());
  }

  expect(good).toBe(written.goodIds.length);
  expect(badLines).toEqual(written.badLines);
  expect(inUse).toHaveLength(10);
  const heaps = inUse.map(({ heap }) => heap / MB);
  const [first] = inUse;
  const last = inUse.at(-1);
  console.log(
    `heap after each 10,000 rows: ${heaps.map((heap) => heap.toFixed(1)).join(', ')} MB; ids seen: ${((last?.numbers ?? 0) / MB).toFixed(1)} MB`,
  );
  expect(Math.max(...heaps) - (heaps[0] ?? 0)).toBeLessThan(4);
  // The ids that were seen are kept as numbers: 32 bytes each, and as much again for free places.
  expect(((last?.numbers ?? 0) - (first?.numbers ?? 0)) / MB).toBeLessThan(24);
}, 240_000);

it('checks them in a process that has next to no memory', async () => {
  const { exitCode, stdout, stderr } = await runHandoff(['submit', path, '--dry-run'], {
    environment: { NODE_OPTIONS: '--max-old-space-size=48' },
  });

  expect(stdout).toBe(
    '100000 lead requests: 99000 valid, 1000 refused. This was a dry run: nothing was submitted.\n',
  );
  expect(stderr.split('\n').slice(0, 2)).toEqual([
    `line ${written.badLines[0]}: email: expected an email address.`,
    `line ${written.badLines[1]}: email: expected an email address.`,
  ]);
  expect(stderr).toContain(`\nAnd 980 more.\nEvery refused row is in ${path}.errors.ndjson.\n`);
  expect(exitCode).toBe(1);
}, 240_000);
