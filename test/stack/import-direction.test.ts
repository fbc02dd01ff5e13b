import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build, type Plugin } from 'esbuild';
import { describe, expect, test } from 'vitest';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));

const DOMAIN = ['functions/domain'];
const PORTS = [...DOMAIN, 'functions/ports'];
const ADAPTERS = [...PORTS, 'functions/adapters'];

/** What a folder may import, besides itself. */
const MAY_IMPORT: Readonly<Record<string, readonly string[]>> = {
  'functions/domain': [],
  'functions/ports': DOMAIN,
  'functions/adapters': PORTS,
  'functions/actions': ADAPTERS,
  'functions/reconcile': ADAPTERS,
  // The sweep lets a handoff go on that was accepted and never started.
  'functions/recovery': [...ADAPTERS, 'functions/intake'],
  'functions/intake': ADAPTERS,
  'functions/sandbox': ADAPTERS,
  routes: DOMAIN,
  lib: [...DOMAIN, 'cdk.json'],
  cli: ['functions'],
  local: [...DOMAIN, 'functions/sandbox', 'cli'],
  bin: ['lib', 'routes', 'cli'],
};

/** Folders that do no I/O and know no vendor: of Node they may use hashes. */
const PURE = ['functions/domain', 'functions/ports'];
const VENDORS = /^(@aws-|aws-|@smithy\/)/;
const INFRASTRUCTURE = /^(aws-cdk|constructs$|cdk-nag)/;

interface Import {
  readonly from: string;
  /** A path in the project, or the name of a package. */
  readonly to: string;
  readonly isPackage: boolean;
}

const isWithin = (path: string, folder: string) => path === folder || path.startsWith(`${folder}/`);

/** Why an import is on a wrong arrow; null for a right one. */
function wrongArrow({ from, to, isPackage }: Import): string | null {
  const folder = Object.keys(MAY_IMPORT).find((name) => isWithin(from, name));
  if (folder === undefined) return `${from} is in no folder that this test knows`;
  if (!isPackage) {
    const allowed = [folder, ...(MAY_IMPORT[folder] ?? [])].some((name) => isWithin(to, name));
    return allowed ? null : `${from} imports ${to}`;
  }
  const unfit =
    (isWithin(folder, 'functions') && INFRASTRUCTURE.test(to)) ||
    (PURE.includes(folder) && (VENDORS.test(to) || (to.startsWith('node:') && to !== 'node:crypto')));
  return unfit ? `${from} imports ${to}` : null;
}

/** esbuild drops imports of types; an arrow is an arrow, so they are kept as plain imports. */
const keepTypeImports: Plugin = {
  name: 'keep-type-imports',
  setup({ onLoad }) {
    onLoad({ filter: /\.ts$/ }, ({ path }) => ({
      loader: 'ts',
      contents: readFileSync(path, 'utf8').replace(
        /^(?:import|export) type [^;]*? from ('[^']+');/gm,
        'import $1;',
      ),
    }));
  },
};

async function readImports(): Promise<Import[]> {
  const folders = Object.keys(MAY_IMPORT).map((folder) => `${folder}/**/*.ts`);
  const files = globSync(folders, { cwd: ROOT, exclude: ['**/*.d.ts'] });
  const { metafile } = await build({
    absWorkingDir: ROOT,
    entryPoints: files,
    outdir: join(ROOT, 'cdk.out', 'imports'),
    write: false,
    metafile: true,
    bundle: true,
    packages: 'external',
    platform: 'node',
    format: 'esm',
    logLevel: 'error',
    plugins: [keepTypeImports],
  });
  return Object.entries(metafile.inputs)
    .filter(([from]) => from.endsWith('.ts'))
    .flatMap(([from, { imports }]) =>
      imports.map(({ path, external }) => ({ from, to: path, isPackage: external === true })),
    );
}

const imports = await readImports();

test('every import goes the right way', () => {
  expect(imports.length).toBeGreaterThan(100);
  expect(imports.map(wrongArrow).filter((reason) => reason !== null)).toEqual([]);
});

test('imports of types count', () => {
  // The file exports nothing but a type.
  expect(imports.filter(({ to }) => to === 'functions/ports/clock.ts')).not.toEqual([]);
});

describe('the rule knows a wrong arrow when it sees one', () => {
  const file = (from: string, to: string): Import => ({ from, to, isPackage: false });
  const dependency = (from: string, to: string): Import => ({ from, to, isPackage: true });

  test.each([
    file('functions/domain/guide.ts', 'functions/ports/clock.ts'),
    file('functions/ports/clock.ts', 'functions/adapters/clock.ts'),
    file('functions/adapters/clock.ts', 'functions/actions/send-introduction.ts'),
    file('functions/reconcile/send-introduction.ts', 'functions/actions/attempt.ts'),
    file('functions/intake/start.ts', 'lib/handoff-stack.ts'),
    file('functions/intake/start.ts', 'local/endpoint.ts'),
    file('functions/intake/start.ts', 'cli/show.ts'),
    file('lib/handoff-stack.ts', 'functions/adapters/clock.ts'),
    file('lib/handoff-stack.ts', 'routes/website.ts'),
    file('cli/show.ts', 'lib/handoff-stack.ts'),
    file('cli/show.ts', 'local/endpoint.ts'),
    file('local/endpoint.ts', 'lib/handoff-stack.ts'),
    file('scripts/stray.ts', 'lib/handoff-stack.ts'),
    dependency('functions/adapters/clock.ts', 'aws-cdk-lib'),
    dependency('functions/domain/guide.ts', 'node:fs'),
    dependency('functions/domain/guide.ts', '@aws-sdk/client-dynamodb'),
    dependency('functions/ports/ledger.ts', '@aws-lambda-powertools/idempotency'),
  ])('$from → $to', (arrow) => {
    expect(wrongArrow(arrow)).not.toBeNull();
  });

  test.each([
    file('functions/actions/send-introduction.ts', 'functions/adapters/clock.ts'),
    file('cli/show.ts', 'functions/adapters/dynamodb/ledger.ts'),
    file('bin/app.ts', 'lib/handoff-app.ts'),
    dependency('functions/domain/guide.ts', 'node:crypto'),
    dependency('lib/handoff-stack.ts', 'aws-cdk-lib'),
  ])('but $from → $to is right', (arrow) => {
    expect(wrongArrow(arrow)).toBeNull();
  });
});
