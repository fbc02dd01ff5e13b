import { join } from 'node:path';
import { Stage as CdkStage, CfnOutput, Stack, type StackProps } from 'aws-cdk-lib';
import type { Construct } from 'constructs';
import { ACTIONS, type ActionName } from '../functions/domain/action.ts';
import { intakeSecretName, type RoutesFile, secretName } from '../functions/domain/route.ts';
import type { Stage } from '../functions/domain/stage-numbers.ts';
import { FunctionBundles } from './constructs/function-bundles.ts';
import { HandoffExecutions } from './constructs/handoff-executions.ts';
import { HandoffFunction, type HandoffFunctionProps } from './constructs/handoff-function.ts';
import { Intake } from './constructs/intake.ts';
import { ManualRecovery } from './constructs/manual-recovery.ts';
import { Notices } from './constructs/notices.ts';
import { Sandbox } from './constructs/sandbox.ts';
import { type ItemAction, Tables } from './constructs/tables.ts';
import { Alarms } from './observability/alarms.ts';
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
  'functions/intake/from-queue.ts',
  'functions/intake/dead-letters.ts',
  'functions/intake/from-http.ts',
  ...ACTIONS.map((action) => `functions/actions/${action}.ts`),
  ...ACTIONS.map((action) => `functions/reconcile/${action}.ts`),
  'functions/recovery/ask.ts',
  'functions/recovery/park.ts',
  'functions/recovery/close.ts',
  'functions/recovery/decide.ts',
  'functions/recovery/execution-ended.ts',
  'functions/recovery/sweep.ts',
];

/** What is bundled where the stack deploys its sandbox. */
export const SANDBOX_ENTRY = 'functions/sandbox/handler.ts';

const VENDOR_URLS: Readonly<Record<Destination, string>> = {
  hubspot: 'https://api.hubapi.com',
  resend: 'https://api.resend.com',
};

/** Where the embedded engine serves its sandbox. */
const LOCAL_SANDBOX_URL = 'http://127.0.0.1:4580';

/** How often the sweep comes, and for how long: it goes through many handoffs, and ends before the next one begins. */
const SWEEP: Readonly<Record<Stage, { everyMinutes: number; timeoutSeconds: number }>> = {
  local: { everyMinutes: 1, timeoutSeconds: 30 },
  test: { everyMinutes: 5, timeoutSeconds: 120 },
  prod: { everyMinutes: 5, timeoutSeconds: 120 },
};

/** What accepting a lead request takes. */
const ACCEPT: readonly ItemAction[] = ['GetItem', 'PutItem', 'UpdateItem', 'Query'];

const ALL_BUT_SCAN: readonly ItemAction[] = ['GetItem', 'PutItem', 'UpdateItem', 'DeleteItem', 'Query'];

/** One stage of Lead Handoff: the ledger, a function per action and per question, and the workflow that connects them. */
export class HandoffStack extends Stack {
  readonly #props: HandoffStackProps;
  readonly #bundles: FunctionBundles;
  readonly #tables: Tables;
  readonly #executions: HandoffExecutions;
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
    this.#executions = new HandoffExecutions(this, props.stage);
    this.#destinationUrls = this.#findDestinations(deploysSandbox);

    const start = this.#acceptingFunction('start', 'Accepts a lead request and starts its handoff.');
    const intake = this.#takeIn();
    const ask = this.#askFunction();
    const workflow = new HandoffWorkflow(this, 'Workflow', {
      stage: props.stage,
      taskTimeoutSeconds: props.routesFile.numbers.taskTimeoutSeconds,
      actions: perAction((action) => this.#actionFunction(action)),
      reconciles: perAction((action) => this.#reconcileFunction(action)),
      ask,
      park: this.#parkFunction(),
      close: this.#closeFunction(),
    });
    this.#recover(workflow, intake, { start, ask });

    new CfnOutput(this, 'LeadsQueueUrl', { value: intake.queue.leads.queueUrl });
    new CfnOutput(this, 'LeadsApiUrl', { value: intake.http.api.apiEndpoint });
    new CfnOutput(this, 'StartFunctionName', { value: start.functionName });
    new CfnOutput(this, 'StateMachineArn', { value: workflow.stateMachine.stateMachineArn });
    new CfnOutput(this, 'LedgerTableName', { value: this.#tables.ledger.tableName });
  }

  /** Everything by which other systems hand in leads. */
  #takeIn(): Intake {
    const { stage, routesFile } = this.#props;
    const fromHttp = this.#acceptingFunction('from-http', 'Accepts the lead requests of signed webhooks.');
    for (const route of routesFile.routes) fromHttp.allowSecret(intakeSecretName(stage, route.name));
    return new Intake(this, 'Intake', {
      stage,
      functionTimeoutSeconds: routesFile.numbers.functionTimeoutSeconds,
      fromQueue: this.#acceptingFunction('from-queue', 'Accepts the lead requests of the queue.'),
      deadLetters: this.#deadLettersFunction(),
      fromHttp,
    });
  }

  /** Everything by which people recover leads, and the alarms. */
  #recover(
    { stateMachine: handoffs }: HandoffWorkflow,
    intake: Intake,
    functions: Readonly<Record<'start' | 'ask', HandoffFunction>>,
  ): void {
    const { stage, routesFile } = this.#props;
    const notices = new Notices(this, 'Notices', stage);
    const executionEnded = this.#executionEndedFunction();
    const sweep = this.#sweepFunction();
    const recovery = new ManualRecovery(this, 'Recovery', {
      stage,
      routesFile,
      handoffs,
      notices,
      decide: this.#decideFunction(),
      executionEnded,
      sweep,
      sweepMinutes: SWEEP[stage].everyMinutes,
    });
    new Alarms(this, 'Alarms', {
      stage,
      routesFile,
      handoffs,
      notices,
      recovery,
      intake,
      functions: { ...functions, ...intake.functions, sweep, 'execution-ended': executionEnded },
    });
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
      { ...this.#destinationEnvironment(reconcileReads), ...this.#executionsEnvironment() },
    );
    this.#tables.grantLedger(handler, ...ALL_BUT_SCAN);
    this.#allowSecrets(handler, reconcileReads, 'read');
    return handler;
  }

  #askFunction(): HandoffFunction {
    const description = 'Writes the recovery record and asks the recovery owner.';
    const handler = this.#recoveryFunction('ask', description);
    this.#tables.grantLedger(handler, ...ALL_BUT_SCAN);
    this.#executions.allow(handler, 'SendTaskSuccess');
    this.#allowEvents(handler);
    return handler;
  }

