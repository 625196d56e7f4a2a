/** Saved screens by docs/alerts.md: a project enters at the threshold and leaves beyond the hysteresis, each alerted once; the first evaluation alerts nothing. */
import { MINUTE } from '../../../src/base/clock.js';
import type { Ask } from '../scenario/scenario.js';
import { followed, isUndisturbed, type Segment } from './followed.js';
import { tolerance, type ChatView } from './ledger.js';
import { alertsOf } from './texts.js';
import type { Tally, Violation } from './verdict.js';

interface State {
  readonly isIn: boolean;
}

/** A check of values comes every second interval; this much later it has surely come. */
const SLACK = 5 * MINUTE;
/** The price is in thousandths; docs/alerts.md: its hysteresis is 2% of the threshold. */
const HYSTERESIS = 0.02;
const ALERT = /\b(entered|left) your screen price>[\d.]+: price \$([\d.]+)/gu;
const units = (text: string): number => Math.round(Number(text) * 1_000);

export function judgeScreens(view: ChatView, tally: Tally): readonly Violation[] {
  const wishes = view.wishes.filter((wish): wish is typeof wish & { ask: Extract<Ask, { kind: 'screen' }> } => wish.ask.kind === 'screen');
  const [wish, ...others] = wishes;
  if (wish === undefined || others.length > 0 || wish.doneAt === Number.POSITIVE_INFINITY || view.skew > 0) return [];
  const { played, chat, platform, troubles } = view;
  const { scenario, endedAt } = played;
  const every = 2 * scenario.pollSeconds * 1_000 + SLACK;
  const level = units(wish.ask.level);
  const back = level * (1 - HYSTERESIS);
  const all = scenario.world.values;
  const segments = all.map((one, index): Segment => ({
    from: one.at,
    to: all[index + 1]?.at ?? endedAt,
    value: units(one.price),
    text: one.price,
  }));
  const blind = troubles.filter((one) => played.disturbances.some((other) => other.from === one.from && other.to === one.to));
  const posts = alertsOf(platform, chat).flatMap(({ at, text }) =>
    [...text.matchAll(ALERT)].map(([, verb, price]) => ({ at, isIn: verb === 'entered', value: units(price ?? '') })),
  );
  const isPosted = ({ from, value }: Segment, isIn: boolean): boolean =>
    posts.some((one) => one.isIn === isIn && one.value === value && one.at >= from);
  const wrong = posts.flatMap((post, index): readonly Violation[] => {
    const says = `${chat}: ${post.isIn ? 'entered' : 'left'} at ${post.value}`;
    const possible = segments.filter((one) => one.value === post.value && one.from <= post.at);
    if (possible.length === 0 || (post.isIn ? post.value <= level : post.value > back)) return [{ kind: 'invented', says }];
    const earlier = posts.slice(0, index).filter((one) => one.value === post.value && one.isIn === post.isIn).length;
    return earlier >= possible.length + tolerance(view).repeats ? [{ kind: 'duplicated', says }] : [];
  });
  const begins = segments.filter((one) => one.from < wish.doneAt + every && one.to > wish.askedAt - every);
  const isNow = (state: State, value: number): boolean => (state.isIn ? value > back : value > level);
  const missed = followed<State>(
    view,
    {
      states: [...new Set(begins.map(({ value }) => value > level))].map((isIn) => ({ isIn })),
      segments: segments.filter((one) => one.from > wish.doneAt),
      isUnsure: (segment) => begins.includes(segment) || !isUndisturbed(segment, every, blind),
      seen: (state, { value }) => [{ state: { isIn: isNow(state, value) }, alerts: isNow(state, value) !== state.isIn }],
      wasPosted: (segment) => isPosted(segment, segment.value > level),
      name: ({ text }) => `an alert of the screen at ${text}`,
    },
    tally,
  );
  return [...wrong, ...missed];
}
