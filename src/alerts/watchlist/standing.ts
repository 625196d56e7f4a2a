/**
 * This module records when each rule of an entry was set. A state belongs to a chat, series, rule and this time, not to an entry's name.
 */
import { instant, later, type Clock } from '../../base/clock.js';
import { slug, type Instant, type Slug } from '../../domain/scalars.js';
import { REMINDED_KINDS, reminderName } from '../rules/kinds.js';
import { isOff, ruleName, rulesFor, SHARED_KINDS, sharedRules } from '../rules/presets.js';
import { marketIn, projectOfMarket, targetName, type About, type Entry } from './entry.js';
import { entryAbout } from './exceptions.js';

/** Kinds for which entries record when preset rules and reminders were set. */
const STANDING_KINDS: readonly string[] = [...new Set([...SHARED_KINDS, ...REMINDED_KINDS])];

type Standing = Pick<Entry, 'since' | 'stands'>;

/** Returns when a rule, given by name, was set for a subject. */
export function standsSince({ since, stands }: Standing, about: About, rule: string): Instant {
  const { feed, project } = about;
  return (
    stands?.[`${feed}/${rule}/${marketIn(about)}`] ??
    stands?.[`${feed}/${rule}/${project}`] ??
    stands?.[`${feed}/${rule}`] ??
    stands?.[WHOLE] ??
    since
  );
}

/** The key for the whole entry, if its `since` is not later than a check that ran without it. */
const WHOLE = '';

interface WithEntries {
  readonly entries: readonly Entry[];
}

/** Gives changes their times. They follow the latest check, entry or stamp, so that a clock set back does not put a change before a check. */
export class Stamps {
  readonly #clock: Pick<Clock, 'now'> | undefined;
  #latest = instant(0);
  #evaluated = instant(0);

  constructor(clock?: Pick<Clock, 'now'>) {
    this.#clock = clock;
  }

  /** When a check last evaluated rules. */
  get evaluated(): Instant {
    return this.#evaluated;
  }

  follow({ since, stands = {}, exceptions = {} }: Entry): void {
    const returned = Object.values(exceptions).flatMap((exception) => exception.since ?? []);
    this.#latest = [...Object.values(stands), ...returned].reduce(atLeast, atLeast(this.#latest, since));
  }

