import { describe, expect, test } from 'vitest';
import { GATHER } from '../../src/alerts/queue/batch.js';
import type { Queue } from '../../src/alerts/queue/queue.js';
import { sealNext } from '../../src/alerts/delivery/sealing.js';
import { HOUR, later, MINUTE, SECOND } from '../../src/base/clock.js';
import { address } from '../../src/chat/address.js';
import { amounts, burn, CHAT, TIDE } from '../alerts/harness.js';
import { count } from '../alerts/delivery/delivering.js';
import { fates, openDrainHarness } from './drain-harness.js';

const CHATS = [CHAT, address('console', 'other'), address('console', 'third')];
const eventsOf = (amountsOf: readonly number[]): readonly string[] => amountsOf.map((amount) => `supply/tide/${amount}`);
type Shift = Awaited<ReturnType<typeof openDrainHarness>>;

async function watching(shift: Shift): Promise<Shift> {
  for (const chat of CHATS) await shift.watch(TIDE, { since: later(shift.clock.now(), -10 * 24 * HOUR) }, chat);
  return shift;
}

/** Each chat was alerted each of these exactly once. */
async function expectAll(shift: Shift, all: readonly number[]): Promise<void> {
  for (const chat of CHATS) {
    const { sent = [], ...rest } = await fates(shift, chat);
    expect(rest).toEqual({});
    expect(sent.toSorted()).toEqual(eventsOf(all).toSorted());
  }
}

describe('six hours in which the platform cannot be reached', () => {
  test('end with what was under way as it was, and one summary of all that waited behind it', async () => {
    const shift = await watching(await openDrainHarness());
    shift.to.always({ kind: 'later', because: 'unreachable' });
    for (const amount of count(36)) {
      await shift.announce(burn(amount, shift.clock.now()));
      await shift.wait(10 * MINUTE, 5 * SECOND);
    }
    expect(shift.to.shown).toEqual([]);
    shift.to.always();
    await shift.work(15 * MINUTE);
    expect(shift.to.shown).toHaveLength(2 * CHATS.length);
    await expectAll(shift, count(36));
    const summaries = shift.to.shown.filter(({ text }) => text.includes('Catching up: '));
    expect(summaries).toHaveLength(CHATS.length);
    for (const { text } of summaries) {
      // 2 + 3 + … + 36 tokens.
      expect(text).toMatch(/35 burns.*665 TIDE/u);
      expect(text).toContain('36 TIDE, 35 TIDE, 34 TIDE');
      expect(text).toContain('Show all (35)');
    }
  });

  test("report nothing that is older than the entry's maximum age, and its receipt says so", async () => {
    const shift = await watching(await openDrainHarness());
    for (const chat of CHATS) await shift.watch(TIDE, { maxAgeHours: 2 }, chat);
    shift.to.answers(...CHATS.map(() => ({ kind: 'later', because: 'rate-limited', afterMs: 6 * HOUR }) as const));
    for (const amount of count(12)) {
      await shift.announce(burn(amount, shift.clock.now()));
      await shift.wait(30 * MINUTE, 5 * SECOND);
    }
    await shift.work(MINUTE);
    for (const chat of CHATS) {
      expect(await fates(shift, chat)).toEqual({ expired: eventsOf([...count(9).slice(1), 1]), sent: eventsOf([10, 11, 12]) });
      const [because] = shift.queues.read(chat).receipts.flatMap((receipt) => (receipt.end === 'expired' ? [receipt.because] : []));
      expect(because).toBe('it was older than 2 h, its maximum age, when it could be sent');
    }
  });
});

describe('six hours in which the service does not answer', () => {
  test('end with one summary for each chat, though the checks are made up for one after another', async () => {
    const shift = await watching(await openDrainHarness());
    const begun = shift.clock.now();
    await shift.wait(6 * HOUR, MINUTE);
    for (const amount of count(24)) {
      await shift.announceLate('service', burn(amount, shift.clock.now(), { occurredAt: later(begun, amount * 14 * MINUTE) }));
      await shift.work(10 * SECOND);
    }
    await shift.work(5 * MINUTE);
    expect(shift.to.shown).toHaveLength(CHATS.length);
    await expectAll(shift, count(24));
    expect(shift.to.shown[0]?.text).toMatch(/24 burns.*300 TIDE/u);
  });

  test('do not keep back what happens when it answers again', async () => {
    const shift = await watching(await openDrainHarness());
    await shift.announceLate('service', burn(1, shift.clock.now(), { occurredAt: later(shift.clock.now(), -HOUR) }));
    await shift.announce(burn(2, shift.clock.now()));
    await shift.work(5 * SECOND);
    expect(amounts(shift.to.shown)).toEqual(CHATS.map(() => 2));
    await shift.work(5 * MINUTE);
    await expectAll(shift, [1, 2]);
    expect(shift.to.shown).toHaveLength(2 * CHATS.length);
  });

  test('report nothing that happened longer ago than the maximum age', async () => {
    const shift = await watching(await openDrainHarness());
    const ago = (hours: number) => ({ occurredAt: later(shift.clock.now(), -hours * HOUR) });
    await shift.announceLate('service', burn(1, shift.clock.now(), ago(73)), burn(2, shift.clock.now(), ago(71)));
    await shift.work(5 * MINUTE);
    for (const chat of CHATS) expect(await fates(shift, chat)).toEqual({ expired: eventsOf([1]), sent: eventsOf([2]) });
  });
});

