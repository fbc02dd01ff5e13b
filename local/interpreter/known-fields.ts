import { UnsupportedFeature } from './errors.ts';
import type { JsonObject } from './json.ts';

/** The fields of each part of a JSONata definition that the interpreter knows. */
export const KNOWN_FIELDS = {
  'state machine': ['Comment', 'QueryLanguage', 'StartAt', 'States', 'TimeoutSeconds', 'Version'],
  branch: ['Comment', 'StartAt', 'States'],
  'item processor': ['Comment', 'ProcessorConfig', 'StartAt', 'States'],
  Pass: ['Output', 'Assign', 'Next', 'End'],
  Task: [
    'Resource',
    'Arguments',
    'TimeoutSeconds',
    'HeartbeatSeconds',
    'Output',
    'Assign',
    'Retry',
    'Catch',
    'Next',
    'End',
  ],
  Choice: ['Choices', 'Default', 'Output', 'Assign'],
  'choice rule': ['Comment', 'Condition', 'Next', 'Output', 'Assign'],
  Wait: ['Seconds', 'Timestamp', 'Output', 'Assign', 'Next', 'End'],
  Succeed: ['Output'],
  Fail: ['Error', 'Cause'],
  Parallel: ['Branches', 'Arguments', 'Output', 'Assign', 'Retry', 'Catch', 'Next', 'End'],
  Map: [
    'ItemProcessor',
    'Items',
    'ItemSelector',
    'MaxConcurrency',
    'ToleratedFailureCount',
    'ToleratedFailurePercentage',
    'Output',
    'Assign',
    'Retry',
    'Catch',
    'Next',
    'End',
  ],
  retrier: [
    'Comment',
    'ErrorEquals',
    'IntervalSeconds',
    'MaxAttempts',
    'BackoffRate',
    'MaxDelaySeconds',
    'JitterStrategy',
  ],
  catcher: ['Comment', 'ErrorEquals', 'Next', 'Output', 'Assign'],
} as const satisfies Record<string, readonly string[]>;

const STATE_TYPES = ['Pass', 'Task', 'Choice', 'Wait', 'Succeed', 'Fail', 'Parallel', 'Map'];
const FIELDS_OF_EVERY_STATE = ['Type', 'Comment', 'QueryLanguage'];

const JSONPATH_FIELDS = new Set([
  ...['InputPath', 'Parameters', 'ResultSelector', 'ResultPath', 'OutputPath', 'Result', 'Variable'],
  ...['ItemsPath', 'SecondsPath', 'TimestampPath', 'TimeoutSecondsPath', 'HeartbeatSecondsPath'],
  ...['ErrorPath', 'CausePath', 'MaxConcurrencyPath', 'And', 'Or', 'Not'],
  ...['ToleratedFailureCountPath', 'ToleratedFailurePercentagePath'],
]);

const DISTRIBUTED_MAP_FIELDS = new Set(['ItemReader', 'ItemBatcher', 'ResultWriter', 'Label']);

/** Refuses any field of this part of the definition that is not known. */
export function refuseUnknownFields(
  part: keyof typeof KNOWN_FIELDS,
  fields: JsonObject,
  state?: string,
): void {
  const known: readonly string[] = KNOWN_FIELDS[part];
  const isState = STATE_TYPES.includes(part);
  for (const field of Object.keys(fields)) {
    if (known.includes(field) || (isState && FIELDS_OF_EVERY_STATE.includes(field))) continue;
    if (JSONPATH_FIELDS.has(field)) throw new UnsupportedFeature(`the JSONPath field "${field}"`, state);
    if (DISTRIBUTED_MAP_FIELDS.has(field))
      throw new UnsupportedFeature(`a distributed Map ("${field}")`, state);
    throw new UnsupportedFeature(`the field "${field}" of a ${part}`, state);
  }
}

/** Refuses a state type that is not known. */
export function refuseUnknownType(type: unknown, state: string): void {
  if (!STATE_TYPES.includes(String(type))) throw new UnsupportedFeature(`the state type "${type}"`, state);
}
