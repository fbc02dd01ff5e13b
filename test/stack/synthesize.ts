import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { RouteSettings } from '../../functions/domain/route.ts';
import type { Stage } from '../../functions/domain/stage-numbers.ts';
import { createApp } from '../../lib/handoff-app.ts';
import { everyRoute, loadRoutes } from '../../lib/load-routes.ts';

const routes = everyRoute(await loadRoutes());

export interface Resource {
  readonly Type: string;
  // biome-ignore lint/suspicious/noExplicitAny: CloudFormation's properties have no common shape.
  readonly Properties: any;
  readonly DeletionPolicy?: string;
}

interface Template {
  readonly Resources: Record<string, Resource>;
  readonly Outputs: Record<string, { Value: unknown }>;
}

/** A template with questions that tests ask. */
export class SynthesizedStage {
  readonly template: Template;

  constructor(template: Template) {
    this.template = template;
  }

  /** The resources of a type. */
  all(type: string): Resource[] {
    return Object.values(this.template.Resources).filter((resource) => resource.Type === type);
  }

  /** The properties of the function `lead-handoff-<stage>-<name>`. */
  functionNamed(name: string): Resource['Properties'] {
    const found = this.all('AWS::Lambda::Function').find(({ Properties }) =>
      new RegExp(`^lead-handoff-[a-z]+-${name}$`).test(Properties.FunctionName),
    );
    if (!found) throw new Error(`There is no function ${name}.`);
    return found.Properties;
  }

  /** What a role allows, a line for each action on each resource: `dynamodb:GetItem on <ledger>`, sorted. */
  allowedTo(role: unknown): string[] {
    const id = (role as { 'Fn::GetAtt': string[] })['Fn::GetAtt'][0];
    const policies = this.all('AWS::IAM::Policy').filter(({ Properties }) => Properties.Roles[0].Ref === id);
    return this.allowedBy(policies);
  }

  /** The same of policies. */
  allowedBy(policies: readonly Resource[]): string[] {
    return policies
      .flatMap(({ Properties }) => Properties.PolicyDocument.Statement)
      .flatMap((statement) =>
        [statement.Action].flat().flatMap((action: string) =>
          // An intrinsic is an object, so that flat() leaves it alone.
          [statement.Resource].flat().map((resource) => `${action} on ${this.text(resource)}`),
        ),
      )
      .sort();
  }

  /** The properties of the only resource of a type with this name. */
  named(type: string, nameProperty: string, name: string): Resource['Properties'] {
    const found = this.all(type).find(({ Properties }) => Properties[nameProperty] === name);
    if (!found) throw new Error(`There is no ${type} ${name}.`);
    return found.Properties;
  }

  /** Resolves what CloudFormation would, in a made-up account; a resource is named as people know it. */
  text(value: unknown): string {
    if (typeof value === 'string') return value;
    const intrinsic = value as Record<string, [string, unknown[]]> & { Ref?: string };
    if (intrinsic['Fn::Join']) {
      const [separator, parts] = intrinsic['Fn::Join'];
      return parts.map((part) => this.text(part)).join(separator);
    }
    const id = intrinsic.Ref ?? intrinsic['Fn::GetAtt']?.[0] ?? JSON.stringify(value);
    const pseudo: Record<string, string> = {
      'AWS::Partition': 'aws',
      'AWS::Region': 'eu-central-1',
      'AWS::AccountId': '123456789012',
    };
    const properties = this.template.Resources[id]?.Properties;
    const names = ['FunctionName', 'TableName', 'StateMachineName', 'TopicName', 'QueueName', 'LogGroupName'];
    const name = names.map((property) => properties?.[property]).find((each) => each !== undefined);
    return pseudo[id] ?? `<${name ?? id}>`;
  }
}

const stages = new Map<string, SynthesizedStage>();

/** The template of a stage, synthesized once per test file, without the code of its functions. */
export function synthesizedStage(stage: Stage, context: Record<string, unknown> = {}): SynthesizedStage {
  const key = JSON.stringify([stage, context]);
  const known = stages.get(key) ?? synthesizeStage(stage, context);
  stages.set(key, known);
  return known;
}

/** The template of a stage with these routes. */
export function synthesizedRoutes(stage: Stage, given: readonly RouteSettings[]): SynthesizedStage {
  return synthesizeStage(stage, {}, given);
}

function synthesizeStage(
  stage: Stage,
  context: Record<string, unknown>,
  given: readonly RouteSettings[] = routes,
): SynthesizedStage {
  const outdir = mkdtempSync(join(tmpdir(), `handoff-${stage}-`));
  try {
    const app = createApp(given, {
      outdir,
      // What takes time is left to synth.test.ts, which runs the app as people do.
      builtinCloudFormationValidation: false,
      context: { stage, 'aws:cdk:bundling-stacks': [], ...context },
    });
    const { templateFullPath } = app.synth().getStackByName(`lead-handoff-${stage}`);
    return new SynthesizedStage(JSON.parse(readFileSync(templateFullPath, 'utf8')));
  } finally {
    rmSync(outdir, { recursive: true });
  }
}
