import { expect, it } from 'vitest';
import { listRoutes } from '../../../cli/commands/routes.ts';
import { testRoute } from '../../model/settings.ts';
import { fakeContext } from './fake-context.ts';
import { awsError, fakeStage } from './fake-stage.ts';

const OPEN = { gates: async () => ({ routePaused: false, breakerOpen: false }) } as never;

async function listed(stage: Parameters<typeof fakeStage>[1], json: boolean): Promise<string> {
  const routes = [testRoute(), testRoute({ name: 'draft' })];
  const { context, written } = fakeContext(routes, {
    ...fakeStage('http://127.0.0.1:1', stage),
    ledger: OPEN,
  });
  expect(await listRoutes({ json }, context)).toBe(0);
  return written.stdout.join('\n');
}

it('does not call a route open that the deployed stage does not have', async () => {
  const text = await listed({ withoutRecoveryOf: 'draft' }, false);

  expect(text).toMatch(/^web +open /m);
  expect(text).toMatch(/^draft +not deployed /m);
  expect(text).toMatch(/: deploy it: npx cdk deploy -c stage=test\.$/);
});

it.each([
  [{}, [true, true]],
  [{ withoutRecoveryOf: 'draft' }, [true, false]],
  [{ changes: { DescribeStateMachineCommand: awsError('AccessDeniedException') } }, [null, null]],
])('says with %j whether they are deployed', async (stage, deployed) => {
  const { routes } = JSON.parse(await listed(stage, true)) as { routes: { deployed: boolean | null }[] };

  expect(routes.map((route) => route.deployed)).toEqual(deployed);
});
