/** Premium over NAV/share at a past moment. */
import type { Analytics } from '../../src/analytics/analytics.js';
import { NAV_RANGES, premiumBreakdown } from '../../src/analytics/endpoints/treasury.js';
import { reply, type Reply } from '../../src/chat/reply.js';
import { date, percent, premium as inWords, price } from '../../src/domain/format.js';
import { gapOf } from '../../src/domain/premium.js';
import type { Project } from '../../src/domain/project.js';
import type { Instant } from '../../src/domain/scalars.js';
import { commandLine, choiceActions, ages, doubtful, line, earlierSnapshot, isoText } from '../../src/reply/index.js';

interface PastPremiumDeps {
  readonly analytics: Analytics;
  readonly project: Project;
  readonly at: Instant;
  readonly now: Instant;
  readonly signal: AbortSignal | undefined;
}

export async function pastPremium({ analytics, project, at, now, signal }: PastPremiumDeps): Promise<Reply> {
  const { slug } = project;
  const answer = await analytics.call(premiumBreakdown, { slug, timestamp: isoText(at) }, { signal });
  const { data } = answer;
  const gap = gapOf(data);
  const name = project.symbol ?? project.name;
  const dated = (moment: Instant | undefined): string => (moment === undefined ? '' : ` (${date(moment, now)})`);
  return reply({
    finding: [
      { at, exact: true },
      ': ',
      { strong: gap.percent === undefined ? `${name} had no premium or discount` : `${name} traded ${inWords(gap.percent)}` },
    ],
    blocks: [
      {
        kind: 'figures',
        items: [
          { label: 'Price', value: price(data.price) },
          { label: 'NAV/share', value: price(data.navPerShare) },
          { label: 'reported range', value: `${percent(data.low)}${dated(data.lowAt)} to ${percent(data.high)}${dated(data.highAt)}` },
          { label: 'average', value: percent(data.mean) },
        ],
      },
      ...(gap.reported === undefined
        ? []
        : [line(`⚠ Premium reported as ${percent(gap.reported)}, but price and NAV/share give ${percent(gap.percent)}.`)]),
      ...earlierSnapshot(data.at, at),
      ...doubtful(data.doubts),
    ],
    actions: [
      ...choiceActions(NAV_RANGES, '', (range) => commandLine('premium', slug, range)),
      { label: 'NAV then', line: commandLine('treasury', slug, 'nav', `at:${isoText(at)}`) },
      { label: 'Watch', line: commandLine('watch', slug) },
    ],
    ...ages(answer),
  });
}
