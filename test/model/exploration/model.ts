import { openAction } from '../../../functions/domain/action-state.ts';
import type { Decision } from '../../../functions/domain/decision.ts';
import { START } from '../clock.ts';
import { testRoute } from '../settings.ts';
import { askingMoves } from './askings.ts';
import { canonical } from './canonical.ts';
import { checkEnded, checkWorld } from './checks.ts';
import type { Configuration } from './configurations.ts';
import { type Ended, type Op, Positions } from './coroutine.ts';
import { FIRST_FIELDS, FIRST_RUN, personOf } from './handoff.ts';
import { endsWait, type Move, mayBeAborted, movesOf, redriveMoves } from './moves.ts';
import { type LedgerReadOp, NO_ANSWER, type PutAnswer } from './ports.ts';
import { FAITHFUL, type Invocation, Programs, type Surroundings } from './programs.ts';
import { isConstant, isForced, isTooLate, isVoid } from './reductions.ts';
import { type AnyOp, mayFail, type Surface, type Way, waysOf } from './requests.ts';
import { NUMBERS, type Subject, subjectNamed } from './settings.ts';
import { SWEEP_MEMORY_MS } from './sweeps.ts';
import { afterFunction, newFlow, roleOf, thenClose } from './workflow.ts';
import {
  type Asking,
  type Flow,
  type Process,
  type Role,
  spend,
  type World,
  withFlow,
  withoutProcess,
  withProcess,
} from './world.ts';

/** A person's state machine tries again until then: five times, after 1, 2, 4, 8 and 16 seconds at most. */
const TRIED_AGAIN_WITHIN_MS = 31_000;

const NOTHING_GIVEN = { attempt: 0, turns: 0, asked: 0, error: null, reason: null };

