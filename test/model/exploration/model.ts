import { openAction } from '../../../functions/domain/action-state.ts';
import type { Decision } from '../../../functions/domain/decision.ts';
import { START } from '../clock.ts';
import { testRoute } from '../settings.ts';
import { canonical } from './canonical.ts';
import { checkEnded, checkWorld } from './checks.ts';
import type { Configuration } from './configurations.ts';
import { type Ended, Positions, type Program } from './coroutine.ts';
import { FIRST_RUN } from './handoff.ts';
import { type Move, movesOf } from './moves.ts';
import { FAITHFUL, type Invocation, Programs, type Surroundings } from './programs.ts';
import { type AnyOp, isConstant, isForced, type Surface, type Way, waysOf } from './requests.ts';
import { NUMBERS, type Subject, subjectNamed } from './settings.ts';
import { afterFunction, newFlow, roleOf } from './workflow.ts';
import {
  type Flow,
  type Process,
  spend,
  type World,
  withFlow,
  withoutProcess,
  withProcess,
} from './world.ts';

/** A bug put in on purpose: it takes the place of something around the production code. */
export interface SeededBug {
  readonly around?: Partial<Surroundings>;
  readonly surface?: Partial<Omit<Surface, 'subject' | 'fates'>>;
  /** The workflow's next state. */
  readonly flow?: (flow: Flow, world: World) => Flow;
}

/** One configuration, ready to be explored: its first world, and what may happen in any world. */
export class Model {
  readonly configuration: Configuration;
  readonly subject: Subject;
  readonly positions = new Positions();
  readonly surface: Surface;
  readonly programs: Programs;
  readonly #bug: SeededBug;
  readonly #memoryMs: number;
  readonly #slow: boolean;

  constructor(configuration: Configuration, bug: SeededBug = {}) {
    this.configuration = configuration;
    this.subject = subjectNamed(configuration.subject);
    this.#bug = bug;
    this.#slow = configuration.slowWorkers;
    const { action, contract } = this.subject;
    const around = { ...FAITHFUL, ...bug.around };
    this.programs = new Programs(action, contract, testRoute(configuration.route), NUMBERS, around);
    this.surface = {
      subject: this.subject,
      fates: configuration.fates,
      unconditional: false,
      everyoneIsCurrent: false,
      ...bug.surface,
    };
    const { keyWindowMs } = this.subject.promises;
    this.#memoryMs = 20_000 + (keyWindowMs ?? 0);
  }

  async first(): Promise<World> {
    const { contact, action } = this.subject;
    return this.settled({
      now: START,
      execution: FIRST_RUN,
      flows: [newFlow(FIRST_RUN)],
      processes: [],
      started: 0,
      action: openAction(action),
      operations: [],
      waiting: null,
      paused: false,
      remembered: {},
      quietSince: false,
      destination: { contact, tasks: [], mails: [], keys: {}, late: [], left: {} },
      budget: this.configuration.budget,
      ghost: {
        holders: {},
        decisions: 0,
        riskAccepted: false,
        hidden: false,
        personHolds: false,
        byHand: false,
      },
    });
  }

  moves(world: World): readonly Move[] {
    return movesOf(world, this);
  }

  /** The world after a move, with everything done that follows without a choice. */
  async after(world: World, move: Move): Promise<World> {
    const after = await move.to();
    const moved = after.now !== world.now || after.action !== world.action;
    const attempts = after.flows !== world.flows && attemptsOf(after) !== attemptsOf(world);
    return this.settled({ ...after, quietSince: after.budget.duplicates > 0 && !moved && !attempts });
  }

