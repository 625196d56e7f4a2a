import bs58 from 'bs58';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { UnknownProjectError, type Directory } from '../../src/analytics/directory.js';
import { MAX_LINE } from '../../src/chat/inbound.js';
import { MAX_NAME_WORDS } from '../../src/domain/project.js';
import { CHAT, GUEST, openAppHarness } from '../support/app-harness.js';
import { fuzzedLine, seeded } from '../support/lines.js';
import { runs } from '../support/properties.js';

/** A bot whose directory counts: `exact` names are looked up, and `spelled` ones are searched by their spelling. */
async function open(...watched: readonly string[]) {
  const count = { exact: 0, spelled: 0 };
  const counting = (real: Directory): Directory => ({
    revision: () => real.revision(),
    unknown: () => real.unknown(),
    all: async () => real.all(),
    get: async (slug) => real.get(slug),
    described: async (slug, signal) => real.described(slug, signal),
    refresh: async (priority) => real.refresh(priority),
    async named(text) {
      count.exact += 1;
      return real.named(text);
    },
    async find(text, signal) {
      try {
        return await real.find(text, signal);
      } catch (error) {
        if (error instanceof UnknownProjectError && !error.several) count.spelled += 1;
        throw error;
      }
    },
    async complete(partial, limit) {
      count.spelled += 1;
      return real.complete(partial, limit);
    },
  });
  const harness = await openAppHarness({ answers: {}, directory: counting });
  await harness.directory.all();
  for (const target of watched) await harness.say(`/watch ${target}`);
  /** What one question costs. */
  const costOf = async (ask: () => Promise<unknown>): Promise<typeof count> => {
    const before = { ...count };
    await ask();
    return { exact: count.exact - before.exact, spelled: count.spelled - before.spelled };
  };
  return { ...harness, costOf };
}

/** Every option of a line may be a name, and a name is read once to split the line and once to find what it names. */
const MOST_EXACT = 6 * MAX_NAME_WORDS;
/** At each of so many words `/compare` looks for the longest name that begins there, since names may follow each other without a comma. */
const COMPARED_WORDS = 12;

/** A mute takes so many names, and each is read as in a line of its own. */
const MUTED_NAMES = 5;

/** Every name of a pasted list is looked up by itself. */
function mostExact(line: string): number {
  if (line.startsWith('/watchlist')) return MAX_LINE;
  if (line.startsWith('/compare')) return MOST_EXACT + COMPARED_WORDS * MAX_NAME_WORDS;
  return /^\s*\/(?:un)?mute/u.test(line) ? (1 + MUTED_NAMES) * MOST_EXACT : MOST_EXACT;
}

const repeated = (head: string, word: string, length: number): string =>
  `${head} ${word} `
    .concat(`${word} `.repeat(Math.ceil(length / (word.length + 1))))
    .slice(0, length)
    .trim();

describe('a question has at most 4,096 characters', () => {
  test.each([MAX_LINE + 1, 60_000])('%i of them are refused with the remedy before anything is read', async (length) => {
    const { ask, costOf } = await open();
    const line = repeated('/mute', 'a', length).padEnd(length, 'a');
    for (const question of [{ line }, { command: 'premium', options: { project: line.slice('premiumproject'.length) } }]) {
      const cost = await costOf(async () => {
        const { text, reply } = await ask({ ask: question });
        expect(text).toBe(
          `⚠ That message has ${length.toLocaleString('en-US')} characters; the limit is 4,096. Shorten it, or send a long list as a file with /watchlist import.`,
        );
        expect(reply.audience).toBe('asker');
      });
      expect(cost).toEqual({ exact: 0, spelled: 0 });
    }
  });

  test('so many are read', async () => {
    const { say } = await open();
    const { text } = await say(`/watchlist import tide\n${'# '.repeat(MAX_LINE)}`.slice(0, MAX_LINE));
    expect(text).toContain('will add 1 entry');
  });

  test('nothing is suggested for more', async () => {
    const { registry, costOf } = await open();
    const partial = 't'.repeat(60_000);
    const cost = await costOf(async () => {
      expect(await registry.catalogue.complete(`/premium ${partial}`, CHAT, 5)).toEqual([]);
      expect(await registry.catalogue.completeOption({ command: 'premium', option: 'project', partial, chat: CHAT }, 5)).toEqual([]);
    });
    expect(cost).toEqual({ exact: 0, spelled: 0 });
  });

  test('a list that was shown is taken over by its button however long it is', async () => {
    const { ask, say, watchlists } = await open();
    const keyOf = (number: number): string => bs58.encode(new Uint8Array(32).fill(number + 1));
    const list = Array.from({ length: 50 }, (_, number) => `${keyOf(number)} ${`label ${number} `.padEnd(38, '.')}`);
    const shown = await ask({
      ask: { line: '/watchlist import' },
      files: [{ name: 'list.txt', size: 1, read: async () => list.join('\n') }],
    });
    const [press] = shown.reply.actions;
    expect(press?.line.length).toBeLessThan(64);
    expect((await say(press?.line ?? '')).text).toContain('Imported: added');
    expect(JSON.stringify(watchlists.read(CHAT).entries).length).toBeGreaterThan(MAX_LINE);
  });
});

