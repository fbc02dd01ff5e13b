import * as v from 'valibot';
import { expectedAt, questionAt, questionsUnder } from './route-questions.ts';

/** A longer text is not shown: it may be a key that somebody put into the wrong place. */
const LONGEST_SHOWN = 32;

/** Checks that say themselves what is wrong; the others come to what is expected there. */
const IN_OWN_WORDS = new Set(['raw_check', 'partial_check']);

/**
 * What is wrong with the answers of a route file, one line per question:
 * `existingOwner: What if the contact has an owner already? Expected "keep" or "replace", found "foo".`
 */
export function routeProblems(schema: v.GenericSchema, answers: unknown): string[] {
  return [...new Map(problemsByPath(schema, answers)).values()];
}

/** A schema names only the first of several names in one place that are no questions: the rest is looked at without it. */
function problemsByPath(schema: v.GenericSchema, answers: unknown): [path: string, problem: string][] {
  const { issues = [] } = v.safeParse(schema, answers);
  // Two checks of one answer are one problem.
  const problems = issues.map((issue): [string, string] => [pathOf(keysOf(issue)), problemOf(issue)]);
  const strange = issues.filter(isNoQuestion);
  if (strange.length === 0) return problems;
  const rest = strange.reduce((left: unknown, issue) => without(left, keysOf(issue)), answers);
  return [...problems, ...problemsByPath(schema, rest)];
}

/** An answer as it may be shown. */
export function shown(answer: unknown): string {
  if (answer === undefined) return 'nothing';
  if (typeof answer === 'function') return 'a function';
  if (typeof answer === 'string')
    return answer.length > LONGEST_SHOWN ? `a text of ${answer.length} characters` : JSON.stringify(answer);
  if (Array.isArray(answer)) return answer.length === 0 ? 'an empty list' : `a list of ${answer.length}`;
  if (typeof answer === 'object' && answer !== null)
    return Object.keys(answer).length === 0 ? 'an empty object' : 'an object';
  return String(answer);
}

function problemOf(issue: v.BaseIssue<unknown>): string {
  const keys = keysOf(issue);
  const path = pathOf(keys);
  const asked = questionAt(path)?.question;
  if (keys.length === 0) return `Expected the answers of a route, found ${shown(issue.input)}.`;
  if (isNoQuestion(issue)) {
    if (asked !== undefined) return `${path}: ${asked} It is not asked beside the other answers given here.`;
    const known = questionsUnder(pathOf(keys.slice(0, -1)));
    return `${path}: There is no such question. Expected one of ${known.join(', ')}.`;
  }
  const problem = IN_OWN_WORDS.has(issue.type)
    ? issue.message
    : `Expected ${expectedAt(path)}, found ${shown(issue.input)}.`;
  return `${path}: ${asked} ${problem}`;
}

/** What stands under a name that is no question is not shown: it may be anything. */
function isNoQuestion(issue: v.BaseIssue<unknown>): boolean {
  return issue.expected === 'never';
}

function keysOf(issue: v.BaseIssue<unknown>): PropertyKey[] {
  return (issue.path ?? []).map(({ key }) => key as PropertyKey);
}

/** As in TypeScript: `owner.owners[0].weight`. */
function pathOf(keys: readonly PropertyKey[]): string {
  return keys
    .map((key) => (typeof key === 'number' ? `[${key}]` : `.${String(key)}`))
    .join('')
    .slice(1);
}

function without(value: unknown, [key, ...rest]: readonly PropertyKey[]): unknown {
  if (Array.isArray(value)) return value.map((item, i) => (i === key ? without(item, rest) : item));
  return Object.fromEntries(
    Object.entries(value as object).flatMap(([name, item]) => {
      if (name !== key) return [[name, item]];
      return rest.length === 0 ? [] : [[name, without(item, rest)]];
    }),
  );
}
