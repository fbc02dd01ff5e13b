import * as v from 'valibot';
import { ACTIONS, type ActionName, type LeadKey } from './action.ts';
import type { Disposition } from './action-state.ts';
import { InvalidEvent } from './errors.ts';
import type { RecoverySummary } from './recovery-summary.ts';
import type { RouteSettings } from './route.ts';
import type { StageNumbers } from './stage-numbers.ts';

const caller = {
  route: v.pipe(v.string(), v.nonEmpty()),
  leadRequestId: v.pipe(v.string(), v.nonEmpty()),
  run: v.pipe(v.number(), v.integer(), v.minValue(1)),
  execution: v.pipe(v.string(), v.nonEmpty()),
};
const attempt = v.pipe(v.number(), v.integer(), v.minValue(1));

const actionSchema = v.object({ ...caller, attempt });
const reconcileSchema = v.object({
  ...caller,
  attempt,
  turns: v.pipe(v.number(), v.integer(), v.minValue(0)),
  error: v.nullable(v.string()),
});
const waitSchema = v.object({
  ...caller,
  action: v.picklist(ACTIONS),
  token: v.pipe(v.string(), v.nonEmpty()),
  reason: v.nullable(v.string()),
  asked: v.pipe(v.number(), v.integer(), v.minValue(0)),
  attempt,
});
const closeSchema = v.object(caller);

/** What an action state sends its function. */
export type ActionRequest = v.InferOutput<typeof actionSchema>;
/** What a reconcile state sends its function. */
export type ReconcileRequest = v.InferOutput<typeof reconcileSchema>;
/** What the ask and park states send their functions. */
export type WaitRequest = v.InferOutput<typeof waitSchema>;
/** What the close state sends its function. */
export type CloseRequest = v.InferOutput<typeof closeSchema>;

/** What a reconcile function answers. */
export interface ReconcileAnswer {
  readonly disposition: Disposition;
  readonly attempt: number;
  /** Whole seconds, at least 1, as a Wait state takes them. */
  readonly waitSeconds: number;
  readonly reason: string;
  /** What the recovery owner decides from, shown in the state that asks; null unless it asks. */
  readonly record: RecoverySummary | null;
}

function parser<S extends v.GenericSchema>(schema: S) {
  return (event: unknown): v.InferOutput<S> => {
    const parsed = v.safeParse(schema, event, { abortEarly: true });
    if (!parsed.success) throw new InvalidEvent(v.getDotPath(parsed.issues[0]) ?? 'event');
    return parsed.output;
  };
}

export const parseActionRequest = parser(actionSchema);
export const parseReconcileRequest = parser(reconcileSchema);
export const parseWaitRequest = parser(waitSchema);
export const parseCloseRequest = parser(closeSchema);

/** The start of one action's group in the state data. */
interface GroupData {
  readonly attempt: 1;
  readonly turns: 0;
  readonly asked: 0;
  readonly error: null;
  readonly disposition: null;
  readonly reason: null;
  readonly waitSeconds: 0;
  readonly record: null;
}

const group: GroupData = {
  attempt: 1,
  turns: 0,
  asked: 0,
  error: null,
  disposition: null,
  reason: null,
  waitSeconds: 0,
  record: null,
};

/** The input of an execution: ids and numbers, and a first value for everything that an expression will meet. */
export interface ExecutionInput extends LeadKey, Readonly<Record<ActionName, GroupData>> {
  readonly run: number;
  readonly limits: {
    readonly askSlaSeconds: number;
    readonly parkSeconds: number;
    readonly pauseSeconds: number;
    readonly escalations: number;
  };
}

export function executionInput(
  key: LeadKey,
  run: number,
  route: Pick<RouteSettings, 'askSlaSeconds'>,
  numbers: StageNumbers,
): ExecutionInput {
  return {
    route: key.route,
    leadRequestId: key.leadRequestId,
    run,
    limits: {
      askSlaSeconds: route.askSlaSeconds ?? numbers.askSlaSeconds,
      parkSeconds: numbers.parkSeconds,
      pauseSeconds: Math.max(1, Math.ceil(numbers.backOffFloorMs / 1000)),
      escalations: numbers.escalations,
    },
    'upsert-contact': group,
    'assign-owner': group,
    'create-task': group,
    'send-introduction': group,
  };
}
