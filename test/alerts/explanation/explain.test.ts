import { describe, expect, test } from 'vitest';
import { deliver } from '../../../src/alerts/delivery/deliver.js';
import { createWhy, dispositionLine, type Explanation, type Trace } from '../../../src/alerts/explanation/explain.js';
import { withoutEntry } from '../../../src/alerts/watchlist/watchlists.js';
import { DAY, HOUR, later, MINUTE, SECOND } from '../../../src/base/clock.js';
import { address } from '../../../src/chat/address.js';
import { lineText } from '../../../src/chat/text.js';
import { slug } from '../../../src/domain/scalars.js';
import { walletAddress } from '../../../src/domain/wallet.js';
import { ALL, burn, CHAT, openAlertsHarness, platform, TIDE } from '../harness.js';

type Desk = Awaited<ReturnType<typeof openAlertsHarness>>;
const tide = slug('tide');

const whyOf = (desk: Desk) => createWhy({ ...desk, now: () => desk.clock.now() });
const fateOf = ({ clock }: Desk, story: Explanation | undefined): string =>
  story ? lineText(dispositionLine(story.disposition), clock.now()) : 'no story';
const lately = async (desk: Desk): Promise<string> => fateOf(desk, (await whyOf(desk).lately(CHAT, 1))[0]);
const deliverNow = async (desk: Desk): Promise<void> => {
  await desk.clock.advance(3 * SECOND);
  await deliver(CHAT, desk.context, desk.signal);
};

/** How far news of supply gets on its way, as `name` for a step that is fine and `name: what it says` for the one that is not. */
const way = async (desk: Desk): Promise<readonly string[]> => stepsIn(await whyOf(desk).ofSilence(CHAT, { project: tide }, 'supply'), desk);
const stepsIn = ({ steps }: Trace, { clock }: Desk): readonly string[] =>
  steps.map(({ name, ok, says }) => (ok ? name : `${name}: ${lineText(says, clock.now())}`));

const looked = async (desk: Desk, extra: object = {}): Promise<void> =>
  desk.checkRecords.record({
    ...{ feed: 'supply', subject: 'tide', triedAt: desk.clock.now(), okAt: desk.clock.now(), failures: 0 },
    ...{ hidden: 0, broken: 0, complete: true },
    ...extra,
  });

async function watching(): Promise<Desk> {
  const desk = await openAlertsHarness();
  await desk.watch(TIDE);
  await looked(desk);
  return desk;
}

