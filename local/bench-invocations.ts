/** The schedule invokes it every minute, however many handoffs there are. */
const SWEEP = 'lead-handoff-local-sweep';

/** How many of the invocations, counted by function name, were made for handoffs. */
export function invocationsOfHandoffs(counts: Readonly<Record<string, number>>): number {
  return Object.entries(counts).reduce((sum, [name, count]) => (name === SWEEP ? sum : sum + count), 0);
}
