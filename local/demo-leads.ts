import { readFileSync } from 'node:fs';
import type { LeadRequest } from '../functions/domain/lead-request.ts';

/** The demo's three leads, and what goes wrong with each. */
export interface DemoStory {
  readonly lead: LeadRequest;
  readonly story: string;
}

const STORIES: Readonly<Record<string, string>> = {
  'quiet-1': 'a quiet one',
  'lost-answer-2': 'its introduction is accepted, but the confirmation is lost',
  'dropped-3': 'its introduction is dropped before it applies, and a person changes the owner meanwhile',
};

/** The leads of `examples/leads.ndjson` in their order. */
export function demoStories(): DemoStory[] {
  return readFileSync(new URL('../examples/leads.ndjson', import.meta.url), 'utf8')
    .split('\n')
    .filter((line) => line.trim() !== '')
    .map((line) => JSON.parse(line) as LeadRequest)
    .map((lead) => ({ lead, story: STORIES[lead.leadRequestId] ?? 'a lead' }));
}
