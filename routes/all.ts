import type { RouteSettings } from '../functions/domain/route.ts';
import { website } from './website.ts';

/** Every route of this app. Add yours here. */
export const routes: readonly RouteSettings[] = [website];
