import type { RouteSettings } from '../functions/domain/route.ts';
import { WrongUsage } from './errors.ts';

/**
 * The route of that name; without a name the only one there is.
 *
 * @throws WrongUsage naming the routes that exist.
 */
export function chooseRoute(routes: readonly RouteSettings[], name: string | undefined): RouteSettings {
  const [only, ...others] = routes;
  const names = routes.map((route) => route.name).join(', ');
  if (name === undefined) {
    if (only && others.length === 0) return only;
    throw new WrongUsage(`Say which route with --route: one of ${names}.`);
  }
  const route = routes.find((candidate) => candidate.name === name);
  if (!route) throw new WrongUsage(`There is no such route: expected one of ${names}.`);
  return route;
}

/** The named route alone, or all of them. Throws WrongUsage. */
export function chooseRoutes(
  routes: readonly RouteSettings[],
  name: string | undefined,
): readonly RouteSettings[] {
  return name === undefined ? routes : [chooseRoute(routes, name)];
}

/** The destinations that a route hands leads to. */
export function destinationsOf(route: RouteSettings): string[] {
  return [route.crm.adapter, route.mail.adapter];
}
