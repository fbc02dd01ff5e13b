import { Construct } from 'constructs';
import type { Stage } from '../../functions/domain/stage-numbers.ts';
import type { HandoffFunction } from './handoff-function.ts';
import { LeadApi } from './lead-api.ts';
import { LeadQueue } from './lead-queue.ts';

export interface IntakeProps {
  readonly stage: Stage;
  readonly functionTimeoutSeconds: number;
  readonly fromQueue: HandoffFunction;
  readonly deadLetters: HandoffFunction;
  readonly fromHttp: HandoffFunction;
}

/** The two ways by which other systems hand in leads: a queue for those in AWS, and signed HTTP for the others. */
export class Intake extends Construct {
  readonly queue: LeadQueue;
  readonly http: LeadApi;
  /** By the last part of their name. */
  readonly functions: Readonly<Record<string, HandoffFunction>>;

  constructor(scope: Construct, id: string, props: IntakeProps) {
    super(scope, id);
    this.queue = new LeadQueue(this, 'Queue', props);
    this.http = new LeadApi(this, 'Http', props);
    const { fromQueue, deadLetters, fromHttp } = props;
    this.functions = { 'from-queue': fromQueue, 'dead-letters': deadLetters, 'from-http': fromHttp };
  }
}
