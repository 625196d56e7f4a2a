import { describe, expect, test } from 'vitest';
import { openStore } from '../../../src/store/open.js';
import { type Store } from '../../../src/store/store.js';
import { handClock } from '../../support/clock.js';
import { amounts, CHAT, openAlertsHarness, platform } from '../harness.js';
import { count, receipted, toTheEnd, watching, waves } from './delivering.js';
import { crashStore, falseIfCrashed, StoreCrash } from '../crash-store.js';

describe('a process that dies at any write', () => {
  /** From the middle of things: some shown, one try unclear, and more than one message to come. */
  async function scene(): Promise<{ base: Store; to: ReturnType<typeof platform>; clock: ReturnType<typeof handClock> }> {
    const [base, to, clock] = [await openStore('memory://'), platform(), handClock()];
    await waves(25, { store: base, to, clock });
    to.answers('shown, unclear', { kind: 'later', because: 'rate-limited', afterMs: 5_000 });
    return { base, to, clock };
  }

  async function writesOfAWholeLife(): Promise<number> {
    const { base, ...rest } = await scene();
    const store = crashStore(base);
    await toTheEnd(await openAlertsHarness({ ...rest, store }));
    return store.writes();
  }

  test('shows each event exactly once and in order after it starts again, where the platform knows its messages', async () => {
    const writes = await writesOfAWholeLife();
    expect(writes).toBeGreaterThan(8);
    for (const until of count(writes)) {
      for (const written of [false, true]) {
        const { base, ...rest } = await scene();
        await expect(toTheEnd(await openAlertsHarness({ ...rest, store: crashStore(base, { until, written }) }))).rejects.toThrow(
          StoreCrash,
        );
        const after = await openAlertsHarness({ ...rest, store: base });
        await toTheEnd(after);
        expect({ until, written, alerted: amounts(rest.to.shown) }).toEqual({ until, written, alerted: count(25) });
        const { waiting, open } = after.queues.read(CHAT);
        expect([waiting, open]).toEqual([[], undefined]);
      }
    }
  });

  test('several times in a row loses and doubles nothing either', async () => {
    const { base, ...rest } = await scene();
    const ends: unknown[] = [];
    for (let life = 0; life < 60 && ends.at(-1) !== 'lived'; life += 1) {
      const harness = await openAlertsHarness({ ...rest, store: crashStore(base, { until: 2 + (life % 3), written: life % 2 === 0 }) });
      ends.push(
        await toTheEnd(harness).then(
          () => 'lived',
          (cause: unknown) => (cause instanceof StoreCrash ? 'died' : cause),
        ),
      );
    }
    expect(new Set(ends)).toEqual(new Set(['died', 'lived']));
    expect(ends.length).toBeGreaterThan(3);
    expect(amounts(rest.to.shown)).toEqual(count(25));
  });
});

test('a process that dies at any write of a message of more events than it shows in full reports each of them in exactly one message', async () => {
  let lived = false;
  for (let until = 1; !lived; until += 1) {
    for (const written of [false, true]) {
      const [base, to, clock] = [await openStore('memory://'), platform(), handClock()];
      await watching(25, { store: base, to, clock });
      to.answers('shown, unclear');
      lived = await toTheEnd(await openAlertsHarness({ store: crashStore(base, { until, written }), to, clock })).then(
        () => true,
        falseIfCrashed,
      );
      const after = await openAlertsHarness({ store: base, to, clock });
      await toTheEnd(after);
      expect({ until, written, alerted: await receipted(after) }).toEqual({ until, written, alerted: count(25) });
      expect(to.shown.map(({ id }) => id)).toEqual(after.queues.read(CHAT).receipts.map(({ id }) => id));
    }
  }
});

describe('on a platform that recognises no repeat, a process that dies at any write', () => {
  /** Every possible death, one by one: what was alerted then, and how often it was noted that something may have been alerted already. */
  async function deaths(ambiguous: 'repeat' | 'hold'): Promise<readonly { alerted: readonly number[]; maybe: number }[]> {
    const ends: { alerted: readonly number[]; maybe: number }[] = [];
    for (let until = 1; ; until += 1) {
      let lived = true;
      for (const written of [false, true]) {
        const [base, to, clock] = [await openStore('memory://'), platform({ knowsRepeats: false }), handClock()];
        await waves(12, { store: base, to, clock });
        const dying = await openAlertsHarness({ store: crashStore(base, { until, written }), to, clock, ambiguous });
        await toTheEnd(dying).catch((cause: unknown) => {
          if (!(cause instanceof StoreCrash)) throw cause;
          lived = false;
        });
        const after = await openAlertsHarness({ store: base, to, clock, ambiguous });
        await toTheEnd(after);
        const { receipts, open, waiting } = after.queues.read(CHAT);
        expect([open, waiting]).toEqual([undefined, []]);
        ends.push({ alerted: amounts(to.shown), maybe: receipts.reduce((total, { maybeSent = 0 }) => total + maybeSent, 0) });
      }
      if (lived) return ends;
    }
  }

  test('loses nothing, and reports a message twice only where it was noted, if the operator chose to repeat', async () => {
    const ends = await deaths('repeat');
    expect(ends.length).toBeGreaterThan(8);
    for (const { alerted, maybe } of ends) {
      expect([...new Set(alerted)].toSorted((a, b) => a - b)).toEqual(count(12));
      expect(maybe).toBeGreaterThanOrEqual(alerted.length > 12 ? 1 : 0);
      expect(maybe).toBeLessThanOrEqual(1);
    }
    expect(ends.some(({ alerted }) => alerted.length > 12)).toBe(true);
  });

  test('reports nothing twice, and misses a message only where it was noted, if the operator chose to hold', async () => {
    const ends = await deaths('hold');
    for (const { alerted, maybe } of ends) {
      expect(new Set(alerted).size).toBe(alerted.length);
      expect(maybe).toBeGreaterThanOrEqual(alerted.length < 12 ? 1 : 0);
      expect(maybe).toBeLessThanOrEqual(1);
    }
    expect(ends.some(({ alerted }) => alerted.length < 12)).toBe(true);
  });
});
