import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import * as v from 'valibot';

const runSchema = v.object({
  /** ISO time. */
  at: v.string(),
  leads: v.number(),
  machine: v.object({ node: v.string(), cpus: v.number(), load: v.number() }),
  values: v.record(v.string(), v.number()),
});

/** One run of the benchmark, as it is kept. */
export type Run = v.InferOutput<typeof runSchema>;

/** The newest run in the directory; null where there is none that can be read. */
export function lastRun(directory: string): Run | null {
  for (const file of filesIn(directory).sort().reverse()) {
    const run = v.safeParse(runSchema, jsonOf(readFileSync(join(directory, file), 'utf8')));
    if (run.success) return run.output;
  }
  return null;
}

/** Keeps a run under its time and returns the file's path. */
export function keepRun(directory: string, run: Run): string {
  mkdirSync(directory, { recursive: true });
  const file = join(directory, `${run.at.replaceAll(':', '-')}.json`);
  writeFileSync(file, `${JSON.stringify(run, null, 2)}\n`);
  return file;
}

function filesIn(directory: string): string[] {
  try {
    return readdirSync(directory).filter((file) => file.endsWith('.json'));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return [];
    throw error;
  }
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
