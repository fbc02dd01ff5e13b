import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { parse } from 'yaml';

/** Beside the repository, because its licence is another one. */
export const DESCRIPTION_PATH = '../shared/specs/resend.yaml';

const FILE = fileURLToPath(new URL(`../../../${DESCRIPTION_PATH}`, import.meta.url));

interface Schema {
  readonly $ref?: string;
  readonly enum?: readonly string[];
  readonly properties?: Readonly<Record<string, Schema>>;
}

/** Resend's published OpenAPI description. It describes requests and successes, and no errors. */
export interface ResendDescription {
  /** What is wrong with the body of a request, as sentences; empty where it fits. Unknown fields are wrong. */
  wrongInRequest(operation: string, body: unknown): string[];
  /** What is wrong with a success; empty where it fits. Fields that the description does not name are let through. */
  wrongInAnswer(operation: string, body: unknown): string[];
  /** What is wrong with the query; empty where it fits. Unknown parameters are wrong. */
  wrongInQuery(operation: string, query: URLSearchParams): string[];
  /** The most characters that a parameter or header of an operation may have. */
  longest(operation: string, parameter: string): number | undefined;
  /** The values that a field of a schema may have. */
  valuesOf(schema: string, field: string): readonly string[];
}

/** Null where the description is not beside the repository. */
export function resendDescription(): ResendDescription | null {
  return existsSync(FILE) ? describedBy(parse(readFileSync(FILE, 'utf8'))) : null;
}

type Document = {
  readonly paths: Record<string, Record<string, { readonly parameters?: readonly Parameter[] }>>;
  readonly components: {
    readonly schemas: Record<string, Schema>;
    readonly parameters: Record<string, Parameter>;
  };
};

interface Parameter {
  readonly $ref?: string;
  readonly name?: string;
  readonly schema?: { readonly maxLength?: number };
}

function describedBy(document: Document): ResendDescription {
  // OpenAPI's own keywords are none of JSON Schema's, and the description leaves `type` out beside `oneOf`.
  const ajv = new Ajv2020({ strict: false, validateSchema: false, allErrors: true, coerceTypes: false });
  ajv.addFormat('binary', true);
  ajv.addSchema(document, 'resend');

  const validate = (pointer: string, value: unknown, what: string): string[] => {
    const check = ajv.getSchema(`resend#${pointer}`);
    if (check === undefined) throw new Error(`The description has no ${pointer}.`);
    if (check(value)) return [];
    return (check.errors ?? []).map(({ instancePath, message }) => `${what}${instancePath} ${message}`);
  };
  const unknownIn = (pointer: string, value: unknown): string[] => {
    const known = Object.keys(schemaAt(document, pointer).properties ?? {});
    const given = Object.keys((value ?? {}) as object);
    return given.filter((name) => !known.includes(name)).map((name) => `request/${name} is not described`);
  };

  return {
    wrongInRequest(operation, body) {
      const pointer = `${pathOf(operation)}/requestBody/content/application~1json/schema`;
      return [...validate(pointer, body, 'request'), ...unknownIn(pointer, body)];
    },
    wrongInAnswer(operation, body) {
      const pointer = `${pathOf(operation)}/responses/200/content/application~1json/schema`;
      return validate(pointer, body, 'answer');
    },
    wrongInQuery(operation, query) {
      const parameters = parametersOf(document, operation);
      return [...query].flatMap(([name, text]) => {
        const found = parameters.findIndex((one) => resolved(document, one).name === name);
        if (found < 0) return [`query/${name} is not described`];
        const reference = parameters[found]?.$ref?.slice(1);
        const pointer = `${reference ?? `${pathOf(operation)}/parameters/${found}`}/schema`;
        return validate(pointer, /^\d+$/.test(text) ? Number(text) : text, `query/${name}`);
      });
    },
    longest: (operation, parameter) =>
      parametersOf(document, operation).find(({ name }) => name === parameter)?.schema?.maxLength,
    valuesOf: (schema, field) => document.components.schemas[schema]?.properties?.[field]?.enum ?? [],
  };
}

/** `POST /emails` → `/paths/~1emails/post`. */
function pathOf(operation: string): string {
  const [method = '', path = ''] = operation.split(' ');
  return `/paths/${path.replaceAll('/', '~1')}/${method.toLowerCase()}`;
}

function parametersOf(document: Document, operation: string): readonly Parameter[] {
  const [method = '', path = ''] = operation.split(' ');
  return document.paths[path]?.[method.toLowerCase()]?.parameters ?? [];
}

function resolved(document: Document, parameter: Parameter): Parameter {
  const name = parameter.$ref?.split('/').at(-1);
  return name === undefined ? parameter : (document.components.parameters[name] ?? {});
}

function schemaAt(document: Document, pointer: string): Schema {
  const parts = pointer.split('/').slice(1);
  const found = parts.reduce<unknown>(
    (node, part) => (node as Record<string, unknown>)[part.replaceAll('~1', '/')],
    document,
  ) as Schema;
  return found.$ref === undefined ? found : schemaAt(document, found.$ref.slice(1));
}
