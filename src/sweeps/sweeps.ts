/** This module sweeps lists that cover all projects. A change in a list calls for a check; lists never alert (decision 39). */
import { z } from 'zod';
import type { Analytics, CallOptions, Walk } from '../analytics/analytics.js';
import { liveMarkets, projectsLaunch } from '../analytics/endpoints/dashboard.js';
import { proposalIdentity, type ProposalRow } from '../analytics/endpoints/proposals.js';
import { AnalyticsError } from '../analytics/errors.js';
import { HOUR, later, MINUTE, type Clock, type Instant } from '../base/clock.js';
import type { Log } from '../base/log.js';
import { marginOf } from '../domain/market-phase.js';
import { instantSchema } from '../domain/scalars.js';
import { subjectKey, type Feed, type Subject } from '../feeds/feed.js';
import { baseOf, listedMarkets, listedProject, LISTS, type Listed, type ListedBase, type ListName } from '../feeds/listed.js';
import type { Store } from '../store/store.js';
import { writeBehind, type WriteBehind } from '../store/write-behind.js';
import {
  afterCheck,
  afterStart,
  afterSweep,
  agreementOf,
  isValueConfirmed,
  fieldsOf,
  isBelieved,
  NOTHING_SWEPT,
  sweptSchema,
  trustOf,
  type Figures,
  type Swept,
  type SweptSubject,
  type SweptView,
} from './trust.js';

export interface SweptTask {
  readonly feed: Feed;
  readonly subject: Subject;
}

/** What the planner needs to know of a list. */
export interface SweepFacts {
  readonly list: ListName;
  /** Requests of one sweep. */
  readonly cost: number;
  /** Returns the trust in the list for a check; 0 if the list does not show it. */
  trust(task: SweptTask): number;
}

/**
 * `omitted`: the newest sweep lacks the row. `wrong`: not trusted until two checks agree. `unread`: not read for this kind yet.
 */
export type ListedState = 'shown' | 'omitted' | 'wrong' | 'unread' | 'failing';

/** What a list shows of a subject, assuming that it is right. */
export interface Consideration {
  /** Why a check is worth making; undefined if nothing would change. */
  readonly because: string | undefined;
  /** A rule on an extreme or a z-score would alert. */
  readonly needsHistory?: boolean;
  /** The list shows that something happened, even if it would alert no chat. By default true if there is a reason. */
  readonly showsEvents?: boolean;
  /** The values in the list, to compare with confirmed ones. */
  readonly values: Figures;
}

/** Considers a subject's row; undefined if the list does not show the subject. */
export type Consider = (task: SweptTask, of: { now: Listed; base: ListedBase | undefined }) => Promise<Consideration | undefined>;

export interface SweepsContext {
  readonly store: Store;
  readonly analytics: Pick<Analytics, 'walk'>;
  readonly source: string;
  readonly clock: Clock;
  readonly log: Log;
  /** Returns when a subject's own endpoints were last read successfully. */
  readonly checkedAt: (feed: string, subject: string) => Instant | undefined;
}

export interface SweepRun {
  readonly tasks: readonly SweptTask[];
  readonly consider: Consider;
  /** The lists to read now. */
  readonly due: readonly ListName[];
  readonly signal: AbortSignal;
}

export interface CheckedFigures {
  readonly triedAt: Instant;
  /** The values of the project's own endpoints. */
  readonly values: Figures;
  readonly events: number;
  /** An earlier check had found what the list shows now, so the call was late but not false. */
  readonly isExplained?: boolean;
  /** The check was made for a known date. Lists need not show its events. */
  readonly isDated?: boolean;
  /** Requests that the check made. */
  readonly requests: number;
}

const documentSchema = z.object({
  source: z.string(),
  at: instantSchema,
  cost: z.number(),
  /** What is known of each kind, by feed id. */
  kinds: z.record(z.string(), sweptSchema),
});
type SweepDocument = z.infer<typeof documentSchema>;

