const XRAY_ROOT = /(?:^|;)\s*Root=1-([0-9a-f]{8})-([0-9a-f]{24})(?:;|\s*$)/i;
const XRAY_PARENT = /(?:^|;)\s*Parent=([0-9a-f]{16})(?:;|\s*$)/i;
const XRAY_SAMPLED = /(?:^|;)\s*Sampled=1(?:;|\s*$)/i;

/**
 * An X-Ray trace header as a W3C `traceparent`: the 96 bits after the version become the trace id, the parent stays the parent.
 *
 * Null where there is nothing to convert: no root, no parent, or ids that are all zeros, which W3C forbids.
 *
 * @see https://docs.aws.amazon.com/xray/latest/devguide/xray-concepts.html#xray-concepts-tracingheader
 * @see https://www.w3.org/TR/trace-context/#traceparent-header
 */
export function traceparentFromXRay(header: string | undefined): string | null {
  const root = XRAY_ROOT.exec(header ?? '');
  const parent = XRAY_PARENT.exec(header ?? '');
  if (!root || !parent) return null;
  const traceId = `${root[1]}${root[2]}`.toLowerCase();
  const parentId = `${parent[1]}`.toLowerCase();
  if (/^0+$/.test(traceId) || /^0+$/.test(parentId)) return null;
  const flags = XRAY_SAMPLED.test(header ?? '') ? '01' : '00';
  return `00-${traceId}-${parentId}-${flags}`;
}

/** The `traceparent` of the invocation that is running now; the Lambda runtime renews `_X_AMZN_TRACE_ID` for each one. */
export function currentTraceparent(): string | null {
  return traceparentFromXRay(process.env._X_AMZN_TRACE_ID);
}
