import { InvalidRoute, type LoadedRoutes } from '../functions/domain/route.ts';
import { WrongUsage } from './errors.ts';

/** Which routes a command is about. */
export interface RoutesAsked {
  /** The one that is named; undefined where none is. */
  readonly route: string | undefined;
  /** Without a name it is about all of them, and not about the only one. */
  readonly ofAll: boolean;
}

/**
 * Refuses what a route file that is not finished stands in the way of.
 *
 * @throws InvalidRoute for the route of that file, and where there is no other one.
 * @throws WrongUsage where it may be the one that is meant.
 */
export function checkRouteFiles({ routes, broken }: LoadedRoutes, { route, ofAll }: RoutesAsked): void {
  if (broken.length === 0 || routes.some(({ name }) => name === route)) return;
  // A file that cannot be loaded names no route; most are called like theirs.
  const mine = broken.filter(
    (one) => route !== undefined && (one.route === route || one.message.startsWith(`routes/${route}.ts: `)),
  );
  const unfinished = mine.length > 0 ? mine : broken;
  const messages = unfinished.map(({ message }) => message);
  if (mine.length > 0 || routes.length === 0) throw new InvalidRoute(null, messages);
  const names = routes.map(({ name }) => name).join(', ');
  if (route !== undefined) {
    throw new WrongUsage([...messages, `There is no such route: expected one of ${names}.`].join('\n'));
  }
  // With that file finished there would be more than one.
  if (!ofAll)
    throw new WrongUsage([...messages, `Say which route with --route: one of ${names}.`].join('\n'));
}

/** What a command leaves out that is about all routes. */
export function leftOut({ broken }: LoadedRoutes, { route, ofAll }: RoutesAsked): readonly InvalidRoute[] {
  return ofAll && route === undefined ? broken : [];
}
