import type { ActionName } from '../../functions/domain/action.ts';

/*
 * The state data is the execution's input with a group of values per action. The start function writes every value, so that no
 * expression meets an undefined one. It carries ids and codes only. Expressions are JSONata as Step Functions evaluates it:
 * https://docs.aws.amazon.com/step-functions/latest/dg/transforming-data.html.
 */

/** Names the handoff to every function. */
export const HANDOFF_PAYLOAD = {
  route: '{% $states.input.route %}',
  leadRequestId: '{% $states.input.leadRequestId %}',
  run: '{% $states.input.run %}',
  execution: '{% $states.context.Execution.Name %}',
} as const;

/** The path of a value of an action's group, for use inside an expression. */
export function groupValue(action: ActionName, field: string): string {
  return `$states.input.\`${action}\`.${field}`;
}

/** An expression for a value of an action's group. */
export function expressionOf(action: ActionName, field: string): string {
  return `{% ${groupValue(action, field)} %}`;
}

/** An expression for the whole state data with these values of an action's group replaced; each value is JSONata. */
export function withGroupValues(action: ActionName, values: Readonly<Record<string, string>>): string {
  const fields = Object.entries(values).map(([field, jsonata]) => `'${field}': ${jsonata}`);
  const group = `$merge([$states.input.\`${action}\`, {${fields.join(', ')}}])`;
  return `{% $merge([$states.input, {'${action}': ${group}}]) %}`;
}

/** An expression for the state data after a Parallel: from each branch the group of its action, the rest from before it. */
export function mergeBranches(actions: readonly ActionName[]): string {
  const groups = actions.map((action, branch) => `'${action}': $states.result[${branch}].\`${action}\``);
  return `{% $merge([$states.input, {${groups.join(', ')}}]) %}`;
}
