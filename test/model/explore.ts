import { parseArgs } from 'node:util';
import { ALL, type Configuration, configurationNamed, LARGE, SMALL } from './exploration/configurations.ts';
import { Model } from './exploration/model.ts';
import { walk } from './exploration/random-walk.ts';
import { type Counterexample, explore } from './exploration/search.ts';

const HELP = `Explores what may happen to one action of a handoff: every order of steps, kills, failures, late requests and decisions.

  node test/model/explore.ts                          every small configuration, to the end
  node test/model/explore.ts --config NAME            one of them
  node test/model/explore.ts --random SECONDS         large configurations at random, for so long
  node test/model/explore.ts --seed N --config NAME   one walk again, step by step
  node test/model/explore.ts --list                   the names of the configurations

  --json      one object per configuration, for machines
  --states N  give up on a configuration after so many states (2000000)

Exit code 1: a schedule breaks a promise (it is printed), or a configuration was not explored to the end.`;

const { values } = parseArgs({
  options: {
    config: { type: 'string' },
    seed: { type: 'string' },
    random: { type: 'string' },
    states: { type: 'string', default: '2000000' },
    json: { type: 'boolean', default: false },
    list: { type: 'boolean', default: false },
    help: { type: 'boolean', short: 'h', default: false },
  },
});

/** Positions that a model may remember before a fresh one takes its place. */
const MAX_POSITIONS = 150_000;

function print(line: object, text: string): void {
  console.log(values.json ? JSON.stringify(line) : text);
}

function traceOf({ message, steps }: Counterexample): string {
  return ['', `  ${message}`, ...steps.map((step, index) => `  ${index + 1}. ${step}`), ''].join('\n');
}

function column(value: number | string, width: number): string {
  return String(value).padStart(width);
}

async function exploreAll(configurations: readonly Configuration[]): Promise<boolean> {
  const total = { states: 0, transitions: 0, seconds: 0, cpuSeconds: 0 };
  let fine = true;
  for (const configuration of configurations) {
    const limits = { states: Number(values.states), seconds: Number.POSITIVE_INFINITY };
    const explored = await explore(new Model(configuration), limits);
    const { states, transitions, seconds, cpuSeconds, complete, counterexample } = explored;
    print(
      { configuration: configuration.name, ...explored },
      `${configuration.name.padEnd(58)} ${column(states, 8)} states ${column(transitions, 8)} transitions ${column(seconds.toFixed(1), 6)} s${complete ? '' : '  not complete'}${counterexample ? traceOf(counterexample) : ''}`,
    );
    fine &&= complete && counterexample === null;
    total.states += states;
    total.transitions += transitions;
    total.seconds += seconds;
    total.cpuSeconds += cpuSeconds;
  }
  print(
    { total },
    `${configurations.length} configurations: ${total.states} states, ${total.transitions} transitions, ${total.seconds.toFixed(1)} s (${total.cpuSeconds.toFixed(1)} s of the processor)`,
  );
  return fine;
}

async function walkAtRandom(
  configurations: readonly Configuration[],
  seconds: number,
  firstSeed: number,
): Promise<boolean> {
  const until = performance.now() + seconds * 1000;
  const schedules = new Map<Configuration, Set<string>>(configurations.map((one) => [one, new Set()]));
  const models = new Map(configurations.map((one) => [one, new Model(one)]));
  let steps = 0;
  let seed = firstSeed;
  for (; performance.now() < until; seed++) {
    for (const configuration of configurations) {
      const model = models.get(configuration) as Model;
      const walked = await walk(model, seed);
      schedules.get(configuration)?.add(walked.schedule);
      steps += walked.steps.length;
      if (model.positions.count > MAX_POSITIONS) models.set(configuration, new Model(configuration));
      if (!walked.counterexample) continue;
      print(
        { configuration: configuration.name, seed, ...walked.counterexample },
        `${configuration.name}, seed ${seed}${traceOf(walked.counterexample)}`,
      );
      return false;
    }
  }
  const distinct = [...schedules.values()].reduce((sum, set) => sum + set.size, 0);
  print(
    { random: { seeds: [firstSeed, seed - 1], schedules: distinct, steps } },
    `seeds ${firstSeed} to ${seed - 1} of ${configurations.length} configurations: ${distinct} distinct schedules, ${steps} steps`,
  );
  return true;
}

async function walkAgain(configuration: Configuration, seed: number): Promise<boolean> {
  const { steps, counterexample } = await walk(new Model(configuration), seed);
  const told = counterexample ?? { invariant: '', message: 'Nothing is broken.', steps };
  print({ configuration: configuration.name, seed, steps, counterexample }, traceOf(told));
  return counterexample === null;
}

async function main(): Promise<boolean> {
  if (values.help) return print({ help: HELP }, HELP) ?? true;
  if (values.list) return console.log(ALL.map(({ name }) => name).join('\n')) ?? true;
  const named = values.config === undefined ? null : configurationNamed(values.config);
  if (named === undefined) {
    console.error(`There is no configuration ${values.config}; see --list.`);
    return false;
  }
  if (values.random !== undefined) {
    return walkAtRandom(named ? [named] : LARGE, Number(values.random), Number(values.seed ?? 1));
  }
  if (values.seed !== undefined && named) return walkAgain(named, Number(values.seed));
  return exploreAll(named ? [named] : SMALL);
}

process.exitCode = (await main()) ? 0 : 1;
