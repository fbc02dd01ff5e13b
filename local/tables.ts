import { Agent, request as httpRequest, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import dynalite from 'dynalite';
import { AwsError } from './aws-error.ts';
import { type AttributeMap, type DynamoAnswer, withOldItem } from './condition-old-item.ts';
import { KeyLock } from './key-lock.ts';
import type { TableDefinition } from './model.ts';

/** A table of the data directory no longer has the shape that the template declares. */
export class TableShapeChanged extends Error {
  override readonly name = 'TableShapeChanged';
  readonly table: string;

  constructor(table: string) {
    super(
      `The table ${table} was kept from an earlier run and its keys or indexes have changed since: start again with --fresh.`,
    );
    this.table = table;
  }
}

/** Operations of DynamoDB that dynalite answers. Everything else is refused by name. */
const PASSED_ON = new Set([
  'BatchGetItem',
  'DescribeTable',
  'DescribeTimeToLive',
  'GetItem',
  'ListTables',
  'ListTagsOfResource',
  'Query',
  'Scan',
]);
const SINGLE_WRITES = new Set(['PutItem', 'UpdateItem', 'DeleteItem']);

export interface TablesOptions {
  /** Directory of the stored tables; absent: in memory. */
  readonly path?: string;
  readonly onWrite?: (table: string) => void;
}

/** The tables of the template on dynalite, behind a proxy that writes one after the other per item. */
export class Tables {
  readonly #server: Server;
  readonly #agent = new Agent({ keepAlive: true });
  readonly #lock = new KeyLock();
  readonly #keys = new Map<string, string[]>();
  readonly #onWrite: (table: string) => void;
  /** What dynalite is answering right now: it cannot be closed under a request. */
  readonly #underWay = new Set<Promise<unknown>>();
  #port = 0;
  #closing = false;

  private constructor(options: TablesOptions) {
    this.#server = dynalite({ createTableMs: 0, deleteTableMs: 0, updateTableMs: 0, ...pathOf(options) });
    // A kept-alive connection that is closed in the moment of its reuse would look like a lost answer.
    this.#server.keepAliveTimeout = 0;
    this.#onWrite = options.onWrite ?? (() => {});
  }

  /** Opens the store and makes the tables that are missing. */
  static async open(definitions: readonly TableDefinition[], options: TablesOptions = {}): Promise<Tables> {
    const tables = new Tables(options);
    await new Promise<void>((resolve, reject) => {
      tables.#server.once('error', reject);
      tables.#server.listen(0, '127.0.0.1', resolve);
    });
    tables.#port = (tables.#server.address() as AddressInfo).port;
    try {
      for (const definition of definitions) await tables.#ensure(definition);
    } catch (error) {
      await tables.close();
      throw error;
    }
    return tables;
  }

  get names(): string[] {
    return [...this.#keys.keys()];
  }

  /**
   * Answers one DynamoDB operation as the service would.
   *
   * @throws AwsError `UnknownOperationException` for an operation that the engine does not speak.
   */
  async handle(operation: string, body: Record<string, unknown>): Promise<DynamoAnswer> {
    if (this.#closing) throw new AwsError('ServiceUnavailable', 'The embedded engine is stopping.', 503);
    const answer = this.#answer(operation, body);
    this.#underWay.add(answer);
    try {
      return await answer;
    } finally {
      this.#underWay.delete(answer);
    }
  }

  async #answer(operation: string, body: Record<string, unknown>): Promise<DynamoAnswer> {
    if (SINGLE_WRITES.has(operation)) return this.#write(operation, body);
    if (operation === 'BatchWriteItem') return this.#batchWrite(body);
    if (PASSED_ON.has(operation)) return this.#send(operation, body);
    throw new AwsError(
      'UnknownOperationException',
      `The embedded engine does not speak DynamoDB ${operation}.`,
    );
  }

  async close(): Promise<void> {
    this.#closing = true;
    await Promise.allSettled(this.#underWay);
    this.#agent.destroy();
    this.#server.closeAllConnections();
    await new Promise<void>((resolve) => this.#server.close(() => resolve()));
  }

  async #write(operation: string, body: Record<string, unknown>): Promise<DynamoAnswer> {
    const table = String(body.TableName);
    const key = this.#keyOf(table, (body.Key ?? body.Item ?? {}) as AttributeMap);
    return this.#lock.run([lockName(table, key)], async () => {
      const answer = await this.#send(operation, body);
      if (answer.statusCode === 200) this.#onWrite(table);
      return withOldItem(body, answer, async () => {
        const read = await this.#send('GetItem', { TableName: table, Key: key, ConsistentRead: true });
        return read.body.Item as AttributeMap | undefined;
      });
    });
  }

  async #batchWrite(body: Record<string, unknown>): Promise<DynamoAnswer> {
    const writes = Object.entries((body.RequestItems ?? {}) as Record<string, BatchEntry[]>).flatMap(
      ([table, entries]) =>
        entries.map((entry) => ({ table, item: entry.PutRequest?.Item ?? entry.DeleteRequest?.Key ?? {} })),
    );
    const locks = writes.map(({ table, item }) => lockName(table, this.#keyOf(table, item)));
    return this.#lock.run(locks, async () => {
      const answer = await this.#send('BatchWriteItem', body);
      if (answer.statusCode === 200) for (const { table } of writes) this.#onWrite(table);
      return answer;
    });
  }

  #keyOf(table: string, item: AttributeMap): AttributeMap {
    const names = this.#keys.get(table) ?? [];
    return Object.fromEntries(names.map((name) => [name, item[name]]));
  }

  async #ensure(definition: TableDefinition): Promise<void> {
    const found = await this.#send('DescribeTable', { TableName: definition.name });
    if (found.statusCode === 200) {
      if (shapeOf(found.body.Table as Shape) !== shapeOf(definition.create as Shape)) {
        throw new TableShapeChanged(definition.name);
      }
    } else {
      const made = await this.#send('CreateTable', { TableName: definition.name, ...definition.create });
      if (made.statusCode !== 200) {
        throw new AwsError(
          'ValidationException',
          `The table ${definition.name} (${definition.logicalId}) cannot be made: ${made.body.message}`,
        );
      }
      await this.#untilActive(definition.name);
    }
    this.#keys.set(
      definition.name,
      definition.create.KeySchema.map((part) => part.AttributeName),
    );
  }

  async #untilActive(table: string): Promise<void> {
    for (;;) {
      const { body } = await this.#send('DescribeTable', { TableName: table });
      const described = body.Table as {
        TableStatus: string;
        GlobalSecondaryIndexes?: { IndexStatus: string }[];
      };
      const indexes = described.GlobalSecondaryIndexes ?? [];
      if (described.TableStatus === 'ACTIVE' && indexes.every((each) => each.IndexStatus === 'ACTIVE'))
        return;
      await new Promise((resolve) => setTimeout(resolve, 2));
    }
  }

  #send(operation: string, body: unknown): Promise<DynamoAnswer> {
    const payload = JSON.stringify(body);
    return new Promise((resolve, reject) => {
      const outgoing = httpRequest(
        {
          host: '127.0.0.1',
          port: this.#port,
          method: 'POST',
          agent: this.#agent,
          headers: headersFor(operation, payload),
        },
        (response) => {
          const chunks: Buffer[] = [];
          response.on('data', (chunk: Buffer) => chunks.push(chunk));
          response.on('error', reject);
          response.on('end', () => {
            const text = Buffer.concat(chunks).toString();
            resolve({ statusCode: response.statusCode ?? 500, body: text ? JSON.parse(text) : {} });
          });
        },
      );
      outgoing.on('error', reject);
      outgoing.end(payload);
    });
  }
}

