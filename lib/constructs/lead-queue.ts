import { Duration, RemovalPolicy } from 'aws-cdk-lib';
import { ManagedPolicy, PolicyStatement } from 'aws-cdk-lib/aws-iam';
import { EventSourceMapping } from 'aws-cdk-lib/aws-lambda';
import { Queue, QueueEncryption } from 'aws-cdk-lib/aws-sqs';
import { Construct } from 'constructs';
import type { Stage } from '../../functions/domain/stage-numbers.ts';
import type { HandoffFunction } from './handoff-function.ts';

/** How often a message is delivered before it is a dead letter. */
const TRIES = 5;

/**
 * A message stays hidden for so many timeouts of its function: a batch that the function was throttled for is invoked again in the
 * meantime. https://docs.aws.amazon.com/lambda/latest/dg/services-sqs-configure.html
 */
const TIMEOUTS_HIDDEN = 6;

/**
 * A message that moves keeps its age, so what is left of these two weeks is at least four days:
 * https://docs.aws.amazon.com/AWSSimpleQueueService/latest/SQSDeveloperGuide/setting-up-dead-letter-queue-retention.html.
 */
const KEPT = Duration.days(10);
const DEAD_KEPT = Duration.days(14);

/** A lead request has at most 64 KiB, and three times that where characters are escaped; what is longer is refused where it is sent. */
const LONGEST_MESSAGE_BYTES = 256 * 1024;

export interface LeadQueueProps {
  readonly stage: Stage;
  /** Of the functions that take the messages. */
  readonly functionTimeoutSeconds: number;
  readonly fromQueue: HandoffFunction;
  readonly deadLetters: HandoffFunction;
}

/**
 * The queue that producers put lead requests on, what becomes of those that cannot be accepted, and the policy of the producers.
 *
 * Both queues are encrypted with keys of Amazon SQS, so that the right to send is all that a producer needs. Production keeps them
 * whatever happens to the stack, because what is in them has been accepted by nobody else.
 */
export class LeadQueue extends Construct {
  readonly leads: Queue;
  readonly deadLeads: Queue;
  /** How long all deliveries of one message take, with nobody who takes it. */
  readonly allTries: Duration;

  constructor(scope: Construct, id: string, props: LeadQueueProps) {
    super(scope, id);
    const { stage, functionTimeoutSeconds, fromQueue, deadLetters } = props;
    const visibilityTimeout = Duration.seconds(TIMEOUTS_HIDDEN * functionTimeoutSeconds);
    const common = {
      encryption: QueueEncryption.SQS_MANAGED,
      enforceSSL: true,
      visibilityTimeout,
      maxMessageSizeBytes: LONGEST_MESSAGE_BYTES,
      removalPolicy: stage === 'prod' ? RemovalPolicy.RETAIN : RemovalPolicy.DESTROY,
    };
    this.allTries = Duration.seconds(TRIES * visibilityTimeout.toSeconds());
    this.deadLeads = new Queue(this, 'Dead leads', {
      ...common,
      queueName: `lead-handoff-${stage}-dead-leads`,
      retentionPeriod: DEAD_KEPT,
    });
    this.leads = new Queue(this, 'Leads', {
      ...common,
      queueName: `lead-handoff-${stage}-leads`,
      retentionPeriod: KEPT,
      deadLetterQueue: { queue: this.deadLeads, maxReceiveCount: TRIES },
    });
    this.#deliver('Deliver leads', this.leads, fromQueue);
    this.#deliver('Deliver dead leads', this.deadLeads, deadLetters);
    new ManagedPolicy(this, 'Produce', {
      managedPolicyName: `lead-handoff-${stage}-produce`,
      description: `Put lead requests on the queue of lead-handoff-${stage}.`,
      statements: [new PolicyStatement({ actions: ['sqs:SendMessage'], resources: [this.leads.queueArn] })],
    });
  }

  /** https://docs.aws.amazon.com/lambda/latest/dg/services-sqs-configure.html#events-sqs-permissions */
  #deliver(id: string, queue: Queue, handler: HandoffFunction): void {
    handler.allow(['sqs:DeleteMessage', 'sqs:GetQueueAttributes', 'sqs:ReceiveMessage'], [queue.queueArn]);
    new EventSourceMapping(this, id, {
      target: handler,
      eventSourceArn: queue.queueArn,
      batchSize: 10,
      reportBatchItemFailures: true,
      // Leads may come faster than the CRM takes them; what is more waits in the queue.
      maxConcurrency: 10,
    });
  }
}
