import * as v from 'valibot';
import { logger, observed } from '../adapters/observability.ts';
import { routeNamed, routesFile } from '../adapters/routes-file.ts';
import { InvalidEvent } from '../domain/errors.ts';
import { accountPorts } from './account-ports.ts';
import { answerPerson } from './answer-person.ts';

const eventSchema = v.object({ route: v.string(), request: v.unknown(), execution: v.string() });

/** The handler behind a route's recovery state machine: what a person typed, and the route that the machine is for. */
export const handler = observed('decide', async (event: unknown) => {
  const asked = v.safeParse(eventSchema, event);
  if (!asked.success) throw new InvalidEvent(v.getDotPath(asked.issues[0]) ?? 'event');
  const { route: name, request, execution } = asked.output;
  const file = routesFile();
  const answer = await answerPerson(request, execution, accountPorts(routeNamed(file.routes, name), file));
  // Neither what the person typed nor who it was.
  logger.info('person answered', { refused: 'refused' in answer ? answer.refused.error : null });
  return answer;
});
