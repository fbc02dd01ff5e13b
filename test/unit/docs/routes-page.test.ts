import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { EXAMPLES, MOVED, routesPage } from '../../../docs/routes.ts';
import { routeSchema } from '../../../functions/domain/route.ts';
import { routeProblems } from '../../../functions/domain/route-problems.ts';
import { ROUTE_QUESTIONS } from '../../../functions/domain/route-questions.ts';
import { everyRoute, loadRoutes } from '../../../lib/load-routes.ts';
import { ROUTE_ANSWERS } from '../../model/settings.ts';

const ROOT = fileURLToPath(new URL('../../../', import.meta.url));
const DIRECTORY = join(ROOT, 'examples/routes');
const page = readFileSync(new URL('../../../docs/routes.md', import.meta.url), 'utf8');

test('docs/routes.md is what the code prints', () => {
  expect(page, 'run `npm run docs`').toBe(routesPage());
});

test('it has every question', () => {
  for (const [path, { question }] of Object.entries(ROUTE_QUESTIONS)) {
    if (!path.endsWith('[]')) expect(page).toContain(`| \`${path}\` | ${question} |`);
  }
});

test('it shows lines as they are printed', () => {
  const draft = { ...ROUTE_ANSWERS, existingOwner: 'foo', recoveryOwner: { name: 'Robin' } };

  for (const line of routeProblems(routeSchema, draft)) expect(page).toContain(`routes/draft.ts: ${line}\n`);
});

let project: string;

/** A project with the code and the examples of this one, and no route yet. */
beforeEach(() => {
  project = mkdtempSync(join(tmpdir(), 'routes-'));
  mkdirSync(join(project, 'routes'));
  for (const folder of ['functions', 'examples']) symlinkSync(join(ROOT, folder), join(project, folder));
});

afterEach(() => rmSync(project, { recursive: true }));

describe('the examples', () => {
  test('are all on the page, and each is a route that a stage can have beside the others', async () => {
    const files = readdirSync(DIRECTORY);
    const routes = everyRoute(await loadRoutes(DIRECTORY));

    expect(EXAMPLES.map(({ file }) => file).sort()).toEqual(files.sort());
    expect(routes.map(({ name }) => name)).toEqual([
      'approval',
      'contact-form',
      'customers',
      'regions',
      'rotation',
      'webinar',
    ]);
  });

  test.each(EXAMPLES.map(({ file }) => file))(
    '%s is a route where it is copied as the page says',
    async (file) => {
      const copy = MOVED.reduce(
        (code, [there, here]) => code.replace(`from '${there}`, `from '${here}`),
        readFileSync(join(DIRECTORY, file), 'utf8'),
      );
      for (const [there, here] of MOVED) expect(page).toContain(`\`${there}\` becomes \`${here}\``);
      writeFileSync(join(project, 'routes', file), copy);

      const { routes, broken } = await loadRoutes(join(project, 'routes'));

      expect(broken).toEqual([]);
      expect(routes.map(({ name }) => name)).toEqual([file.replace('.ts', '')]);
    },
  );

  test('choose the owners that the page says', () => {
    expect(page).toContain('the first eight leads go to 71, 82, 93, 71, 71, 82, 93, 71.');
    expect(page).toContain('| jo@eu.partner.example.com | FI | 1000+ | 93 |');
    expect(page).toContain('| jo@harbour.example.com | finland | 1000+ | 82 |');
    expect(page).toContain('| jo@harbour.example.com | Finland | 50 | 71 |');
    expect(page).toContain('| jo@harbour.example.com |  |  | 71 |');
  });
});
