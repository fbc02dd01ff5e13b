import { createApp, UnusableSetting } from '../lib/handoff-app.ts';

try {
  const { routes } = await import('../routes/all.ts');
  createApp(routes).synth();
} catch (error) {
  // What the person who synthesizes has to change is one sentence; anything else is a defect and keeps its stack.
  const known = ['InvalidRoute', 'TimesDoNotNest', UnusableSetting.name];
  if (!(error instanceof Error) || !known.includes(error.name)) throw error;
  console.error(error.message);
  process.exitCode = 1;
}
