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

export interface FunctionBundlesProps {
  /** Where the code is laid: a directory of the cloud assembly. */
  readonly directory: string;
  readonly entries: readonly string[];
  readonly routesFile: RoutesFile;
  /** False where CDK wants no code, as for `cdk list`: https://docs.aws.amazon.com/cdk/v2/guide/assets.html. */
  readonly bundlingRequired: boolean;
}

/** The code of every function: `index.mjs` with `routes.json` beside it. */
export class FunctionBundles {
  readonly #props: FunctionBundlesProps;

  constructor(props: FunctionBundlesProps) {
    this.#props = props;
    const routesJson = JSON.stringify(props.routesFile);
    const built = props.bundlingRequired ? buildBundles(props.entries).bundles : undefined;
    for (const entry of props.entries) {
      const directory = this.#directoryOf(entry);
      mkdirSync(directory, { recursive: true });
      writeFileSync(join(directory, 'routes.json'), routesJson);
      const bundle = built?.get(entry);
      if (bundle) writeFileSync(join(directory, 'index.mjs'), bundle);
    }
  }

  code(entry: string): Code {
    if (!this.#props.entries.includes(entry)) throw new Error(`${entry} is not among the bundled entries.`);
    return Code.fromAsset(this.#directoryOf(entry));
  }

  #directoryOf(entry: string): string {
    return join(this.#props.directory, entry.replace(/\.ts$/, ''));
  }
}
