/** The account, region and partition that everything in the engine lives in. */
export const ACCOUNT = '000000000000';
export const REGION = 'us-east-1';
export const PARTITION = 'aws';

/** A refusal in the shape that AWS clients expect: `code` is what the caller's `error.name` becomes. */
export class AwsError extends Error {
  override readonly name = 'AwsError';
  readonly code: string;
  readonly statusCode: number;
  /** Further members of the error's body, as in `ConditionalCheckFailedException.Item`. */
  readonly fields: Record<string, unknown>;

  constructor(code: string, message: string, statusCode = 400, fields: Record<string, unknown> = {}) {
    super(message);
    this.code = code;
    this.statusCode = statusCode;
    this.fields = fields;
  }
}

/** `arn:aws:<service>:us-east-1:000000000000:<rest>` */
export function arn(service: string, rest: string): string {
  return `arn:${PARTITION}:${service}:${REGION}:${ACCOUNT}:${rest}`;
}
