import { readFileSync } from 'node:fs';
import { UnknownRoute } from '../domain/errors.ts';
import type { RouteSettings, RoutesFile } from '../domain/route.ts';

let file: RoutesFile | undefined;

/** The settings that synthesis laid beside the bundle; checked there, so only read here. */
export function routesFile(): RoutesFile {
  file ??= JSON.parse(readFileSync(new URL('./routes.json', import.meta.url), 'utf8')) as RoutesFile;
  return file;
}

/** @throws UnknownRoute naming the routes that exist. */
export function routeNamed(routes: readonly RouteSettings[], name: string): RouteSettings {
  const route = routes.find((candidate) => candidate.name === name);
  if (!route) throw new UnknownRoute(routes.map((known) => known.name));
  return route;
}
