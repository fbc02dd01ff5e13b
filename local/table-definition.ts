import type { KeyPart, TableDefinition } from './model.ts';
import { UnsupportedResource } from './unsupported-resource.ts';

interface IndexProperties {
  IndexName: string;
  KeySchema: KeyPart[];
  Projection: unknown;
}

/** Members of a table that change nothing on a laptop: encryption, backup, protection, cost, expiry (AWS too lets expired items live for days). */
const WITHOUT_EFFECT = new Set([
  'BillingMode',
  'ContributorInsightsSpecification',
  'DeletionProtectionEnabled',
  'OnDemandThroughput',
  'PointInTimeRecoverySpecification',
  'ProvisionedThroughput',
  'Replicas',
  'ResourcePolicy',
  'SSESpecification',
  'TableClass',
  'TableName',
  'Tags',
  'TimeToLiveSpecification',
  'WarmThroughput',
  'WriteOnDemandThroughputSettings',
  'WriteProvisionedThroughputSettings',
]);
const KEPT = new Set([
  'AttributeDefinitions',
  'KeySchema',
  'GlobalSecondaryIndexes',
  'LocalSecondaryIndexes',
]);

/** @throws UnsupportedResource for a member with an effect that dynalite does not have, such as a stream */
export function readTable(
  properties: Record<string, unknown>,
  logicalId: string,
  name: string,
  type: string,
): TableDefinition {
  for (const member of Object.keys(properties)) {
    if (!KEPT.has(member) && !WITHOUT_EFFECT.has(member)) {
      throw new UnsupportedResource(logicalId, type, `the engine does not know its ${member}`);
    }
  }
  return {
    logicalId,
    name,
    create: {
      AttributeDefinitions: properties.AttributeDefinitions,
      KeySchema: properties.KeySchema as KeyPart[],
      BillingMode: 'PAY_PER_REQUEST',
      ...indexes('GlobalSecondaryIndexes', properties),
      ...indexes('LocalSecondaryIndexes', properties),
    },
  };
}

function indexes(member: string, properties: Record<string, unknown>): Record<string, unknown> {
  const given = properties[member] as IndexProperties[] | undefined;
  if (!given || given.length === 0) return {};
  return {
    [member]: given.map(({ IndexName, KeySchema, Projection }) => ({ IndexName, KeySchema, Projection })),
  };
}
