import { type CommandPlace, commandLine } from '../../functions/domain/command-line.ts';
import type { RouteSettings } from '../../functions/domain/route.ts';
import { findTaskProperty, MissingScopes, type TaskProperty } from '../hubspot/task-property.ts';
import { type Check, checksOf } from './check.ts';
import { destinationOptions, problemOf, SCOPES_AT } from './destination.ts';
import type { Credential, Credentials } from './secrets.ts';

export interface TaskPropertyCheck {
  /** Null where the route names no such property. */
  readonly check: Check | null;
  /** Null where it is not known. */
  readonly found: TaskProperty | null;
}

/** Looks whether HubSpot has the unique task property that the route names. */
export async function checkTaskProperty(
  { name: route, crm }: RouteSettings,
  baseUrl: string,
  { found: credentials }: Credentials,
  place: CommandPlace,
): Promise<TaskPropertyCheck> {
  const name = crm.uniqueTaskProperty;
  if (name === undefined) return { check: null, found: null };
  const { ok, failed, skipped } = checksOf(route);
  const check = 'task-property';
  // Handing off needs no scope for definitions: whichever token has it may be asked.
  const tokens = (['hubspot read', 'hubspot write'] as const).flatMap((use) => credentials.get(use) ?? []);
  if (tokens.length === 0)
    return { check: skipped(check, `${name}: there is no secret to try.`), found: null };
  const answer = await firstAnswer(name, baseUrl, tokens);
  if ('error' in answer) {
    const { error, secretName } = answer;
    if (!(error instanceof MissingScopes)) {
      const [detail, fix] = problemOf(error, secretName);
      return { check: failed(check, `${name}: ${detail}`, fix), found: null };
    }
    const scopes = error.scopes.join(' or ');
    const fix = `add ${scopes} to the token in ${secretName}, in ${SCOPES_AT}.`;
    return {
      check: skipped(check, `${name}: no token may read what properties there are.`, fix),
      found: null,
    };
  }
  const { found } = answer;
  switch (found) {
    case 'unique':
      return { check: ok(check, `tasks have the unique property ${name}.`), found };
    case 'absent':
      return {
        check: failed(
          check,
          `tasks have no property ${name}.`,
          `create it: ${commandLine('setup', { about: [route], flags: ['--apply'] }, place)}`,
        ),
        found,
      };
    case 'not-unique':
      return {
        check: failed(
          check,
          `the task property ${name} is not declared unique, and cannot be made so any more.`,
          `name another property in the route file of ${route} (crm.uniqueTaskProperty); "${commandLine('setup', { about: [route] }, place)}" creates it.`,
        ),
        found,
      };
  }
}

type Answer = { readonly found: TaskProperty } | { readonly error: unknown; readonly secretName: string };

async function firstAnswer(name: string, baseUrl: string, tokens: readonly Credential[]): Promise<Answer> {
  let answer: Answer | null = null;
  for (const { token, secretName } of tokens) {
    try {
      return { found: await findTaskProperty(name, destinationOptions(baseUrl, token)) };
    } catch (error) {
      answer = { error, secretName };
      if (!(error instanceof MissingScopes)) break;
    }
  }
  return answer ?? { error: new TypeError('No token was tried.'), secretName: '' };
}
