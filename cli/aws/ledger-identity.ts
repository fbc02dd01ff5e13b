import { DescribeTableCommand } from '@aws-sdk/client-dynamodb';
import type { AwsAccess } from './access.ts';

const PATIENCE_MS = 4_000;

/** What tells a ledger from every other one, also from one that had its name before; null where AWS does not say it in time. */
export async function ledgerIdentity({
  dynamoDB,
  ledgerTable,
}: Pick<AwsAccess, 'dynamoDB' | 'ledgerTable'>): Promise<string | null> {
  try {
    const command = new DescribeTableCommand({ TableName: ledgerTable });
    const { Table } = await dynamoDB.send(command, { abortSignal: AbortSignal.timeout(PATIENCE_MS) });
    const { TableArn, TableId } = Table ?? {};
    return TableArn && TableId ? `${TableArn} ${TableId}` : null;
  } catch {
    return null;
  }
}
