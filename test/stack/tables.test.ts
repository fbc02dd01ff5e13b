import { describe, expect, test } from 'vitest';
import { STAGES } from '../../functions/domain/stage-numbers.ts';
import { synthesizedStage } from './synthesize.ts';

const stages = Object.fromEntries(STAGES.map((stage) => [stage, synthesizedStage(stage)]));

const table = (stage: (typeof STAGES)[number], name: string) => {
  const found = stages[stage]
    ?.all('AWS::DynamoDB::Table')
    .find(({ Properties }) => Properties.TableName === name);
  if (!found) throw new Error(`There is no table ${name}.`);
  return found;
};

const keyOf = (stage: (typeof STAGES)[number]) => {
  const found = Object.entries(synthesizedStage(stage).template.Resources).find(([id]) =>
    /^TablesKey/.test(id),
  );
  if (!found) throw new Error('The tables have no key.');
  return found[1];
};

describe.each(STAGES)('stage %s', (stage) => {
  test('the ledger has its keys, its expiry and its waiting list', () => {
    expect(table(stage, `lead-handoff-${stage}-ledger`).Properties).toMatchObject({
      KeySchema: [
        { AttributeName: 'pk', KeyType: 'HASH' },
        { AttributeName: 'sk', KeyType: 'RANGE' },
      ],
      AttributeDefinitions: [
        { AttributeName: 'pk', AttributeType: 'S' },
        { AttributeName: 'sk', AttributeType: 'S' },
        { AttributeName: 'waitingKey', AttributeType: 'S' },
        { AttributeName: 'waitingSince', AttributeType: 'N' },
      ],
      GlobalSecondaryIndexes: [
        {
          IndexName: 'waiting',
          KeySchema: [
            { AttributeName: 'waitingKey', KeyType: 'HASH' },
            { AttributeName: 'waitingSince', KeyType: 'RANGE' },
          ],
        },
      ],
      TimeToLiveSpecification: { AttributeName: 'expiresAt', Enabled: true },
      BillingMode: 'PAY_PER_REQUEST',
    });
  });

  test('the idempotency table is the one that Powertools expects', () => {
    expect(table(stage, `lead-handoff-${stage}-idempotency`).Properties).toMatchObject({
      KeySchema: [{ AttributeName: 'id', KeyType: 'HASH' }],
      TimeToLiveSpecification: { AttributeName: 'expiration', Enabled: true },
      BillingMode: 'PAY_PER_REQUEST',
    });
  });

  test.each(['ledger', 'idempotency'])(
    'the %s table is encrypted with a key of ours and can be restored',
    (name) => {
      expect(table(stage, `lead-handoff-${stage}-${name}`).Properties).toMatchObject({
        SSESpecification: {
          SSEEnabled: true,
          SSEType: 'KMS',
          KMSMasterKeyId: { 'Fn::GetAtt': [expect.stringMatching(/^TablesKey/), 'Arn'] },
        },
        PointInTimeRecoverySpecification: { PointInTimeRecoveryEnabled: true },
      });
    },
  );

  test('the key is rotated', () => {
    expect(keyOf(stage).Properties.EnableKeyRotation).toBe(true);
  });
});

const KEPT = [
  ['prod', true, 'Retain'],
  ['test', false, 'Delete'],
  ['local', false, 'Delete'],
] as const;

test.each(KEPT)('in %s the data is protected: %s, and then: %s', (stage, protectedFromDeletion, policy) => {
  const synthesized = synthesizedStage(stage);
  const tables = synthesized.all('AWS::DynamoDB::Table');
  expect(tables.map(({ Properties }) => Properties.DeletionProtectionEnabled)).toEqual([
    protectedFromDeletion,
    protectedFromDeletion,
  ]);
  const kept = [...tables, keyOf(stage)];
  expect(kept.map(({ DeletionPolicy }) => DeletionPolicy)).toEqual([policy, policy, policy]);
});
