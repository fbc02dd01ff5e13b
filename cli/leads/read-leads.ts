import { createReadStream } from 'node:fs';
import { extname } from 'node:path';
import { intentHash } from '../../functions/domain/intent.ts';
import {
  InvalidLeadRequest,
  type LeadRequest,
  parseLeadRequest,
} from '../../functions/domain/lead-request.ts';
import { UnreadableLeads, WrongUsage } from '../errors.ts';
import { csvRows } from './csv-rows.ts';
import { jsonRows, ndjsonRows } from './json-rows.ts';
import { mistakesOf } from './mistakes.ts';
import type { Refusal, Row, Rows } from './rows.ts';

const LARGEST_FILE = 64 * 1024 * 1024;

/** A lead request and the line of the file where it begins. */
export interface ReadLead {
  readonly line: number;
  readonly lead: LeadRequest;
}

export interface ReadLeads {
  readonly leads: readonly ReadLead[];
  /** By line. */
  readonly refused: readonly Refusal[];
}

/**
 * Reads and validates the lead requests of a file; `-` reads newline-delimited JSON from `input`.
 *
 * @throws WrongUsage for a file whose ending says nothing; UnreadableLeads
 */
export async function readLeads(file: string, input: AsyncIterable<Uint8Array>): Promise<ReadLeads> {
  const toRows = file === '-' ? ndjsonRows : readerOf(file);
  const text = await readText(
    file === '-' ? 'The input' : file,
    file === '-' ? input : createReadStream(file),
  );
  const { rows, refused } = toRows(text);
  if (rows.length === 0 && refused.length === 0) throw new UnreadableLeads('There is no lead request in it.');
  return validate(rows, refused);
}

function readerOf(file: string): (text: string) => Rows {
  switch (extname(file).toLowerCase()) {
    case '.json':
      return jsonRows;
    case '.ndjson':
    case '.jsonl':
      return ndjsonRows;
    case '.csv':
      return csvRows;
    default:
      throw new WrongUsage(
        `${file}: its ending does not say how to read it; give a .json, .ndjson, .jsonl or .csv file, or - for newline-delimited JSON on stdin.`,
      );
  }
}

async function readText(name: string, input: AsyncIterable<Uint8Array>): Promise<string> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  try {
    for await (const chunk of input) {
      size += chunk.length;
      if (size > LARGEST_FILE) throw new UnreadableLeads(`${name} is larger than 64 MB: split it.`);
      chunks.push(chunk);
    }
  } catch (error) {
    throw error instanceof UnreadableLeads ? error : new UnreadableLeads(unreadable(name, error));
  }
  try {
    // Also takes the byte order mark away.
    return new TextDecoder('utf-8', { fatal: true }).decode(Buffer.concat(chunks));
  } catch {
    throw new UnreadableLeads(`${name} is not text in UTF-8.`);
  }
}

function unreadable(name: string, error: unknown): string {
  const code = error instanceof Error && 'code' in error ? String(error.code) : 'unknown';
  if (code === 'ENOENT') return `There is no file ${name}.`;
  if (code === 'EISDIR') return `${name} is a directory.`;
  return `${name} cannot be read (${code}).`;
}

function validate(rows: readonly Row[], malformed: readonly Refusal[]): ReadLeads {
  const leads: ReadLead[] = [];
  const refused = [...malformed];
  const first = new Map<string, { line: number; hash: string }>();
  for (const { line, value } of rows) {
    try {
      const lead = parseLeadRequest(value);
      const hash = intentHash(lead);
      const earlier = first.get(lead.leadRequestId);
      if (earlier && earlier.hash !== hash) {
        throw new InvalidLeadRequest('leadRequestId', `is that of line ${earlier.line}, with other fields`);
      }
      if (!earlier) first.set(lead.leadRequestId, { line, hash });
      leads.push({ line, lead });
    } catch (error) {
      if (!(error instanceof InvalidLeadRequest)) throw error;
      const message = mistakesOf(value) ?? error.message;
      refused.push({ line, ...idOf(value), error: error.name, message });
    }
  }
  return { leads, refused: refused.sort((a, b) => a.line - b.line) };
}

/** The id of an invalid lead request, where that much of it is one. */
function idOf(value: unknown): { leadRequestId?: string } {
  const id = (value as { leadRequestId?: unknown } | null)?.leadRequestId;
  return typeof id === 'string' && /^[A-Za-z0-9_-]{1,64}$/.test(id) ? { leadRequestId: id } : {};
}
