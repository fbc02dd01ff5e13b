import type { Mistake } from './mistakes.ts';

/** What stands for one lead request in a file. Not validated. */
export interface Row {
  readonly line: number;
  readonly value: unknown;
}

/** A row that is no lead request, or a lead request that was not taken. */
export interface Refusal {
  readonly line: number;
  readonly leadRequestId?: string;
  /** The name of the error. */
  readonly error: string;
  readonly message: string;
  /** The reason stands in the way of every other lead request as well, and is none of this one's. */
  readonly concernsAll?: boolean;
  /** What is wrong field by field, where that is known. */
  readonly mistakes?: readonly Mistake[];
}

/** The rows of a file and those that are none, in the order of the file. */
export type Rows = AsyncIterable<Row | Refusal>;

export function malformed(line: number, expected: string): Refusal {
  return {
    line,
    error: 'InvalidLeadRequest',
    message: `lead request: ${expected}.`,
    mistakes: [{ field: null, reason: expected }],
  };
}

export function isRefusal(row: object): row is Refusal {
  return 'error' in row;
}