describe('an event', () => {
  test('that was sent says when it was queued and sent, and with how many attempts', async () => {
    const desk = await watching();
    await desk.announce(burn(1, desk.clock.now()));
    desk.to.answers({ kind: 'later', because: 'unreachable' });
    await deliverNow(desk);
    await deliverNow(desk);
    expect(await lately(desk)).toBe('queued 12:00 UTC, sent 12:00 UTC (2 attempts)');
    expect(await way(desk)).toEqual(['watched', 'checked', 'readable', 'changed', 'since', 'filter', 'muted', 'grouped', 'sent']);
  });

  test('that waits says so', async () => {
    const desk = await watching();
    await desk.announce(burn(1, desk.clock.now()));
    expect(await lately(desk)).toBe('waiting to be sent');
    expect((await way(desk)).at(-1)).toBe('grouped: waiting a few seconds to group with other events; queued 12:00 UTC');
  });

  test('that a mute suppresses says until when', async () => {
    const desk = await watching();
    await desk.watch(TIDE, { mutedUntil: later(desk.clock.now(), DAY) });
    await desk.announce(burn(1, desk.clock.now()));
    expect(await lately(desk)).toBe('waiting: tide is muted here; will be sent Nov 21, 12:00 UTC');
  });

  test('that is under way with a problem names it and the next try', async () => {
    const desk = await watching();
    await desk.announce(burn(1, desk.clock.now()));
    desk.to.answers({ kind: 'not-permitted', because: 'I lack Embed Links' });
    await deliverNow(desk);
    expect(await lately(desk)).toBe('being sent, attempt 1: I lack Embed Links; next try 12:15 UTC');
  });

  test('that was given up says why and when', async () => {
    const desk = await watching();
    await desk.announce(burn(1, desk.clock.now()));
    desk.to.answers({ kind: 'refused', detail: 'too long' });
    await deliverNow(desk);
    expect(await lately(desk)).toBe('not delivered: too long; given up 12:00 UTC');
  });

  test('that may stand here although its line was cut says so, repeated or not', async () => {
    const [repeating, holding] = [platform({ knowsRepeats: false }), platform({ knowsRepeats: false })];
    for (const to of [repeating, holding]) to.answers('shown, unclear');
    const twice = await openAlertsHarness({ to: repeating });
    const once = await openAlertsHarness({ to: holding, ambiguous: 'hold' });
    for (const desk of [twice, once]) {
      await desk.watch(TIDE);
      await desk.announce(burn(1, desk.clock.now()));
      await deliverNow(desk);
      await deliverNow(desk);
    }
    expect(await lately(twice)).toBe(
      'queued 12:00 UTC, sent 12:00 UTC (2 attempts); an earlier attempt was cut off, so it may appear twice',
    );
    expect(await lately(once)).toMatch(/^maybe sent: the attempt was cut off \(the connection was cut\) and was not repeated; 12:00 UTC/u);
  });

  test('that was dropped because nobody watches it any more says that', async () => {
    const desk = await watching();
    await desk.announce(burn(1, desk.clock.now()));
    await desk.watchlists.change(CHAT, (chat) => withoutEntry(chat, TIDE));
    await deliverNow(desk);
    expect(await lately(desk)).toBe('not delivered: no longer watched; given up 12:00 UTC');
  });

  test('from before the watch began says since when', async () => {
    const desk = await watching();
    await desk.watch(TIDE, { since: desk.clock.now() });
    await desk.announce(burn(1, later(desk.clock.now(), -MINUTE)));
    expect(await lately(desk)).toBe('no alert: before the watch began 12:00 UTC');
    expect((await way(desk)).at(-1)).toBe('since: before the watch began: from 11:59 UTC, watched since 12:00 UTC');
  });

  test('without a date that was seen before the watch began says that', async () => {
    const desk = await watching();
    await desk.announce(burn(1, desk.clock.now(), { occurredAt: undefined }));
    const other = address('console', 'other');
    await desk.clock.advance(HOUR);
    await desk.watch(TIDE, { since: desk.clock.now() }, other);
    const [story] = await whyOf(desk).lately(other, 1);
    expect(fateOf(desk, story)).toBe('no alert: detected before the watch began 13:00 UTC');
  });

  test('of a kind that is switched off says so', async () => {
    const desk = await watching();
    await desk.watch(TIDE, { modes: { supply: 'off' } });
    await desk.announce(burn(1, desk.clock.now()));
    expect(await lately(desk)).toBe('no alert: switched off');
    expect(await way(desk)).toEqual(['watched: supply alerts are off for tide']);
  });

  test('that is kept and not routed yet is on its way, and one whose receipt is gone was sent long ago', async () => {
    const desk = await watching();
    await desk.archive.keep(burn(1, desk.clock.now()));
    expect(await lately(desk)).toBe("no alert: on its way to this chat's queue");
    await desk.clock.advance(HOUR);
    expect(await lately(desk)).toBe('no alert: sent long ago; its record was deleted');
  });

  test('that waited in a chat nobody can post in until it was too old says what stood in the way', async () => {
    const desk = await watching();
    await desk.announce(burn(1, desk.clock.now()));
    desk.to.always({ kind: 'not-permitted', because: 'I lack Embed Links' });
    await deliverNow(desk);
    await desk.clock.advance(4 * DAY);
    await deliverNow(desk);
    expect(await lately(desk)).toBe('not delivered: I lack Embed Links; given up 12:00 UTC');
  });

  test('of a layout or kind that no longer exists is named, not reported', async () => {
    const desk = await watching();
    await desk.announce(burn(1, desk.clock.now(), { facts: {} }), burn(2, later(desk.clock.now(), 1), { feed: 'astrology' }));
    const stories = await whyOf(desk).lately(CHAT, 5);
    expect(stories.map(({ headline }) => headline)).toEqual([['supply/tide/2'], ['supply/tide/1']]);
  });
});

describe('a delivery', () => {
  test('reports the trace of each of its events, through which entry, while it is under way and after', async () => {
    const desk = await watching();
    await desk.watch(ALL);
    await desk.announce(burn(1, desk.clock.now()), burn(2, desk.clock.now(), { project: slug('heron') }));
    desk.to.answers({ kind: 'later', because: 'unreachable' });
    await deliverNow(desk);
    const id = desk.queues.read(CHAT).open?.id ?? '';
    for (const kind of ['under way', 'sent']) {
      const stories = (await whyOf(desk).ofDelivery(CHAT, id)) ?? [];
      expect(stories.map(({ event, entry, disposition }) => [event.id, entry?.target.kind, disposition.kind])).toEqual([
        ['supply/tide/1', 'project', kind],
        ['supply/tide/2', 'all', kind],
      ]);
      await deliverNow(desk);
    }
  });

  test('leaves out an event that the archive has forgotten', async () => {
    const desk = await watching();
    await desk.announce(burn(1, desk.clock.now()), burn(2, later(desk.clock.now(), 40 * DAY)));
    await deliverNow(desk);
    await desk.archive.sweep(later(desk.clock.now(), 40 * DAY), () => false);
    const stories = await whyOf(desk).ofDelivery(CHAT, desk.to.shown[0]?.id ?? '');
    expect(stories?.map(({ event }) => event.id)).toEqual(['supply/tide/2']);
  });

  test("of another chat is none of this chat's business", async () => {
    const desk = await watching();
    await desk.announce(burn(1, desk.clock.now()));
    await deliverNow(desk);
    const id = desk.to.shown[0]?.id ?? '';
    expect(await whyOf(desk).ofDelivery(address('console', 'other'), id)).toBeUndefined();
    expect(await whyOf(desk).ofDelivery(CHAT, 'nothing')).toBeUndefined();
  });
});

