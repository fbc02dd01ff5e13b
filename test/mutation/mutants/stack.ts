import type { Mutant } from '../mutant.ts';

const STACK = 'lib/handoff-stack.ts';
const GROUP = 'lib/workflow/action-group.ts';
const QUEUE = 'lib/constructs/lead-queue.ts';
const RECOVERY = 'lib/constructs/manual-recovery.ts';
const MAY = 'test/stack/permissions.test.ts';
const INTAKE = 'test/stack/intake.test.ts';
const RECOVERS = 'test/stack/recovery.test.ts';
const STATE_DATA = 'test/workflow/state-data.test.ts';

/** What is deployed for the people who recover leads and for the systems that hand them in. */
export const STACKS: readonly Mutant[] = [
  {
    id: 'stack-decide-may',
    protects: 'the function that records decisions may do that and no more',
    file: STACK,
    search: "const handler = this.#recoveryFunction('decide', description);",
    replace:
      "const handler = this.#recoveryFunction('decide', description);\n    this.#tables.grantIdempotency(handler);",
    caughtBy: { test: MAY, name: 'decide may do what it has to and no more' },
  },
  {
    id: 'stack-sweep-may',
    protects: 'the sweep reads no secret',
    file: STACK,
    search: "this.#recoveryFunction('sweep', description, { timeoutSeconds, retryAttempts: 0 });",
    replace:
      "this.#recoveryFunction('sweep', description, { timeoutSeconds, retryAttempts: 0 });\n    this.#allowSecrets(handler, ['hubspot'], 'read');",
    caughtBy: { test: MAY, name: 'sweep may do what it has to and no more' },
  },
  {
    id: 'stack-ended-may',
    protects: 'the function that sees executions end starts and stops none',
    file: STACK,
    search: "const handler = this.#recoveryFunction('execution-ended', description);",
    replace:
      "const handler = this.#recoveryFunction('execution-ended', description);\n    this.#executions.allow(handler, 'StartExecution');",
    caughtBy: { test: MAY, name: 'execution-ended may do what it has to and no more' },
  },
  {
    id: 'stack-dead-letters-may',
    protects: 'a dead letter is no permission to replay: the function that keeps it starts nothing',
    file: STACK,
    search: "const handler = this.#intakeFunction('dead-letters', description);",
    replace:
      "const handler = this.#intakeFunction('dead-letters', description);\n    this.#executions.allow(handler, 'StartExecution');",
    caughtBy: { test: MAY, name: 'dead-letters may do what it has to and no more' },
  },
  {
    id: 'stack-person-may',
    protects: 'a person starts decisions of their route, and no handoffs',
    file: 'lib/constructs/recovery-policy.ts',
    search: "actions: ['states:StartExecution'], resources: [decision.stateMachineArn]",
    replace:
      "actions: ['states:StartExecution'], resources: [decision.stateMachineArn, handoffs.stateMachineArn]",
    caughtBy: { test: MAY, name: 'a person who recovers leads of a route' },
  },
  {
    id: 'stack-person-sees',
    protects: 'a person sees the executions of their route, and of none whose name begins the same',
    file: 'lib/constructs/recovery-policy.ts',
    search: '.*`];',
    replace: '*`];',
    caughtBy: { test: MAY, name: 'a person who recovers leads of a route' },
  },
  {
    id: 'stack-producer-may',
    protects: 'a producer puts messages on the queue, and reads none',
    file: QUEUE,
    search: "actions: ['sqs:SendMessage'], resources",
    replace: "actions: ['sqs:SendMessage', 'sqs:ReceiveMessage'], resources",
    caughtBy: { test: MAY, name: 'a producer puts messages on the queue of leads' },
  },
  {
    id: 'stack-route-fixed',
    protects: 'a state machine decides for its own route, whatever is typed',
    file: 'lib/workflow/recovery-decision.ts',
    search: 'payload: {\n        route,',
    replace: "payload: {\n        route: '{% $states.input.route %}',",
    caughtBy: { test: 'test/workflow/recovery-decision.test.ts', name: 'the route from the definition' },
  },
  {
    id: 'stack-record-left-behind',
    protects: 'whoever leaves the ask state without an answer leaves its record behind',
    file: GROUP,
    search: "const left = { error: '$states.errorOutput.Error', record: 'null' };",
    replace: "const left = { error: '$states.errorOutput.Error' };",
    caughtBy: { test: STATE_DATA, name: 'the record stays behind' },
  },
  {
    id: 'stack-record-answered',
    protects: 'an answer leaves the record behind, and starts the counts again',
    file: GROUP,
    search: "output: this.#with({ asked: '0', turns: '0', error: 'null', record: 'null' }),",
    replace: "output: this.#with({ asked: '0', turns: '0', error: 'null' }),",
    caughtBy: { test: STATE_DATA, name: 'an answer starts the count' },
  },
  {
    id: 'stack-watches-every-end',
    protects: 'I10: whoever stops an execution in the console puts its handoff on the list',
    file: RECOVERY,
    search: "status: ['FAILED', 'ABORTED', 'TIMED_OUT'],",
    replace: "status: ['FAILED', 'TIMED_OUT'],",
    caughtBy: { test: RECOVERS, name: 'an execution of a handoff that ended badly' },
  },
  {
    id: 'stack-undelivered-kept',
    protects: 'an event that could not be delivered is kept for two weeks',
    file: RECOVERY,
    search: 'retentionPeriod: Duration.days(14),',
    replace: '',
    caughtBy: { test: RECOVERS, name: 'is kept for two weeks' },
  },
  {
    id: 'stack-one-route-one-people',
    protects: 'a question of one route is told to its own people',
    file: RECOVERY,
    search: '        detail: { route: [name] },\n',
    replace: '',
    caughtBy: { test: RECOVERS, name: 'a question to a person starts what tells the people of its route' },
  },
  {
    id: 'stack-escalation-topic',
    protects: 'I10: an escalation goes to the escalation owner',
    file: 'lib/workflow/recovery-notice.ts',
    search: '$states.input.detail.escalated = true',
    replace: '$states.input.detail.escalated = false',
    caughtBy: { test: 'test/workflow/recovery-notice.test.ts', name: 'Tell escalation owner' },
  },
  {
    id: 'stack-sweep-not-alone',
    protects: 'I10: a sweep that has stopped is seen',
    file: 'lib/observability/alarms.ts',
    search: 'treatMissingData: TreatMissingData.BREACHING,',
    replace: 'treatMissingData: TreatMissingData.NOT_BREACHING,',
    caughtBy: { test: 'test/stack/alarms.test.ts', name: 'a sweep that has stopped' },
  },
  {
    id: 'stack-partial-batches',
    protects: 'I10: of a batch of messages only those that failed come again',
    file: QUEUE,
    search: 'reportBatchItemFailures: true,',
    replace: 'reportBatchItemFailures: false,',
    caughtBy: { test: INTAKE, name: 'from-queue takes batches from leads' },
  },
  {
    id: 'stack-queue-visibility',
    protects: 'a message that is worked on is not delivered a second time meanwhile',
    file: QUEUE,
    search: 'const TIMEOUTS_HIDDEN = 6;',
    replace: 'const TIMEOUTS_HIDDEN = 1;',
    caughtBy: { test: INTAKE, name: 'from-queue takes batches from leads' },
  },
  {
    id: 'stack-dead-letters-kept',
    protects: 'I10: a dead letter has days left when it becomes one',
    file: QUEUE,
    search: 'const DEAD_KEPT = Duration.days(14);',
    replace: 'const DEAD_KEPT = Duration.days(4);',
    caughtBy: { test: INTAKE, name: 'a dead letter has days left' },
  },
  {
    id: 'stack-dead-letters-go-somewhere',
    protects: 'I10: a message that cannot be taken does not go round for days',
    file: QUEUE,
    search: 'maxReceiveCount: TRIES }',
    replace: 'maxReceiveCount: 100 * TRIES }',
    caughtBy: { test: INTAKE, name: 'a lead that was delivered five times' },
  },
  {
    id: 'stack-queues-kept',
    protects: 'what nobody has accepted is not lost with the stack',
    file: QUEUE,
    search: "stage === 'prod' ? RemovalPolicy.RETAIN",
    replace: "stage === 'local' ? RemovalPolicy.RETAIN",
    caughtBy: { test: INTAKE, name: 'is not lost with the stack' },
  },
  {
    id: 'stack-api-logs-nobody',
    protects: 'I11: the access log names no sender',
    file: 'lib/constructs/lead-api.ts',
    search: 'requestId: AccessLogField.contextRequestId(),',
    replace:
      'requestId: AccessLogField.contextRequestId(),\n  sender: AccessLogField.contextIdentitySourceIp(),',
    caughtBy: { test: INTAKE, name: 'its log says nothing of who sent what' },
  },
];
