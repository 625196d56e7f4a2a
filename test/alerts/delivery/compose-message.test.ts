import { DEFAULT_TEMPLATES, makeLinks } from '../../../src/domain/links.js';
import { describe, expect, test } from 'vitest';
import { compose, type ComposedEvent } from '../../../src/alerts/delivery/compose-message.js';
import { GATHER } from '../../../src/alerts/queue/batch.js';
import { deliver } from '../../../src/alerts/delivery/deliver.js';
import { targetName, type Target } from '../../../src/alerts/watchlist/entry.js';
import { later, MINUTE } from '../../../src/base/clock.js';
import { address } from '../../../src/chat/address.js';
import type { Line, Mention, Reply } from '../../../src/chat/reply.js';
import { plainText } from '../../../src/chat/plain-text.js';
import { slug } from '../../../src/domain/scalars.js';
import { walletAddress } from '../../../src/domain/wallet.js';
import { supply } from '../../../src/feeds/supply.js';
import { rendered } from '../../../src/platforms/discord/render.js';
import { renderOne } from '../../../src/platforms/telegram/render.js';
import { NOON } from '../../feeds/reading.js';
import { count } from './delivering.js';
import { burn, CHAT, entry, openAlertsHarness, TIDE } from '../harness.js';

const LINKS = makeLinks(DEFAULT_TEMPLATES);
const composed = (
  amount: number,
  from: Partial<ComposedEvent['member']> & { name?: string; facts?: object; entry?: string } = {},
): ComposedEvent => {
  const { name = 'Tidewater', facts, entry: through = 'tide', ...member } = from;
  const project = name === 'Tidewater' ? {} : { project: slug(`p-${amount}`) };
  const event = burn(amount, later(NOON, -amount * MINUTE), project);
  const named = { ...event, facts: { ...event.facts, name, ...facts } };
  return {
    member: { event: event.id, entry: through, queuedAt: NOON, ...member },
    event: named,
    content: supply.content(named),
    silent: false,
  };
};

const now = (...all: readonly [ComposedEvent, ...ComposedEvent[]]): Reply => compose({ links: LINKS, id: 'ID', events: all });
const urlsIn = (line: Line): readonly string[] => line.flatMap((span) => (typeof span === 'object' && 'url' in span ? [span.url] : []));
const QUIET = { words: 'Catching up: this chat had quiet hours', tone: 'plain' } as const;

