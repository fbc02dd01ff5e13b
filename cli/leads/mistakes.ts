import { InvalidLeadRequest, parseLeadRequest } from '../../functions/domain/lead-request.ts';
import { LEAD_FIELDS } from './fields.ts';

/** One thing that is wrong with a lead request. It repeats no value. */
export interface Mistake {
  /** Null where it is about the lead request as a whole, or about a field whose name is not repeated. */
  readonly field: string | null;
  /** What is expected, or what is the matter; without a full stop. */
  readonly reason: string;
}

const NEEDED: Readonly<Record<string, string>> = { leadRequestId: 'mended', email: 'mended@example.com' };

/**
 * Everything that is wrong with one lead request. `parseLeadRequest` names the first mistake, so each one that was named is mended
 * and the rest read again.
 */
export function mistakesOf(value: unknown): readonly Mistake[] {
  const mistakes = new Map<string, Mistake>();
  let rest = value;
  // Each turn mends one field of its own: the bound only keeps a mistake of ours from going round for ever.
  for (let turns = 0; turns <= LEAD_FIELDS.length + 20; turns++) {
    const error = firstMistake(rest);
    if (error === null) break;
    mistakes.set(error.message, mistakeOf(error));
    const mended = withoutField(rest, error.field);
    if (mended === null) break;
    rest = mended;
  }
  return [...mistakes.values()];
}

/** Mistakes in one sentence. */
export function inOneSentence(mistakes: readonly Mistake[]): string {
  return `${mistakes.map(({ field, reason }) => `${field ?? 'lead request'}: ${reason}`).join('; ')}.`;
}

export function mistakeOf({ field, message }: InvalidLeadRequest): Mistake {
  const reason = message.slice(`${field}: `.length).replace(/\.$/, '');
  return { field: field === 'lead request' ? null : field, reason };
}

function firstMistake(value: unknown): InvalidLeadRequest | null {
  try {
    parseLeadRequest(value);
    return null;
  } catch (error) {
    if (error instanceof InvalidLeadRequest) return error;
    throw error;
  }
}

/** The lead request without what was wrong; null where the mistake is not about one field that can be found. */
function withoutField(value: unknown, field: string): Record<string, unknown> | null {
  if (typeof value !== 'object' || value === null) return null;
  const needed = NEEDED[field];
  if (needed !== undefined) return { ...value, [field]: needed };
  const others = Object.entries(value).filter(([name]) => name !== field);
  return others.length < Object.keys(value).length ? Object.fromEntries(others) : null;
}
