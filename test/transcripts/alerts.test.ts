/** The wording of alerts: one of each kind, one of each rule on each measure, and several in one message. */
import { DEFAULT_TEMPLATES, makeLinks } from '../../src/domain/links.js';
import { expect, test } from 'vitest';
import { compose, type ComposedEvent } from '../../src/alerts/delivery/compose-message.js';
import { DAY, HOUR, instant, later, MINUTE, type Instant } from '../../src/base/clock.js';
import { readRule } from '../../src/alerts/rules/read-rule.js';
import type { Crossing } from '../../src/domain/crossing.js';
import { MEASURES, THRESHOLD_MEASURES, type Measure } from '../../src/domain/measures.js';
import { absolute, add, multiply } from '../../src/domain/decimal.js';
import { decimal, type Decimal } from '../../src/domain/scalars.js';
import { thresholdRuleSchema } from '../../src/domain/threshold-rule.js';
import { THRESHOLD_STAGE, type Feed } from '../../src/feeds/feed.js';
import { FEEDS } from '../../src/feeds/index.js';
import { composeDigest } from '../../src/jobs/digest/compose.js';
import type { CardFacts } from '../../src/jobs/digest/card.js';
import type { DigestEvent } from '../../src/jobs/digest/gather.js';
import { transcript } from './render.js';

const LINKS = makeLinks(DEFAULT_TEMPLATES);
const NOW = instant(Date.UTC(2026, 10, 20, 12));

function composed(feed: Feed, crossings?: readonly Crossing[]): ComposedEvent {
  const { crossings: sampled, ...sample } = feed.sample(NOW);
  const event = crossings === undefined ? sample : { ...sample, stage: THRESHOLD_STAGE };
  const used = crossings ?? sampled;
  return {
    member: {
      event: event.id,
      entry: event.wallet ?? event.project ?? 'all',
      queuedAt: NOW,
      ...(used === undefined ? {} : { crossings: used }),
    },
    event,
    content: feed.content(event, { crossings: used, now: NOW }),
    silent: false,
  };
}

/** The threshold of the measure's first example, and a value above and below it; a rank has no threshold. */
function valuesOf(measure: Measure): readonly [was: Decimal, now: Decimal, threshold: Decimal] {
  const [example] = MEASURES[measure].threshold?.examples ?? [];
  if (example === undefined) return [decimal('12'), decimal('9'), decimal('10')];
  const found = readRule(example);
  const [rule] = found.read ? found.rules.thresholds : [];
  if (rule === undefined || !('threshold' in rule)) throw new Error(`${measure}: its first example has no threshold`);
  const by = (percent: string) => add(rule.threshold, multiply(absolute(rule.threshold), decimal(percent)));
  return [by('0.0684'), by('-0.1327'), rule.threshold];
}

function crossingsOf(measure: Measure): readonly Crossing[] {
  const [was, now, threshold] = valuesOf(measure);
  const rules = [
    ...(THRESHOLD_MEASURES.some((one) => one === measure)
      ? [
          { when: 'below', measure, threshold, hysteresis: MEASURES[measure].threshold?.hysteresis.least },
          { when: 'above', measure, threshold, hysteresis: MEASURES[measure].threshold?.hysteresis.least },
          ...(MEASURES[measure].of === 'subject'
            ? [
                { when: 'extreme', measure, days: '90' },
                { when: 'z-score', measure, least: '2' },
              ]
            : []),
        ]
      : []),
    ...(MEASURES[measure].each ? [] : [{ when: 'move', measure, by: '5' }]),
    ...(MEASURES[measure].flips ? [{ when: 'flip', measure }] : []),
    ...(MEASURES[measure].change ? [{ when: 'change', measure }] : []),
  ];
  return rules.map((rule) => {
    const rises = rule.when === 'above';
    const [from, to] = rises ? [now, was] : [was, now];
    return {
      rule: thresholdRuleSchema.parse(rule),
      side: rises ? 'high' : 'low',
      now: point(to, NOW),
      was: point(from, later(NOW, -2 * MINUTE)),
      since: point(from, later(NOW, -3 * DAY)),
      ...(rule.when === 'z-score' ? { zScore: decimal('-2.1') } : {}),
    };
  });
}

const point = (value: Decimal, at: Instant) => ({ at, value });

const sections = (parts: readonly (readonly [title: string, text: string])[]): string =>
  `${parts.map(([title, text]) => `## ${title}\n\n${text}`).join('\n\n')}\n`;

