import { randomUUID } from 'node:crypto';
import { ACCOUNT, REGION } from './aws-error.ts';
import { checkPattern, matchesPattern } from './event-pattern.ts';
import type { RuleDefinition, RuleTarget } from './model.ts';

const RING_EVENTS = 1_000;

/** An event as EventBridge hands it to targets. */
export interface BusEvent {
  version: '0';
  id: string;
  'detail-type': string;
  source: string;
  account: string;
  time: string;
  region: string;
  resources: string[];
  detail: unknown;
}

/** An event that was accepted, and the targets it went to. */
export interface AcceptedEvent {
  readonly bus: string;
  readonly event: BusEvent;
  readonly targets: string[];
}

type Deliver = (targetArn: string, payload: unknown) => void;

/** Accepts events, keeps the last ones readable, and hands them to the targets of the rules that match. */
export class EventBus {
  readonly #rules: readonly RuleDefinition[];
  readonly #deliver: Deliver;
  readonly #accepted: AcceptedEvent[] = [];
  readonly #timers: NodeJS.Timeout[] = [];

  constructor(rules: readonly RuleDefinition[], deliver: Deliver) {
    this.#rules = rules;
    this.#deliver = deliver;
    // An unknown operator is a reason not to start, not to fail at the first event.
    for (const { pattern } of rules) checkPattern(pattern);
  }

  get accepted(): readonly AcceptedEvent[] {
    return this.#accepted;
  }

  put(bus: string, source: string, detailType: string, detail: unknown, resources: string[] = []): string {
    const event: BusEvent = {
      version: '0',
      id: randomUUID(),
      'detail-type': detailType,
      source,
      account: ACCOUNT,
      time: new Date().toISOString().replace(/\.\d+Z$/, 'Z'),
      region: REGION,
      resources,
      detail,
    };
    const matching = this.#rules.filter(
      (rule) => rule.bus === bus && rule.pattern !== undefined && matchesPattern(rule.pattern, event),
    );
    this.#send(bus, event, matching);
    return event.id;
  }

  /** Starts the rules that have a schedule. */
  startSchedules(): void {
    for (const rule of this.#rules) {
      if (rule.everyMs !== undefined)
        this.#timers.push(setInterval(() => this.fire(rule.name), rule.everyMs));
    }
  }

  /** Runs a scheduled rule now. */
  fire(ruleName: string): void {
    const rule = this.#rules.find(({ name }) => name === ruleName);
    if (!rule) throw new Error(`There is no rule ${ruleName}.`);
    const event: BusEvent = {
      version: '0',
      id: randomUUID(),
      'detail-type': 'Scheduled Event',
      source: 'aws.events',
      account: ACCOUNT,
      time: new Date().toISOString().replace(/\.\d+Z$/, 'Z'),
      region: REGION,
      resources: [rule.arn],
      detail: {},
    };
    this.#send(rule.bus, event, [rule]);
  }

  stop(): void {
    for (const timer of this.#timers) clearInterval(timer);
  }

  #send(bus: string, event: BusEvent, rules: readonly RuleDefinition[]): void {
    const targets = rules.flatMap((rule) => rule.targets);
    this.#accepted.push({ bus, event, targets: targets.map(({ arn }) => arn) });
    if (this.#accepted.length > RING_EVENTS) this.#accepted.shift();
    for (const target of targets) this.#deliver(target.arn, payloadFor(target, event));
  }
}

/** A path that leads nowhere sends null; AWS does not say what it sends. */
function payloadFor({ input, inputPath = [] }: RuleTarget, event: BusEvent): unknown {
  if (input !== undefined) return JSON.parse(input);
  return inputPath.reduce<unknown>(
    (value, name) => (value as Record<string, unknown> | null)?.[name] ?? null,
    event,
  );
}
