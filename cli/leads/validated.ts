import { intentHash } from '../../functions/domain/intent.ts';
import {
  InvalidLeadRequest,
  isLeadRequestId,
  type LeadRequest,
  parseLeadRequest,
} from '../../functions/domain/lead-request.ts';
import { inOneSentence, mistakeOf, mistakesOf } from './mistakes.ts';
import { isRefusal, type Refusal, type Row, type Rows } from './rows.ts';
import { SeenRequests } from './seen-requests.ts';

/** A lead request and the line of the file where it begins. */
export interface ReadLead {
  readonly line: number;
  readonly lead: LeadRequest;
  /** What it asks for, as a hash in hex. */
  readonly intentHash: string;
}

/** Every row as a lead request, or as what is wrong with it; in their order, one at a time. */
export async function* validated(rows: Rows): AsyncGenerator<ReadLead | Refusal> {
  const seen = new SeenRequests();
  for await (const row of rows) yield isRefusal(row) ? row : judged(row, seen);
}

function judged({ line, value }: Row, seen: SeenRequests): ReadLead | Refusal {
  try {
    const lead = parseLeadRequest(value);
    const hash = intentHash(lead);
    const other = seen.lineWithOtherFields(line, lead.leadRequestId, hash);
    if (other === null) return { line, lead, intentHash: hash };
    throw new InvalidLeadRequest('leadRequestId', `is that of line ${other}, with other fields`);
  } catch (error) {
    if (!(error instanceof InvalidLeadRequest)) throw error;
    const found = mistakesOf(value);
    const mistakes = found.length === 0 ? [mistakeOf(error)] : found;
    return { line, ...idOf(value), error: error.name, message: inOneSentence(mistakes), mistakes };
  }
}

/** The id of an invalid lead request, where that much of it is one. */
function idOf(value: unknown): { leadRequestId?: string } {
  const id = (value as { leadRequestId?: unknown } | null)?.leadRequestId;
  return isLeadRequestId(id) ? { leadRequestId: id } : {};
}
