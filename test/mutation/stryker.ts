import { spawn } from 'node:child_process';
import { mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { copyTree } from './tree.ts';

const HERE = fileURLToPath(new URL('.', import.meta.url));
const KEPT = join(HERE, '.stryker');
const DOMAIN = 'functions/domain';

const HELP = `npm run stryker [-- FILE… --committed --force]

Runs Stryker on files of ${DOMAIN} (all of them, or those named: transition back-off …) in a copy of the tree, one file after
the other, with what was found before kept in test/mutation/.stryker. Needs \`npm ci --prefix test/mutation\`.

  --committed   what was committed last, not what is being worked on
  --force       forget what was found before
  --help        print this
`;

/** Stryker's options for one file. */
function configOf(name: string, force: boolean): object {
  return {
    mutate: [`${DOMAIN}/${name}.ts`],
    plugins: [join(HERE, 'node_modules/@stryker-mutator/vitest-runner/dist/src/index.js')],
    testRunner: 'vitest',
    vitest: { configFile: 'test/mutation/vitest.config.ts' },
    concurrency: 1,
    // The tree is a copy already.
    inPlace: true,
    // TypeScript 7 has no API by which Stryker could rewrite a tsconfig; without one it leaves everything as it is.
    tsconfigFile: 'no-tsconfig.json',
    disableTypeChecks: false,
    allowConsoleColors: false,
    reporters: ['clear-text', 'json', 'progress-append-only'],
    clearTextReporter: { allowColor: false, logTests: false, reportTests: false, allowEmojis: false },
    jsonReporter: { fileName: join(KEPT, `${name}.report.json`) },
    incremental: true,
    incrementalFile: join(KEPT, `${name}.json`),
    force,
    timeoutMS: 15_000,
    warnings: { unknownOptions: true, slow: false },
  };
}

async function run(tree: string, config: string): Promise<number> {
  const bin = join(HERE, 'node_modules/@stryker-mutator/core/bin/stryker.js');
  const child = spawn(process.execPath, [bin, 'run', config], { cwd: tree, stdio: 'inherit' });
  const { promise, resolve } = Promise.withResolvers<number>();
  child.once('close', (code) => resolve(code ?? 1));
  return promise;
}

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    committed: { type: 'boolean', default: false },
    force: { type: 'boolean', default: false },
    help: { type: 'boolean', default: false },
  },
});
let interrupted = false;
// Ctrl-C ends Stryker as well; this only keeps us here until the copy is gone.
process.on('SIGINT', () => {
  interrupted = true;
});
if (values.help) {
  process.stdout.write(HELP);
} else {
  mkdirSync(KEPT, { recursive: true });
  const files = positionals.length > 0 ? positionals : readdirSync(join(HERE, '../..', DOMAIN));
  for (const file of files) {
    if (interrupted) break;
    const tree = copyTree({ committed: values.committed });
    try {
      const config = join(tree.path, 'stryker.config.json');
      writeFileSync(config, JSON.stringify(configOf(basename(file, '.ts'), values.force)));
      process.exitCode = Math.max(Number(process.exitCode ?? 0), await run(tree.path, config));
    } finally {
      tree.remove();
    }
  }
  if (interrupted) process.exitCode = 130;
}
