import type { Contact, Destination, Task } from './destination.ts';
import type { Move } from './moves.ts';
import { spend, type World } from './world.ts';

/** What people do at the destination while a handoff runs. */
export type PeopleMove =
  | 'reassign'
  | 'reassign-to-ours'
  | 'clear-owner'
  | 'archive'
  | 'restore'
  | 'delete'
  | 'merge'
  | 'opt-out'
  | 'archive-task'
  | 'complete-task';

export function peopleMoves(world: World, moves: readonly PeopleMove[]): Move[] {
  if (world.budget.people === 0) return [];
  return moves.flatMap((move) => {
    const destination = done(world.destination, move, world.now);
    if (destination === null) return [];
    const hidden = world.ghost.hidden || move === 'archive-task' || move === 'delete';
    const ghost = { ...world.ghost, hidden };
    return [{ words: `a person: ${move}`, to: () => ({ ...spend(world, 'people'), destination, ghost }) }];
  });
}

/** The destination afterwards; null where the move makes no sense. */
function done(destination: Destination, move: PeopleMove, now: number): Destination | null {
  if (move === 'archive-task' || move === 'complete-task') return taskMove(destination, move, now);
  const { contact } = destination;
  if (!contact || contact.deletedAt !== null) return null;
  const changed = contactMove(contact, move, now);
  return changed && { ...destination, contact: changed };
}

function contactMove(contact: Contact, move: PeopleMove, at: number): Contact | null {
  const owner = (ownerId: string | null): Contact | null =>
    (contact.owners.at(-1)?.ownerId ?? null) === ownerId
      ? null
      : { ...contact, owners: [...contact.owners, { ownerId, at, source: 'CRM_UI' }] };
  switch (move) {
    case 'reassign':
      return owner('72');
    case 'reassign-to-ours':
      return owner('71');
    case 'clear-owner':
      return owner(null);
    case 'archive':
      return contact.archivedAt === null ? { ...contact, archivedAt: at } : null;
    case 'restore':
      return contact.archivedAt === null ? null : { ...contact, archivedAt: null };
    case 'delete':
      return { ...contact, deletedAt: at };
    case 'merge':
      return contact.mergedInto === null ? { ...contact, mergedInto: '601' } : null;
    case 'opt-out':
      return contact.optedOut ? null : { ...contact, optedOut: true };
    default:
      return null;
  }
}

function taskMove(destination: Destination, move: 'archive-task' | 'complete-task', now: number) {
  const [task, ...others] = destination.tasks;
  if (!task || task.archivedAt !== null || task.completed) return null;
  const changed: Task = move === 'archive-task' ? { ...task, archivedAt: now } : { ...task, completed: true };
  return { ...destination, tasks: [changed, ...others] };
}
