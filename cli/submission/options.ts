import * as v from 'valibot';
import { type Approval, approvalSchema } from '../../functions/domain/approval.ts';
import { WrongUsage } from '../errors.ts';
import { type ColumnMap, parseColumnMap } from '../leads/column-map.ts';

/** Requests of lead requests under way at a time, unless somebody says otherwise. */
export const AT_ONCE = 8;

/** No more connections than this are opened to AWS. */
const MOST_AT_ONCE = 50;

/** What was typed. */
export interface SubmitOptions {
  readonly route?: string;
  readonly json?: boolean;
  readonly map?: readonly string[];
  readonly concurrency?: string;
  readonly errors?: string;
  readonly skipInvalid?: boolean;
  readonly dryRun?: boolean;
  readonly approvedBy?: string;
  readonly reason?: string;
  readonly keptUnder?: string;
}

/** How a file is submitted. */
export interface HowToSubmit {
  readonly map: ColumnMap;
  readonly atOnce: number;
  /** Where refused rows are written down, where somebody said so. */
  readonly errors: string | undefined;
  readonly skipsInvalid: boolean;
  readonly dryRun: boolean;
  readonly json: boolean;
  readonly approval: Approval | undefined;
}

/** @throws WrongUsage */
export function parseSubmitOptions(options: SubmitOptions): HowToSubmit {
  return {
    map: parseColumnMap(options.map ?? []),
    atOnce: parseAtOnce(options.concurrency),
    errors: options.errors,
    skipsInvalid: options.skipInvalid === true,
    dryRun: options.dryRun === true,
    json: options.json === true,
    approval: approvalIn(options),
  };
}

function parseAtOnce(given: string | undefined): number {
  if (given === undefined) return AT_ONCE;
  const atOnce = /^\d{1,3}$/.test(given) ? Number(given) : 0;
  if (atOnce >= 1 && atOnce <= MOST_AT_ONCE) return atOnce;
  throw new WrongUsage(`--concurrency: expected a number from 1 to ${MOST_AT_ONCE}.`);
}

const SPELLED: Readonly<Record<string, string>> = {
  by: '--approved-by',
  reason: '--reason',
  keptUnder: '--kept-under',
};

/**
 * An approver's word, by the rules of the start function.
 *
 * @throws WrongUsage naming what is missing or wrong
 */
export function approvalIn({
  approvedBy: by,
  reason,
  keptUnder,
}: Pick<SubmitOptions, 'approvedBy' | 'reason' | 'keptUnder'>): Approval | undefined {
  if (by === undefined && reason === undefined && keptUnder === undefined) return undefined;
  if (by === undefined || reason === undefined) {
    throw new WrongUsage('Say who approves it and why: --approved-by WHO --reason WHY.');
  }
  const given = { by, reason, ...(keptUnder === undefined ? {} : { keptUnder }) };
  const parsed = v.safeParse(approvalSchema, given, { abortEarly: true });
  if (parsed.success) return parsed.output;
  const [issue] = parsed.issues;
  throw new WrongUsage(`${SPELLED[v.getDotPath(issue) ?? ''] ?? '--approved-by'}: ${issue.message}.`);
}
