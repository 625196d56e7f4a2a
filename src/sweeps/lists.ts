/** Reads the global lists: one walk shows every project. */
import type { Analytics, CallOptions, Walk } from '../analytics/analytics.js';
import { liveMarkets, projectsLaunch } from '../analytics/endpoints/dashboard.js';
import { proposalIdentity, type ProposalRow } from '../analytics/endpoints/proposals.js';
import type { Instant } from '../domain/scalars.js';
import { listedMarkets, listedProject, type Listed, type ListName } from '../feeds/listed.js';

export interface ListRead {
  readonly at: Instant;
  readonly subjects: ReadonlyMap<string, Listed>;
  /** This holds of a subject without a row; it is undefined where a missing row says nothing. */
  readonly rest?: Listed | undefined;
}

/** Returns what a reading says of a subject, and undefined where it says nothing. */
export const rowOf = ({ subjects, rest }: ListRead, subject: string): Listed | undefined => subjects.get(subject) ?? rest;

/** Rejects as a walk. */
export async function readList(list: ListName, analytics: Pick<Analytics, 'walk'>, options: CallOptions): Promise<ListRead> {
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

/** A market that is not on a whole list is not live. */
const isWholeWalk = ({ complete, hidden, broken, cut }: Walk<unknown>): boolean =>
  complete && hidden === 0 && broken === 0 && cut === undefined;
