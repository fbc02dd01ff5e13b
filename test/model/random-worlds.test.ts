import { describe, expect, test } from 'vitest';
import type { ContractKind } from '../../functions/domain/contract.ts';
import { Bench } from './bench.ts';
import { Chance, walk } from './random-world.ts';
import { CONTRACT, contractOfKind } from './settings.ts';

/** 3,000 of each were walked when this was written; `SEEDS=3000` walks them again. */
const SEEDS = Number(process.env.SEEDS ?? 150);
const HOUR = 3_600_000;

/** Walks many worlds; the message of a failure names the seed that shows it again. */
async function everyWorld(
  make: (chance: Chance) => Bench,
  check: (bench: Bench, chance: Chance) => Promise<void>,
) {
  for (let seed = 1; seed <= SEEDS; seed++) {
    const chance = new Chance(seed);
    try {
      await check(make(chance), chance);
    } catch (error) {
      throw new Error(`seed ${seed}: ${(error as Error).message}`, { cause: error });
    }
  }
}

describe('a task, whatever is lost on the way', () => {
  test.each<ContractKind>(['natural-key', 'stamp-and-search', 'conditional-write', 'none'])(
    'is made once or not at all, and its record says which (%s)',
    async (kind) => {
      await everyWorld(
        () => new Bench({ contracts: { 'create-task': contractOfKind(kind) } }),
        async (bench, chance) => {
          await bench.upTo('create-task');
          const { final } = await walk(bench, 'create-task', chance);
          bench.clock.advance(HOUR);
          bench.crm.wire.land();
          const { phase } = await bench.state('create-task');

          expect(final, phase).toBe(true);
          expect(bench.crm.tasks.length, phase).toBeLessThanOrEqual(1);
          if (phase === 'performed' || phase === 'stopped-but-done') expect(bench.crm.tasks).toHaveLength(1);
          if (phase === 'stopped') expect(bench.crm.tasks).toEqual([]);
        },
      );
    },
  );
});

describe('an introduction, whatever is lost on the way', () => {
  test.each<ContractKind>(['idempotency-key', 'none'])(
    'goes out once or not at all, and only in the name of whoever owns the contact then (%s)',
    async (kind) => {
      const contract = { ...contractOfKind(kind), destination: 'resend' };
      await everyWorld(
        () => new Bench({ contracts: { 'send-introduction': contract } }),
        async (bench, chance) => {
          await bench.upTo('send-introduction');
          const strangers: string[] = [];
          const { send } = bench.mail;
          bench.mail.send = (body, call) => {
            const owner = bench.crm.owners.get(bench.crm.ownerOf('501') ?? '');
            const { from } = JSON.parse(body);
            if (!owner || !from.includes(owner.email)) strangers.push(from);
            return send.call(bench.mail, body, call);
          };
          const { final } = await walk(bench, 'send-introduction', chance);
          bench.clock.advance(HOUR);
          bench.mail.wire.land();
          const { phase } = await bench.state('send-introduction');

          expect(final, phase).toBe(true);
          expect(strangers).toEqual([]);
          expect(bench.mail.sent.length, phase).toBeLessThanOrEqual(1);
          if (phase === 'performed' || phase === 'stopped-but-done') expect(bench.mail.sent).toHaveLength(1);
          if (phase === 'stopped') expect(bench.mail.sent).toEqual([]);
        },
      );
    },
  );
});

test('an owner that a person set is not written over by a request that could see it', async () => {
  await everyWorld(
    () => new Bench({ contracts: { 'assign-owner': CONTRACT } }),
    async (bench, chance) => {
      await bench.upTo('assign-owner');
      const overwritten: string[] = [];
      const { setOwner } = bench.crm;
      bench.crm.setOwner = (contactId, ownerId, call) => {
        const owner = bench.crm.ownerOf(contactId);
        if (owner !== null && owner !== '71') overwritten.push(owner);
        return setOwner.call(bench.crm, contactId, ownerId, call);
      };
      const { final } = await walk(bench, 'assign-owner', chance);
      const { phase } = await bench.state('assign-owner');

      expect(overwritten).toEqual([]);
      expect(final, phase).toBe(true);
    },
  );
});
