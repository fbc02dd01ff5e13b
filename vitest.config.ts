import { configDefaults, defineConfig } from 'vitest/config';

/** Take minutes on a busy machine, so they have a command of their own: `npm run load`. */
const LOAD_TESTS = ['test/local/two-hundred-at-once.test.ts', 'test/local/real/submit-csv.test.ts'];

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    exclude: [...configDefaults.exclude, ...(process.env.LOAD === undefined ? LOAD_TESTS : [])],
    globalSetup: ['test/local/real/one-synthesis.ts'],
    testTimeout: 60_000,
    hookTimeout: 120_000,
    maxWorkers: 2,
  },
});
