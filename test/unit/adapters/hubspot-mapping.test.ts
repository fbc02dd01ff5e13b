import { describe, expect, it } from 'vitest';
import {
  hubspotContactContract,
  hubspotOwnerContract,
  hubspotTaskContract,
} from '../../../functions/adapters/hubspot/contract.ts';
import { contactProperties } from '../../../functions/adapters/hubspot/properties.ts';
import { carriesStamp, stampedBody, stampToken } from '../../../functions/adapters/hubspot/task-stamp.ts';
import { STAGE_NUMBERS } from '../../../functions/domain/stage-numbers.ts';

describe('contactProperties', () => {
  it('gives every field its HubSpot name', () => {
    expect(
      contactProperties({
        email: ' Jane@Example.com ',
        firstName: 'Jane',
        lastName: 'Doe',
        company: 'Acme',
        phone: '+49 30 1',
        country: 'Germany',
        language: 'de-AT',
      }),
    ).toEqual({
      email: 'jane@example.com',
      firstname: 'Jane',
      lastname: 'Doe',
      company: 'Acme',
      phone: '+49 30 1',
      country: 'Germany',
      hs_language: 'de-at',
    });
  });

  it('leaves blank fields out, so that they overwrite nothing', () => {
    expect(contactProperties({ email: 'jane@example.com', firstName: '', company: '  ' })).toEqual({
      email: 'jane@example.com',
    });
  });
});

describe('the stamp of a task', () => {
  const stamp = 'web/req-1/create-task';

  it('is a readable line with one searchable word', () => {
    expect(stampToken(stamp)).toBe('lhbe71c79158da84622d48');
    expect(stampedBody('Call back.', stamp)).toBe(
      'Call back.<br><br>Reference: web/req-1/create-task lhbe71c79158da84622d48',
    );
  });

  it('keeps what a lead wrote from becoming markup', () => {
    expect(stampedBody('a <img src=x> & b\nc', stamp)).toBe(
      'a &lt;img src=x&gt; &amp; b<br>c<br><br>Reference: web/req-1/create-task lhbe71c79158da84622d48',
    );
  });

  it('is found in the text as HubSpot may give it back', () => {
    expect(carriesStamp(stampedBody('Call back.', stamp), stamp)).toBe(true);
    expect(carriesStamp(`<p>edited<br>${stampToken(stamp)}</p>`, stamp)).toBe(true);
  });

  it.each([
    '',
    'Reference: web/req-1/create-task',
    `${'x'}lhbe71c79158da84622d48`,
    'lhbe71c79158da84622d480',
    'lhbe71c79158da84622d4',
  ])('is not found in %j', (body) => {
    expect(carriesStamp(body, stamp)).toBe(false);
  });

  it('of a replacement is another one', () => {
    expect(carriesStamp(stampedBody('Call back.', `${stamp}/r2`), stamp)).toBe(false);
  });
});

describe('the contracts', () => {
  const { prod } = STAGE_NUMBERS;

  it('say what HubSpot promises about repeats', () => {
    expect(hubspotContactContract(prod)).toMatchObject({
      destination: 'hubspot',
      kind: 'natural-key',
      keyWindowMs: null,
      landingBoundMs: 60_000,
      readLagMs: 10_000,
    });
    expect(hubspotOwnerContract(prod)).toMatchObject({ kind: 'natural-key', readLagMs: 10_000 });
    expect(hubspotTaskContract(prod)).toMatchObject({ kind: 'stamp-and-search', readLagMs: 60_000 });
    expect(hubspotTaskContract(prod, 'handoff_stamp')).toMatchObject({
      kind: 'natural-key',
      readLagMs: 10_000,
    });
  });

  it('name the pages that they rest on', () => {
    for (const contract of [
      hubspotContactContract(prod),
      hubspotOwnerContract(prod),
      hubspotTaskContract(prod),
      hubspotTaskContract(prod, 'handoff_stamp'),
    ]) {
      expect(contract.sources.length).toBeGreaterThan(0);
      for (const source of contract.sources) expect(source).toMatch(/^https:\/\/developers\.hubspot\.com\//);
    }
  });
});