describe('silence', () => {
  test('of a kind the service does not have for this project is no failure of the check', async () => {
    const desk = await watching();
    await looked(desk, { failures: 2, problem: 'unknown', okAt: undefined });
    expect(await way(desk)).toEqual(['watched', 'checked: the service has no supply data for it; last checked 12:00 UTC']);
  });
  test('of what is not watched is explained by that alone', async () => {
    const desk = await openAlertsHarness();
    expect(await way(desk)).toEqual(['watched: this chat does not watch it']);
  });
  test('before the first check', async () => {
    const desk = await openAlertsHarness();
    await desk.watch(TIDE);
    expect(await way(desk)).toEqual(['watched', 'checked: not checked yet']);
  });
  test('while checks fail, with how often, why, and when one last succeeded', async () => {
    const desk = await watching();
    await looked(desk, { failures: 3, problem: 'unreachable', okAt: later(desk.clock.now(), -HOUR) });
    expect(await way(desk)).toEqual(['watched', "checked: the last 3 checks failed: the service isn't responding; last success 11:00 UTC"]);
    await desk.announce(burn(1, desk.clock.now()));
    expect((await way(desk)).map((step) => step.split(':')[0])).toEqual([
      ...['watched', 'checked', 'readable', 'changed', 'since', 'filter', 'muted', 'grouped'],
    ]);
  });
  test('while no check ever succeeded', async () => {
    const desk = await watching();
    await looked(desk, { failures: 1, problem: 'forbidden', okAt: undefined });
    expect(await way(desk)).toEqual(['watched', 'checked: the last check failed: your plan does not include it; none succeeded yet']);
  });
  test('where the plan hides rows', async () => {
    const desk = await watching();
    await looked(desk, { hidden: 12, complete: false });
    expect(await way(desk)).toContain("readable: tide supply: the data plan hides 12 rows. Changes in them can't be detected");
  });
  test('where nothing changed, also when another project has events', async () => {
    const desk = await watching();
    await desk.announce(burn(1, desk.clock.now(), { project: slug('heron') }));
    expect(await way(desk)).toEqual(['watched', 'checked', 'readable', 'changed: nothing has changed since the first check']);
  });
  test('of a kind checked for all projects at once is explained by that check', async () => {
    const desk = await openAlertsHarness();
    await desk.watch(ALL);
    await looked(desk, { feed: 'launches', subject: 'all' });
    expect(stepsIn(await whyOf(desk).ofSilence(CHAT, { project: tide }, 'launches'), desk)).toEqual([
      'watched',
      'checked',
      'readable',
      'changed: nothing has changed since the first check',
    ]);
  });
  test('comes with the latest explanation where there is one', async () => {
    const desk = await watching();
    await desk.announce(burn(1, desk.clock.now()), burn(2, later(desk.clock.now(), SECOND)));
    const { latest } = await whyOf(desk).ofSilence(CHAT, { project: tide }, 'supply');
    expect(latest?.event.id).toBe('supply/tide/2');
  });
});

test('what other chats watch is not shown: a chat sees only the wallets it watches', async () => {
  const desk = await watching();
  const wallet = walletAddress('7Hq2mXZ4nS9bqcWtH3bD6fJrL8kVyPpTgE5uNaRwx9Pd');
  const facts = { about: 'ico', project: 'Heron Flats' };
  await desk.watch({ kind: 'wallet', address: wallet, label: 'theirs' }, {}, address('console', 'other'));
  await desk.announce(
    burn(1, desk.clock.now(), { id: 'w/1', topic: 'w/1', feed: 'wallet', stage: 'ico', project: undefined, wallet, facts }),
  );
  expect(await whyOf(desk).lately(CHAT, 5)).toEqual([]);
  expect(await whyOf(desk).lately(address('console', 'other'), 5)).toHaveLength(1);
  await desk.watch({ kind: 'wallet', address: wallet });
  expect(await whyOf(desk).lately(CHAT, 5)).toHaveLength(1);
});