describe('a message', () => {
  test('of one event speaks for itself, with its own questions before quiet and why', () => {
    expect(plainText(now(composed(2)), NOON)).toBe(
      ['▼ Tidewater burned 2 TIDE', '[Supply: /supply tide] [Mute…: /mute tide supply] [Why?: /why ID]', 'Updated 11:58 UTC'].join('\n'),
    );
  });

  test('of several lists them exactly, each with its details, as old as the oldest', () => {
    expect(plainText(now(composed(2), composed(5)), NOON)).toBe(
      [
        '2 alerts for Tidewater',
        '▼ Tidewater burned 2 TIDE',
        '▼ Tidewater burned 5 TIDE',
        '[Mute…: /mute tide supply] [Why?: /why ID]',
        'Updated 11:55 UTC',
      ].join('\n'),
    );
  });

  test('of more than one project counts the projects, and of more than one entry mutes the chat', () => {
    const text = plainText(now(composed(2), composed(5, { entry: 'all', name: 'Heron Flats' })), NOON);
    expect(text).toContain('2 alerts for 2 projects');
    expect(text).toContain('[Mute…: /mute]');
  });

  test('of one entry and several kinds mutes the entry', () => {
    const one = composed(3);
    const moved = { ...one, event: { ...one.event, feed: 'movements' } };
    expect(plainText(now(composed(2), moved), NOON)).toContain('[Mute…: /mute tide]');
  });

  test('mutes the project first, also where it came through everything, or a wallet by its label', () => {
    const lines = (target: Target) => {
      const through = { ...composed(2), entry: entry(target, NOON) };
      return now({ ...through, member: { ...through.member, entry: targetName(target) } }).actions.map(({ line }) => line);
    };
    expect(lines({ kind: 'all' })).toContain('/mute tide supply');
    const address = walletAddress('7Hq2mXZ4nS9bqcWtH3bD6fJrL8kVyPpTgE5uNaRwx9Pd');
    expect(lines({ kind: 'wallet', address, label: 'north' })).toContain(`/mute ${address} supply`);
  });

  test('counts wallets as wallets', () => {
    const one = composed(3, { entry: 'key', name: 'fund-1' });
    const wallet = { ...one, event: { ...one.event, wallet: walletAddress('7Hq2mXZ4nS9bqcWtH3bD6fJrL8kVyPpTgE5uNaRwx9Pd') } };
    expect(plainText(now(composed(2), composed(5, { entry: 'all', name: 'Heron Flats' }), wallet), NOON)).toContain(
      '3 alerts for 2 projects and 1 wallet',
    );
  });

  test('of several events has the first link of each on its line', () => {
    const keys = ['7Hq2mXZ4nS9bqcWtH3bD6fJrL8kVyPpTgE5uNaRwx9Pd', '9xQ2mXZ4nS9bqcWtH3bD6fJrL8kVyPpTgE5uNaRwx9Pd'] as const;
    const linked = keys.map((mint, index) => {
      const one = composed(index + 2);
      return { ...one, content: { ...one.content, links: [{ to: 'site' }, { to: 'token', mint }, { to: 'chart', mint }] as const } };
    });
    const [first, second] = linked;
    if (first === undefined || second === undefined) throw new Error('two events');
    const urls = (of: Reply): readonly string[] =>
      of.blocks
        .flatMap((block) => (block.kind === 'list' ? block.items : []))
        .flatMap(({ line, detail = [] }) => urlsIn([...line, ...detail]));
    expect(urls(now(first, composed(5), second))).toEqual(keys.map((key) => `https://solscan.io/token/${key}`));
    expect(urls(compose({ links: makeLinks({ ...DEFAULT_TEMPLATES, token: '', chart: '' }), id: 'ID', events: [first, second] }))).toEqual(
      [],
    );
  });

  test('of ten long events drops links before text, and fits Discord and Telegram', () => {
    const mint = '7Hq2mXZ4nS9bqcWtH3bD6fJrL8kVyPpTgE5uNaRwx9Pd';
    const [first, ...others] = count(10).map((amount) => {
      const one = composed(amount, { name: `_${'*'.repeat(50)}${amount}` });
      return { ...one, content: { ...one.content, details: [[`(${'_'.repeat(200)})`]], links: [{ to: 'token', mint }] as const } };
    });
    if (first === undefined) throw new Error('ten events');
    const reply = now(first, ...others);
    const items = reply.blocks.flatMap((block) => (block.kind === 'list' ? block.items : []));
    const linked = items.map(({ line, detail = [] }) => urlsIn([...line, ...detail]).length);
    expect(items).toHaveLength(10);
    expect(linked.reduce((sum, one) => sum + one, 0)).toBeLessThan(10);
    const description = rendered(reply).embed?.description ?? '';
    expect(description.length).toBeLessThanOrEqual(4_096);
    expect(description).toContain('10 TIDE');
    expect(renderOne(reply, NOON)).toContain('10 TIDE');
  });

  test('of one event links to at most two pages', () => {
    const one = composed(2);
    const key = '7Hq2mXZ4nS9bqcWtH3bD6fJrL8kVyPpTgE5uNaRwx9Pd';
    const targets = [{ to: 'token', mint: key }, { to: 'site' }, { to: 'wallet', wallet: key }, { to: 'chart', mint: key }] as const;
    const linked = { ...one, content: { ...one.content, links: targets } };
    expect(now(linked).links.map(({ label }) => label)).toEqual(['Token', 'Wallet']);
    expect(now(linked, composed(5)).links).toEqual([]);
  });

  test('never has more buttons than stand in one row, and "Why?" is always among them', () => {
    const one = composed(2);
    const content = { ...one.content, actions: ['A', 'B', 'C', 'D', 'E', 'F'].map((label) => ({ label, line: `/${label}` })) };
    expect(now({ ...one, content }).actions.map(({ label }) => label)).toEqual(['A', 'B', 'C', 'Mute…', 'Why?']);
  });

  test('of more than ten says the first ten in full, counts the rest and leads to all of them', () => {
    const [first, ...others] = count(14).map((amount) => composed(amount, { name: `Project ${amount}` }));
    const { blocks, actions } = first ? now(first, ...others) : now(composed(1));
    expect(blocks).toMatchObject([{ kind: 'list', items: expect.objectContaining({ length: 10 }), more: 4 }]);
    expect(actions.map(({ label, line }) => [label, line])).toEqual([
      ['Show all (14)', '/history ID'],
      ['Mute…', '/mute tide supply'],
      ['Why?', '/why ID'],
    ]);
  });
});

