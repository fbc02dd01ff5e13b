/** The numbers of a stage. Times are milliseconds unless the name says seconds. */
export interface StageNumbers {
  readonly httpTimeoutMs: number;
  readonly claimDeadlineMs: number;
  readonly functionTimeoutSeconds: number;
  readonly taskTimeoutSeconds: number;
  readonly landingBoundMs: number;
  readonly readLagMs: number;
  /** The lag of a destination's search index, longer than that of a read by key. */
  readonly searchLagMs: number;
  readonly backOffBaseMs: number;
  readonly backOffCapMs: number;
  readonly backOffFloorMs: number;
  readonly attempts: number;
  readonly grantExpiryMs: number;
  readonly askSlaSeconds: number;
  readonly escalations: number;
  /** How long parked work waits before reconcile looks again. */
  readonly parkSeconds: number;
  readonly keyWindowMs: number;
  readonly keyWindowMarginMs: number;
  /** Reads of one action that may end unreadable before a person is asked. */
  readonly unreadableReads: number;
}

export const STAGES = ['local', 'test', 'prod'] as const;
export type Stage = (typeof STAGES)[number];

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;

const account: StageNumbers = {
  httpTimeoutMs: 8_000,
  claimDeadlineMs: 12_000,
  functionTimeoutSeconds: 15,
  taskTimeoutSeconds: 25,
  landingBoundMs: MINUTE,
  readLagMs: 10_000,
  searchLagMs: 60_000,
  backOffBaseMs: 10_000,
  backOffCapMs: 900_000,
  backOffFloorMs: 2_000,
  attempts: 4,
  grantExpiryMs: 10 * MINUTE,
  askSlaSeconds: 4 * 3600,
  escalations: 3,
  parkSeconds: 900,
  keyWindowMs: 24 * HOUR,
  keyWindowMarginMs: HOUR,
  unreadableReads: 20,
};

export const STAGE_NUMBERS: Readonly<Record<Stage, StageNumbers>> = {
  local: {
    httpTimeoutMs: 1_000,
    claimDeadlineMs: 2_000,
    functionTimeoutSeconds: 3,
    taskTimeoutSeconds: 5,
    landingBoundMs: 1_000,
    readLagMs: 500,
    searchLagMs: 500,
    backOffBaseMs: 200,
    backOffCapMs: 2_000,
    backOffFloorMs: 200,
    attempts: 4,
    grantExpiryMs: 30_000,
    askSlaSeconds: 60,
    escalations: 3,
    parkSeconds: 5,
    keyWindowMs: MINUTE,
    keyWindowMarginMs: 5_000,
    unreadableReads: 20,
  },
  test: { ...account, backOffBaseMs: 5_000, backOffCapMs: 600_000, askSlaSeconds: 3600, parkSeconds: 300 },
  prod: account,
};

/** Thrown at synthesis when the times of a stage do not nest. */
export class TimesDoNotNest extends Error {
  override readonly name = 'TimesDoNotNest';
}

/**
 * HTTP call < claim deadline < function timeout < task timeout: otherwise a worker could still call a destination after its
 * claim is believed over.
 *
 * @throws TimesDoNotNest naming the pair that is out of order.
 */
export function assertTimesNest(stage: string, n: StageNumbers): void {
  const chain: [string, number][] = [
    ['httpTimeoutMs', n.httpTimeoutMs],
    ['claimDeadlineMs', n.claimDeadlineMs],
    ['functionTimeoutSeconds', n.functionTimeoutSeconds * 1000],
    ['taskTimeoutSeconds', n.taskTimeoutSeconds * 1000],
  ];
  for (const [i, [outer, outerMs]] of chain.entries()) {
    const inner = chain[i - 1];
    if (inner && inner[1] >= outerMs) {
      throw new TimesDoNotNest(`Stage ${stage}: ${inner[0]} must be shorter than ${outer}.`);
    }
  }
  if (n.keyWindowMarginMs >= n.keyWindowMs) {
    throw new TimesDoNotNest(`Stage ${stage}: keyWindowMarginMs must be shorter than keyWindowMs.`);
  }
}
