/** One digest a day, at its time or late on the same day, none on a day before it was set, and no row in two of them. */
import { DAY, HOUR, SECOND } from '../../../src/base/clock.js';
import { expectedRows, tolerance, type ChatView } from './ledger.js';
import { DIGEST_QUESTION } from './reasons.js';
import { amountsIn, isDigest, namesAll, postsOf } from './texts.js';
import type { Posted } from '../platform/platform.js';
import type { Tally, Violation } from './verdict.js';
import { settledBy } from './windows.js';

/** Composing and sending, in ticks. */
const TICKS = 5;

export function judgeDigests(view: ChatView, tally: Tally): readonly Violation[] {
  const { played, chat, platform, wishes, troubles } = view;
  const digests = postsOf(platform, chat).filter(isDigest);
  const { repeats, losses } = tolerance(view);
  const violations: Violation[] = [];
  const add = (says: string): number => violations.push({ kind: 'digest wrong', says: `${chat}: ${says}` });
  const [set] = wishes.flatMap((wish) => (wish.ask.kind === 'digest' ? [{ ...wish, ask: wish.ask }] : []));
  if (set === undefined) return digests.length === 0 ? [] : [{ kind: 'digest wrong', says: `${chat}: a digest that nobody asked for` }];
  tally.digests += digests.length;
  const bound = TICKS * played.scenario.tickSeconds * SECOND;
  const first = Math.floor(played.scenario.start / DAY) * DAY;
  const hour = set.ask.hour * HOUR;
  /** One that was composed just before midnight is posted just after it. */
  const dayOf = (at: number): number => {
    const day = Math.floor(at / DAY) * DAY;
    return at - day < Math.min(hour, bound) ? day - DAY : day;
  };
  const named = new Map<number, number>();
  // In another timezone the same time is another moment.
  const isMoved = wishes.some(({ ask }) => ask.kind === 'timezone');
  for (let day = first; day < played.endedAt; day += DAY) {
    const due = day + hour;
    const own = digests.filter(({ at }) => dayOf(at) === day);
    if (own.length > 1 + repeats) add(`${own.length} digests on one day`);
    if (!isMoved && own.some(({ at }) => at < due)) add('a digest before its time');
    if (own.length > 0 && day + DAY <= set.askedAt) add('a digest before it was set');
    for (const amount of own.flatMap(({ text }) => amountsIn(text))) {
      // After a clock was set back one may cover what another did.
      if ((named.get(amount) ?? day) !== day && view.skew === 0) add(`a second digest names ${amount}`);
      named.set(amount, day);
    }
    const by = settledBy(due, bound, troubles);
    // A missed one comes late on the same day, or not at all.
    const isMust = due > set.doneAt && !isMoved && by < Math.min(day + DAY, played.endedAt) && losses === 0;
    tally[isMust ? 'must' : 'may'] += 1;
    tally.delivered += own.length;
    if (isMust && own.length === 0) add(`no digest on ${new Date(day).toISOString().slice(0, 10)}`);
    else if (isMust && own.every(({ at }) => at > by)) add(`a digest ${Math.min(...own.map(({ at }) => at)) - by} ms too late`);
  }
  return [...violations, ...judgeNext(view, digests)];
}

/** A digest has what the chat watches when it is composed. */
const KEEPS_ENTRIES: ReadonlySet<string> = new Set(['mute', 'unmute', 'quiet', 'digest', 'timezone', 'wallet', 'hostile']);

/** What was found is in a digest, or will be in the next one: in one of them. */
function judgeNext(view: ChatView, digests: readonly Posted[]): readonly Violation[] {
  const { played, chat, wishes, skew } = view;
  const next = played.answers.get(`${chat} ${DIGEST_QUESTION}`);
  const [first] = digests;
  if (next === undefined || first === undefined || skew > 0 || played.fleet.downtimes.some(({ to }) => to > played.endedAt)) return [];
  const isKept = wishes.slice(1).every(({ ask }) => KEEPS_ENTRIES.has(ask.kind));
  const sent = new Set(digests.flatMap(({ text }) => amountsIn(text)));
  const preview = new Set(amountsIn(next));
  return expectedRows(view).flatMap(({ row, expectation }): readonly Violation[] => {
    const wrong = (says: string): readonly Violation[] => [{ kind: 'digest wrong', says: `${chat}: ${row.amount} ${says}` }];
    if (sent.has(row.amount) && preview.has(row.amount)) return wrong('is in a digest and would be in the next one');
    const isOwed = isKept && expectation === 'must' && !sent.has(row.amount) && !preview.has(row.amount);
    return isOwed && namesAll(digests) ? wrong('is in no digest') : [];
  });
}
