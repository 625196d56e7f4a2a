/** The wording of alerts: one of each kind, one of each rule on each measure, and several in one message. */
import { DEFAULT_TEMPLATES, makeLinks } from '../../src/domain/links.js';
import { expect, test } from 'vitest';
import { compose, type ComposedEvent } from '../../src/alerts/delivery/compose.js';
import { DAY, instant, later, MINUTE, type Instant } from '../../src/base/clock.js';
import type { Crossing } from '../../src/domain/crossing.js';
import { MEASURES, THRESHOLD_MEASURES, type Measure } from '../../src/domain/measures.js';
import { decimal } from '../../src/domain/scalars.js';
import { thresholdRuleSchema } from '../../src/domain/threshold-rule.js';
import type { Feed } from '../../src/feeds/feed.js';
import { FEEDS } from '../../src/feeds/index.js';
import { transcript } from './render.js';

const LINKS = makeLinks(DEFAULT_TEMPLATES);
const NOW = instant(Date.UTC(2026, 10, 20, 12));

function composed(feed: Feed, crossings?: readonly Crossing[]): ComposedEvent {
  const { crossings: sampled, ...event } = feed.sample(NOW);
  const used = crossings ?? sampled;
  return {
    member: { event: event.id, entry: 'tide', queuedAt: NOW, ...(used === undefined ? {} : { crossings: used }) },
    event,
    content: feed.content(event, { crossings: used, now: NOW }),
    silent: false,
  };
}

/** A value before and after each rule of a measure. */
const VALUES: Readonly<Record<Measure, readonly [was: string, now: string, level: string]>> = {
  premium: ['-9.1', '-17.23', '-10'],
  price: ['0.6423', '0.5848', '0.6'],
  price24h: ['-9', '-16.4', '-15'],
  runway: ['6.4', '5.2', '6'],
  nav: ['5200000', '4766000', '5000000'],
  allowance: ['120000', '100000', '110000'],
  rank: ['12', '9', '10'],
};

function crossingsOf(measure: Measure): readonly Crossing[] {
  const [was, now, level] = VALUES[measure];
  const rules = [
    ...(THRESHOLD_MEASURES.some((one) => one === measure)
      ? [
          { when: 'below', measure, level, band: MEASURES[measure].threshold?.hysteresis.least },
          { when: 'above', measure, level, band: MEASURES[measure].threshold?.hysteresis.least },
          { when: 'extreme', measure, days: '90' },
          { when: 'z-score', measure, least: '2' },
        ]
      : []),
    { when: 'move', measure, by: '5' },
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

const point = (value: string, at: Instant) => ({ at, value: decimal(value) });

const sections = (parts: readonly (readonly [title: string, text: string])[]): string =>
  `${parts.map(([title, text]) => `## ${title}\n\n${text}`).join('\n\n')}\n`;

test('the wording of one alert of each kind is what the transcript says', async () => {
  const parts = FEEDS.map(
    (feed) => [feed.id, transcript(compose({ links: LINKS, id: 'D1', kind: 'now', events: [composed(feed)] }), NOW)] as const,
  );
  await expect(sections(parts)).toMatchFileSnapshot('alerts/kinds.md');
});

test('the wording of each rule on each measure is what the transcript says', async () => {
  const parts = FEEDS.flatMap((feed) =>
    feed.alerts.measures.flatMap((measure) =>
      crossingsOf(measure).map((crossing) => {
        const events = [composed(feed, [crossing])] as const;
        return [`${measure} ${crossing.rule.when}`, transcript(compose({ links: LINKS, id: 'D1', kind: 'now', events }), NOW)] as const;
      }),
    ),
  );
  await expect(sections(parts)).toMatchFileSnapshot('alerts/thresholds.md');
});

test('the wording of several alerts in one message is what the transcript says', async () => {
  const [first, ...others] = FEEDS.map((feed) => composed(feed));
  if (first === undefined) throw new Error('there is no feed');
  const events = [first, ...others] as const;
  const parts = [
    ['several at once', compose({ links: LINKS, id: 'D1', kind: 'now', events })],
    ['samples', compose({ links: LINKS, id: 'D1', kind: 'sample', events })],
    [
      'after an outage',
      compose({
        links: LINKS,
        id: 'D1',
        kind: 'summary',
        events,
        head: { words: 'Catching up: the bot was down for 6 h', tone: 'warning', more: 12 },
      }),
    ],
  ] as const;
  await expect(sections(parts.map(([title, reply]) => [title, transcript(reply, NOW)]))).toMatchFileSnapshot('alerts/several.md');
});