describe('six hours in which the bot does not run', () => {
  test('end with one summary for each chat, of what waited when it stopped and of what happened since', async () => {
    const before = await watching(await openDrainHarness());
    await before.announce(burn(1, before.clock.now()));
    await before.work(SECOND);
    const begun = before.clock.now();
    await before.clock.advance(6 * HOUR);
    const shift = await openDrainHarness({ store: before.store, clock: before.clock, to: before.to });
    for (const amount of count(20).slice(1)) {
      await shift.announceLate('bot', burn(amount, shift.clock.now(), { occurredAt: later(begun, amount * 15 * MINUTE) }));
      await shift.work(5 * SECOND);
    }
    await shift.work(5 * MINUTE);
    expect(shift.to.shown).toHaveLength(CHATS.length);
    await expectAll(shift, count(20));
    expect(shift.to.shown[0]?.text).toMatch(/20 burns.*210 TIDE/u);
  });
});

describe('a message that was made just before the bot died', () => {
  /** A bot that died between making the message and its first attempt, which were two writes in earlier versions, started again so much later. */
  async function died(after: number, { attempted = false } = {}) {
    const before = await watching(await openDrainHarness());
    await before.announce(burn(1, before.clock.now()));
    for (const chat of CHATS) {
      await sealNext(chat, later(before.clock.now(), GATHER), before.context);
      if (!attempted) await before.queues.change(chat, untried);
    }
    await before.clock.advance(after);
    return openDrainHarness({ store: before.store, clock: before.clock, to: before.to });
  }

  const untried = (queue: Queue): Queue =>
    queue.open === undefined ? queue : { ...queue, open: { ...queue.open, state: 'sealed', attempts: 0, firstTriedAt: undefined } };

  test('and never tried is reported in the summary of the outage, with what waited behind it', async () => {
    const shift = await died(6 * HOUR);
    await shift.announceLate('bot', burn(2, shift.clock.now(), { occurredAt: later(shift.clock.now(), -6 * HOUR) }));
    await shift.work(5 * MINUTE);
    await expectAll(shift, [1, 2]);
    expect(shift.to.shown).toHaveLength(CHATS.length);
    expect(shift.to.shown[0]?.text).toMatch(/^⚠ Catching up: the bot was down for 6 h · 2 burns at Tidewater/u);
  });

  test('and never tried is not reported at all once it is older than the maximum age', async () => {
    const shift = await died(4 * 24 * HOUR);
    await shift.work(5 * MINUTE);
    expect(shift.to.shown).toEqual([]);
    for (const chat of CHATS) {
      expect(await fates(shift, chat)).toEqual({ expired: eventsOf([1]) });
      expect(shift.queues.read(chat).receipts[0]?.because).toBe('it was older than 72 h, its maximum age, when it could be sent');
    }
  });

  test('and never tried goes as it was made where the bot was away for a moment', async () => {
    const shift = await died(MINUTE);
    await shift.work(SECOND);
    expect(shift.to.shown.map(({ text }) => text.includes('away'))).toEqual(CHATS.map(() => false));
  });

  test('and may have arrived stays as it is', async () => {
    const shift = await died(6 * HOUR, { attempted: true });
    await shift.work(5 * MINUTE);
    await expectAll(shift, [1]);
    expect(shift.to.shown.map(({ text }) => text.includes('away'))).toEqual(CHATS.map(() => false));
  });
});

test('twenty minutes without the platform are no outage: what waited comes as usual', async () => {
  const shift = await watching(await openDrainHarness());
  shift.to.always({ kind: 'later', because: 'unreachable' });
  for (const amount of count(4)) {
    await shift.announce(burn(amount, shift.clock.now()));
    await shift.wait(5 * MINUTE, 5 * SECOND);
  }
  shift.to.always();
  await shift.work(10 * MINUTE);
  await expectAll(shift, count(4));
  expect(shift.to.shown.filter(({ text }) => text.includes('away'))).toEqual([]);
  expect(shift.to.shown).toHaveLength(2 * CHATS.length);
});
