import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { sweepsIn } from '../../../local/chaos-sweeps.ts';

let dataDir: string;

beforeEach(() => {
  dataDir = mkdtempSync(join(tmpdir(), 'chaos-sweeps-'));
});
afterEach(() => rmSync(dataDir, { recursive: true }));

it('a sweep is one when its function says that the route was swept', () => {
  expect(sweepsIn(dataDir)).toEqual([]);
  const swept = {
    message: 'route swept',
    timestamp: '2026-03-02T10:01:00.000Z',
    looked: 7,
    left: 0,
    failed: 1,
  };
  const lines = [
    JSON.stringify({ ...swept, sweptRoute: 'website' }),
    JSON.stringify({ ...swept, sweptRoute: 'another' }),
    JSON.stringify({ message: 'handoff not swept', sweptRoute: 'website' }),
    'Something that is no entry of the log.',
    '',
  ];
  mkdirSync(join(dataDir, 'logs'));
  writeFileSync(join(dataDir, 'logs', 'lead-handoff-local-sweep.log'), lines.join('\n'));
  const at = Date.parse('2026-03-02T10:01:00.000Z');
  expect(sweepsIn(dataDir)).toEqual([{ at, looked: 7, left: 0, failed: 1 }]);
});
