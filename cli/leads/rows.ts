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
}

/** The rows of a file, and those that are none. */
export interface Rows {
  readonly rows: readonly Row[];
  readonly refused: readonly Refusal[];
}

export function malformed(line: number, expected: string): Refusal {
  return { line, error: 'InvalidLeadRequest', message: `lead request: ${expected}.` };
}
