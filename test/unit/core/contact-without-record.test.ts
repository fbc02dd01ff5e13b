import { expect, test } from 'vitest';
import { Bench, KEY } from '../../model/bench.ts';

test.each(['assign-owner', 'create-task', 'send-introduction'] as const)(
  'a contact whose record nobody named holds %s, and nothing is frozen for it',
  async (action) => {
    const bench = new Bench();
    await bench.upTo(action);
    const contact = await bench.state('upsert-contact');
    if (!contact.evidence) throw new Error('The contact was not performed.');
    bench.ledger.put(KEY, { ...contact, evidence: { ...contact.evidence, recordId: null } });

    await expect(bench.act(action, 1)).rejects.toMatchObject({
      name: 'Held',
      message: 'The action is held before its claim (contact-unknown).',
    });
    expect(await bench.ledger.operation(KEY, action, 1)).toBeNull();
    expect((await bench.state(action)).phase).toBe('open');
  },
);