describe('a summary', () => {
  test('is headed by what kept it and by what there is, and lists it', () => {
    const heron = { name: 'Heron Flats', entry: 'heron' };
    const all = [composed(9), composed(5), composed(4, heron)] as const;
    const text = plainText(
      compose({
        links: LINKS,
        id: 'ID',
        events: all,
        head: { words: 'Catching up: the bot was down for 6 h', tone: 'warning' },
      }),
      NOON,
    );
    expect(text).toContain('⚠ Catching up: the bot was down for 6 h · 3 burns\n▼ Tidewater burned 9 TIDE');
    expect(text).toContain('[Mute…: /mute]');
  });

  test('of one event lets it speak for itself and says what kept it', () => {
    const text = plainText(compose({ links: LINKS, id: 'ID', events: [composed(9)], head: QUIET }), NOON);
    expect(text).toMatch(/^▼ Tidewater burned 9 TIDE\nCatching up: this chat had quiet hours\.\n\[Supply/u);
  });
});

test('a sample looks as a real alert, and its button mutes the kind', () => {
  const lines = (one: ComposedEvent) => plainText(compose({ links: LINKS, id: 'ID', events: [one] }), NOON).split('\n');
  const [sample, real] = [lines(composed(2, { entry: '', sample: true })), lines(composed(2))];
  expect(sample).toEqual(real.map((line) => line.replace('/mute tide supply', '/mute supply')));
});

describe('who is pinged', () => {
  const ADA = { kind: 'person', id: '1' } as const;
  const CREW = { kind: 'role', id: '1' } as const;
  const through = (mentions: readonly Mention[], from: Parameters<typeof composed>[1] = {}): ComposedEvent => ({
    ...composed(2, from),
    entry: entry(TIDE, NOON, { mentions }),
  });

  test('is whom the matching entries name, each once', () => {
    expect(now(through([ADA, CREW]), through([ADA])).mentions).toEqual([ADA, CREW]);
    expect(now(composed(2)).mentions).toEqual([]);
  });

  test('is nobody where it is a sample', () => {
    expect(compose({ links: LINKS, id: 'ID', events: [through([ADA], { sample: true })] }).mentions).toEqual([]);
  });
});

describe('ten events in full fit into one message of every platform', () => {
  const shownOn = {
    Discord: (one: Reply): string => rendered(one).embed?.description ?? '',
    Telegram: (one: Reply): string => renderOne(one, NOON),
  };
  const names = {
    'usual names': (index: number) => `Project ${index}`,
    'long names': (index: number) => `Project ${index} ${'of a very long name '.repeat(20)}`,
    'names made of markup': (index: number) => `Project ${index} ${'*_`~<&>'.repeat(60)}`,
  };
  for (const [platform, show] of Object.entries(shownOn))
    for (const [what, name] of Object.entries(names))
      for (const kind of ['now', 'summary'] as const)
        test(`on ${platform}, with ${what}, in a ${kind === 'now' ? 'group' : 'summary'}`, () => {
          const [first = composed(1), ...others] = count(30).map((index) => composed(index, { name: name(index), entry: `p${index}` }));
          const shown = show(compose({ links: LINKS, id: 'ID', events: [first, ...others], head: kind === 'now' ? undefined : QUIET }));
          for (const index of count(10)) expect(shown).toContain(`Project ${index} `);
          expect(shown).toContain('… and 20 more');
          expect(shown).not.toContain('Project 11 ');
        });

  test('and where details had to go for it, all of it is one button away', () => {
    const [first = composed(1), ...others] = count(10).map((index) => composed(index, { name: names['long names'](index) }));
    expect(now(first, ...others).actions[0]).toMatchObject({ label: 'Show all (10)' });
  });
});

const FUND = walletAddress('7Hq2mXZ4nS9bqcWtH3bD6fJrL8kVyPpTgE5uNaRwx9Pd');

test('an alert about a wallet names it as each chat does', async () => {
  const harness = await openAlertsHarness();
  const other = address('console', 'other');
  await harness.watch({ kind: 'wallet', address: FUND, label: 'fund-1' });
  await harness.watch({ kind: 'wallet', address: FUND }, {}, other);
  const facts = { about: 'ico', project: 'Heron Flats', symbol: 'HERN', contribution: '1000' };
  const id = `wallet/${FUND}/ico/1`;
  await harness.announce(
    burn(1, harness.clock.now(), { id, topic: id, feed: 'wallet', stage: 'ico', project: undefined, wallet: FUND, facts }),
  );
  await harness.clock.advance(GATHER);
  for (const chat of [CHAT, other]) await deliver(chat, harness.context, harness.signal);
  const [labelled = '', plain = ''] = harness.to.shown.map(({ text }) => text);
  expect(labelled).toContain('"fund-1"');
  expect(plain).toContain('Wallet 7Hq2…x9Pd');
});
