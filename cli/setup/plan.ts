import type { RouteSettings } from '../../functions/domain/route.ts';
import type { Check } from '../doctor/check.ts';
import type { RouteChecks } from '../doctor/route-checks.ts';

/** One thing that a route needs at its destinations. */
export interface Step {
  readonly route: string | null;
  /** `to-do` can be done from here; `by-hand` cannot. */
  readonly state: 'there' | 'to-do' | 'done' | 'by-hand' | 'failed';
  readonly what: string;
  /** What a person has to do; null where nothing. */
  readonly how: string | null;
}

/** A name that HubSpot takes for a property. */
const PROPERTY_NAME = /^[a-z][a-z0-9_]{0,99}$/;

/** What a route has, what can be created for it, and what only a person can do. */
export function planOf(route: RouteSettings, found: RouteChecks): readonly Step[] {
  const failed = found.checks.filter(({ check, state }) => check !== 'task-property' && state === 'failed');
  return [{ route: route.name, ...taskPropertyStep(route, found) }, ...failed.map(byHand)];
}

const LATER = 'mend what is named below, and run this again.';

function taskPropertyStep(
  { name: route, crm: { uniqueTaskProperty: name } }: RouteSettings,
  { checks, taskProperty, credentials }: RouteChecks,
): Omit<Step, 'route'> {
  if (name === undefined) {
    return there('nothing to create: the route names no unique task property (crm.uniqueTaskProperty).');
  }
  if (taskProperty?.found === 'unique') return there(`tasks have the unique property ${name}.`);
  if (taskProperty?.found !== 'absent') {
    const { detail, fix } = taskProperty?.check ?? {
      detail: `${name}: it could not be looked for.`,
      fix: null,
    };
    return { state: 'by-hand', what: detail, how: fix ?? LATER };
  }
  if (!PROPERTY_NAME.test(name)) {
    const how = `name another one in the route file of ${route} (crm.uniqueTaskProperty).`;
    const what = `HubSpot takes no property ${name}: lower-case letters, digits and _ only.`;
    return { state: 'by-hand', what, how };
  }
  const wrongAccount = checks.some(({ check, state }) => check === 'crm-account' && state === 'failed');
  if (wrongAccount || credentials?.found.get('hubspot write') === undefined) {
    return { state: 'by-hand', what: `tasks have no property ${name}.`, how: LATER };
  }
  return { state: 'to-do', what: `create the unique task property ${name} in HubSpot.`, how: null };
}

function there(what: string): Omit<Step, 'route'> {
  return { state: 'there', what, how: null };
}

/** A check that failed, as something to do. */
export function byHand({ route, check, detail, fix }: Check): Step {
  return { route, state: 'by-hand', what: `${check}: ${detail}`, how: fix };
}
