import { join } from 'node:path';
import { ArnFormat, Stage as CdkStage, CfnOutput, Stack, type StackProps, Validations } from 'aws-cdk-lib';
import type { Construct } from 'constructs';
import { ACTIONS, type ActionName } from '../functions/domain/action.ts';
import { type RoutesFile, secretName } from '../functions/domain/route.ts';
import type { Stage } from '../functions/domain/stage-numbers.ts';
import { FunctionBundles } from './constructs/function-bundles.ts';
import { HandoffFunction } from './constructs/handoff-function.ts';
import { Sandbox } from './constructs/sandbox.ts';
import { type ItemAction, Tables } from './constructs/tables.ts';
import { HandoffWorkflow } from './workflow/handoff-workflow.ts';

export interface HandoffStackProps extends StackProps {
  readonly stage: Stage;
  readonly routesFile: RoutesFile;
  /** A sandbox that runs elsewhere, without a slash at its end; stage test deploys its own where none is given. */
  readonly sandboxUrl?: string | undefined;
}

type Destination = 'hubspot' | 'resend';

/** The credentials of each function: what an action needs to act, and what reconcile needs to look. */
const CREDENTIALS: Readonly<
  Record<ActionName, { writes: Destination; actionReads: Destination[]; reconcileReads: Destination[] }>
> = {
  'upsert-contact': { writes: 'hubspot', actionReads: ['hubspot'], reconcileReads: ['hubspot'] },
  'assign-owner': { writes: 'hubspot', actionReads: ['hubspot'], reconcileReads: ['hubspot'] },
  'create-task': { writes: 'hubspot', actionReads: ['hubspot'], reconcileReads: ['hubspot'] },
  'send-introduction': {
    writes: 'resend',
    actionReads: ['hubspot'],
    reconcileReads: ['hubspot', 'resend'],
  },
};

/** What is bundled for every stage. */
export const ENTRIES: readonly string[] = [
  'functions/intake/start.ts',
  ...ACTIONS.map((action) => `functions/actions/${action}.ts`),
  ...ACTIONS.map((action) => `functions/reconcile/${action}.ts`),
  'functions/recovery/ask.ts',
  'functions/recovery/park.ts',
  'functions/recovery/close.ts',
];

/** What is bundled where the stack deploys its sandbox. */
export const SANDBOX_ENTRY = 'functions/sandbox/handler.ts';

const VENDOR_URLS: Readonly<Record<Destination, string>> = {
  hubspot: 'https://api.hubapi.com',
  resend: 'https://api.resend.com',
};

/** Where the embedded engine serves its sandbox. */
const LOCAL_SANDBOX_URL = 'http://127.0.0.1:4580';

const ALL_BUT_SCAN: readonly ItemAction[] = ['GetItem', 'PutItem', 'UpdateItem', 'DeleteItem', 'Query'];

/** One stage of Lead Handoff: the ledger, a function per action and per question, and the workflow that connects them. */
export class HandoffStack extends Stack {
  readonly #props: HandoffStackProps;
  readonly #bundles: FunctionBundles;
  readonly #tables: Tables;
  readonly #destinationUrls: Readonly<Record<Destination, string>>;

