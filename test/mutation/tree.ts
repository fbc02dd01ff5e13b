import { execFileSync } from 'node:child_process';
import { cpSync, existsSync, mkdtempSync, realpathSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));

/** A copy of the working tree that may be changed at will. */
export interface Tree {
  readonly path: string;
  remove(): void;
}

/**
 * Copies what git knows or would add, so that the copy holds what is being worked on and nothing that is ignored; the packages are
 * linked. The working tree itself is never touched.
 */
export function copyTree(): Tree {
  const listed = execFileSync('git', ['ls-files', '-z', '--cached', '--others', '--exclude-standard'], {
    cwd: ROOT,
    encoding: 'utf8',
    maxBuffer: 64 * 1024 * 1024,
  });
  const path = mkdtempSync(join(realpathSync(tmpdir()), 'lead-handoff-mutation-'));
  const files = new Set(listed.split('\0').filter((file) => file !== '' && existsSync(join(ROOT, file))));
  for (const file of files) cpSync(join(ROOT, file), join(path, file));
  symlinkSync(join(ROOT, 'node_modules'), join(path, 'node_modules'));
  return { path, remove: () => rmSync(path, { recursive: true, force: true }) };
}
