import { readFileSync } from 'node:fs';
import { Command, CommanderError, Option } from 'commander';
import { ACTIONS } from '../functions/domain/action.ts';
import { DECISIONS } from '../functions/domain/decision.ts';
import type { LoadedRoutes } from '../functions/domain/route.ts';
import { STAGES } from '../functions/domain/stage-numbers.ts';
import { type AwsAccess, awsAccess } from './aws/access.ts';
import { explainAws } from './aws/explain.ts';
import { checkRouteFiles, leftOut } from './broken-routes.ts';
import { brief } from './commands/brief.ts';
import { type DecideOptions, decide } from './commands/decide.ts';
import { doctor } from './commands/doctor.ts';
import { type InvestigateOptions, investigate } from './commands/investigate.ts';
import { type ResubmitOptions, resubmit } from './commands/resubmit.ts';
import { listRoutes } from './commands/routes.ts';
import { type SetupOptions, setup } from './commands/setup.ts';
import { show } from './commands/show.ts';
import { submit } from './commands/submit.ts';
import { waiting } from './commands/waiting.ts';
import type { CommandContext, ExitCode } from './context.ts';
import { sentenceOf } from './errors.ts';
import { readSettings, type Settings } from './settings.ts';
import { AT_ONCE } from './submission/options.ts';
import { processTerminal } from './terminal.ts';

interface SharedOptions {
  readonly json?: boolean;
  readonly endpoint?: string;
  readonly stage?: string;
  readonly route?: string;
}

type Run = (context: CommandContext, options: SharedOptions) => Promise<ExitCode>;

/**
 * Runs one operator command. Never throws; reasons go to stderr, one sentence each.
 *
 * A route file that is not finished stops only what is about its route. What is about all routes leaves it out, says so, and ends with 1.
 */
export async function runHandoff(arguments_: readonly string[], loaded: LoadedRoutes): Promise<ExitCode> {
  const terminal = processTerminal();
  let exitCode: ExitCode = 0;
  let settings: Settings | undefined;
  const run = async (command: Command, work: Run) => {
    const options = command.opts<SharedOptions>();
    const asked = { route: routeOf(command), ofAll: ABOUT_ALL_ROUTES.has(command.name()) };
    checkRouteFiles(loaded, asked);
    let aws: AwsAccess | undefined;
    const context: CommandContext = {
      routes: loaded.routes,
      clock: Date.now,
      terminal,
      // Commands that need no AWS need not say where it is.
      get aws() {
        settings ??= readSettings(options, process.env);
        aws ??= awsAccess(settings, process.env);
        return aws;
      },
    };
    exitCode = await work(context, options);
    const unfinished = leftOut(loaded, asked);
    for (const { message } of unfinished) terminal.complain(message);
    if (unfinished.length > 0 && exitCode === 0) exitCode = 1;
  };
  try {
    await handoffProgram(run).parseAsync(arguments_, { from: 'user' });
    return exitCode;
  } catch (error) {
    if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : 2;
    const known = settings && explainAws(error, settings);
    terminal.complain(known?.message ?? sentenceOf(error));
    return error instanceof Error && error.name === 'WrongUsage' ? 2 : 1;
  }
}

