import type { AssembledStack, TemplateResource } from './assembly.ts';
import { ACCOUNT, arn, PARTITION, REGION } from './aws-error.ts';
import { NO_VALUE, resolveIntrinsics, type Scope, UnresolvableValue } from './intrinsics.ts';
import { generatedName, IDENTITIES, type Identity } from './physical-names.ts';

/** Answers the intrinsic functions of one stack: names, ARNs, parameters, conditions, imports. */
export class StackScope implements Scope {
  readonly stack: AssembledStack;
  readonly #endpoint: string;
  readonly #exports: (name: string) => unknown;
  readonly #inProgress = new Set<string>();

  constructor(stack: AssembledStack, endpoint: string, exports: (name: string) => unknown) {
    this.stack = stack;
    this.#endpoint = endpoint;
    this.#exports = exports;
  }

  /** Resources whose condition holds. */
  resources(): [string, TemplateResource][] {
    return Object.entries(this.stack.template.Resources ?? {}).filter(
      ([logicalId, { Condition }]) =>
        Condition === undefined || this.condition(Condition, logicalId) === true,
    );
  }

  /** Resolves a property, or a whole block of properties. */
  resolve<T>(value: unknown, where: string): T {
    return resolveIntrinsics(value, this, where) as T;
  }

  ref(name: string, where: string): unknown {
    const pseudo = this.#pseudo(name, where);
    if (pseudo !== undefined) return pseudo;
    const parameter = this.stack.template.Parameters?.[name];
    if (parameter) return this.#parameter(name, parameter, where);
    const resource = this.#resource(name, where);
    const version = this.#functionVersion(name, resource);
    if (version) return version;
    return this.#identity(resource).ref(this.physicalName(name), this.#endpoint);
  }

  getAtt(logicalId: string, attribute: string, where: string): unknown {
    const resource = this.#resource(logicalId, where);
    if (resource.Type === 'AWS::Lambda::Version' && attribute === 'Version') return '1';
    const value = this.#identity(resource).attributes(this.physicalName(logicalId), this.#endpoint)[
      attribute
    ];
    if (value !== undefined) return value;
    throw new UnresolvableValue(
      where,
      `the engine does not know the attribute ${attribute} of ${logicalId} (${resource.Type})`,
    );
  }

  condition(name: string, where: string): unknown {
    const conditions = this.stack.template.Conditions ?? {};
    if (!Object.hasOwn(conditions, name)) throw new UnresolvableValue(where, `there is no condition ${name}`);
    return this.resolve(conditions[name], `Conditions.${name}`);
  }

  mapping(map: string, first: string, second: string, where: string): unknown {
    const value = this.stack.template.Mappings?.[map]?.[first]?.[second];
    if (value === undefined) {
      throw new UnresolvableValue(where, `the mapping ${map} has no ${first}.${second}`);
    }
    return value;
  }

  importValue(name: string, where: string): unknown {
    const value = this.#exports(name);
    if (value === undefined) throw new UnresolvableValue(where, `no stack of this app exports ${name}`);
    return value;
  }

  /** The name that the service would know the resource by. */
  physicalName(logicalId: string): string {
    if (this.#inProgress.has(logicalId)) throw new UnresolvableValue(logicalId, 'its name refers to itself');
    this.#inProgress.add(logicalId);
    try {
      const resource = this.#resource(logicalId, logicalId);
      const { nameProperty, maxLength } = this.#identity(resource);
      const given = nameProperty === undefined ? undefined : resource.Properties?.[nameProperty];
      const name = given === undefined ? undefined : this.resolve<unknown>(given, logicalId);
      if (typeof name === 'string') return name;
      const fifo = resource.Properties?.FifoQueue === true ? '.fifo' : '';
      return generatedName(this.stack.name, logicalId, maxLength) + fifo;
    } finally {
      this.#inProgress.delete(logicalId);
    }
  }

  #resource(logicalId: string, where: string): TemplateResource {
    const resource = this.stack.template.Resources?.[logicalId];
    if (!resource) throw new UnresolvableValue(where, `there is no resource or parameter ${logicalId}`);
    return resource;
  }

  #identity(resource: TemplateResource): Identity {
    return (
      IDENTITIES[resource.Type] ?? {
        ref: (name) => name,
        attributes: (name) => ({ Arn: arn('other', name) }),
      }
    );
  }

  #pseudo(name: string, where: string): unknown {
    switch (name) {
      case 'AWS::AccountId':
        return ACCOUNT;
      case 'AWS::Region':
        return REGION;
      case 'AWS::Partition':
        return PARTITION;
      case 'AWS::URLSuffix':
        return 'amazonaws.com';
      case 'AWS::StackName':
        return this.stack.name;
      case 'AWS::StackId':
        return arn('cloudformation', `stack/${this.stack.name}/local`);
      case 'AWS::NotificationARNs':
        return [];
      case 'AWS::NoValue':
        return NO_VALUE;
      default:
        if (name.startsWith('AWS::'))
          throw new UnresolvableValue(where, `there is no pseudo parameter ${name}`);
        return undefined;
    }
  }

  #parameter(name: string, parameter: { Type: string; Default?: unknown }, where: string): unknown {
    if (parameter.Type.startsWith('AWS::SSM::')) {
      throw new UnresolvableValue(
        where,
        `the parameter ${name} is read from Parameter Store, which is not here`,
      );
    }
    if (parameter.Default === undefined) {
      throw new UnresolvableValue(where, `the parameter ${name} has no default`);
    }
    return parameter.Type === 'CommaDelimitedList' ? String(parameter.Default).split(',') : parameter.Default;
  }

  /** A version or an alias is its function's ARN with a qualifier. */
  #functionVersion(logicalId: string, resource: TemplateResource): string | undefined {
    const properties = resource.Properties ?? {};
    if (resource.Type === 'AWS::Lambda::Version') return `${this.#functionArn(properties, logicalId)}:1`;
    if (resource.Type !== 'AWS::Lambda::Alias') return undefined;
    return `${this.#functionArn(properties, logicalId)}:${this.resolve<string>(properties.Name, logicalId)}`;
  }

  #functionArn(properties: Record<string, unknown>, logicalId: string): string {
    const name = this.resolve<string>(properties.FunctionName, logicalId);
    return name.startsWith('arn:') ? name : arn('lambda', `function:${name}`);
  }
}