  constructor(scope: Construct, id: string, props: HandoffStackProps) {
    super(scope, id, { description: `Lead Handoff, stage ${props.stage}.`, ...props });
    this.#props = props;
    const deploysSandbox = props.stage === 'test' && props.sandboxUrl === undefined;
    this.#bundles = new FunctionBundles({
      directory: join(CdkStage.of(this)?.outdir ?? 'cdk.out', 'bundles'),
      entries: deploysSandbox ? [...ENTRIES, SANDBOX_ENTRY] : ENTRIES,
      routesFile: props.routesFile,
      bundlingRequired: this.bundlingRequired,
    });
    this.#tables = new Tables(this, 'Tables', props.stage);
    this.#destinationUrls = this.#findDestinations(deploysSandbox);

    const workflow = new HandoffWorkflow(this, 'Workflow', {
      stage: props.stage,
      taskTimeoutSeconds: props.routesFile.numbers.taskTimeoutSeconds,
      actions: perAction((action) => this.#actionFunction(action)),
      reconciles: perAction((action) => this.#reconcileFunction(action)),
      ask: this.#recoveryFunction('ask', 'Writes the recovery record and asks the recovery owner.'),
      park: this.#recoveryFunction(
        'park',
        'Parks an action until its destination or its route is open again.',
      ),
      close: this.#recoveryFunction('close', 'Closes a handoff whose actions are all final.'),
    });
    const start = this.#startFunction(workflow);

    new CfnOutput(this, 'StartFunctionName', { value: start.functionName });
    new CfnOutput(this, 'StateMachineArn', { value: workflow.stateMachine.stateMachineArn });
    new CfnOutput(this, 'LedgerTableName', { value: this.#tables.ledger.tableName });
  }

  #actionFunction(action: ActionName): HandoffFunction {
    const { writes, actionReads } = CREDENTIALS[action];
    const handler = this.#function(action, `functions/actions/${action}.ts`, `The action ${action}.`, {
      ...this.#destinationEnvironment([writes, ...actionReads]),
      IDEMPOTENCY_TABLE: this.#tables.idempotency.tableName,
    });
    this.#tables.grantLedger(handler, 'GetItem', 'PutItem', 'UpdateItem', 'Query');
    this.#tables.grantIdempotency(handler);
    this.#allowSecrets(handler, [writes], 'write');
    this.#allowSecrets(handler, actionReads, 'read');
    return handler;
  }

  #reconcileFunction(action: ActionName): HandoffFunction {
    const { reconcileReads } = CREDENTIALS[action];
    const handler = this.#function(
      `reconcile-${action}`,
      `functions/reconcile/${action}.ts`,
      `Reads what became of the action ${action} and decides what happens next.`,
      this.#destinationEnvironment(reconcileReads),
    );
    this.#tables.grantLedger(handler, ...ALL_BUT_SCAN);
    this.#allowSecrets(handler, reconcileReads, 'read');
    return handler;
  }

  #recoveryFunction(name: 'ask' | 'park' | 'close', description: string): HandoffFunction {
    const handler = this.#function(name, `functions/recovery/${name}.ts`, description, {});
    this.#tables.grantLedger(handler, ...ALL_BUT_SCAN);
    return handler;
  }

  #startFunction(workflow: HandoffWorkflow): HandoffFunction {
    const { stateMachineArn } = workflow.stateMachine;
    const description = 'Accepts a lead request and starts its handoff.';
    const handler = this.#function('start', 'functions/intake/start.ts', description, {
      STATE_MACHINE_ARN: stateMachineArn,
    });
    this.#tables.grantLedger(handler, 'GetItem', 'PutItem', 'UpdateItem', 'Query');
    handler.allow(['states:StartExecution'], [stateMachineArn]);
    const executionNames = `lead-handoff-${this.#props.stage}:*`;
    const executions = this.formatArn({
      service: 'states',
      resource: 'execution',
      resourceName: executionNames,
      arnFormat: ArnFormat.COLON_RESOURCE_NAME,
    });
    handler.allow(['states:DescribeExecution'], [executions]);
    Validations.of(handler.role ?? handler).acknowledge({
      // cdk-nag writes pseudo parameters like this.
      id: `AwsSolutions-IAM5[Resource::arn:<AWS::Partition>:states:<AWS::Region>:<AWS::AccountId>:execution:${executionNames}]`,
      reason: 'The executions of this state machine are named after lead requests that do not exist yet.',
    });
    return handler;
  }

  /** A function named after the last part of its name, `send-introduction` → `SendIntroduction`. */
  #function(
    name: string,
    entry: string,
    description: string,
    environment: Readonly<Record<string, string>>,
  ): HandoffFunction {
    const id = name.replace(/(^|-)([a-z])/g, (_, _dash, letter: string) => letter.toUpperCase());
    return new HandoffFunction(this, id, {
      stage: this.#props.stage,
      name,
      description,
      code: this.#bundles.code(entry),
      timeoutSeconds: this.#props.routesFile.numbers.functionTimeoutSeconds,
      environment: { LEDGER_TABLE: this.#tables.ledger.tableName, ...environment },
    });
  }

  #allowSecrets(handler: HandoffFunction, destinations: readonly Destination[], use: 'read' | 'write'): void {
    const { stage, routesFile } = this.#props;
    for (const route of routesFile.routes) {
      for (const destination of destinations) {
        handler.allowSecret(secretName(stage, route.name, destination, use));
      }
    }
  }

  #destinationEnvironment(destinations: readonly Destination[]): Record<string, string> {
    const variables = destinations.map((name) => [
      `${name.toUpperCase()}_BASE_URL`,
      this.#destinationUrls[name],
    ]);
    return Object.fromEntries(variables);
  }

  /** Production talks to the vendors; the other stages can only reach a sandbox. */
  #findDestinations(deploysSandbox: boolean): Readonly<Record<Destination, string>> {
    const { stage, sandboxUrl } = this.#props;
    if (stage === 'prod') return VENDOR_URLS;
    const url = deploysSandbox ? this.#deploySandbox().url : (sandboxUrl ?? LOCAL_SANDBOX_URL);
    return { hubspot: `${url}/hubspot`, resend: `${url}/resend` };
  }

  #deploySandbox(): Sandbox {
    const { stage, routesFile } = this.#props;
    const sandbox = new Sandbox(this, 'Sandbox', {
      stage,
      code: this.#bundles.code(SANDBOX_ENTRY),
      timeoutSeconds: routesFile.numbers.functionTimeoutSeconds,
    });
    new CfnOutput(this, 'SandboxUrl', { value: sandbox.url });
    return sandbox;
  }
}

function perAction<T>(make: (action: ActionName) => T): Record<ActionName, T> {
  return Object.fromEntries(ACTIONS.map((action) => [action, make(action)])) as Record<ActionName, T>;
}