/** A sweep is expected to cost so many requests before the first one. */
export const DEFAULT_SWEEP_COST = 3;
const NEWEST_PART = 0.3;
/** Interval at which a failing list is tried again, if its own interval is not longer. */
const TRIED_EVERY = 6 * HOUR;
/** Maximum time between a list and a check for their values to be compared. */
export const COMPARED_WITHIN = 30 * MINUTE;

export class Sweeps {
  readonly #context: SweepsContext;
  readonly #documents: WriteBehind<SweepDocument>;
  readonly #known: Map<ListName, SweepDocument>;
  readonly #latest = new Map<ListName, ListRead>();
  readonly #considered = new Map<string, { readonly at: Instant; readonly values: Figures; readonly showsEvents: boolean }>();
  readonly #triedAt = new Map<ListName, Instant>();
  /** Failures in a row, by list. */
  readonly #failing = new Map<ListName, number>();
  readonly #running = new Map<ListName, Promise<void>>();

  private constructor(context: SweepsContext, documents: WriteBehind<SweepDocument>, known: Map<ListName, SweepDocument>) {
    this.#context = context;
    this.#documents = documents;
    this.#known = known;
  }

  /** Loads what is known of the lists. Unreadable documents, and those of another service, count as missing. */
  static async open(context: SweepsContext): Promise<Sweeps> {
    const documents = writeBehind(context.store.collection({ prefix: 'sweep', schema: documentSchema, version: 1 }));
    const known = new Map<ListName, SweepDocument>();
    for await (const { found } of documents.scan())
      for (const [name, document] of found) {
        const list = LISTS.find((one) => one === name);
        if (list === undefined || document.source !== context.source) continue;
        const kinds = Object.entries(document.kinds).map(([id, swept]): [string, Swept] => [
          id,
          afterStart(swept, (subject) => context.checkedAt(id, subject)),
        ]);
        known.set(list, { ...document, kinds: Object.fromEntries(kinds) });
      }
    return new Sweeps(context, documents, known);
  }

