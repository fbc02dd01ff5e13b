import type { LeadRequest } from './lead-request.ts';

/** The values that a template may name, as `{{lead.firstName}}` or `{{owner.email}}`. */
export interface TemplateValues {
  readonly lead: LeadRequest;
  readonly owner: { readonly name: string; readonly email: string };
  /** What tells this handoff's texts from another's of the same person; see `referenceOf`. */
  readonly reference: string;
}

/** A template names something that does not exist; the message names it. */
export class UnknownPlaceholder extends Error {
  override readonly name = 'UnknownPlaceholder';
  constructor(placeholder: string) {
    super(`{{${placeholder}}} is not a placeholder; use one of ${PLACEHOLDERS.join(', ')}.`);
  }
}

const LEAD_FIELDS = [
  'email',
  'firstName',
  'lastName',
  'company',
  'phone',
  'message',
  'country',
  'language',
  'sourceReference',
] as const;

export const PLACEHOLDERS: readonly string[] = [
  ...LEAD_FIELDS.map((field) => `lead.${field}`),
  'lead.fullName',
  'owner.name',
  'owner.email',
  'reference',
];

/** `{{name}}`, or `{{name|what stands there when the lead did not give it}}`. */
const PLACEHOLDER = /\{\{\s*([\w.]+)\s*(?:\|([^{}]*))?\}\}/g;

/** @throws UnknownPlaceholder for the first name that no lead and no owner has, and for braces that name nothing. */
export function checkTemplate(template: string): void {
  for (const [, name = ''] of template.matchAll(PLACEHOLDER)) {
    if (!PLACEHOLDERS.includes(name)) throw new UnknownPlaceholder(name);
  }
  // What would not be filled would be sent as it stands.
  const left = /\{\{\s*([^{}]{0,40})/.exec(template.replaceAll(PLACEHOLDER, ''))?.[1];
  if (left !== undefined) throw new UnknownPlaceholder(left.trimEnd());
}

/** Whether a template shows the reference. */
export function showsReference(template: string): boolean {
  return [...template.matchAll(PLACEHOLDER)].some(([, name]) => name === 'reference');
}

/** Fills a text template. What a lead did not give is left empty, or replaced as the placeholder says. */
export function renderText(template: string, values: TemplateValues): string {
  return fill(template, values, (text) => text);
}

/** Fills an HTML template; every value is escaped, so that nothing a lead wrote becomes markup. */
export function renderHtml(template: string, values: TemplateValues): string {
  return fill(template, values, textToHtml);
}

/** Fills a one-line template for a header (subject, From, Reply-To): line breaks and control characters become blanks. */
export function renderLine(template: string, values: TemplateValues): string {
  return fill(template, values, (text) => text.replaceAll(/[\p{Cc}\u2028\u2029]+/gu, ' ')).trim();
}

/** A mailbox for From or Reply-To: the display name is quoted where it has characters with a meaning of their own (RFC 5322). */
export function renderMailbox(template: string, values: TemplateValues): string {
  return renderLine(template, values).replace(
    /^(.*?)\s*<([^<>]+)>$/,
    (_match, name: string, address: string) => {
      if (name === '') return address;
      const plain = /^[\p{L}\p{N} !#$%&'*+\-/=?^_`{|}~]+$/u.test(name);
      return `${plain ? name : `"${name.replaceAll(/["\\]/g, '')}"`} <${address}>`;
    },
  );
}

function fill(template: string, values: TemplateValues, encode: (text: string) => string): string {
  return template.replaceAll(PLACEHOLDER, (_match, name: string, otherwise?: string) => {
    const value = placeholderValue(name, values);
    return value === '' ? (otherwise ?? '') : encode(value);
  });
}

function placeholderValue(name: string, { lead, owner, reference }: TemplateValues): string {
  if (name === 'owner.name') return owner.name;
  if (name === 'owner.email') return owner.email;
  if (name === 'reference') return reference;
  if (name === 'lead.fullName') return fullName(lead);
  const field = LEAD_FIELDS.find((candidate) => `lead.${candidate}` === name);
  if (!field) throw new UnknownPlaceholder(name);
  return lead[field] ?? '';
}

function fullName(lead: LeadRequest): string {
  const name = [lead.firstName, lead.lastName].filter((part) => part !== undefined).join(' ');
  return name === '' ? lead.email : name;
}

/** Plain text as HTML that shows the same: markup escaped, lines broken. */
export function textToHtml(text: string): string {
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')
    .replaceAll("'", '&#39;')
    .replaceAll('\n', '<br>');
}
