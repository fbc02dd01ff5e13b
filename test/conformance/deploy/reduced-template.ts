/** A resource of a CloudFormation template, as far as it is looked at here. */
export interface Resource {
  readonly Type: string;
  readonly Properties?: Readonly<Record<string, unknown>>;
  readonly DependsOn?: string | readonly string[];
  readonly Metadata?: Readonly<Record<string, unknown>>;
}

export interface Template {
  readonly Resources: Readonly<Record<string, Resource>>;
  readonly Outputs?: Readonly<Record<string, unknown>>;
}

/** Something of a template that is not deployed. */
export interface TakenOut {
  /** The type of a resource, or `Output`. */
  readonly type: string;
  readonly name: string;
  readonly why: string;
}

/** Why a resource cannot be deployed, to follow "because"; null for one that can. */
export type Unfit = (resource: Resource, template: Template) => string | null;

/**
 * Takes the resources that do not fit out of a template, then whatever refers to them, then whatever refers to that. What only had to
 * be made after them stays.
 */
export function reducedTemplate(
  template: Template,
  unfit: Unfit,
): { readonly template: Template; readonly takenOut: readonly TakenOut[] } {
  const resources = Object.entries(template.Resources);
  const why = new Map<string, string>();
  for (const [id, resource] of resources) {
    const reason = unfit(resource, template);
    if (reason !== null) why.set(id, reason);
  }
  const refersTo = (value: unknown) => {
    const missed = [...referencesOf(value)].find((id) => why.has(id));
    return missed === undefined ? null : `it refers to ${nameOf(missed, template)}`;
  };
  for (let before = -1; before < why.size; ) {
    before = why.size;
    for (const [id, { Properties }] of resources) {
      const reason = why.has(id) ? null : refersTo(Properties);
      if (reason !== null) why.set(id, reason);
    }
  }
  const outputs = Object.entries(template.Outputs ?? {});
  const kept = resources.filter(([id]) => !why.has(id)).map(([id, one]) => [id, withoutWaits(one, why)]);
  return {
    template: {
      ...template,
      Resources: Object.fromEntries(kept),
      Outputs: Object.fromEntries(outputs.filter(([, output]) => refersTo(output) === null)),
    },
    takenOut: [
      ...resources
        .filter(([id]) => why.has(id))
        .map(([id, { Type }]) => ({ type: Type, name: nameOf(id, template), why: why.get(id) ?? '' })),
      ...outputs.flatMap(([name, output]) => {
        const reason = refersTo(output);
        return reason === null ? [] : [{ type: 'Output', name, why: reason }];
      }),
    ],
  };
}

/** The logical ids that a value of a template refers to, and whatever else it refers to by name. */
export function referencesOf(value: unknown): ReadonlySet<string> {
  if (typeof value !== 'object' || value === null) return new Set();
  const named = Object.entries(value).flatMap(([key, argument]) => {
    if (key === 'Ref') return [String(argument)];
    if (key === 'Fn::GetAtt') return [String(argument).split(/[.,]/)[0] ?? ''];
    if (key !== 'Fn::Sub') return [...referencesOf(argument)];
    const text = Array.isArray(argument) ? argument[0] : argument;
    const inText = [...String(text).matchAll(/\$\{([^!}.][^}.]*)/g)].map(([, id = '']) => id);
    return [...inText, ...referencesOf(argument)];
  });
  return new Set(named);
}

/** The path that the app knows a resource by, `Alarms/errors ask`; its logical id where there is none. */
export function nameOf(logicalId: string, { Resources }: Template): string {
  const path = Resources[logicalId]?.Metadata?.['aws:cdk:path'];
  if (typeof path !== 'string') return logicalId;
  return path
    .split('/')
    .slice(1)
    .join('/')
    .replace(/\/Resource$/, '');
}

function withoutWaits(resource: Resource, gone: ReadonlyMap<string, string>): Resource {
  if (resource.DependsOn === undefined) return resource;
  return { ...resource, DependsOn: [resource.DependsOn].flat().filter((id) => !gone.has(id)) };
}
