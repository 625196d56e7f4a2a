import { describe, expect, test } from 'vitest';
import { deliver } from '../../../src/alerts/delivery/deliver.js';
import { createWhy, dispositionLine, type Explanation, type Trace } from '../../../src/alerts/explanation/explain.js';
import { withPrevious } from '../../../src/alerts/watchlist/entry.js';
import { withoutEntry } from '../../../src/alerts/watchlist/watchlists.js';
import { DAY, HOUR, later, MINUTE, SECOND } from '../../../src/base/clock.js';
import { address } from '../../../src/chat/address.js';
import type { Outcome } from '../../../src/chat/notifier.js';
import { lineText } from '../../../src/chat/plain-text.js';
import type { Line } from '../../../src/chat/reply.js';
import { slug } from '../../../src/domain/scalars.js';
import { walletAddress } from '../../../src/domain/wallet.js';
import { ALL, burn, CHAT, openAlertsHarness, platform, TIDE } from '../harness.js';

type Harness = Awaited<ReturnType<typeof openAlertsHarness>>;
const tide = slug('tide');

const whyOf = (harness: Harness) => createWhy({ ...harness, now: () => harness.clock.now() });
/** What was said, by test, for the transcript. */
const said: string[] = [];
/** Numbers with their units, times and dates. */
const FACT = /(?:[A-Z][a-z]{2} \d+, )?\d+(?:[.,:]\d+)*(?:%| (?:days|h|UTC)\b)?/gu;
function factsIn(line: Line, { clock }: Harness): readonly string[] {
  const text = lineText(line, clock.now());
  said.push(`- ${expect.getState().currentTestName ?? ''}\n  ${text}`);
  return text.match(FACT) ?? [];
}
const dispositionOf = (harness: Harness, story: Explanation | undefined): string =>
  story ? [kindOf(story.disposition), ...factsIn(dispositionLine(story.disposition), harness)].join(' | ') : 'no story';
/** With the step at which it ended, where it did not alert. */
const kindOf = (disposition: Explanation['disposition']): string =>
  disposition.kind === 'not-alerted' ? `${disposition.kind} (${disposition.at})` : disposition.kind;
const lately = async (harness: Harness): Promise<string> => dispositionOf(harness, (await whyOf(harness).lately(CHAT, 1))[0]);
const deliverNow = async (harness: Harness): Promise<void> => {
  await harness.clock.advance(3 * SECOND);
  await deliver(CHAT, harness.context, harness.signal);
};

/** How far an event of supply gets on its way, as `name` for a step that is fine and `name: | facts` for the one that is not. */
const way = async (harness: Harness): Promise<readonly string[]> =>
  stepsIn(await whyOf(harness).ofSilence(CHAT, { project: tide }, 'supply'), harness);
const stepsIn = ({ steps }: Trace, harness: Harness): readonly string[] =>
  steps.map(({ name, ok, says }) => (ok ? name : [`${name}:`, ...factsIn(says, harness)].join(' | ')));

const looked = async (harness: Harness, extra: object = {}): Promise<void> =>
  harness.checkRecords.record({
    ...{ feed: 'supply', subject: 'tide', triedAt: harness.clock.now(), okAt: harness.clock.now(), failures: 0 },
    ...{ hidden: 0, broken: 0, complete: true },
    ...extra,
  });

async function watching(): Promise<Harness> {
  const harness = await openAlertsHarness();
  await harness.watch(TIDE);
  await looked(harness);
  return harness;
}

