import { appendFileSync, existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import type { StoredMessage } from './queues.ts';

type StoreLine = { message: StoredMessage } | { deleted: string };

/** Keeps one queue in a file: a JSON line per message as it is now, and per message that is gone. */
export class QueueStore {
  readonly #file: string | undefined;

  /** @param file absent: nothing is kept */
  constructor(file?: string) {
    this.#file = file;
    if (file !== undefined) mkdirSync(dirname(file), { recursive: true });
  }

  /** Notes a message that was sent, received, or hidden anew. */
  keep(message: StoredMessage): void {
    this.#append({ message });
  }

  delete(messageId: string): void {
    this.#append({ deleted: messageId });
  }

  /** The messages that an earlier engine left, oldest first. The file then holds only these. */
  load(): StoredMessage[] {
    const file = this.#file;
    if (file === undefined || !existsSync(file)) return [];
    const messages = new Map<string, StoredMessage>();
    for (const line of readLines(file)) {
      if ('message' in line) messages.set(line.message.messageId, line.message);
      else messages.delete(line.deleted);
    }
    const left = [...messages.values()];
    writeFileSync(`${file}.new`, left.map((message) => `${JSON.stringify({ message })}\n`).join(''));
    renameSync(`${file}.new`, file);
    return left;
  }

  #append(line: StoreLine): void {
    if (this.#file !== undefined) appendFileSync(this.#file, `${JSON.stringify(line)}\n`);
  }
}

/** A last line that a kill cut off is left out. */
function readLines(file: string): StoreLine[] {
  const texts = readFileSync(file, 'utf8').split('\n');
  texts.pop();
  return texts.map((text) => JSON.parse(text) as StoreLine);
}
