import { describe, expect, test } from 'vitest';
import { acceptApproved, dismiss } from '../../../functions/intake/approve.ts';
import { keepDeadLetter } from '../../../functions/intake/keep-dead-letter.ts';
import type { Ledger } from '../../../functions/ports/ledger.ts';
import { inAllOrders } from './all-orders.ts';
import { APPROVAL, HOUR, IntakeBench, JO } from './intake-bench.ts';

/*
 * An approver ends what is under investigation when they come, and what nobody has seen yet stays open: under the same id another
 * person's message may come at any moment.
 */

const WRONG = { route: 'web', lead: { ...JO, email: 'jo.lind' } };
const OF_ANOTHER = { route: 'web', lead: { ...JO, email: 'kim.berg@', firstName: 'Kim' } };
const LATE = { messageId: 'message-2', body: JSON.stringify(OF_ANOTHER), sentAt: 1, receiveCount: 6 };

const APPROVERS = [
  { name: 'Tomas', email: 'tomas@revops.example.com' },
  { name: 'Uma', email: 'uma@revops.example.com' },
];

const dismissal = (by: string) => ({ leadRequestId: 'inq-1', by, reason: 'a test of the form' });

/** What has ended under inq-1, and by whom. */
async function ended(bench: IntakeBench): Promise<Record<string, string>> {
  const { deadLetters } = await bench.under('inq-1');
  return Object.fromEntries(
    deadLetters.flatMap(({ messageId, resolution }) => (resolution ? [[messageId, resolution.by]] : [])),
  );
}

/** The ledger as an approver reads it, and the messages that the first read has shown to be open. */
function watched(ledger: Ledger) {
  let seen: readonly string[] | undefined;
  const port = new Proxy(ledger, {
    get: (target, name) => {
      const value = Reflect.get(target, name, target);
      if (name !== 'underId') return typeof value === 'function' ? value.bind(target) : value;
      return async (...given: Parameters<Ledger['underId']>) => {
        const answer = await target.underId(...given);
        seen ??= answer.deadLetters.flatMap((letter) => (letter.resolution ? [] : [letter.messageId]));
        return answer;
      };
    },
  });
  return { port, seen: () => seen ?? [] };
}

test('accepted while another message comes: that one stays open', async () => {
  const bench = new IntakeBench();
  await bench.deadLetter(WRONG);
  bench.ledger.hooks = {
    afterWrite: async ({ what }) => {
      if (what === 'accept') await bench.deadLetter(OF_ANOTHER, 'message-2');
    },
  };

  expect(await acceptApproved(JO, APPROVAL, bench.ports())).toMatchObject({ status: 'accepted' });
  expect(await ended(bench)).toEqual({ 'message-1': 'Tomas' });
  expect(await bench.asked()).toMatchObject([{ action: 'dead-letter', messageId: 'message-2' }]);
  expect(bench.told).toHaveLength(2);
});

test.each(['after-the-first-read', 'after-the-first-write'])(
  'dismissed while another comes, %s: that one stays open',
  async (when) => {
    const bench = new IntakeBench();
    await bench.deadLetter(WRONG);
    let came = false;
    const late = async () => {
      if (!came) {
        came = true;
        await bench.deadLetter(OF_ANOTHER, 'message-2');
      }
    };
    const ledger = new Proxy<Ledger>(bench.ledger, {
      get: (target, name) => {
        const value = Reflect.get(target, name, target);
        if (typeof value !== 'function') return value;
        return async (...given: unknown[]) => {
          const answer = await Reflect.apply(value, target, given);
          if (name === (when === 'after-the-first-read' ? 'underId' : 'resolveDeadLetter')) await late();
          return answer;
        };
      },
    });

    expect(await dismiss(dismissal('Tomas'), bench.ports({ ledger }))).toEqual({
      leadRequestId: 'inq-1',
      dismissed: 1,
    });
    expect(await ended(bench)).toEqual({ 'message-1': 'Tomas' });
    expect(await bench.asked()).toMatchObject([{ action: 'dead-letter', messageId: 'message-2' }]);
  },
);

