import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { extname } from 'node:path';
import { UnreadableLeads, WrongUsage } from '../errors.ts';
import type { ColumnMap } from './column-map.ts';
import { csvRows } from './csv-rows.ts';
import { jsonRows, ndjsonRows } from './json-rows.ts';
import type { Refusal, Row } from './rows.ts';
import { textOf, wholeText } from './text.ts';
import { type ReadLead, validated } from './validated.ts';

/** The most that is held in memory: of standard input, and of a file that is one JSON text. */
const MOST_HELD = 64 * 1024 * 1024;

/** Lead requests that can be read as often as needed, each time from the beginning. */
export interface LeadFile {
  /** Null for standard input. */
  readonly path: string | null;
  /** In bytes. */
  readonly size: number;
  /**
   * The lead requests, and what is none, one at a time in their order.
   *
   * @param onRead told how many bytes have been read
   * @throws UnreadableLeads
   */
  rows(onRead?: (bytes: number) => void): AsyncGenerator<ReadLead | Refusal>;
}

type Format = 'json' | 'ndjson' | 'csv';

const FORMATS: Readonly<Record<string, Format>> = {
  '.json': 'json',
  '.ndjson': 'ndjson',
  '.jsonl': 'ndjson',
  '.csv': 'csv',
};

/**
 * Opens a file by its ending; `-` is newline-delimited JSON from `input`. NDJSON and CSV files are read piece by piece, however
 * large they are.
 *
 * @throws WrongUsage for an ending that says nothing, and for a map of columns where there are none; UnreadableLeads
 */
export async function openLeadFile(
  file: string,
  input: AsyncIterable<Uint8Array>,
  map: ColumnMap,
): Promise<LeadFile> {
  const format = file === '-' ? 'ndjson' : formatOf(file);
  if (format !== 'csv' && (map.fieldOf.size > 0 || map.leavesOutOthers)) {
    throw new WrongUsage('--map names columns, which only a .csv file has.');
  }
  const path = file === '-' ? null : file;
  const name = path ?? 'The input';
  const { size, bytes } = await openBytes(name, path, input);
  const rows = (onRead: (bytes: number) => void) => {
    const text = textOf(name, counted(bytes(), onRead));
    switch (format) {
      case 'json':
        return jsonFileRows(name, size, text);
      case 'ndjson':
        return ndjsonRows(text);
      case 'csv':
        return csvRows(text, map);
    }
  };
  return { path, size, rows: (onRead = () => {}) => validated(rows(onRead)) };
}

function formatOf(file: string): Format {
  const format = FORMATS[extname(file).toLowerCase()];
  if (format !== undefined) return format;
  throw new WrongUsage(
    `${file}: its ending does not say how to read it; give a .json, .ndjson, .jsonl or .csv file, or - for newline-delimited JSON on stdin.`,
  );
}

interface Bytes {
  readonly size: number;
  readonly bytes: () => AsyncIterable<Uint8Array>;
}

/** What cannot be read twice, as standard input, is held. */
async function openBytes(
  name: string,
  path: string | null,
  input: AsyncIterable<Uint8Array>,
): Promise<Bytes> {
  if (path === null) return held(name, input);
  try {
    const found = await stat(path);
    if (found.isDirectory()) throw new UnreadableLeads(`${name} is a directory.`);
    if (!found.isFile()) return await held(name, readable(name, path));
    return { size: found.size, bytes: () => readable(name, path) };
  } catch (error) {
    throw unreadable(name, error);
  }
}

async function held(name: string, input: AsyncIterable<Uint8Array>): Promise<Bytes> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of input) {
    size += chunk.length;
    if (size > MOST_HELD) throw tooLarge(name);
    chunks.push(chunk);
  }
  return {
    size,
    bytes: async function* () {
      yield* chunks;
    },
  };
}

async function* readable(name: string, path: string): AsyncGenerator<Uint8Array> {
  try {
    yield* createReadStream(path) as AsyncIterable<Uint8Array>;
  } catch (error) {
    throw unreadable(name, error);
  }
}

async function* counted(
  bytes: AsyncIterable<Uint8Array>,
  onRead: (bytes: number) => void,
): AsyncGenerator<Uint8Array> {
  let read = 0;
  for await (const chunk of bytes) {
    read += chunk.length;
    onRead(read);
    yield chunk;
  }
}

async function* jsonFileRows(name: string, size: number, text: AsyncIterable<string>): AsyncGenerator<Row> {
  if (size > MOST_HELD) throw tooLarge(name);
  yield* jsonRows(await wholeText(text));
}

function tooLarge(name: string): UnreadableLeads {
  return new UnreadableLeads(`${name} is larger than 64 MB: split it, or make it an .ndjson or .csv file.`);
}

function unreadable(name: string, error: unknown): unknown {
  if (error instanceof UnreadableLeads) return error;
  const code = error instanceof Error && 'code' in error ? String(error.code) : 'unknown';
  if (code === 'ENOENT') return new UnreadableLeads(`There is no file ${name}.`);
  if (code === 'EISDIR') return new UnreadableLeads(`${name} is a directory.`);
  return new UnreadableLeads(`${name} cannot be read (${code}).`);
}
