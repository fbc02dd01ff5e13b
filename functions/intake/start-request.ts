import * as v from 'valibot';
import { approvalSchema, dismissalSchema } from '../domain/approval.ts';
import { InvalidEvent } from '../domain/errors.ts';

const route = v.string();
const leadSchema = v.object({ route, lead: v.unknown(), approval: v.optional(approvalSchema) });
const dismissalRequestSchema = v.object({ route, dismissal: dismissalSchema });

/** What the start function is called with: a lead request, or an approver's word that there is none. */
export type StartRequest = v.InferOutput<typeof leadSchema> | v.InferOutput<typeof dismissalRequestSchema>;

/** @throws InvalidEvent naming the field */
export function parseStartRequest(event: unknown): StartRequest {
  const dismisses = typeof event === 'object' && event !== null && 'dismissal' in event;
  const schema: v.GenericSchema<unknown, StartRequest> = dismisses ? dismissalRequestSchema : leadSchema;
  const parsed = v.safeParse(schema, event, { abortEarly: true });
  if (!parsed.success) throw new InvalidEvent(v.getDotPath(parsed.issues[0]) ?? 'event');
  return parsed.output;
}
