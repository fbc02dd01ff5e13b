import * as v from 'valibot';

/** Why a message of the queue names no route and no lead request, as a code. */
export type MessageFault = 'not-json' | 'not-a-lead-message';

/** A message of the queue is not `{"route": …, "lead": …}`; it says where, and repeats nothing of it. */
export class InvalidLeadMessage extends Error {
  override readonly name = 'InvalidLeadMessage';
  readonly code: MessageFault;
  readonly field: string | null;

  constructor(code: MessageFault, field: string | null) {
    super(`A message of the queue cannot be read (${field === null ? code : `${code}, ${field}`}).`);
    this.code = code;
    this.field = field;
  }
}

const leadMessageSchema = v.object({ route: v.string(), lead: v.unknown() });

/** What a producer puts on the queue. */
export type LeadMessage = v.InferOutput<typeof leadMessageSchema>;

/** Reads the body of a message. Throws InvalidLeadMessage. */
export function parseLeadMessage(body: string): LeadMessage {
  const parsed = v.safeParse(leadMessageSchema, jsonOf(body));
  if (parsed.success) return parsed.output;
  throw new InvalidLeadMessage('not-a-lead-message', v.getDotPath(parsed.issues[0]));
}

function jsonOf(body: string): unknown {
  try {
    return JSON.parse(body);
  } catch {
    throw new InvalidLeadMessage('not-json', null);
  }
}
