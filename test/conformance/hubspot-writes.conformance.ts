import { afterEach, describe, expect, it } from 'vitest';
import { failureOf } from './support/hubspot-views.ts';
import { halves } from './support/meaning.ts';
import { closeAll, recordIdOf, secondOpinion } from './support/second-opinion.ts';

afterEach(closeAll);

const JANE = { email: 'jane@example.com', firstname: 'Jane', company: 'Acme' };

describe('a contact that our adapter writes is the one that HubSpot’s client writes', () => {
  it('created, patched and given an owner', async () => {
    const we = await secondOpinion();
    const id = recordIdOf(await we.ours.crmWriter.createContact(JANE, we.call()));
    await we.ours.crmWriter.update(id, { phone: '+49 30 1' }, we.call());
    await we.ours.crmWriter.setOwner(id, '71', we.call());

    const they = await secondOpinion();
    const { basicApi } = they.theirs.crmWriter.crm.contacts;
    const record = await basicApi.create({ properties: JANE });
    await basicApi.update(record.id, { properties: { phone: '+49 30 1' } });
    await basicApi.update(record.id, { properties: { hubspot_owner_id: '71' } });

    const ours = await we.bench.inspect();
    expect(ours.contacts).toMatchObject([{ id, email: 'jane@example.com', ownerId: '71' }]);
    expect(ours).toEqual(await they.bench.inspect());
    const [our, their] = halves([...we.recorder.taken(), ...they.recorder.taken()]);
    expect(our).toEqual(their);
  });

  it('and a second one of the same address is refused to both', async () => {
    const { bench, ours, theirs, call } = await secondOpinion();
    const id = recordIdOf(await ours.crmWriter.createContact(JANE, call()));

    const error = await theirs.crmWriter.crm.contacts.basicApi.create({ properties: JANE }).catch((e) => e);

    expect(error).toMatchObject({ code: 409, body: { category: 'CONFLICT' } });
    expect(error.body.message).toBe(`Contact already exists. Existing ID: ${id}`);
    expect(await ours.crmWriter.createContact(JANE, call())).toEqual({
      outcome: 'unknown',
      reason: 'already-exists',
      conflict: true,
    });
    expect((await bench.inspect()).contacts).toHaveLength(1);
  });

  it.each([
    ['a value that is none', { email: 'no address' }, 400, { outcome: 'refused', reason: 'invalid-email' }],
    [
      'a property that is none',
      { email: 'j@example.com', no_such: 'x' },
      400,
      { outcome: 'refused', reason: 'invalid-no_such' },
    ],
  ])('and %s is refused to both', async (_what, properties, status, outcome) => {
    const { ours, theirs, call } = await secondOpinion();
    const create = theirs.crmWriter.crm.contacts.basicApi.create({ properties });

    expect(await failureOf(create)).toBe(status);
    expect(await ours.crmWriter.createContact(properties, call())).toEqual(outcome);
  });

  it('and a record that is not there, or is archived, is refused to both', async () => {
    const { bench, ours, theirs, call } = await secondOpinion();
    const id = recordIdOf(await ours.crmWriter.createContact(JANE, call()));
    await bench.person('archive', { contactId: id });

    for (const target of [id, '999999']) {
      const update = theirs.crmWriter.crm.contacts.basicApi.update(target, { properties: { phone: '1' } });
      expect(await failureOf(update)).toBe(404);
      expect(await ours.crmWriter.update(target, { phone: '1' }, call())).toEqual({
        outcome: 'refused',
        reason: 'record-not-found',
      });
    }
  });

  it('and a key that may only read is refused to both', async () => {
    const { theirs } = await secondOpinion();

    expect(await failureOf(theirs.crm.crm.contacts.basicApi.create({ properties: JANE }))).toBe(403);
  });
});
