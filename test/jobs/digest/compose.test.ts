import { describe, expect, test } from 'vitest';
import { DAY, HOUR, instant, later } from '../../../src/base/clock.js';
import type { Reply } from '../../../src/chat/reply.js';
import { bareText, plainText } from '../../../src/chat/plain-text.js';
import type { FeedEvent } from '../../../src/domain/event.js';
import { decimal, slug } from '../../../src/domain/scalars.js';
import { feedOf } from '../../../src/feeds/index.js';
import { composeDigest } from '../../../src/jobs/digest/compose.js';
import type { DigestEvent, DigestFacts } from '../../../src/jobs/digest/gather.js';
import type { CardFacts } from '../../../src/jobs/digest/card.js';
import type { ProjectMove } from '../../../src/jobs/digest/moves.js';
import { rendered } from '../../../src/platforms/discord/render.js';
import { htmlOf } from '../../../src/platforms/telegram/render.js';
import { burn } from '../../alerts/harness.js';

const TO = instant(Date.UTC(2026, 10, 20, 9));
const HEAD = { title: 'Daily digest', zone: 'Europe/Berlin', id: 'D'.repeat(22) };

const NOTHING: DigestFacts = {
  ...{ span: { from: later(TO, -DAY), to: TO }, moves: [], events: [], filtered: [], isCut: false, suppressed: 0, undelivered: 0 },
  ...{ projects: 14, unknown: [], watchedSince: undefined, wallets: 3, failing: 0, checkedAt: later(TO, -HOUR) },
};

const move = (name: string, gapChange?: string): ProjectMove => ({
  ...{
    slug: 'tide',
    name,
    foundAt: later(TO, -2 * HOUR),
    gap: decimal('-17.2'),
    gapBefore: gapChange === undefined ? undefined : decimal('-11.1'),
  },
  ...{ gapChange: gapChange === undefined ? undefined : decimal(gapChange), nav: undefined, navChange: undefined },
});

const shown = (event: FeedEvent): DigestEvent => {
  const content = feedOf(event.feed)?.content(event);
  if (content === undefined) throw new Error('no such feed');
  return { event, content };
};
const proposal = (id: number, title: string): DigestEvent =>
  shown({
    ...{ id: `proposals/tide/${id}/passed`, feed: 'proposals', project: slug('tide'), topic: `proposals/tide/${id}`, stage: 'passed' },
    ...{ detectedAt: TO, facts: { name: 'Tidewater', publicKey: 'x', title } },
  });
const burns = (count: number): readonly DigestEvent[] =>
  Array.from({ length: count }, (_, index) => shown(burn(index + 1, later(TO, -HOUR))));

const rows = ({ blocks }: Reply): number => blocks.reduce((sum, block) => sum + (block.kind === 'list' ? block.items.length : 0), 0);

test('an empty day is one short line with the age of the data', () => {
  const made = composeDigest(NOTHING, HEAD);
  expect([made.blocks, made.chart, made.asOf]).toEqual([[], undefined, NOTHING.checkedAt]);
  expect(made.actions.map(({ line }) => line)).toEqual(['/history', '/digest', `/why ${HEAD.id}`]);
});

test('it leads with the largest move and the most important events, and has the age of the oldest figure', () => {
  const made = composeDigest({ ...NOTHING, moves: [move('TIDE', '-6.1')], events: [...burns(2), proposal(1, 'Hire')] }, HEAD);
  expect(made.asOf).toBe(later(TO, -2 * HOUR));
  expect(made.chart?.kind).toBe('xy');
  expect(made.actions.map(({ line }) => line)).toEqual(['/premium tide', '/proposals tide', '/history', '/digest', `/why ${HEAD.id}`]);
  expect(rows(made)).toBe(4);
  const [first = ''] = bareText(made, TO).split('\n');
  expect(first).toMatch(/TIDE −6\.1 pts.*1 proposal passed.*2 burns/u);
});

test('times are those of the chat', () => {
  expect(bareText(composeDigest({ ...NOTHING, events: burns(1) }, HEAD), TO)).toContain('09:00');
  expect(bareText(composeDigest({ ...NOTHING, events: burns(1) }, { ...HEAD, zone: 'America/New_York' }), TO)).toContain('03:00');
});

test('a message that arrives after midnight names the beginning and the end of its period, also of a quiet one', () => {
  const span = { from: instant(Date.UTC(2026, 10, 19, 22, 50)), to: instant(Date.UTC(2026, 10, 20, 22, 50)) };
  for (const events of [[], burns(1)])
    expect(bareText(composeDigest({ ...NOTHING, span, events }, HEAD), span.to)).toMatch(/Nov 19, 23:50.*Nov 20, 23:50/u);
});

test('a result says how the price moved since, and without a price nothing is said of it', () => {
  const made = composeDigest(
    { ...NOTHING, events: [{ ...proposal(1, 'Fund the audit'), priceSince: decimal('3.21') }, proposal(2, 'Retire the multisig')] },
    HEAD,
  );
  const lines = bareText(made, TO).split('\n');
  expect(lines.find((one) => one.includes('Fund the audit'))).toContain(' · price +3.2% since · ');
  expect(lines.find((one) => one.includes('Retire the multisig'))).not.toContain('since');
});

test('an answer has no "Why?"', () => {
  expect(composeDigest(NOTHING, { ...HEAD, id: undefined }).actions.map(({ line }) => line)).toEqual(['/history', '/digest']);
});

