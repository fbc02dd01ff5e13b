import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { endRunningCheck, runCheck } from './check.ts';
import { HELP, readFlags, WrongUsage } from './flags.ts';
import { type Mutant, mutated, StaleMutant } from './mutant.ts';
import { MUTANTS } from './mutants/all.ts';
import { editOf, type MutantResult, tableOf, type Verdict } from './report.ts';
import { copyTree } from './tree.ts';

const say = (line: string) => process.stderr.write(`${line}\n`);

async function main(): Promise<number> {
  const { only, committed, json, list, help } = readFlags(process.argv.slice(2));
  if (help) {
    process.stdout.write(HELP);
    return 0;
  }
  const chosen = chosenOf(only);
  if (list) {
    for (const { id, protects } of chosen) process.stdout.write(`${id}  ${protects}\n`);
    return 0;
  }
  const tree = copyTree({ committed });
  const tidy = () => {
    endRunningCheck();
    tree.remove();
  };
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    process.once(signal, () => {
      tidy();
      process.exit(130);
    });
  }
  try {
    if (!(await unchangedPasses(tree.path, chosen))) return 1;
    const results: MutantResult[] = [];
    for (const mutant of chosen) results.push(await tried(tree.path, mutant));
    process.stdout.write(`${json ? JSON.stringify(results, null, 2) : tableOf(results)}\n`);
    const missed = results.filter(({ verdict }) => verdict !== 'caught');
    say(`${results.length - missed.length} of ${results.length} caught.`);
    for (const { id, verdict } of missed) say(`  ${verdict}: ${id}`);
    return missed.length === 0 ? 0 : 1;
  } finally {
    tidy();
  }
}

/** @throws WrongUsage for an id that nobody has. */
function chosenOf(only: readonly string[]): readonly Mutant[] {
  const stranger = only.find((start) => !MUTANTS.some(({ id }) => id.startsWith(start)));
  if (stranger !== undefined) throw new WrongUsage(`There is no mutant ${stranger}; --list names them.`);
  return only.length === 0 ? MUTANTS : MUTANTS.filter(({ id }) => only.some((start) => id.startsWith(start)));
}

/** A test that fails by itself, or that does not exist, would catch anything. */
async function unchangedPasses(tree: string, mutants: readonly Mutant[]): Promise<boolean> {
  const tests = [...new Set(mutants.map(({ caughtBy }) => caughtBy.test))];
  say(`Running the ${tests.length} test files of ${mutants.length} mutants on the code as it is …`);
  const result = await runCheck(tree, { tests });
  if (result.kind !== 'passed') {
    say(result.kind === 'failed' ? `It fails: ${result.firstFailure}` : `It cannot be judged: ${result.why}`);
    return false;
  }
  const nameless = mutants.filter(
    ({ caughtBy: { name } }) => name !== undefined && !result.passed.some((full) => full.includes(name)),
  );
  for (const { id, caughtBy } of nameless) say(`${id}: no test is called “${caughtBy.name}”.`);
  return nameless.length === 0;
}

async function tried(tree: string, mutant: Mutant): Promise<MutantResult> {
  const { id, protects, caughtBy } = mutant;
  const startedAt = performance.now();
  const done = (verdict: Verdict, by: string): MutantResult => {
    const seconds = (performance.now() - startedAt) / 1000;
    say(`${verdict.padEnd(8)} ${id} (${seconds.toFixed(0)} s)`);
    return { id, protects, edit: editOf(mutant), verdict, by, seconds };
  };
  const path = join(tree, mutant.file);
  const source = readFileSync(path, 'utf8');
  try {
    writeFileSync(path, mutated(source, mutant));
    const result = await runCheck(tree, { tests: [caughtBy.test], name: caughtBy.name });
    if (result.kind === 'failed') return done('caught', result.firstFailure);
    return result.kind === 'passed' ? done('survived', caughtBy.test) : done('broken', result.why);
  } catch (error) {
    if (error instanceof StaleMutant) return done('stale', error.message);
    throw error;
  } finally {
    writeFileSync(path, source);
  }
}

try {
  process.exitCode = await main();
} catch (error) {
  if (!(error instanceof WrongUsage)) throw error;
  say(error.message);
  process.exitCode = 2;
}
