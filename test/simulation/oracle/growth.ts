/** Daily values of growth: each new one once, and what is restated as a correction of its alert, or as an alert where there was none. */
import { MINUTE, SECOND } from '../../../src/base/clock.js';
import type { Posted } from '../platform/platform.js';
import type { GrowthDay } from '../world/world.js';
import { isSteady, MAX_EDITED, tolerance, type ChatView } from './ledger.js';
import { alertsOf, correctedTo, countIn, editsOf, growthIn, namesAll } from './texts.js';
import type { Tally, Violation } from './verdict.js';
import { count, verdictOf, type Verdict } from './undated.js';
import { boundsOf, EVERY, settledBy } from './windows.js';

const FEED = '/v1/growth-feed';

export function judgeGrowth(view: ChatView, tally: Tally): readonly Violation[] {
  const { chat, platform, played } = view;
  const posts = alertsOf(platform, chat);
  const { repeats, losses } = tolerance(view);
  const isNamed = namesAll(posts);
  return played.scenario.world.growth.flatMap((one): readonly Violation[] => {
    const { value, restated, at } = one;
    const wrong = wrongIn(view, one);
    const isBase = at < played.scenario.start;
    const versions = new Set([value, ...restated.map(({ to }) => to)]);
    const shown = posts.filter(({ text }) => growthIn(text).some((said) => said.was === undefined && versions.has(said.value)));
    const violations: Violation[] = [];
    // A day that was there before the bot is not new.
    const fresh = isBase ? 'no' : verdict(view, one, at);
    count(tally, fresh);
    tally.delivered += shown.length;
    if (fresh === 'no' && shown.length > 0) violations.push(wrong('unwanted', 'came'));
    if (fresh === 'yes' && shown.length === 0 && losses === 0 && isNamed) violations.push(wrong('lost', 'did not come'));
    if (shown.length > 1 + repeats) violations.push(wrong('duplicated', `came ${shown.length} times`));
    return [...violations, ...judgeRestated(view, { one, posts, shown }, tally)];
  });
}

const wrongIn =
  ({ chat }: ChatView, { metric, day, project }: GrowthDay) =>
  (kind: Violation['kind'], says: string): Violation => ({ kind, says: `${chat}: ${metric} of ${day} (${project}) ${says}` });

interface Shown {
  readonly one: GrowthDay;
  readonly posts: readonly Posted[];
  /** The alerts of the day. */
  readonly shown: readonly Posted[];
}

function judgeRestated(view: ChatView, { one, posts, shown }: Shown, tally: Tally): readonly Violation[] {
  const { chat, platform, played } = view;
  const { value, restated, at: begins } = one;
  const { repeats, losses } = tolerance(view);
  const isNamed = namesAll(posts);
  const wrong = wrongIn(view, one);
  const edits = editsOf(platform, chat);
  const before = [value];
  const corrected: Corrected[] = [];
  return restated.flatMap(({ at, to }, index): readonly Violation[] => {
    const violations: Violation[] = [];
    const again = posts.filter(({ text }) =>
      growthIn(text).some((said) => said.was !== undefined && before.includes(said.was) && said.value === to),
    );
    const edited = [...posts, ...edits].filter(({ text }) => correctedTo(text, to));
    // A reply that follows up what cannot be edited reads like an alert.
    const marked = [...edited, ...again].toSorted((a, b) => a.at - b.at);
    tally.delivered += again.length;
    if (again.length > 1 + repeats) violations.push(wrong('duplicated', `came restated to ${to} ${again.length} times`));
    if (edited.length > 0 && again.length > repeats && shown.length > 0)
      violations.push(wrong('duplicated', `is corrected to ${to} twice`));
    const [first] = marked;
    if (first !== undefined && first.at < at) violations.push(wrong('correction wrong', `is corrected to ${to} before it is restated`));
    // Later ones wait for the pause after the one before.
    const from = at + (index === 0 ? 0 : pauseAfter(index));
    const next = restated[index + 1]?.at ?? Number.POSITIVE_INFINITY;
    const isReplaced = settledBy(from, boundsOf(played.scenario).delivery(EVERY.growth), view.troubles) >= next;
    const [atOnce, then] = [verdict(view, one, at), verdict(view, one, from)];
    const due = atOnce === then ? then : 'maybe';
    const surely = isReplaced && due === 'yes' ? 'maybe' : due;
    const [alert] = shown;
    if (alert === undefined) {
      // Without an alert before it, it is one.
      const wanted = begins < played.scenario.start && index === 0 ? surely : due === 'no' ? 'no' : 'maybe';
      count(tally, wanted);
      if (wanted === 'no' && again.length > 0) violations.push(wrong('unwanted', 'came restated'));
      if (wanted === 'yes' && again.length === 0 && losses === 0 && isNamed) violations.push(wrong('lost', 'did not come restated'));
    } else {
      const shows = (text: string): boolean => growthIn(text).some((said) => before.includes(said.value));
      const isAlerted = alert.at < at && shows(alert.text) && (countIn(alert.text) ?? 1) <= MAX_EDITED;
      const wanted = isSteady(view) && shown.length === 1 && isAlerted ? surely : 'maybe';
      count(tally, wanted);
      if (wanted === 'yes' && marked.length === 0) {
        if (played.endedAt < played.givesUpAt) tally.owed += 1;
        else violations.push(wrong('correction wrong', `is not corrected to ${to}`));
      }
    }
    before.push(to);
    if (first === undefined) return violations;
    if (isTooSoon(view, one, { corrected, now: { at, shownAt: first.at } }))
      violations.push(wrong('correction wrong', `is corrected to ${to} too soon after ${corrected.length} corrections`));
    corrected.push({ at, shownAt: first.at });
    return violations;
  });
}

interface Corrected {
  /** When the service restated it, and when the chat saw it. */
  readonly at: number;
  readonly shownAt: number;
}

/** Decision 28: after the first correction of a value the next waits five minutes, then ten, then twenty. */
const pauseAfter = (corrections: number): number => 5 * MINUTE * 2 ** (corrections - 1);

/** Of a check, between its request and what it notes. */
const SLACK = 5 * SECOND;

/** Whether two checks that can have found them are too close together, at the most. */
function isTooSoon(
  { played, skew }: ChatView,
  { project }: GrowthDay,
  { corrected, now }: { readonly corrected: readonly Corrected[]; readonly now: Corrected },
): boolean {
  const last = corrected.at(-1);
  if (last === undefined || skew > 0) return false;
  const checks = played.service.exchanges.filter(({ path, slug, isAnswered }) => path === FEED && slug === project && isAnswered);
  const earliest = checks.find((check) => check.at > last.at - SLACK)?.at ?? last.at;
  const latest = checks.findLast((check) => check.at <= now.shownAt)?.at ?? now.shownAt;
  return latest - earliest < pauseAfter(corrected.length) - SLACK;
}

const verdict = (view: ChatView, { project }: GrowthDay, at: number): Verdict =>
  verdictOf(view, { project, at, path: FEED, every: EVERY.growth, watchedSince: ({ growth }) => growth });
