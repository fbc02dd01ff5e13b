import { InvalidLeadRequest, parseLeadRequest } from '../../functions/domain/lead-request.ts';
import { LEAD_FIELDS } from './fields.ts';

const NEEDED: Readonly<Record<string, string>> = { leadRequestId: 'mended', email: 'mended@example.com' };

/**
 * Everything that is wrong with one lead request, in one sentence; null where nothing is. `parseLeadRequest` names the first
 * mistake, so each one that was named is mended and the rest read again.
 */
export function mistakesOf(value: unknown): string | null {
  const mistakes: string[] = [];
  let rest = value;
  // Each turn mends one field of its own: the bound only keeps a mistake of ours from going round for ever.
  for (let turns = 0; turns <= LEAD_FIELDS.length + 20; turns++) {
    const mistake = firstMistake(rest);
    if (mistake === null) break;
    mistakes.push(mistake.message.replace(/\.$/, ''));
    const mended = withoutField(rest, mistake.field);
    if (mended === null) break;
    rest = mended;
  }
  return mistakes.length === 0 ? null : `${[...new Set(mistakes)].join('; ')}.`;
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
