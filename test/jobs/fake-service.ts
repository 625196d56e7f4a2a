/** What there is to be seen: a small service in memory, feeds that look at it through the real port, and the projects it lists. */
import { z } from 'zod';
import type { CallOptions } from '../../src/analytics/analytics.js';
import { UnknownProjectError, type Directory } from '../../src/analytics/directory.js';
import { AnalyticsError, type Trouble } from '../../src/analytics/errors.js';
import type { Clock, Instant } from '../../src/base/clock.js';
import { decimal, instantSchema, slug, type Slug } from '../../src/domain/scalars.js';
import type { Project } from '../../src/domain/project.js';
import { defineFeed, subjectKey, type Feed, type FeedSpec } from '../../src/feeds/feed.js';
import { supply } from '../../src/feeds/supply.js';

export const project = (name: string): Project => ({ slug: slug(name), name });
export const trouble = (kind: Trouble): AnalyticsError => new AnalyticsError({ trouble: kind, row: 'surface', detail: `it is ${kind}` });

export interface Glance {
  readonly check: string;
  readonly options: CallOptions;
}

interface Figure {
  readonly at: Instant;
  readonly value: number;
}

export interface Surface {
  /** Every check that began, oldest first. */
  readonly asked: readonly Glance[];
  /** The names of the checks that began since this was last called. */
  takeAsked(): readonly string[];
  /** Adds rows to what is seen of a subject; each is a burn of so many tokens. */
  shows(subject: string, ...amounts: readonly number[]): void;
  /** From now on a check of a subject reads this premium at this moment, finds the last one unchanged, or can read none. */
  reads(subject: string, figure: Figure | 'same' | undefined): void;
  /** From now on every check fails so; undefined: none does. */
  fails(cause: Error | undefined): void;
  /** How well the rows can be seen. */
  blurs(how: { readonly hidden?: number; readonly broken?: number; readonly complete?: boolean }): void;
  /** Looks that begin now wait until the returned function is called. */
  holds(): () => void;
  /** `moving`: its watermark moves with each premium that it reads, as those of feeds with measures do. */
  feed(parts?: Partial<Pick<Feed, 'id' | 'scope' | 'every' | 'dated'>> & { readonly moving?: boolean }): Feed;
}

const watermarkSchema = z.object({ alerted: z.array(z.int()).readonly(), read: instantSchema.optional() });
const factsSchema = z.record(z.string(), z.unknown());
type Spec = FeedSpec<z.infer<typeof watermarkSchema>, readonly number[], z.infer<typeof factsSchema>>;

