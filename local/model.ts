/** What the engine runs: the template's resources, with every value resolved. */
export interface Model {
  readonly tables: TableDefinition[];
  readonly functions: FunctionDefinition[];
  readonly stateMachines: StateMachineDefinition[];
  readonly queues: QueueDefinition[];
  readonly queueSubscriptions: QueueSubscription[];
  readonly rules: RuleDefinition[];
  readonly asyncSettings: AsyncSettings[];
  readonly httpApis: HttpApiDefinition[];
  /** Resources that do nothing on a laptop, and why. */
  readonly inert: InertResource[];
  /** Stack outputs by name. */
  readonly outputs: Record<string, string>;
}

export interface KeyPart {
  AttributeName: string;
  KeyType: string;
}

export interface TableDefinition {
  readonly logicalId: string;
  readonly name: string;
  /** The members of CreateTable that dynalite understands. */
  readonly create: { readonly KeySchema: KeyPart[] } & Record<string, unknown>;
}

export interface FunctionDefinition {
  readonly logicalId: string;
  readonly name: string;
  readonly arn: string;
  /** Directory with the built code. */
  readonly codeDir: string;
  /** `<file without extension>.<export>` */
  readonly handler: string;
  readonly timeoutSeconds: number;
  readonly memoryMb: number;
  readonly environment: Record<string, string>;
}

export interface StateMachineDefinition {
  readonly logicalId: string;
  readonly name: string;
  readonly arn: string;
  readonly roleArn: string;
  /** Amazon States Language, as JSON text. */
  readonly definition: string;
}

export interface QueueDefinition {
  readonly logicalId: string;
  readonly name: string;
  readonly arn: string;
  readonly url: string;
  readonly visibilitySeconds: number;
  readonly delaySeconds: number;
  readonly retentionSeconds: number;
  readonly maxMessageBytes: number;
  /** After this many receives a message moves to the dead-letter queue. */
  readonly redrive?: { readonly deadLetterArn: string; readonly maxReceiveCount: number };
}

/** An `AWS::Lambda::EventSourceMapping` from a queue to a function. */
export interface QueueSubscription {
  readonly logicalId: string;
  readonly queueArn: string;
  readonly functionArn: string;
  readonly batchSize: number;
  readonly maxConcurrency: number;
  /** `ReportBatchItemFailures` is on. */
  readonly partialBatches: boolean;
}

export interface RuleTarget {
  readonly arn: string;
  /** JSON text that is sent in place of the event. */
  readonly input?: string;
  /** Names that lead to the part of the event that is sent: `$.detail.text` → `['detail', 'text']`. */
  readonly inputPath?: readonly string[];
}

export interface RuleDefinition {
  readonly logicalId: string;
  readonly name: string;
  readonly arn: string;
  readonly bus: string;
  readonly pattern?: Record<string, unknown>;
  readonly everyMs?: number;
  readonly targets: RuleTarget[];
}

/** An `AWS::Lambda::EventInvokeConfig`. */
export interface AsyncSettings {
  readonly functionName: string;
  readonly retries: number;
  readonly onFailureArn?: string;
}

/** An HTTP API with everything that its stack has for it. */
export interface HttpApiDefinition {
  readonly logicalId: string;
  readonly id: string;
  /** Without a slash at its end. */
  readonly url: string;
  readonly routes: readonly HttpApiRoute[];
  readonly throttle?: HttpThrottle;
}

export interface HttpApiRoute {
  /** `POST /things/{thing}` */
  readonly key: string;
  /** `ANY` for all of them. */
  readonly method: string;
  readonly segments: readonly string[];
  readonly functionArn: string;
  /** How long its function is waited for. */
  readonly timeoutMs: number;
}

/** Of each route by itself. */
export interface HttpThrottle {
  readonly burst: number;
  readonly perSecond: number;
}

export interface InertResource {
  readonly logicalId: string;
  readonly type: string;
  readonly why: string;
}
