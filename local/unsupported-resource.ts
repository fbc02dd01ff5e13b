/** The template holds something that the engine can neither run nor leave aside. */
export class UnsupportedResource extends Error {
  override readonly name = 'UnsupportedResource';
  readonly logicalId: string;
  readonly type: string;

  constructor(logicalId: string, type: string, why = 'the embedded engine does not know this type') {
    super(`${logicalId} (${type}): ${why}.`);
    this.logicalId = logicalId;
    this.type = type;
  }
}
