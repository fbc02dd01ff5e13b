import { ArnFormat, Aws, RemovalPolicy, Stack } from 'aws-cdk-lib';
import { type IGrantable, PolicyStatement, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import { Key } from 'aws-cdk-lib/aws-kms';
import { Topic } from 'aws-cdk-lib/aws-sns';
import { EmailSubscription } from 'aws-cdk-lib/aws-sns-subscriptions';
import { Construct } from 'constructs';
import type { Stage } from '../../functions/domain/stage-numbers.ts';

/**
 * The topics by which people are told, under one key. Whoever is subscribed confirms it once, by the link that Amazon SNS sends.
 * EventBridge has no right on the key: it could not be bound to this account's events, and a state machine publishes for it.
 *
 * https://docs.aws.amazon.com/sns/latest/dg/sns-key-management.html
 */
export class Notices extends Construct {
  readonly #stage: Stage;
  readonly #key: Key;
  /** CloudWatch, when it speaks for an alarm of this stage. */
  readonly #forOurAlarms: Record<string, Record<string, string>>;

  constructor(scope: Construct, id: string, stage: Stage) {
    super(scope, id);
    this.#stage = stage;
    this.#key = new Key(this, 'Key', {
      description: `Encrypts what lead-handoff-${stage} tells people.`,
      enableKeyRotation: true,
      // Nothing is kept under it: a topic hands on what it gets.
      removalPolicy: RemovalPolicy.DESTROY,
    });
    const alarms = Stack.of(this).formatArn({
      service: 'cloudwatch',
      resource: 'alarm',
      resourceName: `lead-handoff-${stage}-*`,
      arnFormat: ArnFormat.COLON_RESOURCE_NAME,
    });
    this.#forOurAlarms = {
      StringEquals: { 'aws:SourceAccount': Aws.ACCOUNT_ID },
      ArnLike: { 'aws:SourceArn': alarms },
    };
    this.#key.addToResourcePolicy(
      new PolicyStatement({
        principals: [new ServicePrincipal('cloudwatch.amazonaws.com')],
        actions: ['kms:Decrypt', 'kms:GenerateDataKey*'],
        resources: ['*'],
        conditions: this.#forOurAlarms,
      }),
    );
  }

  /** The topic `lead-handoff-<stage>-<name>`, which takes nothing that comes unencrypted. */
  topic(name: string, emails: readonly string[]): Topic {
    const topic = new Topic(this, name, {
      topicName: `lead-handoff-${this.#stage}-${name}`,
      masterKey: this.#key,
      enforceSSL: true,
    });
    for (const email of new Set(emails)) topic.addSubscription(new EmailSubscription(email));
    return topic;
  }

  /** Lets this stage's alarms publish on a topic. */
  acceptAlarms(topic: Topic): void {
    topic.addToResourcePolicy(
      new PolicyStatement({
        principals: [new ServicePrincipal('cloudwatch.amazonaws.com')],
        actions: ['sns:Publish'],
        resources: [topic.topicArn],
        conditions: this.#forOurAlarms,
      }),
    );
  }

  /** Whoever publishes on these topics encrypts by their key; the right to publish comes with the state that does. */
  grantKey(grantee: IGrantable): void {
    grantee.grantPrincipal.addToPrincipalPolicy(
      new PolicyStatement({
        actions: ['kms:Decrypt', 'kms:GenerateDataKey', 'kms:GenerateDataKeyWithoutPlaintext'],
        resources: [this.#key.keyArn],
        conditions: { StringEquals: { 'kms:ViaService': `sns.${Aws.REGION}.${Aws.URL_SUFFIX}` } },
      }),
    );
  }
}
