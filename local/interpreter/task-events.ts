import type { EventDetails } from './history.ts';
import type { Resource } from './resources.ts';

type TaskEventKind = 'Scheduled' | 'Started' | 'Submitted' | 'Succeeded' | 'Failed' | 'TimedOut';

/**
 * Type and details of a Task's event. A function's own ARN has the older `LambdaFunction…` events, whose
 * Started has no details. https://docs.aws.amazon.com/step-functions/latest/apireference/API_HistoryEvent.html
 */
export function taskEvent(
  resource: Resource,
  kind: TaskEventKind,
  details: EventDetails,
): [type: string, details?: [kind: string, details: EventDetails]] {
  if (!resource.isFunction) {
    return [
      `Task${kind}`,
      [`task${kind}`, { ...details, resource: resource.action, resourceType: resource.type }],
    ];
  }
  return kind === 'Started'
    ? ['LambdaFunctionStarted']
    : [`LambdaFunction${kind}`, [`lambdaFunction${kind}`, details]];
}
