/** Where a value cannot be known on a laptop, or the engine does not know the function that makes it. */
export class UnresolvableValue extends Error {
  override readonly name = 'UnresolvableValue';
  readonly where: string;

  constructor(where: string, message: string) {
    super(`${where}: ${message}`);
    this.where = where;
  }
}

/** What an intrinsic function may ask its surroundings. Every lookup throws when it has no answer. */
export interface Scope {
  ref(name: string, where: string): unknown;
  getAtt(logicalId: string, attribute: string, where: string): unknown;
  condition(name: string, where: string): unknown;
  mapping(map: string, first: string, second: string, where: string): unknown;
  importValue(name: string, where: string): unknown;
}

type Resolve = (value: unknown) => unknown;
type Intrinsic = (argument: unknown, resolve: Resolve, scope: Scope, where: string) => unknown;

/** Stands for `AWS::NoValue`: the property that holds it is left out. */
export const NO_VALUE = Symbol('AWS::NoValue');

const INTRINSICS: Record<string, Intrinsic> = {
  Ref: (argument, _resolve, scope, where) => scope.ref(String(argument), where),
  Condition: (argument, _resolve, scope, where) => scope.condition(String(argument), where),
  'Fn::GetAtt': getAtt,
  'Fn::Join': join,
  'Fn::Sub': substitute,
  'Fn::Select': (argument, resolve, _scope, where) => {
    const [index, list] = pair(argument, 'Fn::Select', where).map(resolve);
    const chosen = Array.isArray(list) ? list[Number(index)] : undefined;
    if (chosen === undefined) throw new UnresolvableValue(where, `Fn::Select has no element ${index}`);
    return chosen;
  },
  'Fn::Split': (argument, resolve, _scope, where) => {
    const [separator, text] = pair(argument, 'Fn::Split', where).map(resolve);
    return String(text).split(String(separator));
  },
  'Fn::If': (argument, resolve, scope, where) => {
    const [name, whenTrue, whenFalse] = argument as [string, unknown, unknown];
    return resolve(scope.condition(name, where) ? whenTrue : whenFalse);
  },
  'Fn::Equals': (argument, resolve, _scope, where) => {
    const [left, right] = pair(argument, 'Fn::Equals', where).map(resolve);
    return String(left) === String(right);
  },
  'Fn::And': (argument, resolve) => (argument as unknown[]).every((each) => resolve(each) === true),
  'Fn::Or': (argument, resolve) => (argument as unknown[]).some((each) => resolve(each) === true),
  'Fn::Not': (argument, resolve) => resolve((argument as unknown[])[0]) !== true,
  'Fn::Base64': (argument, resolve) => Buffer.from(String(resolve(argument))).toString('base64'),
  'Fn::GetAZs': () => ['us-east-1a', 'us-east-1b', 'us-east-1c'],
  'Fn::FindInMap': (argument, resolve, scope, where) => {
    const [map, first, second] = (argument as unknown[]).map((each) => String(resolve(each)));
    return scope.mapping(map ?? '', first ?? '', second ?? '', where);
  },
  'Fn::ImportValue': (argument, resolve, scope, where) => scope.importValue(String(resolve(argument)), where),
};

/**
 * Replaces every intrinsic function in `value` by what it stands for.
 *
 * @see https://docs.aws.amazon.com/AWSCloudFormation/latest/TemplateReference/intrinsic-function-reference.html
 * @throws UnresolvableValue for an unknown function, or a name that does not exist.
 */
export function resolveIntrinsics(value: unknown, scope: Scope, where: string): unknown {
  const resolve: Resolve = (inner) => resolveIntrinsics(inner, scope, where);
  if (typeof value === 'string') return refuseDynamicReference(value, where);
  if (Array.isArray(value)) return value.map(resolve).filter((each) => each !== NO_VALUE);
  if (value === null || typeof value !== 'object') return value;
  const entries = Object.entries(value);
  const only = entries.length === 1 ? entries[0] : undefined;
  if (only && isIntrinsicName(only[0])) {
    const [name, argument] = only;
    const intrinsic = INTRINSICS[name];
    if (intrinsic && (name !== 'Condition' || typeof argument === 'string')) {
      return intrinsic(argument, resolve, scope, where);
    }
    if (name !== 'Condition') throw new UnresolvableValue(where, `the engine does not know ${name}`);
  }
  return Object.fromEntries(
    entries.map(([key, inner]) => [key, resolve(inner)] as const).filter(([, inner]) => inner !== NO_VALUE),
  );
}

function isIntrinsicName(key: string): boolean {
  return key === 'Ref' || key === 'Condition' || key.startsWith('Fn::');
}

function refuseDynamicReference(text: string, where: string): string {
  if (text.includes('{{resolve:')) {
    throw new UnresolvableValue(where, `the dynamic reference ${text} has no value on this machine`);
  }
  return text;
}

function pair(argument: unknown, name: string, where: string): [unknown, unknown] {
  if (!Array.isArray(argument) || argument.length !== 2) {
    throw new UnresolvableValue(where, `${name} takes two arguments`);
  }
  return [argument[0], argument[1]];
}

function getAtt(argument: unknown, resolve: Resolve, scope: Scope, where: string): unknown {
  const [logicalId, ...rest] = Array.isArray(argument) ? argument : String(argument).split('.');
  return scope.getAtt(String(logicalId), rest.map((each) => String(resolve(each))).join('.'), where);
}

function join(argument: unknown, resolve: Resolve, _scope: Scope, where: string): string {
  const [separator, list] = pair(argument, 'Fn::Join', where);
  const parts = resolve(list);
  if (!Array.isArray(parts)) throw new UnresolvableValue(where, 'Fn::Join needs a list');
  return parts.map((each) => scalar(each, where)).join(String(separator));
}

function substitute(argument: unknown, resolve: Resolve, scope: Scope, where: string): string {
  const [text, variables] = Array.isArray(argument) ? argument : [argument, {}];
  return String(text).replace(/\$\{([^}]+)\}/g, (_whole, name: string) => {
    if (name.startsWith('!')) return `\${${name.slice(1)}}`;
    if (Object.hasOwn(variables, name)) return scalar(resolve(variables[name]), where);
    const dot = name.indexOf('.');
    const value =
      dot < 0 ? scope.ref(name, where) : scope.getAtt(name.slice(0, dot), name.slice(dot + 1), where);
    return scalar(value, where);
  });
}

function scalar(value: unknown, where: string): string {
  if (value === null || typeof value === 'object' || typeof value === 'symbol') {
    throw new UnresolvableValue(where, 'a text is needed here, and the value is not one');
  }
  return String(value);
}
