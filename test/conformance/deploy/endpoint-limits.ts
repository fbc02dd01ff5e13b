import { nameOf, referencesOf, type Unfit } from './reduced-template.ts';

/*
 * What moto 5.2.1 cannot do with this stack. What it can create it says itself; the rest is what its code and its starter do, and
 * what nobody has looked up yet is said to be unknown.
 */

/** Where its rules deliver to. A rule with any other target has whoever sends a fitting event answered with an error. */
const DELIVERS_TO = new Set(['AWS::SQS::Queue', 'AWS::Logs::LogGroup', 'AWS::Events::EventBus']);

/** What becomes of the resources that it creates, beyond what the rehearsal sees of them. */
const LITTLE_DONE_WITH: Readonly<Record<string, string>> = {
  'AWS::DynamoDB::Table': 'nothing expires, and nothing is encrypted or backed up',
  'AWS::IAM::ManagedPolicy': 'kept and not enforced; test/stack holds them',
  'AWS::IAM::Policy': 'kept and not enforced; test/stack holds them',
  'AWS::IAM::Role': 'kept and not enforced; test/stack holds them',
  'AWS::KMS::Key': 'encrypts nothing',
  'AWS::Lambda::EventSourceMapping': 'polled by its starter, at a concurrency of its own',
  'AWS::Lambda::Function':
    'each invocation is a new process on this machine, without limits of memory and concurrency, and without traces',
  'AWS::Lambda::Permission': 'kept and not enforced; test/stack holds them',
  'AWS::Logs::LogGroup': 'nothing expires, and state machines write nothing',
  'AWS::SNS::Topic': 'takes messages for nobody, whoever sends them',
  'AWS::SQS::Queue': 'nothing is encrypted',
  'AWS::StepFunctions::StateMachine': 'no redrive, no event when an execution ends, no logs and no traces',
};

/** What it cannot do whatever the stack says. */
export const NEVER_REHEARSED: readonly string[] = [
  'The function URL of the deployed sandbox: a local sandbox was named instead (-c sandboxUrl=).',
  'Updates of a deployed stack.',
];

/** @param creatable the types of resources that the endpoint says it can create */
export function endpointLimits(creatable: ReadonlySet<string>): Unfit {
  return ({ Type, Properties = {} }, template) => {
    if (!creatable.has(Type)) return 'this endpoint cannot create it';
    if (Type !== 'AWS::Events::Rule') return null;
    const targets = (Properties.Targets ?? []) as readonly { readonly Arn: unknown }[];
    const missed = targets
      .flatMap(({ Arn }) => [...referencesOf(Arn)])
      .filter((id) => template.Resources[id] && !DELIVERS_TO.has(template.Resources[id].Type));
    const names = missed.map((id) => nameOf(id, template)).join(' and ');
    if (Properties.ScheduleExpression !== undefined) {
      return `its time never comes here, so that nothing starts ${names}`;
    }
    return missed.length === 0 ? null : `its events are not delivered here, so that none starts ${names}`;
  };
}

/** What of a type that was created the rehearsal says nothing about. */
export function littleDoneWith(type: string): string {
  return LITTLE_DONE_WITH[type] ?? 'created; what this endpoint does with it is not known';
}