const CARD: CardFacts = {
  rows: [
    ...[{ name: 'TIDE', foundAt: later(TO, -4 * HOUR), value: decimal('-17.2'), before: decimal('-11.1') }].map((row) => ({
      ...row,
      ...{ low: decimal('-30.5'), high: decimal('12'), days: undefined },
    })),
  ],
  ...{ votes: [], moreVotes: 0, known: 2, below: 1, leftOut: ['NEW'] },
};

test('the card is the picture of a busy and of a quiet day, and the text names what it lacks and its oldest figure', () => {
  for (const facts of [NOTHING, { ...NOTHING, moves: [move('TIDE', '-6.1')], events: burns(2) }]) {
    const made = composeDigest({ ...facts, card: CARD }, HEAD);
    expect([made.chart?.kind, made.asOf]).toEqual(['ranges', later(TO, -4 * HOUR)]);
    expect(bareText(made, TO)).toContain('Not on the card: NEW');
  }
});

describe('unknown values', () => {
  test('are n/a, and without an earlier one no move is claimed', () => {
    const made = composeDigest({ ...NOTHING, moves: [{ ...move('TIDE', '-6.1'), nav: undefined }], unknown: ['heron', 'marsh'] }, HEAD);
    expect(bareText(made, TO)).toMatch(/NAV n\/a/u);
    expect(bareText(made, TO)).toMatch(/2 projects: n\/a/u);
    expect(composeDigest({ ...NOTHING, moves: [move('TIDE')] }, HEAD).chart).toBeUndefined();
  });

  test('old figures are marked, and so are failing checks', () => {
    const made = composeDigest({ ...NOTHING, moves: [{ ...move('TIDE', '-6.1'), foundAt: later(TO, -3 * DAY) }], failing: 1 }, HEAD);
    expect(bareText(made, TO).match(/⚠/gu)).toHaveLength(2);
  });
});

test('a weekly digest lists what was filtered by rule, those that filtered most first, with a button to widen that', () => {
  const by = (name: string, rule: string) => ({ name, rule, line: `/alerts ${name} supply` });
  const filteredBy = (count: number, name: string) => burns(count).map((one) => ({ ...one, by: by(name, '$10K and up') }));
  const filtered = [...filteredBy(1, 'heron'), ...filteredBy(14, 'tide')];
  const made = composeDigest({ ...NOTHING, filtered }, { ...HEAD, hasReceipt: true });
  expect(bareText(made, TO)).toContain('Filtered this week: 14 supply events (tide: $10K and up), 1 supply event (heron: $10K and up)');
  expect(made.actions).toContainEqual(expect.objectContaining({ label: 'Widen tide supply…', line: '/alerts tide supply' }));
  expect(bareText(composeDigest({ ...NOTHING, filtered }, HEAD), TO)).toContain('Below your filters: 15 burns');
  const many = ['a', 'b', 'c', 'd', 'e'].flatMap((name) => filteredBy(2, name));
  expect(bareText(composeDigest({ ...NOTHING, filtered: many, isCut: true }, { ...HEAD, hasReceipt: true }), TO)).toMatch(
    /Filtered this week: at least .*, 4 more/u,
  );
});

test('what was suppressed, not delivered or filtered out is counted', () => {
  const text = bareText(composeDigest({ ...NOTHING, events: burns(1), filtered: burns(12), suppressed: 5, undelivered: 1 }, HEAD), TO);
  expect(text).toMatch(/5 alerts.*1 alert.*12 burns/u);
});

test('counts that leave out older events are the least there were, in the leading line too', () => {
  const facts = { ...NOTHING, events: burns(2), filtered: burns(3) };
  const least = (isCut: boolean): readonly boolean[] =>
    bareText(composeDigest({ ...facts, isCut }, HEAD), TO)
      .split('\n')
      .filter((one) => /[23] burns/u.test(one))
      .map((one) => one.includes('at least'));
  expect(least(true)).toEqual([true, true]);
  expect(least(false)).toEqual([false, false]);
});

test('whatever happened, it fits one message with its picture, and names what it leaves out', () => {
  const long = 'Raise the allowance and everything else that anybody could ever want '.repeat(20);
  const facts: DigestFacts = {
    ...NOTHING,
    moves: Array.from({ length: 10 }, (_, index) => move(`SYMBOL${index}${long}`, '-6.1')),
    events: [...Array.from({ length: 40 }, (_, index) => proposal(index, long)), ...burns(300)],
    ...{
      filtered: burns(90),
      suppressed: 5_000,
      undelivered: 700,
      unknown: Array.from({ length: 90 }, (_, index) => `p${index}`),
      failing: 12,
      isCut: true,
    },
  };
  const made = composeDigest(facts, HEAD);
  expect(bareText(made, TO).length).toBeLessThanOrEqual(1_000);
  expect(htmlOf(made, TO).length).toBeLessThan(4_096);
  expect(made.blocks.flatMap((block) => (block.kind === 'list' ? block.more : []))).toEqual(expect.arrayContaining([expect.any(Number)]));
});

test('titles and names of the service neither mention, link nor format anything', () => {
  const title = '@everyone <@1> <b>x</b> [y](https://evil.example) `z` **w** https://evil.example\n# h';
  const made = composeDigest({ ...NOTHING, moves: [move(title, '-6.1')], events: [proposal(1, title)] }, HEAD);
  expect(made.mentions).toEqual([]);
  expect(htmlOf(made, TO)).not.toMatch(/<b>x|<a /u);
  const { content, embed } = rendered(made);
  for (const text of [content, embed?.description ?? '']) expect(text).not.toMatch(/(?<!\\)\[y\]\(|^# h|(?<!\\)\*\*w\*\*/mu);
  expect(
    plainText(made, TO)
      .split('\n')
      .some((one) => one.startsWith('# h')),
  ).toBe(false);
});
