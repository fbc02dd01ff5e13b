import { Readable } from 'node:stream';
import type { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { Tables } from '../../local/tables.ts';

const LEDGER = {
  logicalId: 'Ledger',
  name: 'ledger',
  create: {
    AttributeDefinitions: ['pk', 'sk', 'waitingKey']
      .map((AttributeName) => ({ AttributeName, AttributeType: 'S' }))
      .concat([{ AttributeName: 'waitingSince', AttributeType: 'N' }]),
    KeySchema: [
      { AttributeName: 'pk', KeyType: 'HASH' },
      { AttributeName: 'sk', KeyType: 'RANGE' },
    ],
    BillingMode: 'PAY_PER_REQUEST',
    GlobalSecondaryIndexes: [
      {
        IndexName: 'waiting',
        KeySchema: [
          { AttributeName: 'waitingKey', KeyType: 'HASH' },
          { AttributeName: 'waitingSince', KeyType: 'RANGE' },
        ],
        Projection: { ProjectionType: 'ALL' },
      },
    ],
  },
} as const;

const IDEMPOTENCY = {
  logicalId: 'Idempotency',
  name: 'idempotency',
  create: {
    AttributeDefinitions: [{ AttributeName: 'id', AttributeType: 'S' }],
    KeySchema: [{ AttributeName: 'id', KeyType: 'HASH' }],
    BillingMode: 'PAY_PER_REQUEST',
  },
} as const;

/** What goes wrong with one request: it never arrives, it is applied and its answer is lost, or the service is down for it. */
export type RequestFault = 'lost' | 'answer-lost' | 'down';

export interface SeenRequest {
  readonly operation: string;
  readonly body: Readonly<Record<string, unknown>>;
}

/** Both tables on dynalite, and a DynamoDB client of the SDK that reaches them without a network. */
export class TableConnection {
  readonly seen: SeenRequest[] = [];
  readonly #tables: Tables;
  /** For each request, whether something goes wrong with it. */
  fault: (request: SeenRequest) => RequestFault | null = () => null;

  private constructor(tables: Tables) {
    this.#tables = tables;
  }

  static async open(): Promise<TableConnection> {
    const copy = JSON.parse(JSON.stringify([LEDGER, IDEMPOTENCY]));
    return new TableConnection(await Tables.open(copy));
  }

  /** Lets this client's requests go to the tables; its retries and its reading of answers stay the SDK's own. */
  connect(client: DynamoDBClient): void {
    client.config.requestHandler = {
      handle: async (request: { headers: Record<string, string>; body?: string | Uint8Array }) => ({
        response: await this.#answer(request),
      }),
    } as unknown as typeof client.config.requestHandler;
  }

  /** A fault for the next `count` requests of this operation. */
  failNext(operation: string, fault: RequestFault, count = 1): void {
    let left = count;
    this.fault = (request) => {
      if (left === 0 || request.operation !== operation) return null;
      left -= 1;
      return fault;
    };
  }

  close(): Promise<void> {
    return this.#tables.close();
  }

  async #answer({ headers, body }: { headers: Record<string, string>; body?: string | Uint8Array }) {
    const operation = headers['x-amz-target']?.split('.')[1] ?? '';
    const seen = {
      operation,
      body: JSON.parse(typeof body === 'string' ? body : new TextDecoder().decode(body)),
    };
    this.seen.push(seen);
    const fault = this.fault(seen);
    if (fault === 'lost') throw lost();
    if (fault === 'down')
      return httpAnswer(400, { __type: 'com.amazon#ValidationException', message: 'down' });
    const { statusCode, body: answer } = await this.#tables.handle(operation, seen.body);
    if (fault === 'answer-lost') throw lost();
    return httpAnswer(statusCode, answer);
  }
}

function lost(): Error {
  return Object.assign(new Error('The answer did not come.'), { name: 'TimeoutError' });
}

function httpAnswer(statusCode: number, body: object) {
  return {
    statusCode,
    headers: { 'content-type': 'application/x-amz-json-1.0' },
    body: Readable.from([Buffer.from(JSON.stringify(body))]),
  };
}