  /** Functions that states wait for are started, constant answers are given, results nobody can lose are delivered. */
  async settled(world: World): Promise<World> {
    let now = world;
    for (;;) {
      const next = await this.#settleOne(now);
      if (next === now) break;
      now = next;
    }
    checkWorld(now, this.subject);
    return canonical(now, this.#memoryMs);
  }

  async #settleOne(world: World): Promise<World> {
    for (const flow of world.flows) {
      const role = roleOf(flow);
      if (role && !flow.entered) return this.invoke(world, role, flow, flow.attempt, true);
    }
    for (const process of world.processes) {
      const { ended, pending } = this.positions.at(process.position);
      if (ended) {
        const awaited = world.flows.some(({ awaits }) => awaits === process.name);
        if (!awaited || world.budget.faults === 0) return this.deliver(world, process, ended);
      }
      for (const [index, op] of pending) {
        const free = isConstant(world, op) || (!this.#slow && isForced(world, process, op, this.surface));
        if (!free) continue;
        const [way] = waysOf(world, process, op as AnyOp, this.surface);
        if (way) return this.answer(way, process, index);
      }
    }
    return world;
  }

  /** Starts a function; `awaited`: the flow's state waits for it. */
  async invoke(
    world: World,
    role: Process['role'],
    flow: Flow,
    attempt: number,
    awaited: boolean,
  ): Promise<World> {
    const name = `w${world.started + 1}`;
    const endsAt = world.now + NUMBERS.functionTimeoutSeconds * 1000;
    const { execution, turns, asked, error, reason } = flow;
    const invocation: Invocation = { name, execution, attempt, turns, asked, error, reason, endsAt };
    const position = await this.positions.start(
      `${role} ${JSON.stringify(invocation)}`,
      world.now,
      name,
      this.#program(role, invocation),
    );
    const process: Process = {
      name,
      role,
      attempt,
      execution,
      position,
      endsAt,
      claimed: false,
      called: false,
      stale: false,
      saw: null,
    };
    const after = { ...world, started: world.started + 1, processes: [...world.processes, process] };
    return awaited ? withFlow(after, { ...flow, awaits: name, entered: true }) : after;
  }

  /** A further delivery of an attempt, up to its first look at the action: before that it is not there for anybody. */
  async deliverAgain(world: World, flow: Flow, attempt: number): Promise<World> {
    const begun = await this.settled(await this.invoke(world, 'act', flow, attempt, false));
    const process = begun.processes.at(-1);
    const [first] = process ? this.positions.at(process.position).pending : [];
    if (!process || !first) return begun;
    const [well] = waysOf(begun, process, first[1] as AnyOp, this.surface);
    return well ? this.answer(well, process, first[0]) : begun;
  }

  #program(role: Process['role'], invocation: Invocation): Program {
    if (role === 'act') return this.programs.act(invocation);
    if (role === 'reconcile') return this.programs.reconcile(invocation);
    return this.programs.wait(role, invocation);
  }

  /** A request goes this way, and the function goes on to its next one. */
  async answer(way: Way, { name }: Process, index: number): Promise<World> {
    const process = way.world.processes.find((one) => one.name === name) as Process;
    const position = await this.positions.resume(process.position, index, way.answer, way.world.now);
    const { ended } = this.positions.at(position);
    if (ended) checkEnded(process, ended);
    return withProcess(way.world, { ...process, position });
  }

  /** The function has returned, or died; whoever waited for it goes on. */
  deliver(world: World, process: Process, ended: Ended): World {
    const after = withoutProcess(world, process.name);
    const flow = world.flows.find(({ awaits }) => awaits === process.name);
    if (!flow) return after;
    return withFlow(after, this.#next(afterFunction(flow, process.role, ended, world), world));
  }

  /** The workflow loses sight of a function that goes on running. */
  loseSight(world: World, process: Process): World {
    const flow = world.flows.find(({ awaits }) => awaits === process.name);
    if (!flow) return world;
    const ended = { error: 'States.Timeout' };
    return withFlow(
      spend(world, 'faults'),
      this.#next(afterFunction(flow, process.role, ended, world), world),
    );
  }

  #next(flow: Flow, world: World): Flow {
    return this.#bug.flow ? this.#bug.flow(flow, world) : flow;
  }

  decision(world: World, kind: Decision['kind'], more: Partial<Decision>): Decision {
    return {
      id: `decision-${world.budget.decisions}-${kind}`,
      kind,
      by: 'robin',
      reason: 'looked at it',
      at: world.now,
      findingSeen: world.action.lastRead?.finding ?? 'absent',
      ...more,
    };
  }
}

function attemptsOf({ flows }: World): string {
  return flows.map(({ attempt }) => attempt).join();
}
