import type { Call } from './call.ts';
import * as hubspot from './hubspot-errors.ts';
import { countRequest, type RateDecision } from './rate-limit.ts';
import * as resend from './resend-errors.ts';
import type { Match } from './routes.ts';
import type { Answer } from './wire.ts';

/** What a vendor answers before it looks at the request: keys, scopes, unknown addresses. Null lets it through. */
export function refuseEntry(match: Match, call: Call): Answer | null {
  return match.vendor === 'hubspot' ? refuseByHubspot(match, call) : refuseByResend(match, call);
}

/** Counts the request; null where no limit is set. */
export function countAgainstLimit({ vendor }: Match, call: Call): RateDecision | null {
  const limit = call.state.settings.rateLimit?.[vendor];
  if (!limit) return null;
  const recent = call.state.recentRequests.get(vendor) ?? [];
  call.state.recentRequests.set(vendor, recent);
  return countRequest(recent, limit, call.now);
}

export function tooManyRequests({ vendor }: Match, call: Call): Answer {
  return vendor === 'hubspot' ? hubspot.rateLimited().answer(call.ids) : resend.rateLimited().answer();
}

/** The read key has read scopes only; https://developers.hubspot.com/docs/apps/legacy-apps/private-apps/overview */
function refuseByHubspot({ route, pathExists }: Match, call: Call): Answer | null {
  if (route?.access !== 'public' && call.credential === null)
    return hubspot.notAuthenticated().answer(call.ids);
  if (!route) return (pathExists ? hubspot.methodNotAllowed() : hubspot.noRoute()).answer(call.ids);
  if (route.access !== 'write' || call.credential !== 'read') return null;
  return hubspot.missingScopes([route.scope ?? '']).answer(call.ids);
}

/**
 * Resend knows full access and sending access, and no read-only key: the read key is a full-access key.
 * https://resend.com/docs/dashboard/api-keys/introduction
 */
function refuseByResend({ route, pathExists }: Match, call: Call): Answer | null {
  if (!call.headers['user-agent']) return resend.missingUserAgent();
  if (!call.headers.authorization) return resend.missingApiKey().answer();
  if (call.credential === null) return resend.invalidApiKey().answer();
  if (!route) return (pathExists ? resend.methodNotAllowed() : resend.noEndpoint()).answer();
  if (route.access !== 'manage' || call.credential !== 'write') return null;
  return resend.restrictedApiKey().answer();
}