export function surface(clock: Clock): Surface {
  const rows = new Map<string, readonly number[]>();
  const figures = new Map<string, Figure | 'same'>();
  const lastRead = new Map<string, Figure>();
  const asked: Glance[] = [];
  let taken = 0;
  let failure: Error | undefined;
  let blur = { hidden: 0, broken: 0, complete: true };
  let open: Promise<void> = Promise.resolve();

  const feed: Surface['feed'] = ({ id = 'supply', scope = 'project', every = 1, dated = false, moving = false } = {}) => {
    const check: Spec['read'] = async (subject, { options }) => {
      asked.push({ check: `${id}/${subjectKey(subject)}`, options });
      await open;
      options.signal?.throwIfAborted();
      if (failure !== undefined) throw failure;
      return { data: rows.get(subjectKey(subject)) ?? [], at: clock.now(), ...blur };
    };
    const diff: Spec['diff'] = (subject, before, { data: snapshot, at }) => {
      const alerted = new Set(before?.alerted);
      const fresh = before === undefined ? [] : snapshot.filter((amount) => !alerted.has(amount));
      const about = subject !== 'all' && 'slug' in subject ? { project: subject.slug } : {};
      const events = (amount: number) => ({
        id: `${id}/${subjectKey(subject)}/${amount}`,
        topic: `${id}/${subjectKey(subject)}/${amount}`,
        stage: 'burn',
        occurredAt: at,
        facts: { name: 'Tidewater', symbol: 'TIDE', type: 'Burn', amount: String(amount) },
        ...about,
      });
      const shown = figures.get(subjectKey(subject));
      // Without a watermark nothing was emitted yet.
      const latest = shown === 'same' && before === undefined ? lastRead.get(subjectKey(subject)) : shown;
      const isKnown = moving && latest !== undefined && latest !== 'same' && latest.at === before?.read;
      const figure = isKnown ? 'same' : latest;
      const read = figure !== undefined &&
        figure !== 'same' && {
          ...{ ...about, id: `${id}/${subjectKey(subject)}/${figure.at}`, at: figure.at, values: { premium: decimal(figure.value) } },
          facts: { name: 'Tidewater', symbol: 'TIDE', gap: decimal(figure.value) },
        };
      return {
        watermark: { alerted: [...new Set([...alerted, ...snapshot])], read: moving && read !== false ? read.at : before?.read },
        events: fresh.map(events),
        ...(read === false ? {} : { measurements: [read] }),
        ...(figure === 'same' ? { same: [`${id}/${subjectKey(subject)}`] } : {}),
      };
    };
    const contentOf: Spec['content'] = (event) => supply.content(event);
    const empty = dated ? { empty: { alerted: [] } } : {};
    const sample: Spec['sample'] = (now) => supply.spec.sample(now);
    const what = { id, summary: 'burns', order: 1, alerts: supply.spec.alerts, scope, every, data: 'ledger' } as const;
    return defineFeed({
      ...what,
      watermark: watermarkSchema,
      ...empty,
      facts: factsSchema,
      read: check,
      history: { unavailable: 'none' },
      diff,
      content: contentOf,
      sample,
    });
  };

  return {
    asked,
    takeAsked() {
      const fresh = asked.slice(taken).map((glance) => glance.check);
      taken = asked.length;
      return fresh;
    },
    shows: (subject, ...amounts) => void rows.set(subject, [...(rows.get(subject) ?? []), ...amounts]),
    reads(subject, figure) {
      if (figure === undefined) figures.delete(subject);
      else figures.set(subject, figure);
      if (figure !== undefined && figure !== 'same') lastRead.set(subject, figure);
    },
    fails: (cause) => {
      failure = cause;
    },
    blurs: ({ hidden = 0, broken = 0, complete = true }) => {
      blur = { hidden, broken, complete };
    },
    holds() {
      let release = (): void => {};
      open = new Promise((resolve) => {
        release = resolve;
      });
      return () => {
        open = Promise.resolve();
        release();
      };
    },
    feed,
  };
}

export interface Listed extends Directory {
  /** How often somebody asked for every project. */
  readonly asked: number;
  /** From now on nobody can say which projects there are; undefined: they can. */
  fails(cause: Error | undefined): void;
}

/** A directory of these projects and no others. */
export function directoryOf(...slugs: readonly string[]): Listed {
  const projects = slugs.map(project);
  let asked = 0;
  let failure: Error | undefined;
  const known = (wanted: Slug | string): Project | undefined => projects.find((one) => one.slug === wanted);
  return {
    get asked() {
      return asked;
    },
    fails: (cause) => {
      failure = cause;
    },
    revision: () => projects,
    unknown: () => [],
    async all() {
      asked += 1;
      if (failure !== undefined) throw failure;
      return projects;
    },
    named: async (text) => projects.filter((one) => one.slug === text),
    async find(text) {
      const found = known(text);
      if (found === undefined) throw new UnknownProjectError(text, [], false);
      return found;
    },
    get: async (wanted) => known(wanted) ?? project(wanted),
    described: async (wanted) => known(wanted) ?? project(wanted),
    complete: async (partial, limit) => projects.filter((one) => one.slug.startsWith(partial)).slice(0, limit),
    refresh: async () => {},
  };
}
