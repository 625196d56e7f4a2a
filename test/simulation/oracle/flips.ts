/** Markets that flip: an alert when the margin is on the other side than the last alerted one, at most hourly, and never of another market. */
import { MINUTE } from '../../../src/base/clock.js';
import type { Market } from '../world/world.js';
import { marginOf, sidesOf } from '../world/truth.js';
import type { Span } from './chat-state.js';
import { alertOf, followed, isAwaited, isUndisturbed, type Segment } from './followed.js';
import { tolerance, type ChatView } from './ledger.js';
import { alertsOf } from './texts.js';
import type { Tally, Violation } from './verdict.js';

interface State {
  readonly isPassing: boolean;
  readonly alerted: Span | undefined;
}

const FLIP = /"([^"]+)" flipped: (passing|failing) by ([\d.]+) pts/gu;
/** A check comes within two intervals; this much later it has surely come. */
const SLACK = 5 * MINUTE;

export function judgeFlips(view: ChatView, tally: Tally): readonly Violation[] {
  const { played, chat, platform } = view;
  const posts = alertsOf(platform, chat).flatMap(({ at, text }) =>
    [...text.matchAll(FLIP)].map(([, title = '', word = '', size = '']) => ({
      at,
      title,
      margin: `${word === 'failing' ? '-' : ''}${size}`,
    })),
  );
  const { markets } = played.scenario.world;
  const wrong = posts.flatMap(({ at, title, margin }, index): readonly Violation[] => {
    const says = `${chat}: a flip of ${title} to ${margin}`;
    const market = markets.find((one) => one.title === title);
    if (market === undefined || !isTrue(market, margin, at)) return [{ kind: 'invented', says }];
    const isSame = (other: string): boolean =>
      market.flipsAt === undefined ? other.startsWith('-') === margin.startsWith('-') : other === margin;
    const repeats = posts.slice(0, index).filter((one) => one.title === title && isSame(one.margin)).length;
    return repeats > tolerance(view).repeats ? [{ kind: 'duplicated', says }] : [];
  });
  return [...wrong, ...markets.flatMap((market) => (market.flipsAt === undefined ? [] : follow(view, { market, posts }, tally)))];
}

/** Without moments of its own a market is failing when it begins, and its margin only rises. */
function isTrue(market: Market, margin: string, at: number): boolean {
  if (market.flipsAt === undefined) return market.liveAt <= at && !margin.startsWith('-');
  return segmentsOf(market)
    .slice(1)
    .some(({ from, text }) => from <= at && text === margin);
}

interface Posts {
  readonly market: Market;
  readonly posts: readonly { readonly title: string; readonly margin: string }[];
}

function follow(view: ChatView, { market, posts }: Posts, tally: Tally): readonly Violation[] {
  const { played, troubles, wishes, skew } = view;
  const { scenario } = played;
  const watch = wishes.find(({ ask }) => ask.kind === 'watch');
  const isOpen = scenario.requestsPerMonth !== undefined || skew > 0 || watch === undefined || watch.doneAt > market.liveAt;
  if (isOpen) return [];
  const every = 2 * scenario.pollSeconds * 1_000 + SLACK;
  const segments = segmentsOf(market);
  const isSeen = (span: Span): boolean => isUndisturbed(span, every, troubles);
  const [first] = segments;
  const begins = first === undefined || isSeen(first) ? [true] : [true, false];
  const posted = new Set(posts.filter(({ title }) => title === market.title).map(({ margin }) => margin));
  return followed<State>(
    view,
    {
      states: begins.map((isPassing) => ({ isPassing, alerted: undefined })),
      segments: segments.slice(1),
      isUnsure: (segment) => !(isSeen(segment) || isAwaited(view, segment)),
      seen: (state, segment) =>
        segment.value > 0 === state.isPassing
          ? [{ state, alerts: false }]
          : alertOf(state, segment, { every, isSeen, troubles, after: (alerted) => ({ isPassing: segment.value > 0, alerted }) }),
      wasPosted: ({ text }) => posted.has(text),
      name: ({ text }) => `an alert of the flip of ${market.title} to ${text}`,
    },
    tally,
  );
}

/** The last one ends with the market. */
function segmentsOf(market: Market): readonly Segment[] {
  return sidesOf(market).map((from, index, all) => {
    const text = marginOf(market, from);
    return { from, to: all[index + 1] ?? market.endsAt, value: Number(text), text };
  });
}