const HEADS = [
  '/mute',
  '/unwatch',
  '/watch',
  '/why',
  '/alerts',
  '/premium',
  '/compare',
  '/settings',
  '/screen',
  '/proposal',
  '/watchlist import',
  '/help',
  '/mute until',
];

test.each(HEADS)('the work of %s does not grow with the line: exact names first, then one search by spelling', async (head) => {
  const { say, costOf } = await open('tide', 'heron');
  for (const word of ['a', 'tidewtaer', '1 Dec', 'viwe:nav', '"a b"', 'tide']) {
    for (const length of [1_000, 4_000]) {
      const { exact, spelled } = await costOf(async () => say(repeated(head, word, length)));
      expect(exact, `${head} ${word}`).toBeLessThanOrEqual(mostExact(head));
      expect(spelled, `${head} ${word}`).toBeLessThanOrEqual(1);
    }
  }
});

/** A line may name several projects to mute, so its first words are looked up once more. */
const MUTE_LOOKUPS = MAX_NAME_WORDS + 3;

test.each([
  ['/watch tidewtaer a b c', 0],
  ['/unwatch tidewtaer a b c', 0],
  ['/settings timezone tidewtaer', 0],
  ['/settings 22:00-07:00', 0],
  ['/watchlist import tidewtaer', 0],
  ['/mute tidewtaer until 1 Dec 1 Dec', MUTE_LOOKUPS],
  ['/mute 1 Dec', MUTE_LOOKUPS],
  ['/alerts tidewtaer off', MAX_NAME_WORDS],
  ['/alerts tidewtaer usd>5 a b c', 2 * MAX_NAME_WORDS],
])('who may not change the watchlist makes nobody search: %s', async (line, exact) => {
  const { say, costOf } = await open('tide', 'heron');
  const cost = await costOf(async () => {
    expect((await say(line, GUEST)).text).toContain('Only people who can manage this chat');
  });
  expect(cost.spelled).toBe(0);
  expect(cost.exact).toBeLessThanOrEqual(exact);
});

test('whoever may not mute may still see what is muted', async () => {
  const { say } = await open('Heron Flats');
  for (const line of ['/mute', '/mute chat', '/mute heron', '/mute Heron Flats', '/mute HERN', '/mute heron supply'])
    expect((await say(line, GUEST)).reply.tone, line).not.toBe('warning');
});

test.each([
  [repeated('/mute', 'a', 250), 'a name has at most 8 words, a time 11. Try 30m'],
  [repeated('/mute until', '1 Dec', 2_000), 'a name has at most 8 words, a time 11. Try 30m'],
  [repeated('/premium', 'a', 2_000), 'Use its symbol or slug, such as tide.'],
  [repeated('/watch', 'a', 2_000), 'Use its symbol or slug, such as tide.'],
  [repeated('/settings timezone', 'a', 2_000), 'That is too long for a timezone.'],
])('what is too long for a name or a time is said: %.40s', async (line, says) => {
  const { say } = await open('tide');
  expect((await say(line)).text).toContain(says);
});

test('of a list with a thousand unknown names one is searched by its spelling', async () => {
  const { ask, costOf } = await open();
  const read = async () => Array.from({ length: 1_000 }, (_, number) => `tidewtaer${number}`).join('\n');
  const cost = await costOf(async () => {
    const { text } = await ask({ ask: { line: '/watchlist import' }, files: [{ name: 'list.txt', size: 1, read }] });
    expect(text).toContain('no project called "tidewtaer0". Did you mean tide');
  });
  expect(cost).toEqual({ exact: 1_000, spelled: 1 });
});

test('any line is answered with one search by spelling at most', async () => {
  const { say, costOf, registry } = await open('tide', 'heron', 'launches');
  await fc.assert(
    fc.asyncProperty(fc.integer(), async (seed) => {
      const line = fuzzedLine(seeded(seed), registry.catalogue.commands);
      // A refresh waits for the clock, which nobody turns here.
      if (/^\/(?:refresh|wallet)\b/u.test(line)) return;
      const { exact, spelled } = await costOf(async () => say(line));
      expect(spelled, line).toBeLessThanOrEqual(1);
      expect(exact, line).toBeLessThanOrEqual(mostExact(line));
    }),
    { numRuns: runs(300) },
  );
});
