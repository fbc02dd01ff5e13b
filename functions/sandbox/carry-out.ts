import type { Call } from './call.ts';
import type { AnswerFault } from './faults.ts';
import { HubspotRefusal } from './hubspot-errors.ts';
import type { RequestEntry } from './request-log.ts';
import { ResendRefusal } from './resend-errors.ts';
import type { Route, Vendor } from './routes.ts';
import { ANSWER, type Answer, type Delivery } from './wire.ts';

/** What a front has to send, and how. */
export interface Outgoing {
  readonly answer: Answer;
  readonly delivery: Delivery;
}

/** Begins like JSON and is none. */
const GARBAGE = '{"id": <html>';

const NO_ANSWER: Answer = { status: 504, applied: false };

/** Carries a request out the way the planned fault says; without a fault, as the vendor would. */
export function carryOut(route: Route, call: Call, fault: AnswerFault | null, entry: RequestEntry): Outgoing {
  const apply = () => {
    const answer = answerOf(route, call);
    entry.applied = answer.applied;
    return answer;
  };
  const send = (answer: Answer, delivery: Delivery): Outgoing => {
    entry.status = answer.status;
    return { answer, delivery };
  };
  switch (fault?.kind) {
    case undefined:
      return send(apply(), ANSWER);
    case 'apply-then-drop':
      return { answer: apply(), delivery: { kind: 'drop' } };
    case 'drop':
      return { answer: NO_ANSWER, delivery: { kind: 'drop' } };
    case 'hang':
      return { answer: NO_ANSWER, delivery: { kind: 'hang' } };
    case 'land-late':
      landLater(route, call, call.now + fault.delayMs, entry);
      return { answer: NO_ANSWER, delivery: { kind: fault.wire } };
    case 'delay': {
      const answer = apply();
      route.hold?.(call, call.now + fault.delayMs);
      return send(answer, { kind: 'answer-late', delayMs: fault.delayMs });
    }
    case 'slow-body':
      return send(apply(), { kind: 'trickle', delayMs: fault.delayMs });
    case 'garbage':
      return send({ ...apply(), status: 200, body: GARBAGE, raw: true }, ANSWER);
    case 'status':
      return send(plannedAnswer(route.vendor, fault, call), ANSWER);
  }
}

function landLater(route: Route, call: Call, dueAt: number, entry: RequestEntry): void {
  route.hold?.(call, dueAt);
  call.state.lateEffects.push({
    dueAt,
    land: (at) => {
      entry.applied = answerOf(route, { ...call, now: at }).applied;
    },
  });
}

function answerOf(route: Route, call: Call): Answer {
  try {
    return route.handle(call);
  } catch (error) {
    if (error instanceof HubspotRefusal) return error.answer(call.ids);
    if (error instanceof ResendRefusal) return error.answer();
    throw error;
  }
}

function plannedAnswer(vendor: Vendor, fault: Extract<AnswerFault, { kind: 'status' }>, call: Call): Answer {
  const message = `Planned fault: status ${fault.status}.`;
  const usual =
    vendor === 'hubspot'
      ? new HubspotRefusal(fault.status, 'PLANNED_FAULT', message).answer(call.ids)
      : new ResendRefusal(fault.status, 'planned_fault', message).answer();
  return { ...usual, body: fault.body ?? usual.body, headers: fault.headers ?? {} };
}
