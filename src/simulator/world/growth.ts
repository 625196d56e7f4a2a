/** Growth metrics (§2.15): a value per UTC day, published afterwards and sometimes late, restated or never. */
import { DAY, MINUTE, instant, type Instant } from '../../base/clock.js';
import { exactly, hundredths, rounded } from './amounts.js';
import { METRICS, type Character } from './invented-projects.js';
import { pick, wave, byNature } from './seeded-random.js';
import { factsOf, type Facts } from './injected-facts.js';
import { bornAt, endedAt, wholeSeconds, type WorldScene } from './world-inputs.js';

export interface Observation {
  readonly date: string;
  readonly value: string;
}

export interface Publication extends Observation {
  readonly slug: string;
  readonly metricId: string;
  readonly at: Instant;
  readonly restated: boolean;
}

const RESTATED_FOR = 5 * DAY;
const dateOf = (day: Instant): string => new Date(day).toISOString().slice(0, 10);
export const midnight = (at: number): Instant => instant(Math.floor(at / DAY) * DAY);

const naturalSchedules = byNature<readonly Instant[]>(8_000);
const naturalValues = byNature<string>(8_000);

export class GrowthBook {
  readonly #world: WorldScene;
  readonly #facts: Facts;
  readonly #roll: WorldScene['roll'];
  readonly #schedules;
  readonly #values;

  constructor(world: WorldScene, facts: Facts) {
    this.#world = world;
    this.#facts = facts;
    this.#roll = world.roll;
    this.#schedules = naturalSchedules(world);
    this.#values = naturalValues(world);
  }

  published(who: Character, metricId: string, day: Instant): readonly Publication[] {
    const date = dateOf(day);
    const natural = this.#schedule(who, metricId, day).map((at, version) => ({ value: this.#valueOf(who, metricId, day, version), at }));
    return [...natural, ...this.#injected(who, metricId).filter((one) => one.date === date)]
      .toSorted((a, b) => a.at - b.at)
      .map(({ value, at }, version) => ({ slug: who.slug, metricId, date, value, at, restated: version > 0 }));
  }

  observations({
    who,
    metricId,
    from,
    to,
    at,
  }: {
    who: Character;
    metricId: string;
    from: Instant;
    to: Instant;
    at: Instant;
  }): readonly Observation[] {
    const added = this.#injected(who, metricId);
    const days = Array.from({ length: Math.max(0, Math.floor((to - from) / DAY) + 1) }, (_, index) => instant(from + index * DAY));
    return days.flatMap((day) => {
      const date = dateOf(day);
      const planned = this.#schedule(who, metricId, day);
      const version = planned.findLastIndex((published) => published <= at);
      const natural = version < 0 ? [] : [{ value: () => this.#valueOf(who, metricId, day, version), at: planned[version] ?? at }];
      const restated = added.filter((one) => one.date === date && one.at <= at).map((one) => ({ value: () => one.value, at: one.at }));
      const last = [...natural, ...restated].toSorted((a, b) => a.at - b.at).at(-1);
      return last ? [{ date, value: last.value() }] : [];
    });
  }

  metrics(who: Character): readonly string[] {
    return [
      ...new Set([...who.growth, ...factsOf(this.#facts(), 'growth').flatMap((fact) => (fact.slug === who.slug ? [fact.metricId] : []))]),
    ];
  }

  #schedule(who: Character, metricId: string, day: Instant): readonly Instant[] {
    return this.#schedules(`${who.slug}/${metricId}/${day}`, () => this.#plan(who, metricId, day));
  }

  #plan(who: Character, metricId: string, day: Instant): readonly Instant[] {
    const name = `growth/${who.slug}/${metricId}`;
    const gap = this.#roll(name, 'chance', day) < 0.03;
    if (gap || day < bornAt(this.#world, who) || day >= (endedAt(who) ?? Number.POSITIVE_INFINITY)) return [];
    const late = this.#roll(name, 'late', day) < 0.08 ? 20 * 60 * this.#roll(name, 'lateness', day) : 0;
    const first = day + DAY + Math.floor(5 + this.#roll(name, 'minute', day) * 1_380 + late) * MINUTE;
    const restatements =
      who.tempo === 'fast' ? Math.min(120, Math.round(10 * this.#world.pace)) : this.#roll(name, 'restated', day) < 0.08 ? 1 : 0;
    const after = (version: number): number => ((version - this.#roll(name, 'when', day, version) * 0.9) / restatements) * RESTATED_FOR;
    return [instant(first), ...Array.from({ length: restatements }, (_, index) => wholeSeconds(first + after(index + 1)))];
  }

  #valueOf(who: Character, metricId: string, day: Instant, version: number): string {
    return this.#values(`${who.slug}/${metricId}/${day}/${version}`, () => this.#make(who, metricId, day, version));
  }

  #make(who: Character, metricId: string, day: Instant, version: number): string {
    const original = this.#amount(who, metricId, day);
    const moved = 1 + (this.#roll(`growth/${who.slug}/${metricId}`, 'version', day, version) - 0.5) * 0.08;
    return version === 0 ? original : rounded(exactly(original).times(exactly(moved)), this.#places(metricId));
  }

  #amount(who: Character, metricId: string, day: Instant): string {
    const name = `growth/${who.slug}/${metricId}`;
    // Below 0.03 the day is a gap.
    if (this.#roll(name, 'chance', day) < 0.055) return '0';
    const usual = (METRICS[metricId]?.size ?? 1_000) * pick(this.#roll(name, 'scale'), [0.3, 0.7, 1, 1.6]);
    const trend = 1 + 0.4 * wave({ roll: this.#roll, name, at: day, period: 40 * DAY }) + 0.3 * (this.#roll(name, 'noise', day) - 0.5);
    return rounded(exactly(hundredths(Math.round(usual * trend * 100))), this.#places(metricId));
  }

  #places(metricId: string): number {
    return METRICS[metricId]?.places ?? 0;
  }

  #injected(who: Character, metricId: string): readonly (Observation & { readonly at: Instant })[] {
    return factsOf(this.#facts(), 'growth')
      .filter((fact) => fact.slug === who.slug && fact.metricId === metricId)
      .map(({ date, value, appearsAt }) => ({ date, value, at: appearsAt }));
  }
}