  /** Returns the facts of the lists that answer. */
  facts(): readonly SweepFacts[] {
    return LISTS.filter((list) => !this.#failing.has(list)).map((list) => ({
      list,
      cost: this.#known.get(list)?.cost ?? DEFAULT_SWEEP_COST,
      trust: (task) => (task.feed.list === list ? this.#trust(list, task) : 0),
    }));
  }

  #trust(list: ListName, { feed, subject }: SweptTask): number {
    const document = this.#known.get(list);
    const kind = document?.kinds[feed.id];
    const swept = kind?.subjects[subjectKey(subject)];
    // A project that the newest sweep does not show, as on a plan with few rows, is checked as without lists.
    if (kind === undefined || swept === undefined || swept.seenAt !== document?.at || !isBelieved(swept)) return 0;
    return trustOf(kind, fieldsOf(feed));
  }

  /** Returns the state of a check in its list; undefined if the check has no list. */
  state({
    feed,
    subject,
  }: SweptTask): { readonly list: ListName; readonly at: Instant | undefined; readonly state: ListedState } | undefined {
    const { list } = feed;
    if (list === undefined) return undefined;
    const document = this.#known.get(list);
    const at = document?.at;
    if (this.#failing.has(list)) return { list, at, state: 'failing' };
    const kind = document?.kinds[feed.id];
    if (kind === undefined) return { list, at, state: 'unread' };
    const swept = kind.subjects[subjectKey(subject)];
    if (swept === undefined || swept.seenAt !== at) return { list, at, state: 'omitted' };
    return { list, at, state: isBelieved(swept) ? 'shown' : 'wrong' };
  }

  /** Returns when and why a list called for a check that was not made since. */
  called({ feed, subject }: SweptTask): SweptSubject['called'] {
    return feed.list && this.#known.get(feed.list)?.kinds[feed.id]?.subjects[subjectKey(subject)]?.called;
  }

  /** Returns what a trusted list showed since this process started, for the check that confirms it. */
  listed(task: SweptTask): { readonly now: Listed; readonly base: ListedBase | undefined } | undefined {
    const { list } = task.feed;
    const read = list && this.#latest.get(list);
    const now = read && rowOf(read, subjectKey(task.subject));
    return list === undefined || now === undefined || this.#trust(list, task) === 0 ? undefined : { now, base: this.base(task) };
  }

  /** Returns when the list was last read; undefined while it fails. */
  sweptAt(list: ListName): Instant | undefined {
    return this.#failing.has(list) ? undefined : this.#known.get(list)?.at;
  }

  /** Tells whether the list of live markets has margins of markets in their TWAP window; undefined if there is no such market. */
  hasMargins(): boolean | undefined {
    const read = this.#latest.get('markets');
    const rows = [...(read?.subjects.values() ?? [])].flatMap(({ markets = [] }) => markets);
    const known = rows.filter((row) => marginOf(row) !== undefined);
    if (known.length > 0) return true;
    return read !== undefined && rows.some(({ twapStartsAt }) => twapStartsAt !== undefined && twapStartsAt <= read.at) ? false : undefined;
  }

  /** Returns what the list showed when the subject was last checked, or first swept. */
  base({ feed, subject }: SweptTask): ListedBase | undefined {
    return feed.list && this.#known.get(feed.list)?.kinds[feed.id]?.subjects[subjectKey(subject)]?.base;
  }

  /** Returns the lists that are due. `every` gives the interval of a list in ms; a list without one is not read. */
  due(every: (list: ListName) => number | undefined): readonly ListName[] {
    const now = this.#context.clock.now();
    return LISTS.filter((list) => {
      const planned = every(list);
      if (planned === undefined || this.#running.has(list)) return false;
      const wait = Math.min(planned * 2 ** (this.#failing.get(list) ?? 0), Math.max(planned, TRIED_EVERY));
      const last = this.#triedAt.get(list) ?? this.#known.get(list)?.at;
      return last === undefined || last > now || later(last, wait) <= now;
    });
  }

  /** Sweeps the due lists. Never rejects; a list that fails changes nothing. */
  async run({ due, ...run }: SweepRun): Promise<void> {
    await Promise.all(
      due.map(async (list) => {
        const running = this.#running.get(list) ?? this.#sweep(list, run).finally(() => this.#running.delete(list));
        this.#running.set(list, running);
        await running;
      }),
    );
  }

  async #sweep(list: ListName, { tasks, consider, signal }: Omit<SweepRun, 'due'>): Promise<void> {
    const { analytics, clock, log, source } = this.#context;
    this.#triedAt.set(list, clock.now());
    let requests = 0;
    try {
      const meter = { count: () => void (requests += 1), giveBack: () => void (requests -= 1) };
      const read = await readList(list, analytics, { priority: 'poll', ifFailing: 'refuse', maxAge: 0, signal, meter });
      this.#latest.set(list, read);
      const before = this.#known.get(list);
      const cost = before === undefined ? requests : before.cost + (requests - before.cost) * NEWEST_PART;
      const kinds: Record<string, Swept> = {};
      for (const id of new Set(tasks.filter(({ feed }) => feed.list === list).map(({ feed }) => feed.id))) {
        const own = tasks.filter(({ feed }) => feed.id === id);
        const views = await this.#views(own, { read, consider, known: before?.kinds[id] ?? NOTHING_SWEPT });
        // A check may have ended during the awaits, so the state is read again.
        const known = this.#known.get(list)?.kinds[id] ?? NOTHING_SWEPT;
        kinds[id] = afterSweep(known, { at: read.at, views, subjects: own.map(({ subject }) => subjectKey(subject)) });
      }
      if (this.#failing.delete(list)) log.info('sweep.recovered', { list });
      this.#keep(list, { source, at: read.at, cost, kinds });
    } catch (cause) {
      if (signal.aborted) return;
      if (!this.#failing.has(list)) log[cause instanceof AnalyticsError ? 'warn' : 'error']('sweep.failed', { list, cause });
      this.#failing.set(list, (this.#failing.get(list) ?? 0) + 1);
    }
  }

  async #views(
    tasks: readonly SweptTask[],
    { read, consider, known }: { read: ListRead; consider: Consider; known: Swept },
  ): Promise<ReadonlyMap<string, SweptView>> {
    const views = new Map<string, SweptView>();
    for (const task of tasks) {
      const subject = subjectKey(task.subject);
      const now = rowOf(read, subject);
      if (now === undefined) continue;
      const considered = await consider(task, { now, base: known.subjects[subject]?.base });
      if (considered === undefined) continue;
      const { because, needsHistory, values, showsEvents = because !== undefined } = considered;
      this.#considered.set(`${task.feed.id}/${subject}`, { at: read.at, values, showsEvents });
      views.set(subject, { base: baseOf(now), because, ...(needsHistory === true && { needsHistory }) });
    }
    return views;
  }

  /** Compares a successful check of the project's own endpoints with its list. */
  async checked(
    { feed, subject }: SweptTask,
    { triedAt, values, events, isExplained = false, isDated = false }: CheckedFigures,
  ): Promise<void> {
    const { list, id } = feed;
    const document = list && this.#known.get(list);
    if (list === undefined || document === undefined) return;
    const name = subjectKey(subject);
    const kind = document.kinds[id] ?? NOTHING_SWEPT;
    const considered = this.#considered.get(`${id}/${name}`);
    const isNear = considered !== undefined && Math.abs(triedAt - considered.at) <= COMPARED_WITHIN;
    const isShown = kind.subjects[name]?.called !== undefined || considered?.showsEvents === true;
    const agreed = isNear ? agreementOf(feed, { listed: considered.values, values, isShown, isDated, events }) : new Map<string, boolean>();
    const read = this.#latest.get(list);
    const newest = read && rowOf(read, name);
    const isConfirmed = isNear && isValueConfirmed(feed, { listed: considered.values, values });
    const found = events > 0 || isExplained || (isConfirmed && ![...agreed.values()].includes(false));
    const swept = afterCheck(kind, { subject: name, triedAt, base: newest && baseOf(newest), agreed, found });
    this.#keep(list, { ...document, kinds: { ...document.kinds, [id]: swept } });
  }

  /** Writes a document later. If a crash loses it, the next sweep calls again. */
  #keep(list: ListName, document: SweepDocument): void {
    this.#known.set(list, document);
    this.#documents.defer(list, document);
  }

  async flush(): Promise<void> {
    await this.#documents.flush();
  }
}

interface ListRead {
  readonly at: Instant;
  readonly subjects: ReadonlyMap<string, Listed>;
  /** What holds for a subject without a row; undefined if a missing row says nothing. */
  readonly rest?: Listed | undefined;
}

/** Returns what a list shows of a subject; undefined if it shows nothing. */
const rowOf = ({ subjects, rest }: ListRead, subject: string): Listed | undefined => subjects.get(subject) ?? rest;

/** Reads a list. Rejects as `Analytics.walk` does. */
async function readList(list: ListName, analytics: Pick<Analytics, 'walk'>, options: CallOptions): Promise<ListRead> {
  switch (list) {
    case 'projects': {
      const { rows, at } = await analytics.walk(projectsLaunch, {}, (row) => row.slug ?? row.mint ?? row.name ?? '', options);
      return { at, subjects: new Map(rows.flatMap((row) => (row.slug === undefined ? [] : [[row.slug, listedProject(at, row)]]))) };
    }
    case 'markets': {
      const walk = await analytics.walk(liveMarkets, {}, proposalIdentity, options);
      const { rows, at } = walk;
      const bySlug = new Map<string, ProposalRow[]>();
      for (const row of rows) if (row.slug !== undefined) bySlug.set(row.slug, [...(bySlug.get(row.slug) ?? []), row]);
      const isWhole = isWholeWalk(walk) && rows.every(({ slug }) => slug !== undefined);
      return {
        at,
        subjects: new Map([...bySlug].map(([slug, markets]) => [slug, listedMarkets(at, markets, isWhole)])),
        rest: isWhole ? listedMarkets(at, [], true) : undefined,
      };
    }
  }
}

/** Tells whether a list was read whole. Only then is a market that is not on it known not to be live. */
const isWholeWalk = ({ complete, hidden, broken, cut }: Walk<unknown>): boolean =>
  complete && hidden === 0 && broken === 0 && cut === undefined;
