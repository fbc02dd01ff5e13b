/** The fields of a lead request that came again under its id, put in the place of the first ones by an approver. */
export interface Amendment {
  /** The intent hash of the fields that hold from then on. */
  readonly intentHash: string;
  readonly decisionId: string;
  readonly by: string;
  readonly at: number;
}
