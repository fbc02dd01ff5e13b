import {
  type SandboxServer,
  type SandboxServerOptions,
  startSandboxServer,
} from '../functions/sandbox/server.ts';
import { PortInUse } from './endpoint.ts';

/** The secret that the local sandbox accepts; functions get it with `.read` or `.write` behind it. */
export const SANDBOX_BEARER = 'local-sandbox';

/**
 * Starts the sandbox destination in this process, on 127.0.0.1.
 *
 * @throws PortInUse
 */
export async function startSandbox(options: SandboxServerOptions): Promise<SandboxServer> {
  try {
    return await startSandboxServer(options);
  } catch (error) {
    const isBusy = error instanceof Error && error.name === 'SandboxPortBusy';
    throw isBusy ? new PortInUse(options.port, '--sandbox-port') : error;
  }
}
