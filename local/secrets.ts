import { createHash, randomUUID } from 'node:crypto';
import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { AwsError, arn } from './aws-error.ts';

export interface SecretVersion {
  readonly versionId: string;
  readonly value: string;
}

/** Its current version, labelled `AWSCURRENT`, and the one before, `AWSPREVIOUS`. */
export interface StoredSecret extends SecretVersion {
  readonly name: string;
  readonly arn: string;
  readonly createdAt: number;
  readonly previous?: SecretVersion;
}

const DESTINATION_SECRET = /^local\/[^/]+\/[^/]+\/(read|write)$/;
const INTAKE_SECRET = /^local\/[^/]+\/intake$/;
const SANDBOX_SECRET = 'local/sandbox';

/**
 * The secrets of stage `local`. Some exist without anybody creating them: `local/<route>/<destination>/read|write` and
 * `local/sandbox` have what the sandbox destination accepts as their values, and `local/<route>/intake` a key for the signatures of
 * that route's webhooks, made of its name: https://github.com/standard-webhooks/standard-webhooks/blob/main/spec/standard-webhooks.md.
 */
export class Secrets {
  readonly #bearer: string;
  readonly #file: string | undefined;
  readonly #stored = new Map<string, StoredSecret>();

  /** @param file where created secrets are kept; absent: in memory */
  constructor(bearer: string, file?: string) {
    this.#bearer = bearer;
    this.#file = file;
    if (file === undefined || !existsSync(file)) return;
    for (const secret of JSON.parse(readFileSync(file, 'utf8')) as StoredSecret[]) {
      this.#stored.set(secret.name, secret);
    }
  }

  /** @throws AwsError `ResourceNotFoundException` */
  get(id: string): StoredSecret {
    const name = nameOf(id);
    const secret = this.#stored.get(name) ?? this.#seeded(name);
    if (!secret) {
      throw new AwsError('ResourceNotFoundException', "Secrets Manager can't find the specified secret.");
    }
    return secret;
  }

  /** Created secrets, and `local/sandbox`. Those of destinations and of intake have no list: every fitting name exists. */
  list(): StoredSecret[] {
    const sandbox = this.#stored.has(SANDBOX_SECRET) ? undefined : this.#seeded(SANDBOX_SECRET);
    return [...(sandbox ? [sandbox] : []), ...this.#stored.values()];
  }

  /** @throws AwsError `ResourceExistsException` */
  create(name: string, value: string, versionId: string = randomUUID()): StoredSecret {
    if (this.#stored.has(name)) {
      throw new AwsError(
        'ResourceExistsException',
        `The operation failed because the secret ${name} already exists.`,
      );
    }
    return this.#store({ name, arn: secretArn(name), createdAt: Date.now(), value, versionId });
  }

  /**
   * Adds a version, which is the current one from now on. A version that is there already is added once.
   *
   * @throws AwsError `ResourceNotFoundException`, `ResourceExistsException`
   */
  put(id: string, value: string, versionId: string = randomUUID()): StoredSecret {
    const secret = this.get(id);
    const same = versionsOf(secret).find((version) => version.versionId === versionId);
    if (same?.value === value) return secret;
    if (same) {
      throw new AwsError(
        'ResourceExistsException',
        `You can't modify an existing version: the secret value of version ${versionId} is another one.`,
      );
    }
    const previous = { versionId: secret.versionId, value: secret.value };
    return this.#store({ ...secret, value, versionId, previous });
  }

  #store(secret: StoredSecret): StoredSecret {
    this.#stored.set(secret.name, secret);
    if (this.#file !== undefined) {
      writeFileSync(`${this.#file}.new`, JSON.stringify([...this.#stored.values()]), { mode: 0o600 });
      renameSync(`${this.#file}.new`, this.#file);
    }
    return secret;
  }

  #seeded(name: string): StoredSecret | undefined {
    const value = this.#seededValue(name);
    if (value === undefined) return undefined;
    return { name, arn: secretArn(name), createdAt: 0, value, versionId: versionOf(name) };
  }

  #seededValue(name: string): string | undefined {
    if (name === SANDBOX_SECRET) return this.#bearer;
    if (INTAKE_SECRET.test(name)) return `whsec_${Buffer.from(`lead-handoff/${name}`).toString('base64')}`;
    const end = DESTINATION_SECRET.exec(name)?.[1];
    return end === undefined ? undefined : `${this.#bearer}.${end}`;
  }
}

/** Newest first. */
export function versionsOf({ versionId, value, previous }: StoredSecret): SecretVersion[] {
  return [{ versionId, value }, ...(previous ? [previous] : [])];
}

function secretArn(name: string): string {
  return arn('secretsmanager', `secret:${name}-${hex(name).slice(0, 6)}`);
}

/** A secret is asked for by name, by ARN, or by ARN without the six characters at its end. */
function nameOf(id: string): string {
  const [, name] = /^arn:aws:secretsmanager:[^:]*:[^:]*:secret:(.+)$/.exec(id) ?? [];
  if (name === undefined) return id;
  const [, short] = /^(.+)-([0-9a-f]{6})$/.exec(name) ?? [];
  return short !== undefined && hex(short).startsWith(name.slice(-6)) ? short : name;
}

function versionOf(name: string): string {
  return hex(name).replace(/^(.{8})(.{4})(.{4})(.{4})(.{12}).*$/, '$1-$2-$3-$4-$5');
}

function hex(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}
