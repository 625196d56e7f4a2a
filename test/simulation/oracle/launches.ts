/** Launches: their stages as messages, and the live message that is edited as they proceed. */
import type { Launch } from '../world/world.js';
import { type Entry, entryFor, entryForOne, MOMENT, statesBetween } from './chat-state.js';
import { judgeEdits } from './edits.js';
import { hasMoved, isSteady, MAX_EDITED, tolerance, troublesOfOne, type ChatView } from './ledger.js';
import { alertsOf, correctedAmountIn, countIn, editsOf, launchStagesIn, namesAll, type LaunchStage } from './texts.js';
import type { Tally, Violation } from './verdict.js';
import { boundsOf, EVERY, knownFrom, settledBy } from './windows.js';

const LISTS = ['recent-launches', 'completed-launches/info', 'graveyard-launches'].map((name) => `/v1/global-dashboard/${name}`);

export function judgeLaunches(view: ChatView, tally: Tally): readonly Violation[] {
  return view.played.scenario.world.launches.flatMap((launch) => [
    ...judgeStages(view, launch, tally),
    ...judgeAmount(view, launch, tally),
    ...judgeEdits(view, {
      ...{ title: launch.title, project: launch.project, feed: 'launches', endsAt: launch.endsAt },
      names: (text) => text.includes(`${launch.title} (`) || text.includes(`${launch.title}'s launch`),
      isBegin: (text) => /^\S (?:New launch: |Launch live: |\S+'s launch reached its minimum)/u.test(text),
      isResult: (text) => /^\S \S+'s launch (?:completed|is refunding)/u.test(text),
      progress: (text) => Number(/([\d.,]+)% of the /u.exec(text)?.[1]?.replaceAll(',', '') ?? 0),
    }),
  ]);
}

interface Stage {
  readonly name: LaunchStage;
  readonly at: number;
  /** What is found together with the next one is one message with it. */
  readonly next: number;
}

const stagesOf = ({ liveAt, minimumAt, endsAt, result }: Launch): readonly Stage[] => [
  { name: 'live', at: liveAt, next: minimumAt ?? endsAt },
  ...(minimumAt === undefined ? [] : [{ name: 'minimum' as const, at: minimumAt, next: endsAt }]),
  { name: result, at: endsAt, next: Number.POSITIVE_INFINITY },
];

function judgeStages(view: ChatView, launch: Launch, tally: Tally): readonly Violation[] {
  const { chat, platform, played, wishes, skew } = view;
  const troubles = troublesOfOne(view, launch);
  const bound = boundsOf(played.scenario).delivery(EVERY.launches);
  const posts = alertsOf(platform, chat);
  const isNamed = namesAll(posts);
  const { repeats, losses } = tolerance(view);
  const isMoved = hasMoved(view);
  return stagesOf(launch).flatMap(({ name, at, next }): readonly Violation[] => {
    const by = settledBy(at, bound, troubles);
    const verdictOf = (entry: Entry | undefined): 'yes' | 'no' | 'maybe' => {
      // What was surely found before the watch is dated before it.
      if (entry === undefined || entry.off.has('launches') || by < entry.since.from - skew) return 'no';
      const known = knownFrom(played, LISTS, { from: entry.since.from, slug: '' });
      return at > Math.max(known, entry.since.to + skew) ? 'yes' : 'maybe';
    };
    const states = statesBetween(wishes, at - MOMENT - skew, by + skew);
    const verdicts = new Set(states.map((state) => verdictOf(entryForOne(state, launch))));
    const isMust = verdicts.size === 1 && verdicts.has('yes') && by < Math.min(next, played.givesUpAt) && isNamed;
    const isUnwanted = verdicts.size === 1 && verdicts.has('no');
    tally[isMust ? 'must' : isUnwanted ? 'mustNot' : 'may'] += 1;
    const saying = (stage: LaunchStage) => posts.filter(({ text }) => launchStagesIn(text).includes(`${launch.title} ${stage}`));
    const times = saying(name).length;
    tally.delivered += times;
    // Its end may be near already when the minimum is found.
    const isThere = times > 0 || (name === 'minimum' && saying('ending').length > 0);
    const says = `${chat}: ${launch.title}, ${name}: ${times} messages`;
    if (isMust && !isThere && losses === 0) return [{ kind: 'lost', says }];
    if (isUnwanted && times > 0) return [{ kind: 'unwanted', says }];
    // After a summary the next event begins the live message, which shows the minimum as well.
    const allowed = 1 + repeats + (saying(name).some(({ text }) => text.includes('Catching up')) ? 1 : 0);
    // In a group at another address the live message is posted again, and after an unclear attempt that is not repeated the next event begins it.
    return times > allowed && !isMoved && losses === 0 ? [{ kind: 'duplicated', says }] : [];
  });
}

/** Of the minimum. */
const PERCENT = 10_000;

/** docs/alerts.md: when the service changes the final amount of a launch, the alert of its result says so. */
function judgeAmount(view: ChatView, { project, title, endsAt, result, restated }: Launch, tally: Tally): readonly Violation[] {
  const { chat, platform, played, wishes, troubles, skew } = view;
  const posts = alertsOf(platform, chat);
  const edits = editsOf(platform, chat);
  const says = (text: string): boolean => text.includes(`${title}'s launch`);
  const corrected = [...posts, ...edits].filter(({ text }) => says(text) && correctedAmountIn(text) !== undefined);
  const wrong = (what: string): readonly Violation[] => [
    { kind: 'correction wrong', says: `${chat}: the final amount of ${title} ${what}` },
  ];
  if (restated === undefined) return corrected.length === 0 ? [] : wrong('is corrected, but the service never restated it');
  tally.corrections += Math.min(1, corrected.length);
  if (corrected.some(({ at }) => at < restated.at)) return wrong('is corrected before the service restated it');
  if (corrected.some(({ text }) => correctedAmountIn(text) !== restated.to * PERCENT)) return wrong('is corrected to another one');
  const results = posts.filter(({ text }) => launchStagesIn(text).includes(`${title} ${result}`));
  const [alert] = results;
  // A live message shows the end by an edit, and is not marked.
  const isLive = !posts.some((post) => post.at < (alert?.at ?? 0) && says(post.text.replace(`${title} (`, `${title}'s launch`)));
  const by = settledBy(restated.at, boundsOf(played.scenario).delivery(EVERY.launches), troubles);
  const isOpen =
    alert === undefined || results.length > 1 || isLive || alert.at >= restated.at || (countIn(alert.text) ?? 1) > MAX_EDITED || skew > 0;
  const isWatched = statesBetween(wishes, endsAt - MOMENT, by).every((state) => entryFor(state, project)?.off.has('launches') === false);
  const isMust = !isOpen && isSteady(view) && isWatched && by < played.givesUpAt;
  tally[isMust ? 'must' : 'may'] += 1;
  if (!isMust || corrected.length > 0) return [];
  if (played.endedAt >= by) return wrong('is not corrected');
  tally.owed += 1;
  return [];
}