describe('an event', () => {
  test('that was sent says when it was queued and sent, and with how many attempts', async () => {
    const harness = await watching();
    await harness.announce(burn(1, harness.clock.now()));
    harness.to.answers({ kind: 'later', because: 'unreachable' });
    await deliverNow(harness);
    await deliverNow(harness);
    expect(await lately(harness)).toBe('sent | 12:00 UTC | 12:00 UTC | 2');
    expect(await way(harness)).toEqual(['watched', 'checked', 'readable', 'changed', 'since', 'filter', 'muted', 'grouped', 'sent']);
  });

  test('that waits says so', async () => {
    const harness = await watching();
    await harness.announce(burn(1, harness.clock.now()));
    expect(await lately(harness)).toBe('waiting');
    expect((await way(harness)).at(-1)).toBe('grouped: | 12:00 UTC');
  });

  test('that a mute suppresses says until when', async () => {
    const harness = await watching();
    await harness.watch(TIDE, { mutedUntil: later(harness.clock.now(), DAY) });
    await harness.announce(burn(1, harness.clock.now()));
    expect(await lately(harness)).toBe('waiting | Nov 21, 12:00 UTC');
  });

  test('that is under way with a problem names it and the next try', async () => {
    const harness = await watching();
    await harness.announce(burn(1, harness.clock.now()));
    harness.to.answers({ kind: 'not-permitted', because: 'I lack Embed Links' });
    await deliverNow(harness);
    expect(await lately(harness)).toBe('under way | 1 | 12:15 UTC');
  });

  test('that may have arrived before its latest problem says both', async () => {
    const harness = await watching();
    await harness.announce(burn(1, harness.clock.now()));
    harness.to.answers({ kind: 'unclear', because: 'timeout' }, { kind: 'later', because: 'unreachable' });
    await deliverNow(harness);
    await deliverNow(harness);
    expect(await lately(harness)).toBe('under way | 2 | 12:00 UTC');
    expect((await way(harness)).at(-1)).toBe('sent: | 2 | 12:00 UTC');
  });

  test('that was given up says why and when', async () => {
    const harness = await watching();
    await harness.announce(burn(1, harness.clock.now()));
    harness.to.answers({ kind: 'refused', detail: 'too long' });
    await deliverNow(harness);
    expect(await lately(harness)).toBe('given up | 12:00 UTC');
  });

  test('that may stand here although its line was cut says so, repeated or not', async () => {
    const [repeating, holding] = [platform({ knowsRepeats: false }), platform({ knowsRepeats: false })];
    for (const to of [repeating, holding]) to.answers('shown, unclear');
    const twice = await openAlertsHarness({ to: repeating });
    const once = await openAlertsHarness({ to: holding, ambiguous: 'hold' });
    for (const harness of [twice, once]) {
      await harness.watch(TIDE);
      await harness.announce(burn(1, harness.clock.now()));
      await deliverNow(harness);
      await deliverNow(harness);
    }
    expect(await lately(twice)).toBe('sent | 12:00 UTC | 12:00 UTC | 2');
    expect(await lately(once)).toBe('maybe sent | 12:00 UTC');
  });

  test.each<NonNullable<Extract<Outcome, { kind: 'sent' }>['earlier']>>([
    { kind: 'recognised' },
    { kind: 'found' },
    { kind: 'absent' },
    { kind: 'unknown', because: 'I need Read Message History' },
  ])('whose line was cut where the platform can find out says that it was %j', async (earlier) => {
    const harness = await watching();
    await harness.announce(burn(1, harness.clock.now()));
    harness.to.answers({ kind: 'unclear', because: 'timeout' }, { kind: 'sent', messageId: '7', earlier });
    await deliverNow(harness);
    await deliverNow(harness);
    const [story] = await whyOf(harness).lately(CHAT, 1);
    expect(story?.disposition).toMatchObject({ kind: 'sent', attempts: 2, earlier });
    const words = story && lineText(dispositionLine(story.disposition), harness.clock.now());
    expect(words).not.toBe('queued 12:00 UTC, sent 12:00 UTC (2 attempts)');
  });

  test('that was dropped because nobody watches it any more says that', async () => {
    const harness = await watching();
    await harness.announce(burn(1, harness.clock.now()));
    await harness.watchlists.change(CHAT, (chat) => withoutEntry(chat, TIDE));
    await deliverNow(harness);
    expect(await lately(harness)).toBe('given up | 12:00 UTC');
  });

  test('from before the watch began says since when', async () => {
    const harness = await watching();
    await harness.watch(TIDE, { since: harness.clock.now() });
    await harness.announce(burn(1, later(harness.clock.now(), -MINUTE)));
    expect(await lately(harness)).toBe('not-alerted (since) | 12:00 UTC');
    expect((await way(harness)).at(-1)).toBe('since: | 11:59 UTC | 12:00 UTC');
  });

  test('without a date that was seen before the watch began says that', async () => {
    const harness = await watching();
    await harness.announce(burn(1, harness.clock.now(), { occurredAt: undefined }));
    const other = address('console', 'other');
    await harness.clock.advance(HOUR);
    await harness.watch(TIDE, { since: harness.clock.now() }, other);
    const [story] = await whyOf(harness).lately(other, 1);
    expect(dispositionOf(harness, story)).toBe('not-alerted (since) | 13:00 UTC');
  });

  test('from before the watch began says so also after the clock was set back', async () => {
    const harness = await watching();
    const { clock } = harness;
    await harness.watch(TIDE, { since: clock.now() });
    await harness.announce(burn(1, later(clock.now(), -MINUTE), { detectedAt: clock.now() }));
    const [story] = await createWhy({ ...harness, now: () => later(clock.now(), -HOUR) }).lately(CHAT, 1);
    expect(story?.disposition).toMatchObject({ kind: 'not-alerted', at: 'since' });
  });

  test('of a kind that is switched off says so', async () => {
    const harness = await watching();
    await harness.watch(TIDE, { modes: { supply: 'off' } });
    await harness.announce(burn(1, harness.clock.now()));
    expect(await lately(harness)).toBe('not-alerted (watched)');
    expect(await way(harness)).toEqual(['watched:']);
  });

  test('that is kept and not routed yet is on its way, and one whose receipt is gone was sent long ago', async () => {
    const harness = await watching();
    await harness.archive.keep(burn(1, harness.clock.now()));
    expect(await lately(harness)).toBe('not-alerted (queued)');
    await harness.clock.advance(HOUR);
    expect(await lately(harness)).toBe('not-alerted (queued)');
  });

  test('that the rules before their last change kept away says so', async () => {
    const harness = await watching();
    await harness.watch(TIDE, { modes: { supply: 'off' } });
    await harness.announce(burn(1, harness.clock.now()));
    await harness.watchlists.change(CHAT, (chat) => ({
      ...chat,
      entries: chat.entries.map((entry) => withPrevious(entry, { ...entry, modes: {} })),
    }));
    expect(await lately(harness)).toBe('not-alerted (watched)');
    await harness.announce(burn(2, harness.clock.now()));
    await deliverNow(harness);
    expect(await lately(harness)).toMatch(/^sent/u);
  });

  test('that waited in a chat nobody can post in until it was too old says what stood in the way', async () => {
    const harness = await watching();
    await harness.announce(burn(1, harness.clock.now()));
    harness.to.always({ kind: 'not-permitted', because: 'I lack Embed Links' });
    await deliverNow(harness);
    await harness.clock.advance(4 * DAY);
    await deliverNow(harness);
    expect(await lately(harness)).toBe('given up | 12:00 UTC');
  });

  test('of a layout or kind that no longer exists is named, not reported', async () => {
    const harness = await watching();
    await harness.announce(burn(1, harness.clock.now(), { facts: {} }), burn(2, later(harness.clock.now(), 1), { feed: 'astrology' }));
    const stories = await whyOf(harness).lately(CHAT, 5);
    expect(stories.map(({ headline }) => headline)).toEqual([['supply/tide/2'], ['supply/tide/1']]);
  });
});

