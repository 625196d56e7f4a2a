/** Treasury's value by week or month. */
import { treasuryChart } from '../../src/analytics/endpoints/treasury.js';
import { DAY } from '../../src/base/clock.js';
import { percentChange } from '../../src/domain/decimal.js';
import { date, percent, usd } from '../../src/domain/format.js';
import { lineText } from '../../src/chat/plain-text.js';
import { treasuryHistoryChart, ages, isPast, brokenRows, periodEnds } from '../../src/reply/index.js';
import type { TreasuryView } from './view.js';

export const history: TreasuryView = async ({ analytics, project, signal, now }) => {
  const answer = await analytics.call(treasuryChart, { slug: project.slug }, { signal });
  const points = answer.data.rows
    .flatMap(({ at, value }) => (at === undefined || value === undefined ? [] : [{ at, value }]))
    .toSorted((a, b) => a.at - b.at);
  const last = points.at(-1);
  const before = last && points.findLast(({ at }) => at <= last.at - 30 * DAY);
  const change = last && before && percentChange(before.value, last.value);
  const finding = last
    ? [
        {
          strong: `${project.name}'s treasury ${isPast(answer, now) ? `was worth ${usd(last.value)} on ${date(last.at, now)}` : `is worth ${usd(last.value)}`}`,
        },
        change === undefined ? '' : `, ${percent(change)} in 30 d`,
      ]
    : [
        {
          strong: `${project.name}: ${answer.data.rows.length > 0 ? 'treasury history is unreadable' : 'no treasury history published'}`,
        },
      ];
  return {
    finding,
    chart: treasuryHistoryChart(points, lineText(finding, now)),
    blocks: [periodEnds(points, { title: 'Value', show: usd, now }), ...brokenRows(answer.data.broken)],
    ...ages(answer),
  };
};
