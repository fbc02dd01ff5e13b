import type { RouteSettings } from '../../functions/domain/route.ts';
import { destinationsOf } from '../choose-route.ts';
import { type CommandContext, type ExitCode, printJson } from '../context.ts';
import { howToDeploy, isDeployed } from '../doctor/deployed-route.ts';
import { painter } from '../render/paint.ts';
import { plainTable } from '../render/plain-table.ts';

interface ListedRoute {
  readonly name: string;
  readonly source: string;
  readonly recoveryOwner: { readonly name: string; readonly email: string };
  readonly state: 'open' | 'paused';
  /** Whether the deployed stage has it; null where AWS did not say. */
  readonly deployed: boolean | null;
  readonly destinations: readonly { readonly name: string; readonly breakerOpen: boolean }[];
}

/**
 * Lists the routes of this app and whether work goes out on them.
 *
 * @throws LedgerUnavailable
 */
export async function listRoutes(
  options: { readonly json?: boolean },
  context: CommandContext,
): Promise<ExitCode> {
  const { terminal } = context;
  const listed = await Promise.all(context.routes.map((route) => listedRoute(route, context)));
  if (options.json) {
    printJson(terminal, { routes: listed });
    return 0;
  }
  const rows = listed.map(({ name, state, deployed, recoveryOwner, destinations, source }) => [
    name,
    deployed === false ? 'not deployed' : state,
    `${recoveryOwner.name} <${recoveryOwner.email}>`,
    destinations.map((one) => (one.breakerOpen ? `${one.name} (breaker open)` : one.name)).join(', '),
    source,
  ]);
  const head = ['route', 'state', 'recovery owner', 'destinations', 'source'];
  terminal.print(plainTable(head, rows, painter(terminal.colour)));
  if (listed.some(({ deployed }) => deployed === false)) {
    terminal.print(`What is not deployed takes no leads: ${howToDeploy(context.aws.settings.stage)}`);
  }
  return 0;
}

async function listedRoute(route: RouteSettings, { aws }: CommandContext): Promise<ListedRoute> {
  const { name, source, recoveryOwner } = route;
  const gates = await Promise.all(
    destinationsOf(route).map(async (destination) => ({
      destination,
      ...(await aws.ledger.gates(name, destination)),
    })),
  );
  return {
    name,
    source,
    recoveryOwner,
    deployed: await isDeployed(aws, name).catch(() => null),
    state: gates.some(({ routePaused }) => routePaused) ? 'paused' : 'open',
    destinations: gates.map(({ destination, breakerOpen }) => ({ name: destination, breakerOpen })),
  };
}
