import { execFileSync } from 'node:child_process';
import { cpSync, existsSync, mkdtempSync, realpathSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const MOST_BYTES = 256 * 1024 * 1024;

/** A copy of the working tree that may be changed at will. */
export interface Tree {
  readonly path: string;
  remove(): void;
}

/**
 * Copies what git knows or would add, so that the copy holds what is being worked on and nothing that is ignored, or else what was
 * committed last; the packages are linked. The working tree itself is never touched.
 */
export function copyTree({ committed }: { committed: boolean }): Tree {
  const path = mkdtempSync(join(realpathSync(tmpdir()), 'lead-handoff-mutation-'));
  if (committed) {
    const archive = execFileSync('git', ['archive', 'HEAD'], { cwd: ROOT, maxBuffer: MOST_BYTES });
    execFileSync('tar', ['-x', '-C', path], { input: archive });
  } else {
    for (const file of workedOn()) cpSync(join(ROOT, file), join(path, file));
  }
  symlinkSync(join(ROOT, 'node_modules'), join(path, 'node_modules'));
  return { path, remove: () => rmSync(path, { recursive: true, force: true }) };
}

function workedOn(): Set<string> {
  const listed = execFileSync('git', ['ls-files', '-z', '--cached', '--others', '--exclude-standard'], {
    cwd: ROOT,
    encoding: 'utf8',
    maxBuffer: MOST_BYTES,
  });
  return new Set(listed.split('\0').filter((file) => file !== '' && existsSync(join(ROOT, file))));
}
