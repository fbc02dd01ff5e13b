import { Aws, RemovalPolicy } from 'aws-cdk-lib';
import { AttributeType, BillingMode, ProjectionType, Table, TableEncryption } from 'aws-cdk-lib/aws-dynamodb';
import { type IGrantable, PolicyStatement } from 'aws-cdk-lib/aws-iam';
import { Key } from 'aws-cdk-lib/aws-kms';
import { Construct } from 'constructs';
import type { Stage } from '../../functions/domain/stage-numbers.ts';

export type ItemAction = 'GetItem' | 'PutItem' | 'UpdateItem' | 'DeleteItem' | 'Query';

const WAITING_INDEX = 'waiting';

/** The ledger and Powertools' idempotency table, under one key. Production keeps them whatever happens to the stack. */
export class Tables extends Construct {
  readonly ledger: Table;
  readonly idempotency: Table;
  readonly #key: Key;

  constructor(scope: Construct, id: string, stage: Stage) {
    super(scope, id);
    const kept = stage === 'prod';
    const removalPolicy = kept ? RemovalPolicy.RETAIN : RemovalPolicy.DESTROY;
    this.#key = new Key(this, 'Key', {
      description: `Encrypts the tables of lead-handoff-${stage}.`,
      enableKeyRotation: true,
      removalPolicy,
    });
    const common = {
      billingMode: BillingMode.PAY_PER_REQUEST,
      encryption: TableEncryption.CUSTOMER_MANAGED,
      encryptionKey: this.#key,
      pointInTimeRecoverySpecification: { pointInTimeRecoveryEnabled: true },
      deletionProtection: kept,
      removalPolicy,
    };
    this.ledger = new Table(this, 'Ledger', {
      ...common,
      tableName: `lead-handoff-${stage}-ledger`,
      partitionKey: { name: 'pk', type: AttributeType.STRING },
      sortKey: { name: 'sk', type: AttributeType.STRING },
      timeToLiveAttribute: 'expiresAt',
    });
    // Sparse: only what waits and what is open carries `waitingKey`.
    this.ledger.addGlobalSecondaryIndex({
      indexName: WAITING_INDEX,
      partitionKey: { name: 'waitingKey', type: AttributeType.STRING },
      sortKey: { name: 'waitingSince', type: AttributeType.NUMBER },
      projectionType: ProjectionType.ALL,
    });
    // The attribute names are Powertools' defaults: https://docs.aws.amazon.com/powertools/typescript/latest/features/idempotency/.
    this.idempotency = new Table(this, 'Idempotency', {
      ...common,
      tableName: `lead-handoff-${stage}-idempotency`,
      partitionKey: { name: 'id', type: AttributeType.STRING },
      timeToLiveAttribute: 'expiration',
    });
  }

  grantLedger(grantee: IGrantable, ...actions: ItemAction[]): void {
    this.#grant(grantee, this.ledger, actions);
  }

  /** Allows to read what waits and which handoffs are open. */
  grantWaitingIndex(grantee: IGrantable): void {
    grantee.grantPrincipal.addToPrincipalPolicy(
      new PolicyStatement({
        actions: ['dynamodb:Query'],
        resources: [`${this.ledger.tableArn}/index/${WAITING_INDEX}`],
      }),
    );
  }

  grantIdempotency(grantee: IGrantable): void {
    this.#grant(grantee, this.idempotency, ['GetItem', 'PutItem', 'UpdateItem', 'DeleteItem']);
  }

  /**
   * CDK's own grants bring `kms:ReEncrypt*`, `kms:GenerateDataKey*` and every index; these name what is used.
   * DynamoDB calls KMS with the caller's permissions: https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/encryption.usagenotes.html.
   */
  #grant(grantee: IGrantable, table: Table, actions: readonly ItemAction[]): void {
    grantee.grantPrincipal.addToPrincipalPolicy(
      new PolicyStatement({
        actions: actions.map((action) => `dynamodb:${action}`),
        resources: [table.tableArn],
      }),
    );
    grantee.grantPrincipal.addToPrincipalPolicy(
      new PolicyStatement({
        actions: [
          'kms:Decrypt',
          'kms:DescribeKey',
          'kms:Encrypt',
          'kms:GenerateDataKey',
          'kms:GenerateDataKeyWithoutPlaintext',
          'kms:ReEncryptFrom',
          'kms:ReEncryptTo',
        ],
        resources: [this.#key.keyArn],
        conditions: { StringEquals: { 'kms:ViaService': `dynamodb.${Aws.REGION}.${Aws.URL_SUFFIX}` } },
      }),
    );
  }
}
