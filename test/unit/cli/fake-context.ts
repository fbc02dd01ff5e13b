import type { AwsAccess } from '../../../cli/aws/access.ts';
import type { CommandContext } from '../../../cli/context.ts';
import type { RouteSettings } from '../../../functions/domain/route.ts';

/** What a command wrote. */
export interface Written {
  readonly stdout: string[];
  readonly stderr: string[];
}

/** A context without a terminal, and with as much of AWS as the test gives. */
export function fakeContext(
  routes: readonly RouteSettings[],
  aws: Partial<AwsAccess>,
  clock: () => number = Date.now,
): { context: CommandContext; written: Written } {
  const written: Written = { stdout: [], stderr: [] };
  async function* nothing(): AsyncIterable<Uint8Array> {}
  const context: CommandContext = {
    routes,
    clock,
    aws: { settings: { stage: 'test' }, ...aws } as AwsAccess,
    terminal: {
      print: (text) => written.stdout.push(text),
      complain: (sentence) => written.stderr.push(sentence),
      progress: () => {},
      bar: () => ({ update: () => {}, end: () => {} }),
      colour: false,
      columns: undefined,
      input: nothing(),
    },
  };
  return { context, written };
}
