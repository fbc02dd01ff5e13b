import { App, type AppProps, Validations } from 'aws-cdk-lib';
import { AwsSolutionsChecks } from 'cdk-nag';
import cdkJson from '../cdk.json' with { type: 'json' };
import { type RouteSettings, routesFile } from '../functions/domain/route.ts';
import { STAGE_NUMBERS, STAGES, type Stage } from '../functions/domain/stage-numbers.ts';
import { HandoffStack } from './handoff-stack.ts';

/** A `-c` setting that cannot be used; the message says what to give instead. */
export class UnusableSetting extends Error {
  override readonly name = 'UnusableSetting';
}

/**
 * Puts the app together for the stage given as `-c stage=local|test|prod`.
 *
 * The stage and the feature flags come from `cdk.json`, also where the app runs without the `cdk` command. Its default
 * stage is `test`: production is only ever meant when it is said.
 *
 * @throws UnusableSetting for an unknown stage or an unusable `-c sandboxUrl=`.
 * @throws InvalidRoute, TimesDoNotNest.
 */
export function createApp(routes: readonly RouteSettings[], props: AppProps = {}): App {
  const app = new App({
    analyticsReporting: cdkJson.versionReporting,
    ...props,
    context: { ...cdkJson.context, ...props.context },
  });
  const stage = readStage(app.node.tryGetContext('stage'));
  new HandoffStack(app, `lead-handoff-${stage}`, {
    stage,
    routesFile: routesFile(stage, STAGE_NUMBERS[stage], routes),
    sandboxUrl: readSandboxUrl(stage, app.node.tryGetContext('sandboxUrl')),
    terminationProtection: stage === 'prod',
  });
  Validations.of(app).addPlugins(new AwsSolutionsChecks(app));
  return app;
}

function readStage(given: unknown): Stage {
  const stage = STAGES.find((name) => name === given);
  if (stage === undefined) {
    throw new UnusableSetting(
      `There is no stage ${JSON.stringify(given)}: say -c stage= with one of ${STAGES.join(', ')}.`,
    );
  }
  return stage;
}

function readSandboxUrl(stage: Stage, given: unknown): string | undefined {
  if (given === undefined) return undefined;
  if (stage === 'prod') throw new UnusableSetting('Production has no sandbox: leave -c sandboxUrl= out.');
  if (typeof given !== 'string' || !/^https?:$/.test(URL.parse(given)?.protocol ?? '')) {
    throw new UnusableSetting(
      `-c sandboxUrl= needs an http or https address, but got ${JSON.stringify(given)}.`,
    );
  }
  return given.replace(/\/+$/, '');
}
