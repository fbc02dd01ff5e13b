#!/usr/bin/env node
const OLDEST_NODE = 24;

if (Number.parseInt(process.versions.node, 10) < OLDEST_NODE) {
  console.error(
    `handoff needs Node ${OLDEST_NODE}, which "npm ci" installs here: run it as "npx handoff" or "npm run handoff --".`,
  );
  process.exit(1);
}
process.on('SIGINT', () => process.exit(130));

const { runHandoff } = await import('../cli/handoff.ts');
const { sentenceOf } = await import('../cli/errors.ts');
const { loadRoutes } = await import('../lib/load-routes.ts');
try {
  process.exitCode = await runHandoff(process.argv.slice(2), await loadRoutes());
} catch (error) {
  console.error(sentenceOf(error));
  process.exitCode = 1;
}
