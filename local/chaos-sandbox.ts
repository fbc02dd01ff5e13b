import type { ChaosFault } from './chaos-faults.ts';

/** What `GET /inspect` of the sandbox answers, as far as the books are balanced on it. */
export interface Inspection {
  readonly contacts: readonly InspectedContact[];
  readonly tasks: readonly InspectedTask[];
  readonly emails: readonly InspectedEmail[];
  readonly requests: readonly InspectedRequest[];
  /** Requests that the sandbox no longer remembers. */
  readonly requestsDropped: number;
  readonly settings: { readonly owners: readonly { readonly id: string; readonly email: string }[] };
}

export interface InspectedContact {
  readonly id: string;
  readonly email: string | null;
  readonly ownerId: string | null;
  /** Newest first. */
  readonly ownerHistory: readonly OwnerEntry[];
  readonly archived: boolean;
  readonly mergedIds: readonly string[];
}

export interface OwnerEntry {
  readonly value: string;
  /** ISO time. */
  readonly timestamp: string;
  readonly sourceType: string;
}

export interface InspectedTask {
  readonly id: string;
  readonly properties: Readonly<Record<string, string>>;
}

export interface InspectedEmail {
  readonly id: string;
  readonly to: readonly string[];
  readonly from: string;
  readonly key: string | null;
  readonly text: string | null;
  readonly acceptedAt: string;
}

export interface InspectedRequest {
  readonly at: string;
  readonly path: string;
  readonly operation: string | null;
  readonly status: number | null;
  readonly fault?: string;
}

/** The sandbox did not do what chaos asked of it. */
export class SandboxRefused extends Error {
  override readonly name = 'SandboxRefused';
  readonly status: number;
  constructor(path: string, status: number, answer: string) {
    super(`The sandbox answered ${status} to ${path}: ${answer}`);
    this.status = status;
  }
}

/** The sandbox's control API: faults, settings and the people who work in the CRM. */
export class SandboxControl {
  readonly #url: string;
  constructor(url: string) {
    this.#url = url;
  }

  inspect(): Promise<Inspection> {
    return this.#ask('GET', '/inspect') as Promise<Inspection>;
  }

  /** The faults that nobody has met yet. */
  async planned(): Promise<readonly ChaosFault[]> {
    return faultsOf(await this.#ask('GET', '/faults'));
  }

  async plan(...faults: readonly ChaosFault[]): Promise<void> {
    await this.#ask('POST', '/faults', faults);
  }

  async clearFaults(): Promise<void> {
    await this.#ask('DELETE', '/faults');
  }

  async settings(settings: object): Promise<void> {
    await this.#ask('POST', '/settings', settings);
  }

  /** False where there is no such live contact. */
  async person(does: string, input: object): Promise<boolean> {
    return (await this.act(does, input)) !== null;
  }

  /** What the person sees afterwards; null where there is no such live contact. */
  async act(does: string, input: object): Promise<unknown> {
    try {
      return await this.#ask('POST', `/people/${does}`, input);
    } catch (error) {
      if (error instanceof SandboxRefused && error.status === 404) return null;
      throw error;
    }
  }

  async #ask(method: string, path: string, body?: unknown): Promise<unknown> {
    const response = await fetch(`${this.#url}${path}`, {
      method,
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    if (!response.ok) throw new SandboxRefused(path, response.status, await response.text());
    return response.json();
  }
}

function faultsOf(answer: unknown): readonly ChaosFault[] {
  return (answer as { faults: ChaosFault[] }).faults;
}