interface BatchEntry {
  PutRequest?: { Item: AttributeMap };
  DeleteRequest?: { Key: AttributeMap };
}

interface Shape {
  KeySchema: unknown;
  GlobalSecondaryIndexes?: { IndexName: string; KeySchema: unknown }[];
  LocalSecondaryIndexes?: { IndexName: string; KeySchema: unknown }[];
}

function pathOf({ path }: TablesOptions): { path?: string } {
  return path === undefined ? {} : { path };
}

function lockName(table: string, key: AttributeMap): string {
  return `${table} ${JSON.stringify(key)}`;
}

function shapeOf(table: Shape): string {
  const indexes = [...(table.GlobalSecondaryIndexes ?? []), ...(table.LocalSecondaryIndexes ?? [])];
  const named = indexes.map((index) => `${index.IndexName} ${keyText(index.KeySchema)}`).sort();
  return [keyText(table.KeySchema), ...named].join('\n');
}

function keyText(schema: unknown): string {
  return (schema as { AttributeName: string; KeyType: string }[])
    .map((part) => `${part.KeyType}=${part.AttributeName}`)
    .sort()
    .join(',');
}

/** dynalite wants to see a signature; it does not check it. */
function headersFor(operation: string, payload: string): Record<string, string | number> {
  return {
    'content-type': 'application/x-amz-json-1.0',
    'content-length': Buffer.byteLength(payload),
    'x-amz-target': `DynamoDB_20120810.${operation}`,
    'x-amz-date': '20260101T000000Z',
    authorization:
      'AWS4-HMAC-SHA256 Credential=local/20260101/us-east-1/dynamodb/aws4_request, SignedHeaders=host, Signature=local',
  };
}
