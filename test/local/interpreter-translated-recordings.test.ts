import { describe, expect, it } from 'vitest';
import { expectSameExecution } from './expect-same-execution.ts';
import { translated } from './jsonata-translation.ts';
import { loadRecordings, replay } from './recording.ts';

/** JSONPath recordings whose meaning does not hang on JSONPath, so that they bind the interpreter as well. */
const TRANSLATABLE = [
  'assign-base.base-cases.base-scope-map',
  'assign-base.base-parallel-cases.base-scope-parallel',
  'assign-reference-variables.assign-in-catch-state',
  'base-callbacks.sqs-wait-for-task-token',
  'base-scenarios.catch-empty',
  'base-scenarios.choice-aws-docs-scenario.choice-state-aws-scenario-jsonata',
  'base-scenarios.choice-condition-constant-jsonata',
  'base-scenarios.lambda-empty-retry',
  'base-scenarios.parallel-state-fail',
  'base-scenarios.parallel-state-order',
  'base-scenarios.parallel-state-retry',
  'base-scenarios.parallel-state.parallel-state',
  'base-scenarios.sqs-send-message',
  'base.state-fail-empty',
  'callback.sqs-failure-in-wait-for-task-token',
  'callback.sqs-wait-for-task-token-no-token-parameter',
  'context-object.error-cause-path',
  'error-output.catch-error-variable-sampling.task-catch-error-variable-sampling-to-jsonpath',
  'heartbeats.heartbeat-no-timeout',
  'mixed-query-language.output-to-state.jsonata-output-to-jsonpath',
  'output.base-cases.base-direct-expr',
  'output.base-cases.base-expr',
  'output.base-lambda.base-lambda',
  'sfn-api.stop-execution',
  'timeouts.fixed-timeout-service-lambda-with-path',
  'timeouts.global-timeout',
  'timeouts.service-lambda-map-timeout',
  'wait.base-wait-seconds-path.0',
];

const recordings = loadRecordings();

if (recordings.length === 0) {
  it.skip('replays translated AWS recordings (the folder shared/states-recordings is not beside the repository)', () => {});
} else {
  describe('the interpreter does what AWS did with the same machine in JSONPath', () => {
    it.each(TRANSLATABLE)('%s', async (name) => {
      const recording = recordings.find((each) => each.name === name);
      if (!recording) throw new Error('The recording is not there.');

      const replayed = await replay(recording, translated(recording.definition));

      expect(recording.queryLanguage).not.toBe('JSONata');
      expectSameExecution(recording, replayed);
    });
  });
}
