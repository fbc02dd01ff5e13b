import type { RuleDefinition, RuleTarget } from './model.ts';
import type { StackScope } from './stack-scope.ts';
import { UnsupportedResource } from './unsupported-resource.ts';

interface Target {
  Arn: string;
  Input?: string;
  InputPath?: string;
}

/**
 * What the engine knows of a target. Nothing comes of a role, because permissions are not enforced here, nor of a retry policy and a
 * dead-letter queue: they are for events that cannot be delivered, and whether a target can be reached is checked at the start.
 */
const TARGET_PROPERTIES: readonly string[] = [
  'Arn',
  'DeadLetterConfig',
  'Id',
  'Input',
  'InputPath',
  'RetryPolicy',
  'RoleArn',
];

/** The names of a path, without array indexes and wildcards. */
const INPUT_PATH = /^\$(\.[A-Za-z0-9_-]+)*$/;

const UNIT_MS: Record<string, number> = { minute: 60_000, hour: 3_600_000, day: 86_400_000 };

/**
 * Reads a rule with a pattern, or with a `rate(…)` schedule.
 *
 * @throws UnsupportedResource for `cron(…)` and for targets with properties that the engine does not know
 */
export function readRule(
  properties: Record<string, unknown>,
  logicalId: string,
  scope: StackScope,
): RuleDefinition {
  const refuse = (why: string): never => {
    throw new UnsupportedResource(logicalId, 'AWS::Events::Rule', why);
  };
  const targets = ((properties.Targets ?? []) as Target[]).map((target) => readTarget(target, refuse));
  const schedule = properties.ScheduleExpression as string | undefined;
  const enabled = properties.State !== 'DISABLED';
  return {
    logicalId,
    name: scope.physicalName(logicalId),
    arn: String(scope.getAtt(logicalId, 'Arn', logicalId)),
    bus: busName(properties.EventBusName),
    targets: enabled ? targets : [],
    ...(properties.EventPattern ? { pattern: properties.EventPattern as Record<string, unknown> } : {}),
    ...(schedule && enabled ? { everyMs: rateMs(schedule, refuse) } : {}),
  };
}

function readTarget(target: Target, refuse: (why: string) => never): RuleTarget {
  const unknown = Object.keys(target).find((property) => !TARGET_PROPERTIES.includes(property));
  if (unknown !== undefined) refuse(`the engine does not know the property ${unknown} of a target`);
  const { Arn: arn, Input: input, InputPath: path } = target;
  if (path === undefined) return { arn, ...(input === undefined ? {} : { input }) };
  if (!INPUT_PATH.test(path)) refuse(`the engine does not know the input path ${path}`);
  return { arn, inputPath: path.split('.').slice(1) };
}

function rateMs(schedule: string, refuse: (why: string) => never): number {
  const [, count, unit] = /^rate\((\d+) (minute|hour|day)s?\)$/.exec(schedule) ?? [];
  const unitMs = UNIT_MS[unit ?? ''];
  if (unitMs === undefined) return refuse(`the schedule ${schedule} is not a rate`);
  return Number(count) * unitMs;
}

/** The name of a bus that is given by name or by ARN; the default bus when it is not given. */
export function busName(given: unknown): string {
  return given === undefined ? 'default' : (String(given).split('event-bus/').at(-1) ?? 'default');
}
