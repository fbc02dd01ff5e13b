import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';

const FROM_HERE = (path: string) => JSON.stringify(new URL(`../../../${path}`, import.meta.url).href);
const NOWHERE = ['--endpoint', 'http://127.0.0.1:1'];
const DRAFT = `
import { defineRoute } from ${FROM_HERE('functions/domain/route.ts')};
import { website } from ${FROM_HERE('routes/website.ts')};
export const draft = defineRoute({ ...website, name: 'draft', existingOwner: 'foo', approvers: [] });
`;
const LINES = [
  'routes/draft.ts: existingOwner: What if the contact has an owner already? Expected "keep" or "replace", found "foo".',
  'routes/draft.ts: approvers: Who may approve? Expected a list of at least one person, found an empty list.',
];

let directory: string;

beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'handoff-routes-'));
  put('website.ts', `export { website } from ${FROM_HERE('routes/website.ts')};`);
});

afterEach(() => rmSync(directory, { recursive: true }));

function put(name: string, text: string): void {
  writeFileSync(join(directory, name), text);
}

function run(script: string): { code: number | null; stdout: string; stderr: string[] } {
  const { status, stdout, stderr } = spawnSync(process.execPath, ['--input-type=module', '-e', script], {
    encoding: 'utf8',
    env: { PATH: process.env.PATH, AWS_EC2_METADATA_DISABLED: 'true' },
  });
  return { code: status, stdout, stderr: stderr.split('\n').filter((line) => line !== '') };
}

/** The command line with the route files of the directory. */
function handoff(...args: string[]) {
  return run(`
    import { runHandoff } from ${FROM_HERE('cli/handoff.ts')};
    import { loadRoutes } from ${FROM_HERE('lib/load-routes.ts')};
    process.exitCode = await runHandoff(${JSON.stringify(args)}, await loadRoutes(${JSON.stringify(directory)}));
  `);
}

/** What synthesis does before it begins. */
function everyRoute() {
  return run(`
    import { everyRoute, loadRoutes } from ${FROM_HERE('lib/load-routes.ts')};
    try {
      console.log(everyRoute(await loadRoutes(${JSON.stringify(directory)})).map(({ name }) => name).join());
    } catch (error) {
      console.error(error.message);
      process.exitCode = error.name === 'InvalidRoute' ? 1 : 9;
    }
  `);
}

describe('a route file that is not finished', () => {
  test('fails synthesis, with every line of every such file', () => {
    put('draft.ts', DRAFT);
    put('typo.ts', 'export const typo = {;');
    put('empty.ts', 'export {};');

    const { code, stderr } = everyRoute();
    expect(code).toBe(1);
    expect(stderr.slice(0, 3)).toEqual([...LINES, 'routes/empty.ts: It exports no route.']);
    expect(stderr[3]).toMatch(/^routes\/typo\.ts: It cannot be loaded: SyntaxError/);
    expect(stderr).toHaveLength(4);
  });

  test('is told from one that only builds on it', () => {
    put('draft.ts', DRAFT);
    put('based.ts', "import { draft } from './draft.ts';\nexport const based = { ...draft, name: 'based' };");

    const imported = LINES.map((line) =>
      line.replace('routes/draft.ts:', 'routes/based.ts: In what it imports:'),
    );
    expect(everyRoute().stderr).toEqual([...imported, ...LINES]);
    expect(handoff('brief', 'draft').stderr).toEqual(LINES);
  });

  test('is not in the way of another route', () => {
    put('draft.ts', DRAFT);
    put('typo.ts', 'export const typo = {;');

    const { code, stdout, stderr } = handoff('brief', 'website');
    expect(stdout).toContain('# Route website: the brief');
    expect(stderr).toEqual([]);
    expect(code).toBe(0);
    const shown = handoff('show', 'form-1', '--route', 'website', ...NOWHERE);
    expect(shown.stderr.join()).toContain('http://127.0.0.1:1');
    expect(shown.stderr.join()).not.toContain('draft');
  });

  test.each([[['brief', 'draft']], [['show', 'form-1', '--route', 'draft', ...NOWHERE]]])(
    'is what stops %j',
    (args) => {
      put('draft.ts', DRAFT);

      expect(handoff(...args)).toEqual({ code: 1, stdout: '', stderr: LINES });
    },
  );

  test('stops what is about the route that it is called after, also where it cannot be loaded', () => {
    put('typo.ts', 'export const typo = {;');

    const { code, stderr } = handoff('brief', 'typo');
    expect(stderr).toHaveLength(1);
    expect(stderr[0]).toMatch(/^routes\/typo\.ts: It cannot be loaded: SyntaxError/);
    expect(code).toBe(1);
  });

  test('may be the one that is meant where no route is named, or one that does not exist', () => {
    put('draft.ts', DRAFT);

    expect(handoff('show', 'form-1', ...NOWHERE)).toEqual({
      code: 2,
      stdout: '',
      stderr: [...LINES, 'Say which route with --route: one of website.'],
    });
    expect(handoff('show', 'form-1', '--route', 'drafft', ...NOWHERE)).toEqual({
      code: 2,
      stdout: '',
      stderr: [...LINES, 'There is no such route: expected one of website.'],
    });
  });

  test('is left out by what is about all routes, which says so and ends with 1', () => {
    put('draft.ts', DRAFT);

    const { code, stdout, stderr } = handoff('brief', '--json');
    expect(JSON.parse(stdout).briefs.map(({ route }: { route: string }) => route)).toEqual(['website']);
    expect(stderr).toEqual(LINES);
    expect(code).toBe(1);
  });

  test('is all there is to say where there is no other', () => {
    rmSync(join(directory, 'website.ts'));
    put('draft.ts', DRAFT);

    expect(handoff('brief')).toEqual({ code: 1, stdout: '', stderr: LINES });
  });
});

describe('the files under routes/', () => {
  test('are all routes, also where defineRoute was left out', () => {
    put(
      'plain.ts',
      `import { website } from ${FROM_HERE('routes/website.ts')};\nexport const plain = { ...website, name: 'plain' };`,
    );
    put('notes.md', 'no route');
    expect(everyRoute()).toEqual({ code: 0, stdout: 'plain,website\n', stderr: [] });

    put('plain.ts', "export const plain = 'website';");
    expect(everyRoute().stderr).toEqual([
      'routes/plain.ts: Expected the answers of a route, found "website".',
    ]);
  });

  test('have a name each: of two with one name nobody can tell which is meant', () => {
    put(
      'copy.ts',
      `import { website } from ${FROM_HERE('routes/website.ts')};\nexport const copy = { ...website };`,
    );
    const twice = (file: string) =>
      `${file}: name: What is the route called? Expected a name of its own, found "website" in routes/copy.ts and routes/website.ts.`;

    expect(everyRoute()).toEqual({
      code: 1,
      stdout: '',
      stderr: [twice('routes/copy.ts'), twice('routes/website.ts')],
    });
    expect(handoff('brief', 'website').code).toBe(1);
  });
});
