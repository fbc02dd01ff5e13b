import { createHash } from 'node:crypto';
import type { Call } from './call.ts';
import { resendTime } from './resend-time.ts';
import { type Answer, ok } from './wire.ts';

/** `GET /domains`: the sending domains and their state. https://resend.com/docs/api-reference/domains/list-domains */
export function listDomains(call: Call): Answer {
  const data = call.state.settings.domains.map(({ name, status }) => ({
    id: idOf(name),
    name,
    status,
    created_at: resendTime(0),
    region: 'eu-west-1',
    open_tracking: false,
    click_tracking: false,
    capabilities: { sending: 'enabled', receiving: 'disabled' },
  }));
  return ok({ object: 'list', has_more: false, data });
}

/** The same id for the same name, in the form of a UUID. */
function idOf(name: string): string {
  const hex = createHash('sha256').update(name).digest('hex');
  return [
    hex.slice(0, 8),
    hex.slice(8, 12),
    `4${hex.slice(13, 16)}`,
    `8${hex.slice(17, 20)}`,
    hex.slice(20, 32),
  ].join('-');
}