test('the wording of one alert of each kind is what the transcript says', async () => {
  const parts = FEEDS.map((feed) => [feed.id, transcript(compose({ links: LINKS, id: 'D1', events: [composed(feed)] }), NOW)] as const);
  await expect(sections(parts)).toMatchFileSnapshot('alerts/kinds.md');
});

test('the wording of each rule on each measure is what the transcript says', async () => {
  const parts = FEEDS.flatMap((feed) =>
    feed.alerts.measures.flatMap((measure) =>
      crossingsOf(measure).map((crossing) => {
        const events = [composed(feed, [crossing])] as const;
        return [`${measure} ${crossing.rule.when}`, transcript(compose({ links: LINKS, id: 'D1', events }), NOW)] as const;
      }),
    ),
  );
  await expect(sections(parts)).toMatchFileSnapshot('alerts/thresholds.md');
});

const LASTING: readonly Measure[] = ['premium', 'runway', 'margin'];

test('the wording of a threshold that must last, and of its end, is what the transcript says', async () => {
  const parts = FEEDS.flatMap((feed) =>
    feed.alerts.measures.flatMap((measure) => {
      const [crossing] = crossingsOf(measure);
      if (crossing === undefined || !LASTING.includes(measure)) return [];
      const rule = thresholdRuleSchema.parse({ ...crossing.rule, lasts: 6 * HOUR });
      // What a value was before it lasted is older than its last check, which was beyond the threshold too.
      const lasting = { ...crossing, rule, was: { ...crossing.now, at: crossing.was.at }, heldSince: later(NOW, -6 * HOUR) };
      const back: Crossing = { ...lasting, side: 'high', now: crossing.was, was: crossing.now, furthest: crossing.now };
      return [lasting, back].map((one, index) => {
        const events = [composed(feed, [one])] as const;
        return [`${measure}${index === 0 ? '' : ', its end'}`, transcript(compose({ links: LINKS, id: 'D1', events }), NOW)] as const;
      });
    }),
  );
  await expect(sections(parts)).toMatchFileSnapshot('alerts/lasting.md');
});

test('the wording of joined conditions, of those that must last, and of their end by either, is what the transcript says', async () => {
  const FUNDED = { when: 'above', measure: 'runway', threshold: '12', hysteresis: '1' };
  const RICH = { when: 'above', measure: 'nav', threshold: '5000000', hysteresis: '10000' };
  const own = { when: 'below', measure: 'premium', threshold: '-10', hysteresis: '2' };
  const at = (hours: number, value: string) => ({ at: later(NOW, -hours * HOUR), value: decimal(value) });
  const crossing = (rule: object, others: Crossing['others']): Crossing => ({
    ...{ rule: thresholdRuleSchema.parse(rule), side: 'low', others },
    ...{ now: at(0, '-17.2'), was: at(1, '-17.2'), since: at(80, '-4.1') },
  });
  const joined = crossing({ ...own, and: [FUNDED] }, { runway: decimal('14.2') });
  const back: Crossing = { ...joined, side: 'high', since: at(80, '-11.3'), furthest: at(20, '-18.4') };
  const parts: readonly (readonly [string, Crossing])[] = [
    ['premium and runway', joined],
    ['ended by the runway', { ...back, others: { runway: decimal('10.9') } }],
    ['ended by the premium', { ...back, now: at(0, '-7.5') }],
    [
      'three that lasted',
      {
        ...crossing({ ...own, and: [RICH, FUNDED], lasts: 6 * HOUR }, { nav: decimal('5312000'), runway: decimal('14.2') }),
        heldSince: later(NOW, -6 * HOUR),
      },
    ],
  ];
  const feed = FEEDS.find(({ id }) => id === 'premium');
  const shown = parts.map(
    ([name, one]) =>
      [name, feed === undefined ? '' : transcript(compose({ links: LINKS, id: 'D1', events: [composed(feed, [one])] }), NOW)] as const,
  );
  await expect(sections(shown)).toMatchFileSnapshot('alerts/joined.md');
});

const CARD: CardFacts = {
  rows: [
    { name: 'HERN', value: decimal('3.2'), before: decimal('-0.9'), low: decimal('-12.4'), high: decimal('61.2'), days: undefined },
    { name: 'TIDE', value: decimal('-17.2'), before: decimal('-11.1'), low: decimal('-30.5'), high: decimal('12'), days: 60 },
  ].map((row) => ({ ...row, foundAt: later(NOW, -5 * MINUTE) })),
  votes: [{ title: 'Hire a treasury steward', project: 'Tidewater', margin: decimal('1.4'), endsAt: later(NOW, 5 * HOUR) }],
  ...{ moreVotes: 0, known: 4, below: 3, leftOut: ['LARK', 'MRSH'] },
};