  #parkFunction(): HandoffFunction {
    const description = 'Parks an action until its destination or its route is open again.';
    const handler = this.#recoveryFunction('park', description);
    this.#tables.grantLedger(handler, ...ALL_BUT_SCAN);
    this.#executions.allow(handler, 'SendTaskSuccess');
    return handler;
  }

  #closeFunction(): HandoffFunction {
    const description = 'Closes a handoff whose actions are all final.';
    const handler = this.#function('close', 'functions/recovery/close.ts', description, {});
    this.#tables.grantLedger(handler, ...ALL_BUT_SCAN);
    return handler;
  }

  #decideFunction(): HandoffFunction {
    const description = "Records a person's decision and carries on with the handoff.";
    const handler = this.#recoveryFunction('decide', description);
    this.#tables.grantLedger(handler, ...ALL_BUT_SCAN);
    this.#tables.grantWaitingIndex(handler);
    this.#executions.allow(
      handler,
      'SendTaskSuccess',
      'DescribeExecution',
      'StartExecution',
      'StopExecution',
    );
    return handler;
  }

  #executionEndedFunction(): HandoffFunction {
    const description = 'Puts a handoff whose execution failed on the waiting list.';
    const handler = this.#recoveryFunction('execution-ended', description);
    this.#tables.grantLedger(handler, 'PutItem', 'Query');
    this.#allowEvents(handler);
    return handler;
  }

  /** The next sweep comes anyway, so a failed one is not tried again. */
  #sweepFunction(): HandoffFunction {
    const description = 'Finds the handoffs that nothing else would bring to anybody.';
    const { timeoutSeconds } = SWEEP[this.#props.stage];
    const handler = this.#recoveryFunction('sweep', description, { timeoutSeconds, retryAttempts: 0 });
    this.#tables.grantLedger(handler, ...ALL_BUT_SCAN);
    this.#tables.grantWaitingIndex(handler);
    this.#executions.allow(
      handler,
      'SendTaskSuccess',
      'DescribeExecution',
      'StartExecution',
      'StopExecution',
    );
    this.#allowEvents(handler);
    return handler;
  }

  #acceptingFunction(name: string, description: string): HandoffFunction {
    const handler = this.#intakeFunction(name, description);
    this.#tables.grantLedger(handler, ...ACCEPT);
    this.#executions.allow(handler, 'StartExecution', 'DescribeExecution');
    return handler;
  }

  #deadLettersFunction(): HandoffFunction {
    const description = 'Keeps messages that could not be accepted, and asks the recovery owner about them.';
    const handler = this.#intakeFunction('dead-letters', description);
    this.#tables.grantLedger(handler, 'GetItem', 'PutItem', 'UpdateItem');
    return handler;
  }

  /** What any of them finds may be a question to a person. */
  #intakeFunction(name: string, description: string): HandoffFunction {
    const entry = `functions/intake/${name}.ts`;
    const handler = this.#function(name, entry, description, this.#executionsEnvironment());
    this.#allowEvents(handler);
    return handler;
  }

  #recoveryFunction(
    name: string,
    description: string,
    options: Pick<Partial<HandoffFunctionProps>, 'timeoutSeconds' | 'retryAttempts'> = {},
  ): HandoffFunction {
    const entry = `functions/recovery/${name}.ts`;
    return this.#function(name, entry, description, this.#executionsEnvironment(), options);
  }

  /** A function named after the last part of its name, `send-introduction` → `SendIntroduction`. */
  #function(
    name: string,
    entry: string,
    description: string,
    environment: Readonly<Record<string, string>>,
    options: Pick<Partial<HandoffFunctionProps>, 'timeoutSeconds' | 'retryAttempts'> = {},
  ): HandoffFunction {
    const id = name.replace(/(^|-)([a-z])/g, (_, _dash, letter: string) => letter.toUpperCase());
    return new HandoffFunction(this, id, {
      stage: this.#props.stage,
      name,
      description,
      code: this.#bundles.code(entry),
      timeoutSeconds: this.#props.routesFile.numbers.functionTimeoutSeconds,
      ...options,
      environment: { LEDGER_TABLE: this.#tables.ledger.tableName, ...environment },
    });
  }

  /** Allows to publish events, which rules of this stack bring to people. */
  #allowEvents(handler: HandoffFunction): void {
    const bus = this.formatArn({ service: 'events', resource: 'event-bus', resourceName: 'default' });
    handler.allow(['events:PutEvents'], [bus]);
  }

  #executionsEnvironment(): Record<string, string> {
    return { STATE_MACHINE_ARN: this.#executions.stateMachineArn };
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