describe('a delivery', () => {
  test('reports the trace of each of its events, through which entry, while it is under way and after', async () => {
    const harness = await watching();
    await harness.watch(ALL);
    await harness.announce(burn(1, harness.clock.now()), burn(2, harness.clock.now(), { project: slug('heron') }));
    harness.to.answers({ kind: 'later', because: 'unreachable' });
    await deliverNow(harness);
    const id = harness.queues.read(CHAT).open?.id ?? '';
    for (const kind of ['under way', 'sent']) {
      const stories = (await whyOf(harness).ofDelivery(CHAT, id)) ?? [];
      expect(stories.map(({ event, entry, disposition }) => [event.id, entry?.target.kind, disposition.kind])).toEqual([
        ['supply/tide/1', 'project', kind],
        ['supply/tide/2', 'all', kind],
      ]);
      await deliverNow(harness);
    }
  });

  test('leaves out an event that the archive has forgotten', async () => {
    const harness = await watching();
    await harness.announce(burn(1, harness.clock.now()), burn(2, later(harness.clock.now(), 40 * DAY)));
    await deliverNow(harness);
    await harness.archive.sweep(later(harness.clock.now(), 40 * DAY), () => false);
    const stories = await whyOf(harness).ofDelivery(CHAT, harness.to.shown[0]?.id ?? '');
    expect(stories?.map(({ event }) => event.id)).toEqual(['supply/tide/2']);
  });

  test("of another chat is none of this chat's business", async () => {
    const harness = await watching();
    await harness.announce(burn(1, harness.clock.now()));
    await deliverNow(harness);
    const id = harness.to.shown[0]?.id ?? '';
    expect(await whyOf(harness).ofDelivery(address('console', 'other'), id)).toBeUndefined();
    expect(await whyOf(harness).ofDelivery(CHAT, 'nothing')).toBeUndefined();
  });
});