test('the wording of a digest is what the transcript says', async () => {
  const span = { from: later(NOW, -DAY), to: NOW };
  const head = { title: 'Daily digest', zone: 'Europe/Berlin', id: 'D1' };
  const nothing = {
    ...{ span, moves: [], events: [], filtered: [], isCut: false, suppressed: 0, undelivered: 0, projects: 14, unknown: [], wallets: 3 },
    watchedSince: undefined,
    ...{ failing: 0, checkedAt: later(NOW, -5 * MINUTE) },
  };
  const moves = [
    { slug: 'tide', name: 'TIDE', gap: '-17.2', gapBefore: '-11.1', gapChange: '-6.1', nav: '5766000', navChange: '-0.42' },
    { slug: 'heron', name: 'HERN', gap: '3.2', gapBefore: '-0.9', gapChange: '4.1', nav: '2140000', navChange: '1.2' },
    { slug: 'marsh', name: 'MRSH', gap: undefined, gapBefore: undefined, gapChange: undefined, nav: '812000', navChange: '-9.4' },
  ].map(({ slug, name, ...values }) => ({
    ...{ slug, name, foundAt: later(NOW, -5 * MINUTE) },
    ...{ gap: known(values.gap), gapBefore: known(values.gapBefore), gapChange: known(values.gapChange) },
    ...{ nav: known(values.nav), navChange: known(values.navChange) },
  }));
  const events = FEEDS.filter(({ id }) => id !== 'premium' && id !== 'treasury').map((feed) => composed(feed));
  const [supply] = events;
  const full = {
    ...nothing,
    moves,
    events,
    filtered: supply === undefined ? [] : [supply],
    suppressed: 3,
    undelivered: 1,
    unknown: ['lark', 'marsh'],
    failing: 1,
  };
  const parts = [
    ['a day', composeDigest(full, head)],
    ['a day with one event', composeDigest({ ...nothing, events: events.slice(0, 1) }, head)],
    [
      'a day of Digest only entries with more events than are read',
      composeDigest({ ...nothing, isCut: true, events: FEEDS.map((feed) => composed(feed)) }, head),
    ],
    [
      'a week with what was filtered',
      composeDigest({ ...full, filtered: filteredBy(supply) }, { ...head, title: 'Weekly digest', hasReceipt: true }),
    ],
    ['an empty day', composeDigest(nothing, head)],
    ['a day with a card', composeDigest({ ...nothing, moves, card: CARD }, head)],
    ['an empty day with a card', composeDigest({ ...nothing, card: CARD }, head)],
    ['the first day, watched for its last hours', composeDigest({ ...full, watchedSince: later(NOW, -2 * HOUR) }, head)],
    ['the first day without a move', composeDigest({ ...nothing, watchedSince: later(NOW, -2 * HOUR) }, head)],
  ] as const;
  await expect(sections(parts.map(([title, reply]) => [title, transcript(reply, NOW)]))).toMatchFileSnapshot('alerts/digest.md');
});

const filteredBy = (event: DigestEvent | undefined): readonly DigestEvent[] =>
  ['tide', 'tide', 'heron'].flatMap((name) =>
    event === undefined ? [] : [{ ...event, by: { name, rule: '$500K and up', line: `/alerts ${name} supply` } }],
  );

const known = (value: string | undefined): Decimal | undefined => (value === undefined ? undefined : decimal(value));

test('the wording of several alerts in one message is what the transcript says', async () => {
  const [first, ...others] = FEEDS.map((feed) => composed(feed));
  if (first === undefined) throw new Error('there is no feed');
  const events = [first, ...others] as const;
  const parts = [
    ['several at once', compose({ links: LINKS, id: 'D1', events })],
    [
      'after an outage',
      compose({
        links: LINKS,
        id: 'D1',
        events,
        head: { words: 'Catching up: the bot was down for 6 h', tone: 'warning', more: 12 },
      }),
    ],
  ] as const;
  await expect(sections(parts.map(([title, reply]) => [title, transcript(reply, NOW)]))).toMatchFileSnapshot('alerts/several.md');
});
