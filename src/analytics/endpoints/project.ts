/** Overview, market metrics, legal texts, DAO configuration and growth of a project (§4.9, §2.15). */
import { z } from 'zod';
import { HOUR, MINUTE } from '../../base/clock.js';
import { daySchema } from '../../domain/scalars.js';
import { DateTime } from 'luxon';
import { labelled, occurrences, readObject } from '../field-reader.js';
import { bySlug, get, list } from '../endpoint-row.js';
import { decimal, ident, link, marketPrice, maybe, moment, priced, readable, text, words } from '../wire-values.js';

export const projectUrl = get({
  id: 'project.url',
  path: '/v1/url/{project}',
  spec: '§4.9',
  input: z.object({ project: z.string().min(1) }),
  freshFor: HOUR,
  /** Null for every project today. */
  data: maybe(z.union([link, readObject((from) => from.get('url', link))])),
});

export const projectOverview = get({
  id: 'project.overview',
  path: '/v1/project-overview',
  spec: '§4.9',
  input: bySlug,
  freshFor: 5 * MINUTE,
  data: readObject((from) => ({
    name: from.get('name', words),
    symbol: from.get('symbol', words),
    mint: from.get('baseMint', words),
    price: from.get('spotPrice', marketPrice),
    circulating: from.get('circulating', decimal),
    totalSupply: from.get('totalSupply', decimal),
    icoPrice: from.get('icoPrice', decimal),
    description: from.get('description', words),
  })),
});

const discount = maybe(z.object({ pct: decimal }));
const discountOf = (root: unknown) => {
  const [found, ...others] = occurrences(root, 'discount');
  return others.length > 0 ? undefined : discount.parse(found)?.pct;
};

export const marketMetrics = get({
  id: 'project.market-metrics',
  path: '/v1/project-overview/market-metrics',
  spec: '§4.9',
  input: bySlug,
  freshFor: MINUTE,
  data: readObject((from, root) => {
    const price = from.get('spotPrice', marketPrice);
    return {
      mint: from.get('baseMint', words),
      price,
      navPerShare: from.get('navPerShare', decimal),
      /** The value is in percent. Despite the field's name, positive is a premium. */
      premium: discountOf(root),
      marketCap: priced(price, from.get('marketCap', decimal)),
      fdv: priced(price, from.get('fdv', decimal)),
      volume: from.get('volume', decimal),
      liquidity: from.get('liquidity', decimal),
      change1h: from.get('change1h', decimal),
      change24h: from.get('change24h', decimal),
      change7d: from.get('change7d', decimal),
      /** A multiple of the ICO price. */
      sinceIco: priced(price, from.get('sinceIco', decimal)),
    };
  }),
});

const document = readObject((from) => ({ name: from.get('name', words), url: from.get('url', link) }));

export const legals = list({
  id: 'project.legals',
  path: '/v1/project-overview/legals',
  spec: '§4.9',
  input: bySlug,
  freshFor: HOUR,
  row: document,
});

export const legalEntities = list({
  id: 'project.legal-entities',
  path: '/v1/legal-entity',
  spec: '§4.9',
  input: bySlug.extend({ type: z.string().optional() }),
  freshFor: HOUR,
  row: z
    .looseObject({ name: maybe(words), legalName: maybe(words), jurisdiction: maybe(words), entityType: maybe(words) })
    .transform((row) => ({ name: row.legalName ?? row.name, jurisdiction: row.jurisdiction, entityType: row.entityType })),
});

/** The service's limit (§8). */
const MAX_RANGE_DAYS = 366;
const utcDay = (value: string) => DateTime.fromISO(value, { zone: 'utc' });

const dayOf = text.transform((value) => value.slice(0, 10)).pipe(daySchema);

/** 0 is a value. A day without data has no row or null. */
const observation = z
  .object({ date: maybe(dayOf), day: maybe(dayOf), value: z.union([decimal, z.null()]) })
  .transform(({ date, day, value }, context) => {
    const when = date ?? day;
    if (when !== undefined) return value === null ? undefined : { day: when, value };
    context.addIssue('an observation without a day');
    return z.NEVER;
  });

const metric = z
  .object({
    metricId: ident,
    name: maybe(words),
    label: maybe(words),
    unit: maybe(words),
    semantics: maybe(words),
    observations: z.array(z.unknown()),
  })
  .transform((row) => {
    const read = readable(row.observations, observation);
    return {
      id: row.metricId,
      name: row.name ?? row.label,
      unit: row.unit,
      semantics: row.semantics,
      days: read.filter((one) => one !== undefined).toSorted((a, b) => a.day.localeCompare(b.day)),
      broken: row.observations.length - read.length,
    };
  });
export type GrowthMetric = z.output<typeof metric>;

export const growthFeed = get({
  id: 'project.growth-feed',
  path: '/v1/growth-feed',
  spec: '§4.9',
  /** Days are in UTC, the last one inclusive. Ranges that the service would refuse are refused before the call. */
  input: bySlug
    .extend({ from: daySchema.optional(), to: daySchema.optional() })
    // Without `to` the service uses yesterday, so the length of the range would depend on the clock.
    .refine(({ from, to }) => from === undefined || to !== undefined, { path: ['to'], message: 'a range with a beginning needs an end' })
    .refine(({ from, to }) => from === undefined || to === undefined || from <= to, {
      path: ['from'],
      message: 'the range ends before it begins',
    })
    .refine(({ from, to }) => from === undefined || to === undefined || utcDay(to).diff(utcDay(from), 'days').days < MAX_RANGE_DAYS, {
      path: ['from'],
      message: `at most ${MAX_RANGE_DAYS} days can be asked for at once`,
    }),
  freshFor: 10 * MINUTE,
  dated: 'days',
  data: z.object({ status: maybe(words), metrics: z.array(z.unknown()).default([]) }).transform((feed) => {
    const metrics = readable(feed.metrics, metric);
    return {
      published: feed.status !== 'no_source',
      metrics,
      broken: feed.metrics.length - metrics.length + metrics.reduce((total, one) => total + one.broken, 0),
    };
  }),
});

const TOKEN = /token|spending|allowance/iu;

export const daoOverview = get({
  id: 'project.dao',
  path: '/v1/dao/overview',
  spec: '§4.9',
  input: bySlug,
  freshFor: HOUR,
  data: readObject((from, root) => ({
    name: from.get('name', words),
    mint: from.get('baseMint', words),
    updatedAt: from.get('updatedAt', moment),
    /** The value is in USD per month. */
    allowance: from.get('allowance', decimal),
    /** All other fields, because the names of governance parameters are unknown. */
    parameters: labelled(Object.fromEntries(Object.entries(root).filter(([name]) => !TOKEN.test(name)))),
  })),
});

export const projectTimeline = get({
  id: 'project.timeline',
  path: '/v1/dao/project-timeline',
  spec: '§4.9',
  input: bySlug,
  freshFor: HOUR,
  data: readObject((from) => ({ from: from.get('from', moment), to: from.get('to', moment) })),
});
