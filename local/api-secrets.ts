import { AwsError } from './aws-error.ts';
import { type JsonService, unknownOperation } from './endpoint.ts';
import { type Secrets, type SecretVersion, type StoredSecret, versionsOf } from './secrets.ts';

type Body = Record<string, unknown>;

/** The labels of a secret's versions, newest first. */
const STAGES = ['AWSCURRENT', 'AWSPREVIOUS'] as const;

/**
 * Secrets Manager: get, list, describe, create, put. Of each secret the current version and the one before are kept.
 *
 * @see https://docs.aws.amazon.com/secretsmanager/latest/apireference/API_Operations.html
 */
export function secretsApi(secrets: Secrets): JsonService {
  const operations: Record<string, (body: Body) => unknown> = {
    GetSecretValue: ({ SecretId, VersionId, VersionStage }) => {
      const secret = secrets.get(String(SecretId));
      const { version, stage } = wanted(secret, VersionId, VersionStage);
      return {
        ...identity(secret),
        VersionId: version.versionId,
        SecretString: version.value,
        VersionStages: [stage],
        ...created(secret),
      };
    },
    DescribeSecret: ({ SecretId }) => {
      const secret = secrets.get(String(SecretId));
      const stages = versionsOf(secret).map(({ versionId }, i) => [versionId, [STAGES[i]]]);
      return {
        ARN: secret.arn,
        Name: secret.name,
        VersionIdsToStages: Object.fromEntries(stages),
        ...created(secret),
      };
    },
    ListSecrets: () => ({
      SecretList: secrets
        .list()
        .map((secret) => ({ ARN: secret.arn, Name: secret.name, ...created(secret) })),
    }),
    CreateSecret: ({ Name, SecretString, ClientRequestToken }) =>
      identity(secrets.create(String(Name), textOf(SecretString), token(ClientRequestToken))),
    PutSecretValue: ({ SecretId, SecretString, ClientRequestToken, VersionStages = ['AWSCURRENT'] }) => {
      if (String(VersionStages) !== 'AWSCURRENT') {
        throw new AwsError(
          'InvalidParameterException',
          'The embedded engine knows no other label than its own.',
        );
      }
      const secret = secrets.put(String(SecretId), textOf(SecretString), token(ClientRequestToken));
      return { ...identity(secret), VersionStages };
    },
  };
  return async (operation, body) => {
    const run = Object.hasOwn(operations, operation) ? operations[operation] : undefined;
    if (!run) throw unknownOperation(`Secrets Manager ${operation}`);
    return { body: run(body) };
  };
}

/** The version of that id or label; the current one where neither is given. */
function wanted(
  secret: StoredSecret,
  id: unknown,
  stage: unknown,
): { version: SecretVersion; stage: (typeof STAGES)[number] } {
  const label = stage ?? (id === undefined ? 'AWSCURRENT' : undefined);
  for (const [i, version] of versionsOf(secret).entries()) {
    const own = STAGES[i] ?? 'AWSPREVIOUS';
    if ((id ?? version.versionId) === version.versionId && (label ?? own) === own) {
      return { version, stage: own };
    }
  }
  const named = id === undefined ? `staging label: ${label}` : `VersionId: ${id}`;
  throw new AwsError(
    'ResourceNotFoundException',
    `Secrets Manager can't find the specified secret value for ${named}`,
  );
}

/** What a client that sends a request again gives both times: the id of the version. */
function token(given: unknown): string | undefined {
  return given === undefined ? undefined : String(given);
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
