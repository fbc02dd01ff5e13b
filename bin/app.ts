import { createApp, UnusableSetting } from '../lib/handoff-app.ts';
import { everyRoute, loadRoutes } from '../lib/load-routes.ts';

try {
  createApp(everyRoute(await loadRoutes())).synth();
} catch (error) {
  // What the person who synthesizes has to change is said in sentences; anything else is a defect and keeps its stack.
  const known = ['InvalidRoute', 'TimesDoNotNest', UnusableSetting.name];
  if (!(error instanceof Error) || !known.includes(error.name)) throw error;
  console.error(error.message);
  process.exitCode = 1;
}
