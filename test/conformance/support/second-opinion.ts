import { Client } from '@hubspot/api-client';
import { Resend } from 'resend';
import type { DestinationOptions } from '../../../functions/adapters/http/destination-options.ts';
import { hubspotReader } from '../../../functions/adapters/hubspot/reader.ts';
import { hubspotWriter } from '../../../functions/adapters/hubspot/writer.ts';
import { resendReader } from '../../../functions/adapters/resend/reader.ts';
import { resendSender } from '../../../functions/adapters/resend/sender.ts';
import type { Outcome } from '../../../functions/domain/outcome.ts';
import type { WriteCall } from '../../../functions/ports/contacts.ts';
import type { SettingsInput } from '../../../functions/sandbox/settings.ts';
import { type SandboxBench, sandboxBench } from '../../unit/adapters/sandbox-bench.ts';
import { type Recorder, recorder } from './recorder.ts';

/** One sandbox, with our adapters and the vendors' own clients at it, all recorded at the socket. */
export interface SecondOpinion {
  readonly bench: SandboxBench;
  readonly recorder: Recorder;
  readonly ours: {
    readonly crm: ReturnType<typeof hubspotReader>;
    readonly crmWriter: ReturnType<typeof hubspotWriter>;
    readonly mail: ReturnType<typeof resendReader>;
    readonly mailSender: ReturnType<typeof resendSender>;
    /** What `doctor` reads with. */
    readonly mailAccount: DestinationOptions;
  };
  readonly theirs: {
    readonly crm: Client;
    readonly crmWriter: Client;
    readonly mail: Resend;
    readonly mailSender: Resend;
  };
  readonly call: (identity?: string) => WriteCall;
}

export interface SecondOpinionOptions {
  readonly settings?: SettingsInput;
  readonly taskUniqueProperty?: string;
}

const open: { close(): Promise<void> }[] = [];

export async function secondOpinion(options: SecondOpinionOptions = {}): Promise<SecondOpinion> {
  const bench = await sandboxBench(options.settings);
  const wire = await recorder(new URL(bench.hubspotUrl).origin);
  open.push(wire, bench);
  const crmUrl = `${wire.url}/hubspot`;
  const mailUrl = `${wire.url}/resend`;
  const at = (baseUrl: string, use: 'read' | 'write' | 'full'): DestinationOptions => ({
    baseUrl,
    token: bench.token(use),
    timeoutMs: 5_000,
    clock: bench.clock,
  });
  const unique =
    options.taskUniqueProperty === undefined ? {} : { taskUniqueProperty: options.taskUniqueProperty };
  const [readToken, writeToken, fullToken] = await Promise.all(
    (['read', 'write', 'full'] as const).map((use) => bench.token(use)()),
  );
  const crmClient = (accessToken = '') =>
    new Client({ accessToken, basePath: crmUrl, numberOfApiCallRetries: 0 });
  return {
    bench,
    recorder: wire,
    ours: {
      crm: hubspotReader({ ...at(crmUrl, 'read'), ...unique }),
      crmWriter: hubspotWriter({ ...at(crmUrl, 'write'), ...unique }),
      mail: resendReader(at(mailUrl, 'full')),
      mailSender: resendSender(at(mailUrl, 'write')),
      mailAccount: at(mailUrl, 'full'),
    },
    theirs: {
      crm: crmClient(readToken),
      crmWriter: crmClient(writeToken),
      mail: new Resend(fullToken, { baseUrl: mailUrl }),
      mailSender: new Resend(writeToken, { baseUrl: mailUrl }),
    },
    call: (identity = 'web/req-1/upsert-contact') => ({ identity, deadline: bench.clock() + 10_000 }),
  };
}

/** Closes everything that `secondOpinion` opened. */
export async function closeAll(): Promise<void> {
  for (const one of open.splice(0)) await one.close();
}

/** The record that a write of ours says it wrote. */
export function recordIdOf(outcome: Outcome): string {
  if (outcome.outcome !== 'performed') throw new Error(`Not performed: ${JSON.stringify(outcome)}`);
  return outcome.evidence.recordId ?? '';
}
