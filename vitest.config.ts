import { configDefaults, defineConfig } from 'vitest/config';

/** Takes minutes on a busy machine, so it has a command of its own: `npm run load`. */
const LOAD_TEST = 'test/local/two-hundred-at-once.test.ts';

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    exclude: [...configDefaults.exclude, ...(process.env.LOAD === undefined ? [LOAD_TEST] : [])],
    testTimeout: 60_000,
    hookTimeout: 120_000,
    maxWorkers: 2,
  },
});
