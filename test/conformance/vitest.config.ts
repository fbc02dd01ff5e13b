import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';

export default defineConfig({
  root: fileURLToPath(new URL('../..', import.meta.url)),
  test: {
    include: ['test/conformance/**/*.conformance.ts'],
    testTimeout: 20_000,
    maxWorkers: 2,
  },
});
