import { AwsError } from './aws-error.ts';
import { type JsonService, unknownOperation } from './endpoint.ts';
import type { Secrets, StoredSecret } from './secrets.ts';

type Body = Record<string, unknown>;

/**
 * Secrets Manager: get, list, describe, create, put.
 *
 * @see https://docs.aws.amazon.com/secretsmanager/latest/apireference/API_Operations.html
 */
export function secretsApi(secrets: Secrets): JsonService {
  const operations: Record<string, (body: Body) => unknown> = {
    GetSecretValue: ({ SecretId }) => {
      const secret = secrets.get(String(SecretId));
      return {
        ...identity(secret),
        SecretString: secret.value,
        VersionStages: ['AWSCURRENT'],
        ...created(secret),
      };
    },
    DescribeSecret: ({ SecretId }) => {
      const secret = secrets.get(String(SecretId));
      return { ARN: secret.arn, Name: secret.name, ...created(secret) };
    },
    ListSecrets: () => ({
      SecretList: secrets
        .list()
        .map((secret) => ({ ARN: secret.arn, Name: secret.name, ...created(secret) })),
    }),
    CreateSecret: ({ Name, SecretString }) => identity(secrets.create(String(Name), textOf(SecretString))),
    PutSecretValue: ({ SecretId, SecretString }) => ({
      ...identity(secrets.put(String(SecretId), textOf(SecretString))),
      VersionStages: ['AWSCURRENT'],
    }),
  };
  return async (operation, body) => {
    const run = Object.hasOwn(operations, operation) ? operations[operation] : undefined;
    if (!run) throw unknownOperation(`Secrets Manager ${operation}`);
    return { body: run(body) };
  };
}

function identity(secret: StoredSecret): Body {
  return { ARN: secret.arn, Name: secret.name, VersionId: secret.versionId };
}

function created(secret: StoredSecret): Body {
  return { CreatedDate: secret.createdAt / 1000 };
}

function textOf(value: unknown): string {
  if (typeof value === 'string') return value;
  throw new AwsError('InvalidParameterException', 'The embedded engine keeps secrets as SecretString only.');
}
