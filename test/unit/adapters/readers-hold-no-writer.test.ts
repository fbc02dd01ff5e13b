import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { expect, it } from 'vitest';

const root = fileURLToPath(new URL('../../../', import.meta.url));

async function modulesOf(entry: string): Promise<string[]> {
  const { metafile } = await build({
    absWorkingDir: root,
    entryPoints: [entry],
    bundle: true,
    metafile: true,
    write: false,
    platform: 'node',
    format: 'esm',
    logLevel: 'silent',
  });
  return Object.keys(metafile.inputs).filter((path) => !path.includes('node_modules/'));
}

const WRITES = /writer|sender|write-once|classify/;

it.each(['functions/adapters/hubspot/reader.ts', 'functions/adapters/resend/reader.ts'])(
  '%s brings no module that writes',
  async (entry) => {
    const modules = await modulesOf(entry);

    expect(modules).toContain('functions/adapters/http/read-session.ts');
    expect(modules.filter((path) => WRITES.test(path))).toEqual([]);
  },
);

it.each(['functions/adapters/hubspot/writer.ts', 'functions/adapters/resend/sender.ts'])(
  'the same look finds the writing modules of %s',
  async (entry) => {
    expect(await modulesOf(entry)).toContain('functions/adapters/http/write-once.ts');
  },
);
