import { type CommandPlace, commandLine, showLine } from '../../functions/domain/command-line.ts';
import type { PersonsRequest } from '../../functions/domain/decision-request.ts';
import { askRecovery } from '../aws/recovery-machine.ts';
import { type CommandContext, type ExitCode, printJson } from '../context.ts';

export interface Asked {
  readonly route: string;
  readonly request: PersonsRequest;
  readonly json: boolean;
  /** What an answer means, in sentences; null for one that this version does not know. */
  readonly tell: (answer: unknown) => readonly string[] | null;
}

/**
 * Asks a route's recovery state machine, and tells what it answers. A refusal is one sentence on stderr, and changed nothing.
 *
 * @throws AwsUnavailable
 */
export async function askAndTell(
  { route, request, json, tell }: Asked,
  { aws, terminal }: CommandContext,
): Promise<ExitCode> {
  const recovered = await askRecovery(aws, route, request, (seconds) =>
    terminal.progress(`The recovery state machine works on it (${seconds} s)`),
  );
  terminal.progress('');
  if (recovered.outcome === 'answered') {
    const { execution, answer } = recovered;
    const sentences = tell(answer);
    if (json || sentences === null) printJson(terminal, { execution, answer });
    else for (const sentence of sentences) terminal.print(sentence);
    return 0;
  }
  if (recovered.outcome === 'refused') {
    const { execution, error, message } = recovered;
    if (json) printJson(terminal, { execution, refused: { error, message } });
    terminal.complain(message);
    for (const line of commandsIn(message, route, request, aws.settings)) terminal.complain(line);
    return 1;
  }
  const { execution, status } = recovered;
  if (json) printJson(terminal, { execution, status });
  terminal.complain(
    status === 'RUNNING'
      ? `The execution ${execution} has not answered in time, so it is not known whether this was recorded: run it again, which is safe.`
      : `The execution ${execution} ended without an answer (${status}), so it is not known whether this was recorded: run it again, which is safe.`,
  );
  return 1;
}

/** What a person adds to an input of the console, and to the command. */
const FLAGS = [
  ['"notDone"', '--not-done'],
  ['"riskAccepted"', '--accept-risk'],
  ['as "evidence"', '--evidence'],
] as const;

/** What a refusal names in quotes is an input of the console: here it is said as the command that does the same. */
function commandsIn(message: string, route: string, request: PersonsRequest, place: CommandPlace): string[] {
  const id = 'leadRequestId' in request ? request.leadRequestId : null;
  return [
    ...(message.includes('"show"') && id ? [showLine(id, route, place)] : []),
    ...(message.includes('"waiting"') ? [commandLine('waiting', { flags: ['--route', route] }, place)] : []),
    ...FLAGS.flatMap(([input, flag]) =>
      message.includes(input) ? [`To add it to the command: ${flag}`] : [],
    ),
  ];
}
