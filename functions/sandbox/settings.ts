import * as v from 'valibot';

const milliseconds = v.pipe(v.number(), v.integer(), v.minValue(0));
const name = v.pipe(v.string(), v.regex(/^[a-z][a-z0-9_]*$/));
const text = v.pipe(v.string(), v.minLength(1));

const owner = v.strictObject({
  id: v.pipe(v.string(), v.regex(/^\d+$/)),
  firstName: text,
  lastName: text,
  email: v.pipe(v.string(), v.email()),
  userId: v.optional(v.pipe(v.number(), v.integer())),
  archived: v.optional(v.boolean()),
});

const limit = v.strictObject({
  requests: v.pipe(v.number(), v.integer(), v.minValue(1)),
  perMs: v.pipe(v.number(), v.integer(), v.minValue(1)),
});

const domain = v.strictObject({
  name: text,
  status: v.picklist([
    'pending',
    'verified',
    'failed',
    'not_started',
    'partially_verified',
    'partially_failed',
  ]),
});

/** Every setting may be left out; a misspelt one is refused. */
export const settingsEntries = {
  searchLagMs: v.optional(milliseconds),
  keyReadLagMs: v.optional(milliseconds),
  keyWindowMs: v.optional(milliseconds),
  owners: v.optional(v.array(owner)),
  rateLimit: v.optional(
    v.nullable(v.strictObject({ hubspot: v.optional(limit), resend: v.optional(limit) })),
  ),
  contactProperties: v.optional(v.array(name)),
  taskProperties: v.optional(v.array(name)),
  uniqueTaskProperties: v.optional(v.array(name)),
  uniqueConflictStatus: v.optional(v.picklist([400, 409])),
  portalId: v.optional(v.pipe(v.number(), v.integer(), v.minValue(1))),
  domains: v.optional(v.array(domain)),
  emailLastEvent: v.optional(v.picklist(['queued', 'sent', 'delivered', 'bounced', 'failed'])),
};

export const settingsSchema = v.strictObject(settingsEntries);

export type SettingsInput = v.InferOutput<typeof settingsSchema>;
export type OwnerSetting = v.InferOutput<typeof owner>;
export type RateLimitSetting = v.InferOutput<typeof limit>;

export interface SandboxSettings {
  /** How long a new or changed HubSpot record stays as it was for the search endpoints. */
  readonly searchLagMs: number;
  /** How long a new or changed record stays as it was for reads by id, email or key, and for Resend's list. */
  readonly keyReadLagMs: number;
  /** How long Resend remembers an idempotency key. */
  readonly keyWindowMs: number;
  readonly owners: readonly OwnerSetting[];
  /** Requests in a rolling window per vendor; null for none. */
  readonly rateLimit: { readonly hubspot?: RateLimitSetting; readonly resend?: RateLimitSetting } | null;
  /** Custom contact properties that the portal knows besides HubSpot's own. */
  readonly contactProperties: readonly string[];
  readonly taskProperties: readonly string[];
  /** Custom task properties whose values must be unique (`hasUniqueValue`). */
  readonly uniqueTaskProperties: readonly string[];
  /** The status of a duplicate unique value: 409, or the 400 VALIDATION_ERROR that portals have been seen to answer. */
  readonly uniqueConflictStatus: 400 | 409;
  readonly portalId: number;
  /** Resend's sending domains, as `GET /domains` lists them. */
  readonly domains: readonly { readonly name: string; readonly status: string }[];
  /** `last_event` of a message that was accepted and not scheduled. */
  readonly emailLastEvent: string;
}

export const defaultSettings: SandboxSettings = {
  searchLagMs: 0,
  keyReadLagMs: 0,
  keyWindowMs: 24 * 60 * 60 * 1000,
  owners: [
    { id: '71', firstName: 'Ada', lastName: 'Berg', email: 'ada.berg@sales.example.com', userId: 7101 },
    { id: '82', firstName: 'Ben', lastName: 'Okoro', email: 'ben.okoro@sales.example.com', userId: 8201 },
    {
      id: '93',
      firstName: 'Chiara',
      lastName: 'Rossi',
      email: 'chiara.rossi@sales.example.com',
      userId: 9301,
    },
  ],
  rateLimit: null,
  contactProperties: [],
  taskProperties: [],
  uniqueTaskProperties: [],
  uniqueConflictStatus: 409,
  portalId: 1000001,
  domains: [
    { name: 'example.com', status: 'verified' },
    { name: 'sales.example.com', status: 'verified' },
  ],
  emailLastEvent: 'delivered',
};

/** Lays given settings over a base; a setting that is absent or undefined keeps the base's value. */
export function withSettings(base: SandboxSettings, given: SettingsInput): SandboxSettings {
  const present = Object.entries(given).filter(([, value]) => value !== undefined);
  return { ...base, ...Object.fromEntries(present) };
}
