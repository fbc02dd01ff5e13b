import { mkdtempSync, rmSync } from 'node:fs';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { TestProject } from 'vitest/node';
import { synthesize } from '../../../local/assembly.ts';

const APP = fileURLToPath(new URL('../../../bin/app.ts', import.meta.url));

/** Stands in the synthesized template for the sandbox that each test file starts for itself. */
export const SANDBOX_ELSEWHERE = 'http://sandbox.invalid';

declare module 'vitest' {
  export interface ProvidedContext {
    /** Answers with the directory of stage `local`'s cloud assembly. */
    assemblyService: string;
  }
}

/**
 * Set-up of a whole run of tests: synthesizes stage `local` once for all files that run it, when the first one asks.
 *
 * It is done in this process and not in the workers, so that a worker that dies takes no lock with it.
 */
export default async function setUp(project: TestProject): Promise<() => Promise<void>> {
  const directories: string[] = [];
  let assembly: Promise<string> | undefined;
  // Watched files have changed: what was synthesized of them is old.
  project.onTestsRerun(() => {
    assembly = undefined;
  });

  const answer: RequestListener = (_request, response) => {
    assembly ??= newAssembly(directories);
    assembly.then(
      (directory) => response.end(directory),
      (error: unknown) => response.writeHead(500).end(String(error)),
    );
  };
  const server = createServer(answer);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  server.unref();
  project.provide('assemblyService', `http://127.0.0.1:${(server.address() as AddressInfo).port}`);

  return async () => {
    server.close();
    server.closeAllConnections();
    await assembly?.catch(() => {});
    for (const directory of directories) rmSync(directory, { recursive: true, force: true });
  };
}

async function newAssembly(directories: string[]): Promise<string> {
  const directory = mkdtempSync(join(tmpdir(), 'lead-handoff-assembly-'));
  directories.push(directory);
  await synthesize(APP, directory, { stage: 'local', sandboxUrl: SANDBOX_ELSEWHERE });
  return directory;
}
