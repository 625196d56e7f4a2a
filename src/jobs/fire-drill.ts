/** This module replays the last days with a chat's current rules, from stored results of checks. It sends nothing and makes no request. */
import { messagesOf, type DrillEvent, type FireDrills } from '../alerts/backtest/fire-drill.js';
import { isAbsent } from '../alerts/checks/check-records.js';
import { hasReceipt } from '../alerts/digest/setting.js';
import { modeOf, isDigestOnly, isOff, rulesFor } from '../alerts/rules/presets.js';
import { calledHere, shortName } from '../alerts/watchlist/entry.js';
import { begun, isSilent, match } from '../alerts/watchlist/match.js';
import type { Chat, Watchlists } from '../alerts/watchlist/watchlists.js';
import { DAY, instant, later, type Clock, type Instant } from '../base/clock.js';
import { both, several } from '../base/sentence-lists.js';
import { yieldToEventLoop } from '../base/yield.js';
import type { Address } from '../chat/address.js';
import { duration } from '../domain/format.js';
import type { FeedEvent } from '../domain/event.js';
import { MEASURES, type Measure } from '../domain/measures.js';
import type { Slug } from '../domain/scalars.js';
import { measuresIn } from '../domain/threshold-rule.js';
import { THRESHOLD_STAGE } from '../feeds/feed.js';
import { feedOf } from '../feeds/index.js';
import { premium } from '../feeds/premium.js';
import { treasury } from '../feeds/treasury.js';
import { ifUnreadable } from '../store/store.js';
import { contentIn, coveredBy, isCountedAsFiltered, isFollowed, projectsOf, type GatherContext } from './digest/gather.js';
import { thresholdEvents } from './digest/threshold-events.js';

interface FireDrillDeps extends Omit<GatherContext, 'analytics' | 'contents'> {
  readonly watchlists: Pick<Watchlists, 'read'>;
  readonly clock: Clock;
  /** Tells whether messages of the chat can be edited. */
  readonly edits: (chat: Address) => boolean;
}

const MAX_REPLAYED = 2_000;
const EVENTS_AT_ONCE = 20;
/** Time before the period in which a live message may have begun. */
const SHOWN_BEFORE = 30 * DAY;
const MAX_EARLIER = 500;
const MEASURED: readonly string[] = [premium.id, treasury.id];
/** The measures of which each day has one value. */
const DAILY: ReadonlySet<Measure> = new Set([premium, treasury].flatMap(({ history }) => ('measures' in history ? history.measures : [])));

export const createFireDrills = (deps: FireDrillDeps): FireDrills => ({
  async replay(address, days) {
    const { archive, queues, clock, watchlists } = deps;
    const to = clock.now();
    const from = later(to, -days * DAY);
    const chat = watchlists.read(address);
    const covers = coveredBy(chat);
    const isReal = ({ id, stage }: Pick<FeedEvent, 'id' | 'stage'>): boolean => stage !== THRESHOLD_STAGE && !id.startsWith('sample/');
    const stored = await archive.latest({
      ...{ after: from, until: to, limit: MAX_REPLAYED + 1 },
      only: (about) => isReal(about) && covers(about),
    });
    const earlier = await archive.latest({
      ...{ after: later(from, -SHOWN_BEFORE), until: from, limit: MAX_EARLIER },
      only: (about) => isReal(about) && feedOf(about.feed)?.alerts.live !== undefined && covers(about),
    });
    const { found, filtered } = await judged(stored.slice(0, MAX_REPLAYED), asIfAlways(chat));
    const uncounted = hasReceipt(chat.digest) ? filtered.filter((event) => !isCountedAsFiltered(event, begun(chat, to))).length : 0;
    const slugs = [...new Set(MEASURED.flatMap((kind) => projectsOf(chat, kind, deps)))];
    const crossed = await crossings(chat, { slugs, from }, deps);
    const shown = new Set(earlier.map(({ topic }) => topic));
    const { messages, edits } = messagesOf([...found, ...crossed], { edits: deps.edits(address), isShown: (topic) => shown.has(topic) });
    const receipts = await queues.receipts(address);
    return {
      ...{ from, to, edits, filtered: filtered.length },
      messages: messages.toReversed(),
      sent: receipts.filter(
        ({ end, endedAt, members, live }) =>
          end === 'sent' && endedAt > from && live !== true && members.length > 0 && members[0]?.sample !== true,
      ).length,
      lacks: [...receiptText(uncounted), ...(await lacksOf(chat, { from, to, slugs, isCut: stored.length > MAX_REPLAYED }, deps))],
    };
  },
});

/** Returns the chat as if its rules had always been set, so that they apply to the whole period. */
const asIfAlways = (chat: Chat): Chat => ({
  ...chat,
  entries: chat.entries.map(({ exceptions, ...entry }) => ({
    ...entry,
    since: ALWAYS,
    ...(exceptions === undefined
      ? {}
      : { exceptions: Object.fromEntries(Object.entries(exceptions).map(([project, one]) => [project, { ...one, since: ALWAYS }])) }),
  })),
});
const ALWAYS = instant(0);

