/** How old what the bot has read is, by fact and project: sampled against what the service told, and weighted by what is at stake. */
import { happeningsOf, type Kind } from './oracle.js';
import { LIST_FACTS, OTHER_FACTS, type Fact } from './service.js';
import { END, START, type Month } from './truth.js';

/** Worth of a moment while a market trades or a launch takes contributions, as the planner has it. */
const LIVE = 8;

const KIND_OF: Readonly<Record<Fact, { readonly kind: Kind; readonly feed: string }>> = {
  premium: { kind: 'premium', feed: 'premium' },
  nav: { kind: 'premium', feed: 'premium' },
  price: { kind: 'premium', feed: 'premium' },
  runway: { kind: 'runway', feed: 'treasury' },
  supply: { kind: 'supply', feed: 'supply' },
  market: { kind: 'proposals', feed: 'proposals' },
  launch: { kind: 'launches', feed: 'launches' },
  movements: { kind: 'other', feed: 'movements' },
  vesting: { kind: 'other', feed: 'vesting' },
  growth: { kind: 'other', feed: 'growth' },
};

interface Sum {
  age: number;
  weight: number;
}

interface Tracked {
  readonly fact: Fact;
  readonly project: string;
  readonly expected: number;
  asOf: number;
  readonly sum: Sum;
}

/** Weighted means in milliseconds. */
export interface Ages {
  readonly listed: number;
  readonly others: number;
  readonly byFact: Readonly<Record<string, number>>;
}

export function ageTracker(month: Month) {
  const happenings = happeningsOf(month, END);
  const slugs = month.projects.map(({ slug }) => slug);
  const tracked = [...LIST_FACTS, ...OTHER_FACTS].flatMap((fact) =>
    (fact === 'launch' ? ['all'] : slugs.filter((slug) => isThere(month, fact, slug))).map((project): Tracked => {
      const { feed } = KIND_OF[fact];
      const expected = 1 + happenings.filter((one) => one.feed === feed && one.project === project).length;
      return { fact, project, expected, asOf: START, sum: { age: 0, weight: 0 } };
    }),
  );
  const byKey = new Map(tracked.map((one) => [`${one.fact}/${one.project}`, one]));
  const windows = new Map<string, readonly (readonly [from: number, to: number])[]>([
    ...month.projects.map(
      ({ slug, markets }) => [`market/${slug}`, markets.map(({ liveAt, endsAt }) => [liveAt, endsAt] as const)] as const,
    ),
    ['launch/all', month.launches.map(({ liveAt, endsAt }) => [liveAt, endsAt] as const)] as const,
  ]);
  const weightOf = ({ fact, project, expected }: Tracked, now: number): number =>
    expected * (windows.get(`${fact}/${project}`)?.some(([from, to]) => from <= now && now < to) === true ? LIVE : 1);
  const mean = (some: readonly Tracked[]): number => {
    const total = (of: (sum: Sum) => number): number => some.reduce((sum, one) => sum + of(one.sum), 0);
    return total(({ age }) => age) / total(({ weight }) => weight);
  };
  const only = (facts: readonly Fact[]): readonly Tracked[] => tracked.filter(({ fact }) => facts.includes(fact));
  return {
    told(fact: Fact, project: string, asOf: number): void {
      const one = byKey.get(`${fact}/${project}`);
      if (one !== undefined) one.asOf = Math.max(one.asOf, asOf);
    },
    sample(now: number): void {
      for (const one of tracked) {
        const weight = weightOf(one, now);
        one.sum.age += weight * (now - one.asOf);
        one.sum.weight += weight;
      }
    },
    ages: (): Ages => ({
      listed: mean(only(LIST_FACTS)),
      others: mean(only(OTHER_FACTS)),
      byFact: Object.fromEntries([...LIST_FACTS, ...OTHER_FACTS].map((fact) => [fact, mean(only([fact]))])),
    }),
    /** What was at stake in all samples together: of these facts, in these projects or all. */
    weight: (facts: readonly Fact[], projects?: readonly string[]): number =>
      only(facts)
        .filter(({ project }) => projects?.includes(project) ?? true)
        .reduce((sum, one) => sum + one.sum.weight, 0),
  };
}

/** A project without growth values or tranches has nothing of which an age could be told. */
function isThere(month: Month, fact: Fact, slug: string): boolean {
  if (fact === 'growth') return month.projects.some((one) => one.slug === slug && one.growth.length > 0);
  return fact !== 'vesting' || month.tranches.some(({ project }) => project === slug);
}
