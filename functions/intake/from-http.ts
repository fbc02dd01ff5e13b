import { logger, observed } from '../adapters/observability.ts';
import { routesFile } from '../adapters/routes-file.ts';
import { signingSecrets } from '../adapters/signing-secrets.ts';
import { intakePorts } from './account-ports.ts';
import { type HttpRequest, receiveLead } from './receive-lead.ts';

const secrets = signingSecrets();

/** The handler behind `POST /routes/{route}/leads`. */
export const handler = observed('from-http', async (request: HttpRequest) => {
  const file = routesFile();
  const { answer, accepted, errorName } = await receiveLead(request, {
    stage: file.stage,
    routes: file.routes,
    portsOf: (route) => intakePorts(route, file),
    secrets,
  });
  logger.info('answered', { statusCode: answer.statusCode, ...accepted, errorName });
  return answer;
});
