import { createHash } from 'node:crypto';
import { textToHtml } from '../../domain/template.ts';

/**
 * A stamp as one word that HubSpot's search keeps whole: `lh` and 20 hexadecimal digits of the stamp's SHA-256. The stamp itself
 * has slashes and dashes, at which a search index splits.
 */
export function stampToken(stamp: string): string {
  return `lh${createHash('sha256').update(stamp).digest('hex').slice(0, 20)}`;
}

/**
 * The task's text with a last line that a person can read and the search can find. HubSpot shows the body as HTML, so what a lead
 * wrote is escaped.
 */
export function stampedBody(body: string, stamp: string): string {
  return `${textToHtml(body)}<br><br>Reference: ${stamp} ${stampToken(stamp)}`;
}

/** Whether a text holds the stamp's token as a word of its own. */
export function carriesStamp(body: string, stamp: string): boolean {
  return body.split(/[^0-9a-zA-Z]+/).includes(stampToken(stamp));
}
