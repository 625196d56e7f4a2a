/** Daily values of growth: each new one once, and what is restated as a correction of its alert, or as an alert where there was none. */
import type { GrowthDay } from '../world/world.js';
import { tolerance, type ChatView } from './ledger.js';
import { alertsOf, correctedTo, countIn, growthIn, namesAll } from './texts.js';
import type { Tally, Violation } from './verdict.js';
import { count, verdictOf, type Verdict } from './undated.js';
import { EVERY } from './windows.js';

const FEED = '/v1/growth-feed';
/** docs/alerts.md: a message of up to nine events is edited. */
const MAX_EDITED = 9;

export function judgeGrowth(view: ChatView, tally: Tally): readonly Violation[] {
  const { chat, platform, played } = view;
  const posts = alertsOf(platform, chat);
  const { repeats, losses } = tolerance(view);
  const isNamed = namesAll(posts);
  return played.scenario.world.growth.flatMap((one): readonly Violation[] => {
    const { project, metric, day, value, restated, at } = one;
    const wrong = (kind: Violation['kind'], says: string): Violation => ({
      kind,
      says: `${chat}: ${metric} of ${day} (${project}) ${says}`,
    });
    const isBase = at < played.scenario.start;
    const versions = new Set([value, ...(restated === undefined ? [] : [restated.to])]);
    const shown = posts.filter(({ text }) => growthIn(text).some((said) => said.was === undefined && versions.has(said.value)));
    const again = posts.filter(({ text }) => growthIn(text).some((said) => said.was === value && said.value === restated?.to));
    const violations: Violation[] = [];
    // A day that was there before the bot is not new.
    const fresh = isBase ? 'no' : verdict(view, one, at);
    count(tally, fresh);
    tally.delivered += shown.length + again.length;
    if (fresh === 'no' && shown.length > 0) violations.push(wrong('unwanted', 'came'));
    if (fresh === 'yes' && shown.length === 0 && losses === 0 && isNamed) violations.push(wrong('lost', 'did not come'));
    if (shown.length > 1 + repeats || again.length > 1 + repeats)
      violations.push(wrong('duplicated', `came ${shown.length} times, restated ${again.length} times`));
    if (restated === undefined) return violations;
    const [first] = shown;
    if (first === undefined) {
      // Without an alert before it, it is one.
      const due = isBase ? verdict(view, one, restated.at) : 'maybe';
      count(tally, due);
      if (due === 'no' && again.length > 0) violations.push(wrong('unwanted', 'came restated'));
      if (due === 'yes' && again.length === 0 && losses === 0 && isNamed) violations.push(wrong('lost', 'did not come restated'));
      return violations;
    }
    const edited = [...posts, ...platform.edits.filter((edit) => edit.chat.startsWith(chat))].filter(({ text }) =>
      correctedTo(text, restated.to),
    );
    // A reply that follows up what cannot be edited reads like an alert.
    const marked = [...edited, ...again];
    if (marked.some((post) => post.at < restated.at)) violations.push(wrong('correction wrong', 'is corrected before it is restated'));
    const shows = (text: string, amount: number): boolean => growthIn(text).some((said) => said.value === amount);
    const isAlerted = first.at < restated.at && shows(first.text, value) && (countIn(first.text) ?? 1) <= MAX_EDITED;
    const isOpen =
      !platform.isExact || shown.length > 1 || platform.deletions.get(chat) !== undefined || losses > 0 || hasMoved(view) || !isAlerted;
    const due = isOpen ? 'maybe' : verdict(view, one, restated.at);
    count(tally, due);
    if (due === 'yes' && marked.length === 0) {
      if (played.endedAt < played.givesUpAt) tally.owed += 1;
      else violations.push(wrong('correction wrong', 'is not corrected'));
    }
    if (edited.length > 0 && again.length > repeats) violations.push(wrong('duplicated', 'is corrected twice'));
    return violations;
  });
}

const hasMoved = ({ played, chat }: ChatView): boolean => played.disturbances.some((one) => one.what === 'moved' && one.chat === chat);

const verdict = (view: ChatView, { project }: GrowthDay, at: number): Verdict =>
  verdictOf(view, { project, at, path: FEED, every: EVERY.growth, watchedSince: ({ growth }) => growth });