describe('silence', () => {
  test('of a kind the service does not have for this project is no failure of the check', async () => {
    const harness = await watching();
    await looked(harness, { failures: 2, problem: 'unknown', okAt: undefined });
    expect(await way(harness)).toEqual(['watched', 'checked: | 12:00 UTC']);
  });
  test('of what is not watched is explained by that alone', async () => {
    const harness = await openAlertsHarness();
    expect(await way(harness)).toEqual(['watched:']);
  });
  test('before the first check', async () => {
    const harness = await openAlertsHarness();
    await harness.watch(TIDE);
    expect(await way(harness)).toEqual(['watched', 'checked:']);
  });
  test('while checks fail, with how often, why, and when one last succeeded', async () => {
    const harness = await watching();
    await looked(harness, { failures: 3, problem: 'unreachable', okAt: later(harness.clock.now(), -HOUR) });
    expect(await way(harness)).toEqual(['watched', 'checked: | 3 | 11:00 UTC']);
    await harness.announce(burn(1, harness.clock.now()));
    expect((await way(harness)).map((step) => step.split(':')[0])).toEqual([
      ...['watched', 'checked', 'readable', 'changed', 'since', 'filter', 'muted', 'grouped'],
    ]);
  });
  test('while no check ever succeeded', async () => {
    const harness = await watching();
    await looked(harness, { failures: 1, problem: 'forbidden', okAt: undefined });
    expect(await way(harness)).toEqual(['watched', 'checked:']);
  });
  test('where the plan hides rows', async () => {
    const harness = await watching();
    await looked(harness, { hidden: 12, complete: false });
    expect(await way(harness)).toContain('readable: | 12');
  });
  test('where nothing changed, also when another project has events', async () => {
    const harness = await watching();
    await harness.announce(burn(1, harness.clock.now(), { project: slug('heron') }));
    expect(await way(harness)).toEqual(['watched', 'checked', 'readable', 'changed:']);
  });
  test('of a kind checked for all projects at once is explained by that check', async () => {
    const harness = await openAlertsHarness();
    await harness.watch(ALL);
    await looked(harness, { feed: 'launches', subject: 'all' });
    expect(stepsIn(await whyOf(harness).ofSilence(CHAT, { project: tide }, 'launches'), harness)).toEqual([
      'watched',
      'checked',
      'readable',
      'changed:',
    ]);
  });
  test('comes with the latest explanation where there is one', async () => {
    const harness = await watching();
    await harness.announce(burn(1, harness.clock.now()), burn(2, later(harness.clock.now(), SECOND)));
    const { latest } = await whyOf(harness).ofSilence(CHAT, { project: tide }, 'supply');
    expect(latest?.event.id).toBe('supply/tide/2');
  });
});

test('what other chats watch is not shown: a chat sees only the wallets it watches', async () => {
  const harness = await watching();
  const wallet = walletAddress('7Hq2mXZ4nS9bqcWtH3bD6fJrL8kVyPpTgE5uNaRwx9Pd');
  const facts = { about: 'ico', project: 'Heron Flats' };
  await harness.watch({ kind: 'wallet', address: wallet, label: 'theirs' }, {}, address('console', 'other'));
  await harness.announce(
    burn(1, harness.clock.now(), { id: 'w/1', topic: 'w/1', feed: 'wallet', stage: 'ico', project: undefined, wallet, facts }),
  );
  expect(await whyOf(harness).lately(CHAT, 5)).toEqual([]);
  expect(await whyOf(harness).lately(address('console', 'other'), 5)).toHaveLength(1);
  await harness.watch({ kind: 'wallet', address: wallet });
  expect(await whyOf(harness).lately(CHAT, 5)).toHaveLength(1);
});

test('what other chats watch is not shown: a chat sees neither their screens nor, unasked, their projects', async () => {
  const harness = await watching();
  const other = address('console', 'other');
  const heron = slug('heron');
  await harness.watch({ kind: 'project', slug: heron }, {}, other);
  await harness.watch({ kind: 'screen', filter: 'premium<-20' }, {}, other);
  await harness.announce(
    burn(1, harness.clock.now(), { id: 's/1', topic: 's/1', feed: 'screens', stage: 'entered', screen: 'premium<-20', facts: {} }),
  );
  await harness.announce(burn(2, harness.clock.now(), { project: heron }));
  expect(await whyOf(harness).lately(CHAT, 5)).toEqual([]);
  expect(await whyOf(harness).lately(other, 5)).toHaveLength(2);
  // Asked about the project, the chat learns that it does not watch it.
  expect((await whyOf(harness).ofSilence(CHAT, { project: heron }, 'supply')).latest?.disposition).toMatchObject({
    ...{ kind: 'not-alerted', at: 'watched' },
  });
  await harness.watch(ALL);
  expect(await whyOf(harness).lately(CHAT, 5)).toHaveLength(1);
});

test('the wording of each explanation above is what the transcript says', async () => {
  await expect(`${said.join('\n')}\n`).toMatchFileSnapshot('../../transcripts/alerts/explanations.md');
});
