import type { Clock } from './clock.ts';
import { TaskDoesNotExist, TaskTimedOut } from './errors.ts';
import type { TaskSnapshot } from './snapshot.ts';

/** The task tokens of one execution: who waits on which, and which no longer does. */
export class TaskTokens {
  readonly #clock: Clock;
  readonly #closed: string[];
  readonly #save: () => void;
  readonly #waiting = new Map<string, { task: TaskSnapshot; wake: () => void }>();

  /** @param closed the snapshot's own list, which this class appends to; @param save journals the snapshot */
  constructor(clock: Clock, closed: string[], save: () => void) {
    this.#clock = clock;
    this.#closed = closed;
    this.#save = save;
  }

  /** Starts to take answers for the task; the promise resolves as soon as `task.answer` is there. */
  open(token: string, task: TaskSnapshot): Promise<void> {
    return new Promise((wake) => {
      this.#waiting.set(token, { task, wake });
      if (task.answer) wake();
    });
  }

  /** The task no longer takes answers. */
  close(token: string): void {
    this.#waiting.delete(token);
    if (!this.#closed.includes(token)) this.#closed.push(token);
  }

  /** Whether a task waits on the token, waited on it, or never had it. */
  status(token: string): 'waiting' | 'closed' | 'unknown' {
    const waiting = this.#waiting.get(token);
    if (waiting) return waiting.task.answer ? 'closed' : 'waiting';
    return this.#closed.includes(token) ? 'closed' : 'unknown';
  }

  /**
   * Takes the answer. It is journaled before this returns, so an accepted answer survives a kill.
   * @throws TaskDoesNotExist, TaskTimedOut
   */
  answer(token: string, answer: NonNullable<TaskSnapshot['answer']>): void {
    const { task, wake } = this.#find(token);
    task.answer = answer;
    this.#save();
    wake();
  }

  /** Moves the heartbeat deadline of the task. @throws TaskDoesNotExist, TaskTimedOut */
  heartbeat(token: string): void {
    const { task } = this.#find(token);
    if (task.heartbeatSeconds === undefined) return;
    task.heartbeatDeadline = this.#clock.now() + task.heartbeatSeconds * 1000;
    this.#save();
  }

  #find(token: string): { task: TaskSnapshot; wake: () => void } {
    const status = this.status(token);
    const waiting = this.#waiting.get(token);
    if (status === 'unknown') throw new TaskDoesNotExist();
    if (status === 'closed' || waiting === undefined) throw new TaskTimedOut();
    return waiting;
  }
}
