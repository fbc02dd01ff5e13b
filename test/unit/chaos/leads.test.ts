import { describe, expect, it } from 'vitest';
import { intentHash } from '../../../functions/domain/intent.ts';
import { parseLeadRequest } from '../../../functions/domain/lead-request.ts';
import {
  CORRECTION,
  correctedFields,
  hashOf,
  leadAt,
  otherFields,
  reordered,
  variantOf,
} from '../../../local/chaos-leads.ts';

const leads = Array.from({ length: 120 }, (_, i) => leadAt(3, i));

describe('the leads of a seed', () => {
  it('are the same every time, each under an id of its own', () => {
    expect(leadAt(3, 17)).toEqual(leads[17]);
    expect(new Set(leads.map(({ lead }) => lead.leadRequestId)).size).toBe(120);
  });

  it('come from new people, from known ones with and without an owner, and from some who wrote before', () => {
    expect(new Set(leads.map(({ existing }) => JSON.stringify(existing)))).toEqual(
      new Set(['null', '{"owner":null}', '{"owner":"82"}']),
    );
    const people = new Set(leads.map(({ lead }) => lead.email)).size;
    expect(people).toBeGreaterThan(90);
    expect(people).toBeLessThan(120);
  });

  it('ask for the same when only the form differs', () => {
    for (const { lead } of leads) {
      const again = reordered(lead);
      expect(JSON.stringify(again)).not.toBe(JSON.stringify(lead));
      expect(intentHash(parseLeadRequest(again))).toBe(intentHash(lead));
    }
  });

  it('ask for something else when the fields differ', () => {
    const { lead } = leadAt(3, 0);
    expect(otherFields(lead)).toEqual({ ...lead, email: 'other-person-0@example.com' });
    expect(hashOf(lead, 'other-fields')).not.toBe(hashOf(lead, 'same'));
  });

  it('are corrected by the same person, so that every text tells', () => {
    const { lead } = leadAt(3, 0);
    expect(correctedFields(lead)).toEqual({
      ...lead,
      firstName: `${lead.firstName} ${CORRECTION.firstName}`,
      message: `${lead.message} ${CORRECTION.message}`,
    });
    const hashes = (['same', 'other-fields', 'corrected'] as const).map((as) => hashOf(lead, as));
    expect(hashes).toEqual([lead, otherFields(lead), correctedFields(lead)].map(intentHash));
    expect(new Set(hashes).size).toBe(3);
  });

  it('come again in every form', () => {
    const { lead } = leadAt(3, 0);
    expect(variantOf(lead, 'same')).toEqual(lead);
    expect(variantOf(lead, 'reordered')).toEqual(reordered(lead));
    expect(variantOf(lead, 'other-fields')).toEqual(otherFields(lead));
    expect(variantOf(lead, 'corrected')).toEqual(correctedFields(lead));
  });
});
