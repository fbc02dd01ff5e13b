import { createHash } from 'node:crypto';
import { Fingerprints } from './fingerprints.ts';

/** The lead requests of a file that were read already: an id may come again, and not with other fields. */
export class SeenRequests {
  /** By the hash of the id: the line, and the beginning of the hash of the fields. */
  readonly #seen = new Fingerprints(3);

  /**
   * Notes a lead request, unless its id was there before.
   *
   * @param intentHash in hex
   * @returns the line of the first one of that id where that has other fields; null where nothing is the matter
   */
  lineWithOtherFields(line: number, leadRequestId: string, intentHash: string): number | null {
    const fields = [0, 8].map((at) => Number.parseInt(intentHash.slice(at, at + 8), 16));
    const hash = createHash('sha256').update(leadRequestId).digest('hex');
    const standing = this.#seen.add(hash, [line, ...fields]);
    if (standing === undefined) return null;
    const [firstLine = 0, ...firstFields] = standing;
    return fields.every((word, i) => word === firstFields[i]) ? null : firstLine;
  }
}