async function judged(
  stored: readonly FeedEvent[],
  chat: Chat,
): Promise<{ readonly found: readonly DrillEvent[]; readonly filtered: readonly FeedEvent[] }> {
  const [found, filtered]: [DrillEvent[], FeedEvent[]] = [[], []];
  for (const [index, event] of stored.entries()) {
    if (index % EVENTS_AT_ONCE === EVENTS_AT_ONCE - 1) await yieldToEventLoop();
    const verdict = match(event, chat);
    if (!verdict.matched) {
      if (verdict.at === 'filter' && verdict.digestOnly !== true) filtered.push(event);
      continue;
    }
    const { entry } = verdict;
    const content = contentIn(event, entry, undefined);
    if (content !== undefined) found.push({ event, content, entry, at: foundAt(event), silent: isSilent(entry, event) });
  }
  return { found, filtered };
}

const foundAt = ({ detectedAt, checkedAt = detectedAt }: FeedEvent): Instant => (checkedAt > detectedAt ? checkedAt : detectedAt);

async function crossings(
  chat: Chat,
  { slugs, from }: { readonly slugs: readonly Slug[]; readonly from: Instant },
  deps: FireDrillDeps,
): Promise<readonly DrillEvent[]> {
  const rulesOf: Parameters<typeof thresholdEvents>[1]['rulesOf'] = (entry, feed) =>
    isDigestOnly(entry, feed) ? undefined : rulesFor(entry, feed).thresholds;
  const watermarkOf = async (key: string): Promise<unknown> => (await deps.watermarks.get(key).catch(ifUnreadable))?.watermark;
  const crossed = await thresholdEvents(chat, { slugs, from, rulesOf, withDays: true }, { ...deps, watermarkOf });
  return crossed.map(({ event, entry, content }) => ({
    ...{ event, entry, content },
    at: event.detectedAt,
    silent: modeOf(entry, event.feed) === 'silent',
  }));
}

/** Explains the difference from the last line of a weekly digest, which counts otherwise. */
const receiptText = (uncounted: number): readonly string[] =>
  uncounted === 0
    ? []
    : [
        `The weekly digest doesn't count ${uncounted.toLocaleString('en')} of the filtered events: it lists proposals and launches whatever the filters, and counts from the start of each watch.`,
      ];

interface Lacking {
  readonly from: Instant;
  readonly to: Instant;
  readonly slugs: readonly Slug[];
  readonly isCut: boolean;
}

/** Returns sentences that say what the count lacks. */
async function lacksOf(
  chat: Chat,
  { from, to, slugs, isCut }: Lacking,
  { checkRecords, directory }: FireDrillDeps,
): Promise<readonly string[]> {
  const named = async (slug: Slug): Promise<string> => (await directory.described(slug)).name;
  const young = await Promise.all(
    chat.entries
      .filter(({ since }) => since > from)
      .map(async ({ target }) => calledHere(target) ?? (target.kind === 'project' ? named(target.slug) : shortName(target))),
  );
  const failing = checkRecords
    .all()
    .filter((record) => record.failures > 0 && !isAbsent(record) && isFollowed(chat, record.feed, record.subject)).length;
  const isMeasured = (kind: string, slug: Slug): boolean =>
    Object.values(checkRecords.measurements(kind, slug)[0]?.history ?? {}).some((points) => points.length > 0);
  const unmeasured = await Promise.all(slugs.filter((slug) => !MEASURED.some((kind) => isMeasured(kind, slug))).map(named));
  const others = OTHER_RULES.filter((kind) =>
    chat.entries.some((entry) => !isOff(entry, kind) && !isDigestOnly(entry, kind) && rulesFor(entry, kind).thresholds.length > 0),
  );
  const rules = MEASURED.flatMap((kind) =>
    chat.entries.flatMap((entry) => (isOff(entry, kind) || isDigestOnly(entry, kind) ? [] : rulesFor(entry, kind).thresholds)),
  );
  const undaily = [...new Set(rules.flatMap((rule) => measuresIn(rule).filter((measure) => !DAILY.has(measure))))];
  return [
    ...(isCut ? [`Only the newest ${MAX_REPLAYED.toLocaleString('en')} events are replayed.`] : []),
    ...(young.length === 0
      ? []
      : [`Watched for less than ${duration(to - from)}: ${several(young)}. Earlier events are known only if another chat watched them.`]),
    ...(slugs.length > unmeasured.length
      ? [
          'Premium and treasury rules are replayed on one value a day, and on each check of the last day. Crossings within an earlier day are missing.',
        ]
      : []),
    ...(undaily.length === 0 || slugs.length === unmeasured.length
      ? []
      : [
          `Rules on ${both(undaily.map((measure) => MEASURES[measure].name))} are replayed on the last day only: their daily values aren't stored.`,
        ]),
    ...(unmeasured.length === 0
      ? []
      : [`The daily values of ${several(unmeasured)} are not loaded, so only the last day is replayed there.`]),
    ...(others.length === 0 ? [] : [`Threshold rules on ${both(others)} can't be replayed: their past values aren't stored.`]),
    ...(failing === 0 ? [] : [`${failing === 1 ? 'A check is' : `${failing} checks are`} failing, so events may be missing.`]),
    ...(chat.quiet === undefined && chat.mutedUntil === undefined ? [] : ['Mutes and quiet hours are not applied.']),
  ];
}

const OTHER_RULES: readonly string[] = ['proposals', 'wallet'];