/** A bug put in on purpose: it takes the place of something around the production code. */
export interface SeededBug {
  readonly around?: Partial<Surroundings>;
  readonly surface?: Partial<Pick<Surface, 'unconditional' | 'everyoneIsCurrent'>>;
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
    this.programs = new Programs(
      action,
      contract,
      testRoute(configuration.route),
      NUMBERS,
      around,
      configuration.inPieces,
    );
    this.surface = {
      subject: this.subject,
      fates: configuration.fates,
      unconditional: false,
      everyoneIsCurrent: false,
      fenceMoves: configuration.fenceMoves,
      faultsIn: configuration.faultsIn,
      ...bug.surface,
    };
    const { keyWindowMs } = this.subject.promises;
    this.#memoryMs = 20_000 + (keyWindowMs ?? 0) + (configuration.sweeps ? SWEEP_MEMORY_MS : 0);
  }

  async first(): Promise<World> {
    const { contact, action } = this.subject;
    return this.settled({
      now: START,
      execution: FIRST_RUN,
      closedAt: null,
      flows: [newFlow(FIRST_RUN)],
      processes: [],
      started: 0,
      action: openAction(action),
      operations: [],
      waiting: [],
      conflicts: this.configuration.otherFields,
      amendments: [],
      persons: [personOf(FIRST_FIELDS)],
      again: [],
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
        answers: {},
        told: null,
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
    checkWorld(now, this.subject, this.configuration);
    const { sweeps, fenceMoves } = this.configuration;
    const runs = fenceMoves || now.budget.redrives > 0;
    return canonical(now, { memoryMs: this.#memoryMs, reads: sweeps, runs });
  }

  async #settleOne(world: World): Promise<World> {
    for (const flow of world.flows) {
      const role = roleOf(flow);
      if (role && !flow.entered) return this.invoke(world, role, flow, flow.attempt, true);
    }
    const mayBeAsked = this.#mayBeAsked(world);
    for (const process of world.processes) {
      const { ended, pending } = this.positions.at(process.position);
      if (ended) {
        const awaited = world.flows.some(({ awaits }) => awaits === process.name);
        const atOnce = !mayFail(world, process, this.surface) && !endsWait(world, process, ended);
        if (!awaited || atOnce) return this.deliver(world, process, ended);
      }
      for (const [index, op] of pending) {
        if (!this.#isFree(world, process, op, mayBeAsked)) continue;
        const [way] = waysOf(world, process, op as AnyOp, this.surface);
        if (way) return this.answer(way, process, index);
      }
    }
    return world;
  }

  /** The request need not be a step of its own. */
  #isFree(world: World, process: Process, op: Op, mayBeAsked: boolean): boolean {
    const { surface } = this;
    if (isConstant(world, process, op, surface) || isVoid(world, process, op, surface)) return true;
    if (isTooLate(world, process, op, surface)) return true;
    return !this.#slow && !mayBeAsked && isForced(world, process, op, surface);
  }

  /** Somebody may start a function of recovery now, stop the execution or redrive it. */
  #mayBeAsked(world: World): boolean {
    return mayBeAborted(world, this) || redriveMoves(world).length > 0 || askingMoves(world, this).length > 0;
  }

  /** Starts a function of the workflow; `awaited`: the flow's state waits for it. */
  async invoke(world: World, role: Role, flow: Flow, attempt: number, awaited: boolean): Promise<World> {
    const { execution, turns, asked, error, reason } = flow;
    const after = await this.#begin(world, role, { execution, attempt, turns, asked, error, reason });
    const name = after.processes.at(-1)?.name ?? null;
    const token = role === 'ask' || role === 'park' ? name : null;
    return awaited ? withFlow(after, { ...flow, awaits: name, entered: true, token }) : after;
  }

  /** A person's request starts its function. */
  async ask(world: World, asking: Asking): Promise<World> {
    const { execution } = asking;
    return this.#upToFirstLook(await this.#begin(world, 'decide', { execution }, asking), execution);
  }

  /** The service tells that the current execution has ended. */
  tellEnded(world: World): Promise<World> {
    return this.#begin(world, 'ended', { execution: world.execution });
  }

  sweep(world: World): Promise<World> {
    return this.#begin(world, 'sweep', { execution: 'sweep' });
  }

  async #begin(
    world: World,
    role: Role,
    given: Partial<Invocation> & Pick<Invocation, 'execution'>,
    asking: Asking | null = null,
  ): Promise<World> {
    const ofFlow = role !== 'decide' && role !== 'sweep' && role !== 'ended';
    const started = ofFlow ? world.started + 1 : world.started;
    const name = ofFlow ? `w${started}` : given.execution;
    const endsAt = world.now + NUMBERS.functionTimeoutSeconds * 1000;
    const invocation: Invocation = { ...NOTHING_GIVEN, ...given, name, endsAt, asking };
    const { execution, attempt } = invocation;
    const position = await this.positions.start(
      `${role} ${JSON.stringify(invocation)}`,
      world.now,
      name,
      this.programs.of(role, invocation),
    );
    const process: Process = {
      name,
      role,
      attempt,
      execution,
      asking,
      position,
      endsAt,
      claimed: false,
      called: false,
      listed: false,
      stale: false,
      saw: null,
    };
    return { ...world, started, processes: [...world.processes, process] };
  }

  /** A further delivery of an attempt, up to its first look at the action. */
  async deliverAgain(world: World, flow: Flow, attempt: number): Promise<World> {
    const begun = await this.invoke(world, 'act', flow, attempt, false);
    return this.#upToFirstLook(begun, begun.processes.at(-1)?.name ?? '');
  }

  /** The function has had its first look at the ledger: before that it is not there for anybody. */
  async #upToFirstLook(world: World, name: string): Promise<World> {
    const begun = await this.settled(world);
    const process = begun.processes.find((one) => one.name === name);
    const [first] = process ? this.positions.at(process.position).pending : [];
    if (!process || !first) return begun;
    const [well] = waysOf(begun, process, first[1] as AnyOp, this.surface);
    return well ? this.answer(well, process, first[0]) : begun;
  }

  /** A request goes this way, and the function goes on to its next one. */
  async answer(way: Way, { name }: Process, index: number): Promise<World> {
    const process = way.world.processes.find((one) => one.name === name) as Process;
    const position = await this.positions.resume(process.position, index, way.answer, way.world.now);
    const { ended } = this.positions.at(position);
    if (ended) checkEnded(way.world, process, ended);
    const op = this.positions.at(process.position).pending.get(index) as AnyOp;
    const merged = process.asking ? this.#merged(position, op, way.answer) : position;
    return withProcess(way.world, { ...process, position: merged });
  }

  /**
   * What a person's function has read before does not matter to what it does after it has written the decision down, nor after others
   * have written and it looks at the record anew: in each case all such positions are one.
   */
  #merged(position: number, op: AnyOp, answer: unknown): number {
    if (op.name !== 'put' || answer === NO_ANSWER) return position;
    const [next, ...more] = this.positions.at(position).pending.values();
    if (more.length > 0 || next?.name !== 'ledger-read' || (next as LedgerReadOp).what !== 'record') {
      return position;
    }
    const { lost } = answer as Exclude<PutAnswer, string>;
    const written = lost === null || lost.lastDecision?.decision.id === op.state.lastDecision?.decision.id;
    return written
      ? this.positions.sameAs(position, 'the decision is written')
      : this.positions.rootOf(position);
  }

  /** The function has returned, or died; whoever waited for it goes on. */
  deliver(world: World, process: Process, ended: Ended): World {
    const after = withoutProcess(world, process.name);
    if (process.asking && 'error' in ended && this.configuration.triesAgain) {
      const failed = { ...process.asking, until: world.now + TRIED_AGAIN_WITHIN_MS };
      return { ...after, again: [...after.again, failed] };
    }
    const flow = world.flows.find(({ awaits }) => awaits === process.name);
    return flow ? withFlow(after, this.#next(flow, ended, world)) : after;
  }

  /** The workflow loses sight of a function that goes on running. */
  loseSight(world: World, process: Process): World {
    const flow = world.flows.find(({ awaits }) => awaits === process.name);
    if (!flow) return world;
    return withFlow(spend(world, 'faults'), this.#next(flow, { error: 'States.Timeout' }, world));
  }

  #next(before: Flow, ended: Ended, world: World): Flow {
    const after = afterFunction(before, ended, world);
    const flow = this.configuration.closes && before.state !== 'close' ? thenClose(after) : after;
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
