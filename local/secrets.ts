import { createHash, randomUUID } from 'node:crypto';
import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { AwsError, arn } from './aws-error.ts';

export interface StoredSecret {
  readonly name: string;
  readonly arn: string;
  readonly createdAt: number;
  value: string;
  versionId: string;
}

const DESTINATION_SECRET = /^local\/[^/]+\/[^/]+\/(read|write)$/;
const SANDBOX_SECRET = 'local/sandbox';

/**
 * The secrets of stage `local`. `local/<route>/<destination>/read|write` and `local/sandbox` exist without anybody
 * creating them: their values are what the sandbox destination accepts.
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

  /** Created secrets, and `local/sandbox`. Those of destinations have no list: every fitting name exists. */
  list(): StoredSecret[] {
    const sandbox = this.#stored.has(SANDBOX_SECRET) ? undefined : this.#seeded(SANDBOX_SECRET);
    return [...(sandbox ? [sandbox] : []), ...this.#stored.values()];
  }

  /** @throws AwsError `ResourceExistsException` */
  create(name: string, value: string): StoredSecret {
    if (this.#stored.has(name)) {
      throw new AwsError(
        'ResourceExistsException',
        `The operation failed because the secret ${name} already exists.`,
      );
    }
    return this.#store(name, value);
  }

  /** @throws AwsError `ResourceNotFoundException` */
  put(id: string, value: string): StoredSecret {
    return this.#store(this.get(id).name, value);
  }

  #store(name: string, value: string): StoredSecret {
    const secret: StoredSecret = {
      name,
      arn: secretArn(name),
      createdAt: this.#stored.get(name)?.createdAt ?? Date.now(),
      value,
      versionId: randomUUID(),
    };
    this.#stored.set(name, secret);
    if (this.#file !== undefined) {
      writeFileSync(`${this.#file}.new`, JSON.stringify([...this.#stored.values()]), { mode: 0o600 });
      renameSync(`${this.#file}.new`, this.#file);
    }
    return secret;
  }

  #seeded(name: string): StoredSecret | undefined {
    const end = DESTINATION_SECRET.exec(name)?.[1];
    if (end === undefined && name !== SANDBOX_SECRET) return undefined;
    const value = end === undefined ? this.#bearer : `${this.#bearer}.${end}`;
    return { name, arn: secretArn(name), createdAt: 0, value, versionId: versionOf(name) };
  }
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
