import { executionName, type LeadKey } from '../../../functions/domain/action.ts';
import type { Waiting } from '../../../functions/domain/handoff.ts';
import type { RecoveryOpened } from '../../../functions/domain/recovery-opened.ts';
import type { RouteAnswers, RouteSettings } from '../../../functions/domain/route.ts';
import { type Accepted, acceptLead } from '../../../functions/intake/accept-lead.ts';
import { acceptMessage, type MessagePorts } from '../../../functions/intake/accept-message.ts';
import { keepDeadLetter } from '../../../functions/intake/keep-dead-letter.ts';
import type { IntakePorts } from '../../../functions/intake/ports.ts';
import { type Events, EventsUnavailable } from '../../../functions/ports/events.ts';
import type { UnderId } from '../../../functions/ports/ledger.ts';
import { sweepRoute } from '../../../functions/recovery/sweep-route.ts';
import { FakeClock } from '../../model/clock.ts';
import { InMemoryLedger } from '../../model/in-memory-ledger.ts';
import { InMemoryWorkflow } from '../../model/in-memory-workflow.ts';
import { CONTRACT, NUMBERS, testRoute } from '../../model/settings.ts';

export const HOUR = 3_600_000;

export const JO = { leadRequestId: 'inq-1', email: 'jo.lind@customer.example.com', firstName: 'Jo' };
/** The same person, under another id. */
export const JO_AGAIN = { ...JO, leadRequestId: 'inq-2' };

export const APPROVAL = { by: 'Tomas', reason: 'the address is corrected' };

/** Everything around intake in memory. Nothing moves unless the test moves it. */
export class IntakeBench {
  readonly clock = new FakeClock();
  readonly ledger = new InMemoryLedger();
  readonly workflow = new InMemoryWorkflow();
  readonly told: RecoveryOpened[] = [];
  readonly route: RouteSettings;
  eventsFail = false;

  readonly events: Events = {
    publish: async (event) => {
      if (this.eventsFail) throw new EventsUnavailable('full');
      this.told.push(event);
    },
  };

  constructor(answers: Partial<RouteAnswers> = {}) {
    this.route = testRoute(answers);
  }

  ports(more: Partial<IntakePorts> = {}): IntakePorts {
    const { ledger, workflow, events, route } = this;
    return {
      ledger,
      workflow,
      events,
      route,
      clock: this.clock.now,
      stage: 'test',
      numbers: NUMBERS,
      ...more,
    };
  }

  messagePorts(more: Partial<IntakePorts> = {}): MessagePorts {
    return { routes: [this.route], portsOf: (route) => this.ports({ route, ...more }) };
  }

  accept(lead: unknown = JO, more: Partial<IntakePorts> = {}): Promise<Accepted> {
    return acceptLead(lead, this.ports(more));
  }

  message(body: unknown): Promise<Accepted | null> {
    return acceptMessage(typeof body === 'string' ? body : JSON.stringify(body), this.messagePorts());
  }

  deadLetter(body: unknown, messageId = 'message-1', receiveCount = 6) {
    const text = typeof body === 'string' ? body : JSON.stringify(body);
    const sentAt = this.clock.now() - 1_000;
    return keepDeadLetter({ messageId, body: text, sentAt, receiveCount }, this.messagePorts());
  }

  key(leadRequestId: string): LeadKey {
    return { route: this.route.name, leadRequestId };
  }

  under(leadRequestId: string): Promise<UnderId> {
    return this.ledger.underId(this.key(leadRequestId));
  }

  /** What waits for a person on the route. */
  asked(): Promise<readonly (LeadKey & Waiting)[]> {
    return this.ledger.listWaiting('ask', this.route.name);
  }

  /** The ids whose first execution runs. */
  running(...ids: readonly string[]): string[] {
    return ids.filter((id) => this.workflow.statuses.get(executionName(this.key(id), 1)) === 'RUNNING');
  }

  /** A minute later the sweep comes by. */
  async sweep(): Promise<void> {
    this.clock.advance(HOUR / 60);
    const swept = await sweepRoute({
      ...this.ports(),
      links: LINKS,
      contractOf: () => CONTRACT,
      random: () => 0,
      remainingMs: () => 1_000,
    });
    if (swept.failed.length > 0) throw new Error(`The sweep failed: ${JSON.stringify(swept.failed)}.`);
  }
}

const LINKS = { stateMachineArn: 'arn:aws:states:eu-central-1:123456789012:stateMachine:lead-handoff-test' };

export function isUntold({ dueAt, since }: Waiting): boolean {
  return dueAt === since;
}
