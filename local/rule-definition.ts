import type { RuleDefinition } from './model.ts';
import type { StackScope } from './stack-scope.ts';
import { UnsupportedResource } from './unsupported-resource.ts';

interface Target {
  Arn: string;
  Input?: string;
  InputPath?: string;
  InputTransformer?: unknown;
}

const UNIT_MS: Record<string, number> = { minute: 60_000, hour: 3_600_000, day: 86_400_000 };

/**
 * Reads a rule with a pattern, or with a `rate(…)` schedule.
 *
 * @throws UnsupportedResource for `cron(…)` and for targets that reshape the event
 */
export function readRule(
  properties: Record<string, unknown>,
  logicalId: string,
  scope: StackScope,
): RuleDefinition {
  const refuse = (why: string): never => {
    throw new UnsupportedResource(logicalId, 'AWS::Events::Rule', why);
  };
  const targets = ((properties.Targets ?? []) as Target[]).map((target) => {
    const reshaped = target.InputPath !== undefined || target.InputTransformer !== undefined;
    if (reshaped && !target.Arn.startsWith('arn:aws:sns:')) {
      refuse('targets that reshape the event are not supported');
    }
    return { arn: target.Arn, ...(target.Input === undefined ? {} : { input: target.Input }) };
  });
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
