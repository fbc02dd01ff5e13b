import { LOCAL_ENDPOINT } from '../functions/domain/command-line.ts';
import { STAGES, type Stage } from '../functions/domain/stage-numbers.ts';
import { WrongUsage } from './errors.ts';

/** Which stage a command talks to, and where its AWS is. */
export interface Settings {
  readonly stage: Stage;
  /** Absent: AWS itself. */
  readonly endpoint?: string;
  /** The endpoint is that of AWS_ENDPOINT_URL: nobody typed it. */
  readonly fromEnvironment?: true;
}

export { LOCAL_ENDPOINT } from '../functions/domain/command-line.ts';

/**
 * The stage that was named; else `local` where an endpoint is given, else the one of HANDOFF_STAGE.
 *
 * @throws WrongUsage
 */
export function readSettings(
  options: { readonly stage?: string; readonly endpoint?: string },
  environment: NodeJS.ProcessEnv,
): Settings {
  const endpoint = readEndpoint(options.endpoint ?? (environment.AWS_ENDPOINT_URL || undefined));
  const stage = options.stage ?? (endpoint === undefined ? environment.HANDOFF_STAGE || undefined : 'local');
  if (stage === undefined) {
    throw new WrongUsage(
      `Say where: --endpoint ${LOCAL_ENDPOINT} for what "npm run local" runs, or --stage test or --stage prod (or HANDOFF_STAGE) for an AWS account.`,
    );
  }
  const known = STAGES.find((name) => name === stage);
  if (known === undefined) {
    throw new WrongUsage(`There is no such stage: expected one of ${STAGES.join(', ')}.`);
  }
  if (known === 'local' && endpoint === undefined) {
    throw new WrongUsage(`Stage local is what "npm run local" runs: add --endpoint ${LOCAL_ENDPOINT}.`);
  }
  if (endpoint === undefined) return { stage: known };
  return { stage: known, endpoint, ...(options.endpoint === undefined ? { fromEnvironment: true } : {}) };
}

function readEndpoint(given: string | undefined): string | undefined {
  if (given === undefined) return undefined;
  if (!/^https?:$/.test(URL.parse(given)?.protocol ?? '')) {
    throw new WrongUsage(`The endpoint must be an http or https address, such as ${LOCAL_ENDPOINT}.`);
  }
  return given;
}