  /** Returns a time later than every check so far. */
  readonly stamp = (): Instant => (this.#latest = atLeast(later(this.#latest, 1), this.#clock?.now() ?? this.#latest));

  /** Records a check that evaluates rules, and returns its time. */
  evaluating(now: Instant): Instant {
    this.#latest = atLeast(this.#latest, now);
    this.#evaluated = this.#latest;
    return this.#latest;
  }
}

const atLeast = (one: Instant, other: Instant): Instant => (one < other ? other : one);

/**
 * Records when changed rules were set, if a check has run without them. Rules outside presets need no record: a check drops their states.
 */
export function stamped<C extends WithEntries>(before: C, after: C, stamps: Stamps): C {
  if (before.entries === after.entries) return after;
  const was = new Map(before.entries.map((entry) => [targetName(entry.target), entry]));
  const is = new Map(after.entries.map((entry) => [targetName(entry.target), entry]));
  const gone = before.entries.filter(({ target }) => !is.has(targetName(target)));
  const entries = after.entries.map((entry) => {
    const old = was.get(targetName(entry.target));
    if (old?.since !== entry.since) return begun(entry, broader(entry, was), stamps);
    const edited = old === entry ? entry : withAdded(entry, old, stamps);
    if (entry.target.kind === 'project') return withoutMarkets(edited, gone, stamps);
    if (entry.target.kind !== 'all') return edited;
    const others = gone.filter(({ target }) => target.kind !== 'market' || !is.has(projectOfMarket(target) ?? ''));
    return withoutMarkets(uncovered(withExceptions(edited, old, stamps), others, stamps), others, stamps);
  });
  return entries.every((entry, index) => entry === after.entries[index]) ? after : { ...after, entries };
}

/** Returns the entry that decided so far about an entry's project or market. */
function broader({ target }: Entry, before: ReadonlyMap<string, Entry>): Entry | undefined {
  if (target.kind === 'market') {
    const project = projectOfMarket(target);
    const [own, all] = [project && before.get(project), before.get('all')];
    return own ?? (all && entryAbout(all, { project }));
  }
  const all = target.kind === 'project' && !before.has(target.slug) ? before.get('all') : undefined;
  return all && target.kind === 'project' ? entryAbout(all, { project: target.slug }) : undefined;
}

/** Records when a new entry's rules were set. A rule that a broader entry had keeps its time. */
function begun(entry: Entry, from: Entry | undefined, { evaluated, stamp }: Stamps): Entry {
  const { target, since } = entry;
  const project = target.kind === 'project' ? target.slug : target.kind === 'market' ? projectOfMarket(target) : undefined;
  const about = { project, ...(target.kind === 'market' ? { topic: target.topic } : {}) };
  const going =
    from === undefined
      ? []
      : STANDING_KINDS.flatMap((feed) => {
          const had = namesOf(from, feed);
          return [...namesOf(entry, feed)]
            .filter((name) => had.has(name))
            .map((name): [string, Instant] => [`${feed}/${name}`, standsSince(from, { feed, ...about }, name)]);
        });
  const late = since <= evaluated ? [[WHOLE, stamp()] as const] : [];
  return late.length + going.length === 0 && entry.stands === undefined
    ? entry
    : withStands({ ...entry, stands: undefined }, [...late, ...going]);
}

function withAdded(entry: Entry, old: Entry, { stamp }: Stamps): Entry {
  const added = STANDING_KINDS.flatMap((feed) => {
    const had = namesOf(old, feed);
    return [...namesOf(entry, feed)].filter((name) => !had.has(name)).map((name) => `${feed}/${name}`);
  });
  if (added.length === 0 && entry.stands === old.stands) return entry;
  const stands = Object.entries(old.stands ?? {}).filter(([key]) => !added.some((name) => key.startsWith(`${name}/`)));
  return withStands({ ...entry, stands: Object.fromEntries(stands) }, stampedAll(added, stamp));
}

/** Records rules for projects that lost their own entry. Rules that the project had keep their time; others are set now. */
function uncovered(all: Entry, gone: readonly Entry[], { stamp }: Stamps): Entry {
  let at: Instant | undefined;
  const again = gone.flatMap((entry) => {
    const { target } = entry;
    if (target.kind !== 'project') return [];
    return goingOn(entry, entryAbout(all, { project: target.slug }), { project: target.slug }, () => (at ??= stamp()));
  });
  return again.length === 0 ? all : withStands(all, again);
}

/** Records rules for markets that lost their own entry before their result. Rules that both entries had keep their time. */
function withoutMarkets(entry: Entry, gone: readonly Entry[], { stamp }: Stamps): Entry {
  let at: Instant | undefined;
  const again = gone.flatMap((one) => {
    const { target } = one;
    if (target.kind !== 'market' || target.endedAt !== undefined) return [];
    const project = projectOfMarket(target);
    if (project === undefined || (entry.target.kind === 'project' && entry.target.slug !== project)) return [];
    return goingOn(one, entryAbout(entry, { project }), { project, topic: target.topic }, () => (at ??= stamp()));
  });
  return again.length === 0 ? entry : withStands(entry, again);
}

/**
 * Records rules after a change of exceptions. A rule that the project had by entry or exception keeps its time; one that comes back is set
 * now.
 */
function withExceptions(all: Entry, old: Entry, { stamp }: Stamps): Entry {
  if (all === old || (all.exceptions === undefined && old.exceptions === undefined)) return all;
  let at: Instant | undefined;
  const projects = new Set(Object.keys({ ...old.exceptions, ...all.exceptions }));
  const again = [...projects].flatMap((name) => {
    const project = slug(name);
    const [before, after] = [entryAbout(old, { project }), entryAbout(all, { project })];
    const goesOn = before?.exception?.since === after?.exception?.since || after?.exception?.since === undefined;
    return goingOn(goesOn ? before : undefined, after, { project }, () => (at ??= stamp()));
  });
  return again.length === 0 ? all : withStands(all, again);
}

interface Subject {
  readonly project: Slug;
  readonly topic?: string;
}

/** Returns what to record for the rules of a project or market, given its entries before and after. */
function goingOn(
  before: Entry | undefined,
  after: Entry | undefined,
  subject: Subject,
  stamp: () => Instant,
): readonly [string, Instant][] {
  if (after === undefined) return [];
  return SHARED_KINDS.flatMap((feed) => {
    const had = before === undefined ? NONE : namesOf(before, feed);
    return [...namesOf(after, feed)].flatMap((name): [string, Instant][] => {
      const stands = before !== undefined && had.has(name) ? standsSince(before, { feed, ...subject }, name) : stamp();
      return stands === standsSince(after, { feed, ...subject }, name)
        ? []
        : [[`${feed}/${name}/${subject.topic ?? subject.project}`, stands]];
    });
  });
}

const stampedAll = (keys: readonly string[], stamp: () => Instant): readonly (readonly [string, Instant])[] => {
  if (keys.length === 0) return [];
  const at = stamp();
  return keys.map((key) => [key, at]);
};

function withStands({ stands, ...entry }: Entry, added: readonly (readonly [string, Instant])[]): Entry {
  const all = { ...stands, ...Object.fromEntries(added) };
  return Object.keys(all).length === 0 ? entry : { ...entry, stands: all };
}

const NONE: ReadonlySet<string> = new Set();

function namesOf(entry: Entry, feed: string): ReadonlySet<string> {
  if (isOff(entry, feed)) return NONE;
  const shared = sharedRules(feed);
  const { thresholds, filters } = rulesFor(entry, feed);
  return new Set([...thresholds.map(ruleName).filter((name) => shared.has(name)), ...(filters.remind ?? []).map(reminderName)]);
}