describe('a second approver', () => {
  test('who ends nothing hears who ended it and how; who ends the rest of it hears how many that were', async () => {
    const bench = new IntakeBench({ approvers: APPROVERS });
    await bench.deadLetter(WRONG);
    await bench.deadLetter(OF_ANOTHER, 'message-2');
    let ends = 0;
    bench.ledger.hooks = {
      beforeWrite: ({ what }) => {
        if (what === 'resolve-dead-letter' && ++ends === 2) throw new Error('died');
      },
    };
    await expect(dismiss(dismissal('Tomas'), bench.ports())).rejects.toThrow('died');
    bench.ledger.hooks = {};
    bench.clock.advance(HOUR);

    expect(await dismiss(dismissal('Uma'), bench.ports())).toEqual({ leadRequestId: 'inq-1', dismissed: 1 });
    expect(await ended(bench)).toEqual({ 'message-1': 'Tomas', 'message-2': 'Uma' });
    for (const by of ['Tomas', 'Uma']) {
      expect(await dismiss(dismissal(by), bench.ports())).toEqual({
        leadRequestId: 'inq-1',
        dismissed: 0,
        ended: { kind: 'dismissed', by: 'Uma', at: '2026-01-05T13:00:00.000Z' },
      });
    }
  });

  test('who accepts another request for what the first one has accepted meanwhile is told so', async () => {
    const bench = new IntakeBench({ approvers: APPROVERS });
    const { leadRequestId: keptUnder } = await bench.deadLetter('no json');
    let first = true;
    bench.ledger.hooks = {
      afterWrite: async ({ what }) => {
        if (what !== 'accept' || !first) return;
        first = false;
        const other = { ...JO, leadRequestId: 'inq-7', email: 'kim.berg@customer.example.com' };
        await acceptApproved(other, { by: 'Uma', reason: 'it was Kim', keptUnder }, bench.ports());
      },
    };

    await expect(acceptApproved(JO, { ...APPROVAL, keptUnder }, bench.ports())).rejects.toMatchObject({
      name: 'EndedMeanwhile',
      message: `The investigation under ${keptUnder} was ended by somebody else meanwhile: a corrected request was accepted, by Uma at 2026-01-05 12:00:00Z. Your request was accepted all the same, as web.inq-1.1: talk to each other.`,
    });
  });

  test('who dismisses under the id of the request while it is accepted for another one is heard of', async () => {
    const bench = new IntakeBench({ approvers: APPROVERS });
    await bench.deadLetter(WRONG);
    const { leadRequestId: keptUnder } = await bench.deadLetter('no json', 'message-3');
    bench.ledger.hooks = {
      afterWrite: async ({ what }) => {
        if (what === 'accept') await dismiss(dismissal('Uma'), bench.ports());
      },
    };

    await expect(acceptApproved(JO, { ...APPROVAL, keptUnder }, bench.ports())).rejects.toMatchObject({
      name: 'EndedMeanwhile',
      message: expect.stringContaining(
        'under inq-1 was ended by somebody else meanwhile: it was dismissed, by Uma',
      ),
    });
  });
});

describe.each(['accepts', 'dismisses'] as const)('an approver %s while another message comes', (does) => {
  test('in every order and with two deaths: only what they have seen has ended, and a repeat ends the rest', async () => {
    let late = 0;
    let orders = 0;
    orders = await inAllOrders(2, async (turns, taken) => {
      const bench = new IntakeBench();
      await bench.deadLetter(WRONG);
      const { port, seen } = watched(bench.ledger);
      const of = (who: string, ledger: Ledger = bench.ledger) =>
        bench.ports({
          ledger: turns.port(who, ledger),
          workflow: turns.port(who, bench.workflow),
          events: turns.port(who, bench.events),
        });
      const approver = (ports = bench.ports()) =>
        does === 'accepts' ? acceptApproved(JO, APPROVAL, ports) : dismiss(dismissal('Tomas'), ports);
      keepDeadLetter(LATE, { routes: [bench.route], portsOf: () => of('the queue') }).catch(() => {});
      const answer = approver(of('the approver', port)).catch(() => null);
      await taken();

      const over = Object.keys(await ended(bench));
      expect(seen()).toEqual(expect.arrayContaining(over));
      const heard = await answer;
      if (heard !== null) expect(over.sort()).toEqual([...seen()].sort());
      if (heard !== null && 'dismissed' in heard) expect(heard.dismissed).toBe(over.length);
      // The message comes again until it is kept, and somebody is asked about it unless the approver has seen it.
      await keepDeadLetter(LATE, bench.messagePorts());
      const asked = (await bench.asked()).map(({ messageId }) => messageId);
      expect(asked.includes('message-2')).toBe(!over.includes('message-2'));
      late += heard !== null && asked.includes('message-2') ? 1 : 0;
      await approver();
      expect(await bench.asked()).toEqual([]);
    });
    expect(late).toBeGreaterThan(0);
    expect(late).toBeLessThan(orders);
  }, 60_000);
});

test('two dismiss while a third message comes, in every order: what they hear adds up', async () => {
  let nothing = 0;
  await inAllOrders(0, async (turns, taken) => {
    const bench = new IntakeBench({ approvers: APPROVERS });
    await bench.deadLetter(WRONG);
    await bench.deadLetter(OF_ANOTHER, 'message-3');
    const portsOf = (who: string) => bench.ports({ ledger: turns.port(who, bench.ledger) });
    keepDeadLetter(LATE, { routes: [bench.route], portsOf: () => portsOf('the queue') }).catch(() => {});
    const both = Promise.all(['Tomas', 'Uma'].map((by) => dismiss(dismissal(by), portsOf(by))));
    await taken();
    const heard = await both;

    const over = Object.values(await ended(bench));
    for (const [i, by] of ['Tomas', 'Uma'].entries()) {
      expect(heard[i]?.dismissed).toBe(over.filter((who) => who === by).length);
      if (heard[i]?.dismissed !== 0) continue;
      nothing += 1;
      expect(heard[i].ended).toMatchObject({ kind: 'dismissed', by: by === 'Uma' ? 'Tomas' : 'Uma' });
    }
  });
  expect(nothing).toBeGreaterThan(0);
}, 60_000);
