/** The card of a digest: which projects are on it, how far their ranges reach, and which votes. */
import { expect, test } from 'vitest';
import type { CheckRecord, KnownDate } from '../../../src/alerts/checks/check-records.js';
import { openWatchlists } from '../../../src/alerts/watchlist/watchlists.js';
import { DAY, HOUR, instant, later, type Instant } from '../../../src/base/clock.js';
import { chartSchema } from '../../../src/chat/chart.js';
import { decimal, slug } from '../../../src/domain/scalars.js';
import { cardChart, gatherCard, leftOutText, type CardFacts } from '../../../src/jobs/digest/card.js';
import type { MeasuredProject } from '../../../src/jobs/digest/moves.js';
import { openStore } from '../../../src/store/open.js';
import { CHAT, entry, TIDE } from '../../alerts/harness.js';

const NOW = instant(Date.UTC(2026, 10, 20, 8));
const SPAN = { from: later(NOW, -DAY), to: NOW };

const ago = (days: number): Instant => later(NOW, -days * DAY);

/** It gives a premium a day that swings between the two, then one of now. */
function project(name: string, gap: string, { days = 400, low = '-30.5', high = '12', foundAt = later(NOW, -HOUR), before = '-11' } = {}) {
  const past = Array.from({ length: days }, (_, index) => ({ at: ago(days - index), gap: decimal(index % 2 === 0 ? low : high) }));
  return {
    ...{ slug: name.toLowerCase(), name, foundAt, last: { at: foundAt, gap: decimal(gap) } },
    past: [...past.filter(({ at }) => at < SPAN.from), { at: SPAN.from, gap: decimal(before) }],
  } satisfies MeasuredProject;
}

const vote = (topic: string, hours: number, facts: Readonly<Record<string, unknown>>, at = slug('tide')): KnownDate => ({
  ...{ topic: `proposals/${at}/${topic}`, project: at, what: 'end', at: later(NOW, hours * HOUR), readAt: NOW, title: topic },
  facts: { name: 'Tidewater', ...facts },
});

async function gather(projects: readonly MeasuredProject[], dates: readonly KnownDate[] = []) {
  const watchlists = await openWatchlists(await openStore('memory://'));
  await watchlists.change(CHAT, (chat) => ({ ...chat, entries: [entry(TIDE, ago(9))] }));
  const record: CheckRecord = {
    ...{ feed: 'proposals', subject: 'tide', triedAt: NOW, okAt: NOW, failures: 0, hidden: 0, broken: 0, complete: true },
    dates: [...dates],
  };
  const context = { checkRecords: { all: () => [record] }, analytics: { kept: async () => undefined } };
  return gatherCard(watchlists.read(CHAT), { projects, span: SPAN }, context);
}

const drawn = (facts: CardFacts | undefined, zone = 'UTC') => {
  if (facts === undefined) throw new Error('there is no card');
  const chart = chartSchema.parse(cardChart(facts, { span: SPAN, zone }));
  if (chart.kind !== 'ranges') throw new Error('the card is no chart of ranges');
  return chart;
};

test('a project is a bar from the low to the high of its last year with the value of now and of the beginning', async () => {
  const older = { at: ago(380), gap: decimal('-90') };
  const tide = project('TIDE', '-17.2');
  const { rows, title, middle } = drawn(await gather([{ ...tide, past: [older, ...tide.past] }]));
  expect(rows).toEqual([{ name: 'TIDE', low: -30.5, high: 12, value: -17.2, before: -11 }]);
  expect([title, middle]).toEqual(['TIDE trades 17.2% below NAV', 0]);
});

test('the value of now widens the range, and a younger history says how far it reaches', async () => {
  const { rows } = drawn(await gather([project('TIDE', '-44', { days: 60 })]));
  expect(rows).toMatchObject([{ low: -44, high: 12, note: '60D' }]);
});

test('a project without a known range, or not checked today, is named and not drawn', async () => {
  const facts = await gather([
    project('TIDE', '-17.2'),
    project('NEW', '-3', { days: 8 }),
    project('LATE', '-9', { foundAt: ago(2) }),
    { slug: 'none', name: 'NONE', foundAt: NOW, last: undefined, past: [] },
  ]);
  expect(facts?.rows.map(({ name }) => name)).toEqual(['TIDE']);
  expect(facts && leftOutText(facts)).toMatch(/^Not on the card: (NEW, LATE|LATE, NEW) \(/u);
  expect(await gather([project('NEW', '-3', { days: 8 })])).toBeUndefined();
});

test('the six that moved most are drawn, from the highest premium to the lowest, and the rest is counted', async () => {
  const projects = Array.from({ length: 9 }, (_, index) =>
    project(`P${index}`, String(-20 + index), { before: String(-20 + index - (index + 1)) }),
  );
  const { rows, foot, title } = drawn(await gather(projects));
  expect(rows.map(({ name }) => name)).toEqual(['P8', 'P7', 'P6', 'P5', 'P4', 'P3']);
  expect([foot, title]).toEqual(['6 of 9 projects, those that moved most', 'All 9 projects trade below NAV']);
});

test('where the process holds no history, the one that the last check stored is used, and nothing is requested', async () => {
  const { past: _, ...tide } = project('TIDE', '-17.2');
  const rows = Array.from({ length: 90 }, (__, index) => ({ at: ago(90 - index), premium: decimal(index % 2 === 0 ? '-25' : '4') }));
  const watchlists = await openWatchlists(await openStore('memory://'));
  // Anything but the stored answer would throw: there is nothing else to call.
  const analytics = { kept: async () => ({ data: { rows, broken: 0 }, at: NOW }) as never };
  const facts = await gatherCard(
    watchlists.read(CHAT),
    { projects: [{ ...tide, past: [] }], span: SPAN },
    { checkRecords: { all: () => [] }, analytics },
  );
  expect(facts?.rows).toMatchObject([{ low: '-25', high: '4', before: undefined, days: 90 }]);
});

test('the next three votes of what the chat watches have their margin and the time left in its timezone', async () => {
  const facts = await gather(
    [project('TIDE', '-17.2')],
    [
      vote('late', 90, { title: 'Late' }),
      vote('second', 30, { title: 'Buy back', passEdge: '1', threshold: '4.3' }),
      vote('first', 5, { title: 'Hire', margin: '1.4' }),
      vote('over', -1, { title: 'Over' }),
      vote('unreadable', 6, { margin: [] }),
      vote('elsewhere', 4, { title: 'Not watched' }, slug('heron')),
      vote('third', 40, {}),
    ],
  );
  const { items, alternative } = drawn(facts, 'Europe/Berlin');
  expect(items?.rows).toEqual([
    { name: 'Hire', value: 'passing by 1.4 pts', tone: 'up', note: expect.stringMatching(/^Tidewater · ends 14:00 .*, in 5 h$/u) },
    { name: 'Buy back', value: 'failing by 3.3 pts', tone: 'down', note: expect.stringMatching(/Nov 21, 15:00/u) },
    { name: 'an untitled proposal', value: 'live', tone: 'quiet', note: expect.stringMatching(/Nov 22, 01:00/u) },
  ]);
  expect(items?.title).toBe('Live votes: the next 3 of 4 to end');
  expect(alternative).toMatch(/TIDE −17\.2%, 1Y range −30\.5% to \+12\.0%; Hire: passing by 1\.4 pts/u);
});
