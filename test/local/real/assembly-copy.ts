import { mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { inject } from 'vitest';
import { SANDBOX_ELSEWHERE } from './one-synthesis.ts';

/** Much more than a synthesis takes on a busy machine, and less than a hook may take. */
const SYNTHESIS_LIMIT_MS = 100_000;

export interface AssemblyCopy {
  readonly directory: string;
  remove(): void;
}

/** Stage `local`, synthesized once for the whole run of tests, in a directory of its own and with this sandbox. */
export async function assemblyWith(sandboxUrl: string): Promise<AssemblyCopy> {
  const synthesized = await synthesizedOnce();
  const directory = mkdtempSync(join(tmpdir(), 'lead-handoff-assembly-'));
  let templates = 0;
  for (const entry of readdirSync(synthesized)) {
    const from = join(synthesized, entry);
    const to = join(directory, entry);
    if (!entry.endsWith('.template.json')) {
      symlinkSync(from, to);
      continue;
    }
    const template = readFileSync(from, 'utf8');
    if (template.includes(SANDBOX_ELSEWHERE)) templates += 1;
    writeFileSync(to, template.replaceAll(SANDBOX_ELSEWHERE, sandboxUrl));
  }
  const remove = () => rmSync(directory, { recursive: true, force: true });
  if (templates > 0) return { directory, remove };
  remove();
  throw new Error(
    `No template in ${synthesized} names ${SANDBOX_ELSEWHERE}, so no sandbox can take its place.`,
  );
}

async function synthesizedOnce(): Promise<string> {
  const service = inject('assemblyService');
  if (service === undefined) throw new Error('vitest runs without the global set-up of vitest.config.ts.');
  const response = await fetch(service, { signal: AbortSignal.timeout(SYNTHESIS_LIMIT_MS) }).catch(
    (cause) => {
      const seconds = SYNTHESIS_LIMIT_MS / 1_000;
      throw new Error(`The global set-up gave no assembly of stage local within ${seconds} seconds.`, {
        cause,
      });
    },
  );
  const answer = await response.text();
  if (!response.ok) throw new Error(answer);
  return answer;
}
