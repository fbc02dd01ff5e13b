import { readdirSync } from 'node:fs';
import { basename, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import {
  defineRoute,
  InvalidRoute,
  type LoadedRoutes,
  type RouteAnswers,
  type RouteSettings,
} from '../functions/domain/route.ts';

const ROUTES = fileURLToPath(new URL('../routes/', import.meta.url));

interface RouteFile {
  readonly file: string;
  readonly routes: readonly RouteSettings[];
  readonly broken: readonly InvalidRoute[];
}

/**
 * Loads every file directly under `routes/`, each by itself, so that one that is not finished keeps no other from being used.
 *
 * Whatever such a file exports is a route. Never throws for what is in the files.
 */
export async function loadRoutes(directory = ROUTES): Promise<LoadedRoutes> {
  const names = readdirSync(directory).filter((name) => /(?<!\.d)\.ts$/.test(name));
  const files = await Promise.all(names.sort().map((name) => loadFile(join(directory, name))));
  const twice = files.flatMap((one) => namedTwice(one, files));
  const named = new Set(twice.map(({ route }) => route));
  return {
    routes: files.flatMap(({ routes }) => routes).filter(({ name }) => !named.has(name)),
    broken: [...files.flatMap(({ broken }) => broken), ...twice],
  };
}

/**
 * The routes, where every file is one.
 *
 * @throws InvalidRoute with everything that is wrong in any of them.
 */
export function everyRoute({ routes, broken }: LoadedRoutes): readonly RouteSettings[] {
  if (broken.length === 0) return routes;
  throw new InvalidRoute(
    null,
    broken.map(({ message }) => message),
  );
}

async function loadFile(path: string): Promise<RouteFile> {
  const file = `routes/${basename(path)}`;
  const { href } = pathToFileURL(path);
  try {
    const exported = new Set(Object.values(await importFile(href)));
    if (exported.size === 0) throw new InvalidRoute(file, ['It exports no route.']);
    // Also checks what was exported without it.
    const routes = [...exported].map((answers: RouteAnswers) => defineRoute(answers));
    return { file, routes, broken: [] };
  } catch (error) {
    return { file, routes: [], broken: [whyBroken(file, error)] };
  }
}

/** @throws InvalidRoute; what a route says that the file only imports is not said to be its own. */
async function importFile(href: string): Promise<object> {
  try {
    return await import(href);
  } catch (error) {
    if (!(error instanceof InvalidRoute) || error.stack?.includes(href)) throw error;
    throw new InvalidRoute(
      null,
      error.problems.map((problem) => `In what it imports: ${problem}`),
    );
  }
}

function whyBroken(file: string, error: unknown): InvalidRoute {
  if (error instanceof InvalidRoute) return new InvalidRoute(file, error.problems, error.route);
  return new InvalidRoute(file, [`It cannot be loaded: ${String(error).replaceAll(/\s+/g, ' ')}`]);
}

/** Which of two routes of one name is meant, nobody can tell. */
function namedTwice({ file, routes }: RouteFile, all: readonly RouteFile[]): InvalidRoute[] {
  return routes.flatMap((route) => {
    const same = all.flatMap((one) =>
      one.routes.filter(({ name }) => name === route.name).map(() => one.file),
    );
    if (same.length === 1) return [];
    const problem = `name: What is the route called? Expected a name of its own, found ${JSON.stringify(route.name)} in ${same.join(' and ')}.`;
    return [new InvalidRoute(file, [problem], route.name)];
  });
}
