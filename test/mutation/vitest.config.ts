import { defineConfig } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** Quick ones first: most changes are noticed by the domain’s own tests, and nothing more is run for them. */
const ORDER = [
  /unit\/domain\/(?!transition-properties)/,
  /unit\/core\//,
  /unit\/recovery\//,
  /unit\/(intake|docs|cli)\//,
  /unit\/domain\/transition-properties/,
  /model\//,
];

class QuickFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const rank = ({ moduleId }: TestSpecification) => ORDER.findIndex((path) => path.test(moduleId));
    return files.toSorted((a, b) => rank(a) - rank(b) || a.moduleId.localeCompare(b.moduleId));
  }
}

/** What holds the domain, as far as it is quick: Stryker runs it once per change. */
export default defineConfig({
  test: {
    include: [
      'test/unit/domain/**/*.test.ts',
      'test/unit/core/**/*.test.ts',
      'test/unit/recovery/**/*.test.ts',
      'test/unit/intake/**/*.test.ts',
      'test/unit/docs/**/*.test.ts',
      'test/unit/cli/{accounts,brief,crm-checks,doctor,fingerprints,handoff-text}.test.ts',
      'test/unit/cli/{investigate,json-lines,lead-file,recovery-table,routes,settings,setup,waiting-table}.test.ts',
      'test/model/random-worlds.test.ts',
    ],
    // Real tables, bundles, sockets and modules loaded afresh: slow, or not beside others in one worker.
    exclude: [
      'test/unit/core/powertools-*.test.ts',
      'test/unit/core/ledger-*.test.ts',
      'test/unit/core/logs-and-traces-*.test.ts',
      'test/unit/core/workflow-*.test.ts',
      'test/unit/*/*-any-*.test.ts',
      'test/unit/recovery/entry-points.test.ts',
      'test/unit/intake/queue.test.ts',
      'test/unit/intake/dead-letter-comes-late.test.ts',
    ],
    testTimeout: 60_000,
    maxWorkers: 1,
    // One worker for all files saves most of a run's time; none of these tests leaves anything behind in its modules.
    isolate: false,
    sequence: { sequencer: QuickFirst },
  },
});
