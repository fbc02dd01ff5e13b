import { afterEach, describe, expect, it } from 'vitest';
import { CONTACT_PROPERTIES } from '../../functions/adapters/hubspot/properties.ts';
import { contactSeen, failureOf } from './support/hubspot-views.ts';
import { halves } from './support/meaning.ts';
import { closeAll, recordIdOf, type SecondOpinion, secondOpinion } from './support/second-opinion.ts';

afterEach(closeAll);

const JANE = { email: 'jane@example.com', firstname: 'Jane', company: 'Acme' };

/** A read by HubSpot's client of what our adapter asks for. */
function readByClient({ theirs }: SecondOpinion, value: string, archived: boolean, idProperty?: string) {
  return theirs.crm.crm.contacts.basicApi.getById(
    value,
    [...CONTACT_PROPERTIES],
    ['hubspot_owner_id'],
    undefined,
    archived,
    idProperty,
  );
}

async function created(opinion: SecondOpinion, properties: Record<string, string>): Promise<string> {
  return recordIdOf(await opinion.ours.crmWriter.createContact(properties, opinion.call()));
}

describe('a contact that HubSpot’s client reads is the one that our adapter reads', () => {
  it('by email, with the history of its owner', async () => {
    const opinion = await secondOpinion();
    const { bench, ours, call } = opinion;
    const id = await created(opinion, JANE);
    bench.advance(1_000);
    await ours.crmWriter.setOwner(id, '71', call());
    bench.advance(1_000);
    await bench.person('set-owner', { contactId: id, ownerId: '82' });

    const found = await ours.crm.findByEmail('jane@example.com');

    expect(found).toMatchObject({
      id,
      email: 'jane@example.com',
      ownerId: '82',
      ownerHistory: [
        { ownerId: '82', source: 'CRM_UI' },
        { ownerId: '71', source: 'INTEGRATION' },
      ],
    });
    expect(contactSeen(await readByClient(opinion, 'jane@example.com', false, 'email'))).toEqual(found);
    expect(contactSeen(await readByClient(opinion, id, false))).toEqual(found);
  });

  it('after it was archived', async () => {
    const opinion = await secondOpinion();
    const { bench, ours } = opinion;
    const id = await created(opinion, JANE);
    bench.advance(1_000);
    await bench.person('archive', { contactId: id });

    const found = await ours.crm.findByEmail('jane@example.com');

    expect(found).toMatchObject({ id, archived: true });
    expect(await failureOf(readByClient(opinion, 'jane@example.com', false, 'email'))).toBe(404);
    expect(contactSeen(await readByClient(opinion, 'jane@example.com', true, 'email'))).toEqual(found);
  });

  it.each(['the id that was merged away', 'the address that was merged away'])(
    'after a merge, by %s',
    async (by) => {
      const opinion = await secondOpinion();
      const { bench, ours } = opinion;
      const kept = await created(opinion, { ...JANE, hubspot_owner_id: '71' });
      const gone = await created(opinion, { email: 'jane.doe@example.com', phone: '+1 555 0100' });
      bench.advance(1_000);
      await bench.person('merge', { contactId: kept, otherContactId: gone });

      const byId = by.startsWith('the id');
      const found = byId ? await ours.crm.findById(gone) : await ours.crm.findByEmail('jane.doe@example.com');

      expect(found?.id).not.toBe(gone);
      expect(found).toMatchObject({ archived: false, email: 'jane@example.com', ownerId: '71' });
      const client = byId
        ? await readByClient(opinion, gone, false)
        : await readByClient(opinion, 'jane.doe@example.com', false, 'email');
      expect(contactSeen(client)).toEqual(found);
    },
  );

  it('when the person opted out', async () => {
    const opinion = await secondOpinion();
    const { bench, ours } = opinion;
    await created(opinion, JANE);
    bench.advance(1_000);
    await bench.person('opt-out', { email: 'jane@example.com' });

    const found = await ours.crm.findByEmail('jane@example.com');

    expect(found?.optedOut).toBe(true);
    expect(contactSeen(await readByClient(opinion, 'jane@example.com', false, 'email'))).toEqual(found);
  });

  it('and neither finds one that is not there', async () => {
    const opinion = await secondOpinion();

    expect(await opinion.ours.crm.findByEmail('nobody@example.com')).toBeNull();
    expect(await failureOf(readByClient(opinion, 'nobody@example.com', false, 'email'))).toBe(404);
    expect(await failureOf(readByClient(opinion, 'nobody@example.com', true, 'email'))).toBe(404);
  });

  it('and both ask for it in the same way', async () => {
    const opinion = await secondOpinion();
    const { ours, recorder } = opinion;
    await created(opinion, JANE);
    recorder.taken();

    await ours.crm.findByEmail('jane@example.com');
    await readByClient(opinion, 'jane@example.com', false, 'email');

    const [our, their] = halves(recorder.taken());
    expect(our).toEqual(their);
  });
});

describe('an owner that HubSpot’s client reads is the one that our adapter reads', () => {
  it('who works there, has left, or never was', async () => {
    const { bench, ours, theirs } = await secondOpinion();
    const read = (id: number) => theirs.crm.crm.owners.ownersApi.getById(id, 'id', false);
    await bench.person('archive-owner', { ownerId: '82' });

    const owner = await read(71);

    expect(await ours.crm.findOwner('71')).toEqual({
      id: owner.id,
      name: `${owner.firstName} ${owner.lastName}`,
      email: owner.email,
    });
    expect(owner.email).toBe('ada.berg@sales.example.com');
    for (const id of [82, 12345]) {
      expect(await ours.crm.findOwner(String(id))).toBeNull();
      expect(await failureOf(read(id))).toBe(404);
    }
  });

  it('and both ask for it in the same way', async () => {
    const { ours, theirs, recorder } = await secondOpinion();

    await ours.crm.findOwner('71');
    await theirs.crm.crm.owners.ownersApi.getById(71, 'id', false);

    const [our, their] = halves(recorder.taken());
    expect(our).toEqual(their);
  });
});
