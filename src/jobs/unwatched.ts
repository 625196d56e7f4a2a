/** This module deletes watermarks, rule states, check records and first checks of subjects that no chat watches any more. */
import type { CheckRecords } from '../alerts/checks/check-records.js';
import type { FirstChecks } from '../alerts/checks/first-checks.js';
import { JUST_NOW } from '../alerts/evaluation/evaluate.js';
import type { RuleStates } from '../alerts/evaluation/rule-states.js';
import type { Watchlists } from '../alerts/watchlist/watchlists.js';
import { SCREENS_FEED } from '../alerts/watchlist/entry.js';
import { screenKinds } from '../domain/screen.js';
import { screenKey } from '../feeds/screens.js';
import { HOUR, later, type Clock, type Instant } from '../base/clock.js';
import type { Lanes } from '../base/lanes.js';
import type { Log } from '../base/log.js';
import { ifUnreadable } from '../store/store.js';
import { readUnrouted } from './unrouted.js';
import { demand, taskKey, type DemandContext } from './wanted-checks.js';
import type { Watermarks } from './watermarks.js';

/** The sweep is repeated even without changes of watchlists, because a check that ran during a change may write a watermark after it. */
const SWEPT_EVERY = HOUR;

type Keeps = (key: string) => boolean;

export interface UnwatchedDeps {
  readonly wants: DemandContext;
  readonly watchlists: Pick<Watchlists, 'kept'>;
  readonly watermarks: Watermarks;
  readonly checks: CheckRecords;
  readonly rules: Pick<RuleStates, 'of' | 'keys' | 'forget'>;
  readonly firstChecks: Pick<FirstChecks, 'keys' | 'end'>;
  readonly lanes: Lanes;
  readonly clock: Clock;
  readonly log: Log;
}

export class Unwatched {
  readonly #deps: UnwatchedDeps;
  readonly #walletFeeds: ReadonlySet<string>;
  #keeping: { readonly revision: number; readonly keeps: Keeps } | undefined;
  /** The last sweep that left nothing. */
  #swept: { readonly keeps: Keeps; readonly at: Instant; readonly until: Instant } | undefined;

  constructor(deps: UnwatchedDeps) {
    this.#deps = deps;
    this.#walletFeeds = new Set(deps.wants.feeds.filter(({ scope }) => scope === 'wallet').map(({ id }) => id));
  }

  async forget(): Promise<void> {
    const { checks, clock, firstChecks, rules, watermarks } = this.#deps;
    const keeps = await this.#keeps();
    // A first check looks back this far. If a watermark were deleted, switching a kind off and on would repeat events.
    const since = later(clock.now(), -JUST_NOW);
    const recent = new Set<string>();
    for (const { feed, subject, routed, triedAt } of checks.all()) {
      const key = `${feed}/${subject}`;
      if (keeps(key)) continue;
      if (triedAt > since) recent.add(key);
      // The record is deleted last: without it, routed events would still be pending in the watermark document.
      else if (routed === undefined || (await this.#forget(key))) await checks.forget(feed, subject);
    }
    for (const key of firstChecks.keys()) if (!keeps(key)) await firstChecks.end(key);
    const now = clock.now();
    // The scan reads every watermark, so it is skipped if nothing can have changed.
    if (this.#swept?.keeps === keeps && now >= this.#swept.at && now < this.#swept.until) return;
    let isLeft = false;
    const isUnkept = (key: string): boolean => !keeps(key) && !recent.has(key);
    const unkept = rules.keys().filter(isUnkept);
    for await (const { found } of watermarks.scan()) unkept.push(...found.map(([key]) => key).filter(isUnkept));
    for (const key of unkept) if (!(await this.#forget(key))) isLeft = true;
    this.#swept = isLeft ? undefined : { keeps, at: now, until: later(now, recent.size === 0 ? SWEPT_EVERY : JUST_NOW) };
  }

  /** Returns a function that tells what to keep. While the list of projects is incomplete, everything is kept. */
  async #keeps(): Promise<Keeps> {
    const { watchlists, wants } = this.#deps;
    const revision = watchlists.kept.revision();
    if (this.#keeping?.revision === revision) return this.#keeping.keeps;
    const { watched } = watchlists.kept;
    const every = [...watchlists.kept.groups()];
    const groups = every.filter(({ target }) => !watched.all || target.kind === 'wallet');
    const screens = new Set([...watched.screens].map((filter) => `${SCREENS_FEED}/${screenKey(filter)}`));
    const screened = new Set([...watched.screens].flatMap(screenKinds));
    const wanted = new Set((await demand({ groups, ...wants })).map(taskKey));
    const all = every.find(({ target }) => target.kind === 'all');
    const keeps = (key: string): boolean => {
      const [feed = ''] = key.split('/');
      // Screens read checks of every project, and the list of projects may be incomplete.
      if (screened.has(feed) || screens.has(key)) return true;
      if (wanted.has(key) || !watched.all || this.#walletFeeds.has(feed)) return wanted.has(key);
      // If every chat makes an exception for the project, nothing is kept: its first check begins it again when it is watched.
      return all === undefined || all.audience(feed).size === 0 || all.audience(feed, key.slice(feed.length + 1)).size > 0;
    };
    this.#keeping = { revision, keeps };
    return keeps;
  }

  /** Deletes what is kept of a subject. Returns false if it is watched again or has unrouted events. */
  async #forget(key: string): Promise<boolean> {
    const { checks, lanes, log, rules, watermarks } = this.#deps;
    return lanes.run(key, async () => {
      // Before the lane was free, somebody may have watched the subject, or a check may have left events pending.
      const document = await readUnrouted(key, { watermarks, checks }).catch(ifUnreadable);
      const { pending = [] } = document ?? {};
      if (pending.length > 0 || rules.of(key).crossed !== undefined || (await this.#keeps())(key)) return false;
      await rules.forget(key);
      if (document !== undefined) await watermarks.delete(key);
      log.debug('watermark.forgotten', { watermark: key });
      return true;
    });
  }
}
