import { expect, test } from 'vitest';
import { STAGES } from '../../../functions/domain/stage-numbers.ts';
import { synthesizedStage } from '../../stack/synthesize.ts';

test.each(STAGES)('stage %s logs its executions without their data: it holds task tokens', (stage) => {
  const machines = synthesizedStage(stage).all('AWS::StepFunctions::StateMachine');

  expect(machines.length).toBeGreaterThan(1);
  expect(
    machines.filter(({ Properties }) => Properties.LoggingConfiguration.IncludeExecutionData !== false),
  ).toEqual([]);
});
