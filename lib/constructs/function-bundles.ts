import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Code } from 'aws-cdk-lib/aws-lambda';
import { buildSync, type Metafile } from 'esbuild';
import type { RoutesFile } from '../../functions/domain/route.ts';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));

/** Some dependencies are CommonJS and call `require` for Node's own modules, which an ES module does not have. */
const REQUIRE_SHIM =
  "import { createRequire as __createRequire } from 'node:module';const require = __createRequire(import.meta.url);";

export interface BuiltBundles {
  /** The bundle of each entry, by its path from the project's root. */
  readonly bundles: ReadonlyMap<string, Uint8Array>;
  /** What each bundle was made of: https://esbuild.github.io/api/#metafile. */
  readonly metafile: Metafile;
}

/** Bundles all entries in one run of esbuild, which reads what they share once and needs no container. */
export function buildBundles(entries: readonly string[]): BuiltBundles {
  const outdir = join(ROOT, 'cdk.out', 'bundles');
  const { outputFiles, metafile } = buildSync({
    absWorkingDir: ROOT,
    entryPoints: entries.map((entry) => ({ in: entry, out: entry.replace(/\.ts$/, '') })),
    outdir,
    outExtension: { '.js': '.mjs' },
    write: false,
    metafile: true,
    bundle: true,
    minify: true,
    legalComments: 'none',
    platform: 'node',
    target: 'node24',
    format: 'esm',
    mainFields: ['module', 'main'],
    banner: { js: REQUIRE_SHIM },
  });
  const byPath = new Map(outputFiles.map((file) => [file.path, file.contents]));
  const bundleOf = (entry: string) => {
    const bundle = byPath.get(join(outdir, entry.replace(/\.ts$/, '.mjs')));
    if (bundle === undefined) throw new Error(`esbuild made no bundle of ${entry}.`);
    return bundle;
  };
  return { bundles: new Map(entries.map((entry) => [entry, bundleOf(entry)])), metafile };
}

/** The code of every function: `index.mjs` with `routes.json` beside it, laid into a directory of the cloud assembly. */
export class FunctionBundles {
  readonly #directory: string;
  readonly #entries: readonly string[];

  constructor(directory: string, entries: readonly string[], routesFile: RoutesFile) {
    this.#directory = directory;
    this.#entries = entries;
    const routesJson = JSON.stringify(routesFile);
    for (const [entry, bundle] of buildBundles(entries).bundles) {
      const laidInto = this.#directoryOf(entry);
      mkdirSync(laidInto, { recursive: true });
      writeFileSync(join(laidInto, 'index.mjs'), bundle);
      writeFileSync(join(laidInto, 'routes.json'), routesJson);
    }
  }

  code(entry: string): Code {
    if (!this.#entries.includes(entry)) throw new Error(`${entry} is not among the bundled entries.`);
    return Code.fromAsset(this.#directoryOf(entry));
  }

  #directoryOf(entry: string): string {
    return join(this.#directory, entry.replace(/\.ts$/, ''));
  }
}