function handoffProgram(run: (command: Command, work: Run) => Promise<void>): Command {
  const program = new Command('handoff')
    .description('Operates lead handoffs: submit, look, decide, check, set up.')
    .version(version(), '-V, --version', 'print the version')
    .exitOverride()
    .addHelpText(
      'after',
      '\nExit codes: 0 done, 1 refused or failed (the reason is on stderr), 2 wrong usage, 130 or 143 interrupted.\nExample: handoff waiting --endpoint http://127.0.0.1:4566',
    );

  shared(program.command('submit'))
    .description(
      'Submits the lead requests of a file, or none of them where one is invalid. Repeats are safe.',
    )
    .argument('<file>', '.json, .ndjson, .jsonl or .csv (its header names the fields); - for ndjson on stdin')
    .option('--route <route>', 'the route; may be left out where there is only one')
    .option(
      '--map <column=field>',
      'which field a CSV column is; "column=" leaves it out, "*=" all others',
      repeated,
    )
    .option('--skip-invalid', 'submit the others where some are invalid')
    .option('--errors <file>', 'where to write every refused row; <file>.errors.ndjson unless given')
    .option('--concurrency <n>', `how many at a time; ${AT_ONCE} unless given`)
    .option('--dry-run', 'check the file, and submit nothing')
    .option('--approved-by <who>', 'an approver of the route, for a corrected request after a dead letter')
    .option(
      '--reason <why>',
      'why it is approved, in one line; it is kept, so nothing about the person of the lead',
    )
    .option('--kept-under <id>', 'the id of the dead letter, where it is not that of the lead request')
    .addHelpText(
      'after',
      '\nExample: handoff submit examples/leads.ndjson --route website\nExample: handoff submit export.csv --map "Submission ID=leadRequestId" --map "E-Mail=email" --map "*="',
    )
    .action((file: string, _options, command: Command) =>
      run(command, (context, options) => submit(file, options, context)),
    );
  shared(program.command('show'))
    .description(
      'Shows one handoff: the evidence per action, what is not known, what may be decided and what that does, and how it came to this.',
    )
    .argument('<id>', 'the lead request id')
    .option('--route <route>', 'the route; may be left out where there is only one')
    .addHelpText('after', '\nExample: handoff show form-7-1042 --route website --json')
    .action((id: string, _options, command: Command) =>
      run(command, (context, options) => show(id, options, context)),
    );
  shared(program.command('investigate'))
    .description(
      'Shows the messages under an id that could not be accepted (dead letters): why, when, and what an approver can do.',
    )
    .argument('<id>', 'the lead request id, or the one that a message without an id is kept under')
    .option('--route <route>', 'the route; may be left out where there is only one')
    .option('--body', 'show what the messages say, which is personal data')
    .option('--dismiss', 'end the investigation: there is nothing to hand off')
    .option('--approved-by <who>', 'an approver of the route, with --dismiss')
    .option(
      '--reason <why>',
      'why it is dismissed, in one line; it is kept, so nothing about the person of the lead',
    )
    .addHelpText('after', '\nExample: handoff investigate form-7-1042 --route website')
    .action((id: string, _options, command: Command) =>
      run(command, (context, options) => investigate(id, options as InvestigateOptions, context)),
    );
  shared(program.command('waiting'))
    .description(
      'Lists what waits for a person, what is parked, and handoffs whose execution is gone, oldest first.',
    )
    .option('--route <route>', 'this route alone')
    .addHelpText('after', '\nExample: handoff waiting --route website')
    .action((_options, command: Command) => run(command, (context, options) => waiting(options, context)));
  shared(program.command('decide'))
    .description(
      'Decides about one action of a stuck handoff. "handoff show" says what may be decided, and what each choice does.',
    )
    .argument('<id>', 'the lead request id')
    .argument('<action>', `one of ${ACTIONS.join(', ')}`)
    .argument('<decision>', `one of ${DECISIONS.join(', ')}`)
    .option('--route <route>', 'the route; may be left out where there is only one')
    .option('--by <who>', 'who decides: your name or email address (an approver: as the route has it)')
    .option('--reason <why>', 'why, in one line; it is kept, so nothing about the person of the lead')
    .option('--evidence <ref>', "the record's id, for confirm; the hash of corrected fields, for amend")
    .option('--accept-risk', 'take-over or amend: you accept that it may happen twice (riskAccepted)')
    .option('--not-done', 'release: you state that you did not do it (notDone)')
    .option('--finding <code>', 'what the record showed you; refused where it shows something else by now')
    .addHelpText(
      'after',
      '\nExample: handoff decide form-7-1042 send-introduction resume --route website --by "Robin Okafor" --reason "Resend works again"',
    )
    .action((id: string, action: string, decision: string, _options, command: Command) =>
      run(command, (context, options) => decide([id, action, decision], options as DecideOptions, context)),
    );
  shared(program.command('resubmit'))
    .description(
      'Starts a handoff again as its next run: where its execution is gone, where the same person has another one, and in the place of an execution that still runs, which then does nothing any more. What is done is not repeated.',
    )
    .argument('<id>', 'the lead request id')
    .option('--route <route>', 'the route; may be left out where there is only one')
    .option('--by <who>', 'who decides: your name or email address')
    .option('--reason <why>', 'why, in one line; it is kept, so nothing about the person of the lead')
    .addHelpText(
      'after',
      '\nExample: handoff resubmit form-7-1042 --route website --by "Robin Okafor" --reason "definition repaired"',
    )
    .action((id: string, _options, command: Command) =>
      run(command, (context, options) => resubmit(id, options as ResubmitOptions, context)),
    );
  shared(program.command('routes'))
    .description('Lists the routes and whether work goes out on them.')
    .addHelpText('after', '\nExample: handoff routes --json')
    .action((_options, command: Command) => run(command, (context, options) => listRoutes(options, context)));
  shared(program.command('brief'))
    .description(
      'Prints what a route answers to the questions of an integration owner, as a page in Markdown; with the numbers of production unless a stage is given.',
    )
    .argument('[route]', 'this route alone')
    .addHelpText('after', '\nExample: handoff brief website > website.md')
    .action((route: string | undefined, _options, command: Command) =>
      run(command, (context, options) => brief(route, options, context)),
    );
  shared(program.command('doctor'))
    .description(
      'Checks a stage and its routes: AWS, queues, credentials, owners, sender domains. Changes nothing.',
    )
    .argument('[route]', 'this route alone')
    .addHelpText('after', '\nExample: handoff doctor website --stage test')
    .action((route: string | undefined, _options, command: Command) =>
      run(command, (context, options) => doctor(route, options, context)),
    );
  shared(program.command('setup'))
    .description(
      'Shows what routes need at their destinations, and with --apply creates what can be created from here. Repeats are safe.',
    )
    .argument('[route]', 'this route alone')
    .option('--apply', 'create what is to do; without it nothing is changed')
    .addHelpText(
      'after',
      '\nExample: handoff setup website --stage prod\nExample: handoff setup website --stage prod --apply',
    )
    .action((route: string | undefined, _options, command: Command) =>
      run(command, (context, options) => setup(route, options as SetupOptions, context)),
    );
  return program;
}

/** The commands that are about every route unless one is named. */
const ABOUT_ALL_ROUTES = new Set(['waiting', 'routes', 'brief', 'doctor', 'setup']);

/** The route that a command names, by its option or as its argument. */
function routeOf(command: Command): string | undefined {
  const position = command.registeredArguments.findIndex((argument) => argument.name() === 'route');
  return command.opts<SharedOptions>().route ?? command.args[position];
}

/** An option that may be given more than once. */
function repeated(value: string, before: readonly string[] = []): string[] {
  return [...before, value];
}

function version(): string {
  const file = readFileSync(new URL('../package.json', import.meta.url), 'utf8');
  return (JSON.parse(file) as { version: string }).version;
}

function shared(command: Command): Command {
  return command
    .option('--json', 'print JSON')
    .option('--endpoint <url>', 'where AWS is; for "npm run local" http://127.0.0.1:4566')
    .addOption(
      new Option('--stage <stage>', 'local where an endpoint is given, else HANDOFF_STAGE').choices(STAGES),
    );
}
