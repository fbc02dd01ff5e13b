import { setTimeout as sleep } from 'node:timers/promises';
import { startHandoff } from '../cli/start-handoff.ts';
import type { LedgerRecord } from '../functions/domain/handoff.ts';
import type { LeadRequest } from '../functions/domain/lead-request.ts';
import { isSettled } from './chaos-books-ledger.ts';
import type { ChaosEngine } from './chaos-engine.ts';
import { type Journal, type TrackedLead, trackedLead } from './chaos-journal.ts';
import { type ChaosLead, hashOf, type Variant, variantOf } from './chaos-leads.ts';
import { ROUTE } from './chaos-names.ts';
import { mostOpen } from './chaos-pace.ts';
import { mayHaveAmended } from './chaos-requests.ts';
import type { SandboxControl } from './chaos-sandbox.ts';

const LOOK_EVERY_MS = 700;
const TRY_AGAIN_AFTER_MS = 300;
const WAITING_PER_LOOK = 20;

/** The producer of the leads: like a queue it delivers again until it is heard, and it goes no faster than leads are handed off. */
export class Producer {
  readonly #engine: ChaosEngine;
  readonly #sandbox: SandboxControl;
  readonly #journal: Journal;
  readonly #due: ChaosLead[] = [];
  #stopped = false;
  /** Where the next look at those that wait begins. */
  #lookedAt = 0;

  constructor(engine: ChaosEngine, sandbox: SandboxControl, journal: Journal) {
    this.#engine = engine;
    this.#sandbox = sandbox;
    this.#journal = journal;
  }

  /** Due from now on; submitted as soon as there is room. */
  add(lead: ChaosLead): void {
    this.#due.push(lead);
  }

  /** Leads that are due and were never submitted. */
  get behind(): number {
    return this.#due.length;
  }

  get open(): number {
    return this.#journal.leads.filter(({ standing }) => standing === 'under-way').length;
  }

  /** Nothing new is submitted any more; what was is still delivered and followed. Answers how many were left out. */
  takeNoMore(): number {
    return this.#due.splice(0).length;
  }

  stop(): void {
    this.#stopped = true;
  }

  /** Submits what is due while there is room, until it is stopped. */
  async run(): Promise<void> {
    let lookedAt = 0;
    while (!this.#stopped) {
      if (Date.now() - lookedAt > LOOK_EVERY_MS) {
        await this.look();
        lookedAt = Date.now();
      }
      const next = this.open < mostOpen() ? this.#due.shift() : undefined;
      if (next) await this.#submit(next);
      else await sleep(50);
    }
  }

  /** Sees which of the open handoffs are over, which wait, and which a person has let go on. */
  async look(): Promise<void> {
    const { aws } = this.#engine;
    if (!aws) return;
    const accepted = this.#journal.leads.filter((tracked) => tracked.accepted);
    const underWay = accepted.filter(({ standing }) => standing === 'under-way');
    const waiting = accepted.filter(({ standing }) => standing === 'waiting');
    for (const tracked of [...underWay, ...this.#some(waiting)]) {
      const { leadRequestId } = tracked.lead;
      const record = await aws.ledger.record({ route: ROUTE, leadRequestId }).catch(() => null);
      if (record) tracked.standing = standingOf(record);
    }
  }

  /** A few at a time, so that a long list costs no more than a short one. */
  #some(waiting: readonly TrackedLead[]): readonly TrackedLead[] {
    const from = this.#lookedAt % Math.max(1, waiting.length);
    this.#lookedAt = from + WAITING_PER_LOOK;
    return [...waiting.slice(from), ...waiting.slice(0, from)].slice(0, WAITING_PER_LOOK);
  }

  async #submit({ lead, existing }: ChaosLead): Promise<void> {
    if (existing) {
      const properties = {
        email: lead.email,
        ...(existing.owner === null ? {} : { hubspot_owner_id: existing.owner }),
      };
      // Somebody with this address may have come before.
      await this.#sandbox.person('create', { properties }).catch(() => this.#journal.missed('create'));
    }
    const tracked = trackedLead(lead);
    this.#journal.leads.push(tracked);
    this.#journal.totals.submitted += 1;
    this.#journal.note(
      tracked,
      `submitted${existing ? `; the CRM knows them, owner ${existing.owner}` : ''}`,
    );
    // The next one need not wait for an engine that is down; this one is delivered until it is heard.
    void this.deliver(tracked);
    await sleep(50);
  }

  /** Submits a lead until it is accepted. */
  async deliver(tracked: TrackedLead): Promise<void> {
    while (!tracked.accepted && !this.#stopped) {
      const answer = await this.#start(tracked.lead);
      if (answer === 'taken') {
        tracked.accepted = true;
        this.#journal.accepted.push(tracked);
        this.#journal.note(tracked, 'accepted');
      } else await sleep(TRY_AGAIN_AFTER_MS);
    }
  }

  /** The same lead request once more, or another one under its id. */
  async again(tracked: TrackedLead, as: Variant): Promise<void> {
    const { lead, requests, refusedHashes, wrongAnswers } = tracked;
    const answer = await this.#start(variantOf(lead, as));
    this.#journal.note(tracked, `again (${as}): ${answer}`);
    const isOther = as === 'other-fields' || as === 'corrected';
    if (answer === 'conflict') {
      this.#journal.totals.conflicts += 1;
      if (isOther) refusedHashes.add(hashOf(lead, as));
      else wrongAnswers.push(`the same lead request (${as}) was refused as a conflict`);
    } else if (answer === 'taken') {
      this.#journal.totals.repeated += 1;
      const mayHold = isOther && requests.some((request) => mayHaveAmended(request, hashOf(lead, as)));
      if (isOther && !mayHold) wrongAnswers.push(`other fields under its id (${as}) were accepted`);
    }
  }

  async #start(lead: LeadRequest): Promise<'taken' | 'conflict' | string> {
    const { aws } = this.#engine;
    if (!aws) return 'engine down';
    const answer = await startHandoff(aws, ROUTE, lead);
    if (!('refusal' in answer)) return 'taken';
    return answer.refusal.error === 'LeadConflict' ? 'conflict' : answer.refusal.error;
  }
}

function standingOf(record: LedgerRecord): TrackedLead['standing'] {
  if (record.handoff.closedAt !== null) return 'closed';
  return isSettled(record) ? 'waiting' : 'under-way';
}
