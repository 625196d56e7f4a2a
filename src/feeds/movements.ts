/** This feed watches treasury movements (§4.10). Each movement is one event, even if the service lists it late with a lower number. */
import { z } from 'zod';
import {
  classOf,
  directionOf,
  movements as movementList,
  partyName,
  type Direction,
  type Movement,
  type Party,
} from '../analytics/endpoints/movements.js';
import { MINUTE, later } from '../base/clock.js';
import type { Line, Tone } from '../chat/reply.js';
import { UNKNOWN, tokens, usd } from '../domain/format.js';
import { absolute } from '../domain/decimal.js';
import { decimal, decimalSchema } from '../domain/scalars.js';
import { UNLISTED_STAGE, unoffered, type AlertKind } from './alert-kind.js';
import { defineFeed, subjectKey, type FoundEvent, type Subject } from './feed.js';
import { isReadBack, ledgerCorrections, pastLedger } from './ledger.js';
import { projectOf } from './check-subject.js';
import { SAMPLE, SAMPLE_SIGNATURE } from '../domain/sample-project.js';
import { lateLine } from './date-phrases.js';
import { WINDOW, corrected, slide, storedWindow, windowSchema } from './seen-ids.js';

const undatedSchema = z.object({
  seen: z.array(z.string()).readonly(),
  /** Undated rows up to this id count as seen. */
  floor: z.string().optional(),
});
type Undated = z.infer<typeof undatedSchema>;

const watermarkSchema = z.object({
  dated: windowSchema,
  undated: undatedSchema,
  /** False until every row was read. Until then, an unknown undated row may be old. */
  whole: z.boolean(),
});

const factsSchema = z.object({
  name: z.string(),
  id: z.string(),
  /** `inflow`, `outflow`, `internal`, or the service's word. */
  kind: z.string().optional(),
  from: z.string(),
  to: z.string(),
  symbol: z.string().optional(),
  amount: decimalSchema.optional(),
  usd: decimalSchema.optional(),
  category: z.string(),
  /** The service has not assigned a category. */
  isUnclassified: z.literal(true).optional(),
  /** The addresses of `from` and `to`, as far as the service gives them. */
  accounts: z.array(z.string()).readonly().optional(),
  counterparty: z.string().optional(),
  entity: z.string().optional(),
  note: z.string().optional(),
  /** The signature of the transaction. */
  transaction: z.string().optional(),
});
type Facts = z.infer<typeof factsSchema>;

const LARGE_USD = decimal('10000');

const MOVED = unoffered('moved', 'treasury movement', 'treasury movements');

const alerts: AlertKind<Facts> = {
  words: ['treasury movement', 'treasury movements'],
  rank: 'moved',
  stages: { inflow: MOVED, outflow: MOVED, internal: MOVED },
  // A movement without a known direction is in every group, so that no filter drops it.
  stageGroups: {
    internal: ['internal', UNLISTED_STAGE],
    incoming: ['inflow', UNLISTED_STAGE],
    outgoing: ['outflow', UNLISTED_STAGE],
  },
  filters: ['leastUsd', 'stages', 'tokens', 'categories', 'accounts'],
  measures: [],
  defaultRules: [],
  important: { says: 'treasury movements from $10K', filters: { leastUsd: LARGE_USD }, thresholds: [] },
  most: { says: 'treasury movements from $1K', filters: { leastUsd: decimal('1000') }, thresholds: [] },
  sound: { ringsFrom: { leastUsd: LARGE_USD } },
  size: ({ usd, amount, symbol, ...named }) => ({
    noun: 'movement',
    usd: usd && absolute(usd),
    amount: amount && absolute(amount),
    symbol,
    labels: {
      tokens: symbol === undefined ? [] : [symbol],
      categories: named.isUnclassified === true ? [] : [named.category],
      accounts: accountsOf(named),
    },
  }),
  offers: { example: 'usd>50000', hint: 'usd>50000, tokens:USDC', percents: [], thresholds: [], moves: [] },
};

export const movements = defineFeed({
  id: 'movements',
  summary: 'treasury inflows and outflows',
  order: 70,
  alerts,
  scope: 'project',
  every: 2,
  data: 'ledger',
  watermark: watermarkSchema,
  stored: ({ dated, ...rest }) => ({ ...rest, dated: storedWindow(dated) }),
  empty: { dated: { seen: [] }, undated: { seen: [] }, whole: false },
  facts: factsSchema,

  async read(subject, context) {
    const { analytics, options } = context;
    let isPart = false;
    const enough = (rows: readonly Movement[]): boolean => (isPart = isReadBack(rows, context));
    const { rows, ...how } = await analytics.walk(movementList, { slug: subjectKey(subject) }, (row) => row.id, { ...options, enough });
    return { ...how, data: rows, isPart };
  },

  history: {
    resolution: 'event',
    measures: [],
    lacks: {},
    cost: undefined,
    read: async (subject, context) =>
      pastLedger(await context.analytics.walk(movementList, { slug: subjectKey(subject) }, (row) => row.id, context.options), context),
  },

  diff(subject, before, { data: snapshot, at, complete, hidden, broken }) {
    const known = { dated: new Set(before?.dated.seen.map(({ id }) => id)), undated: new Set(before?.undated.seen) };
    // A row that gains or loses its date stays the same movement.
    const withDate = snapshot.flatMap((row) => (row.at === undefined || known.undated.has(row.id) ? [] : [{ ...row, at: row.at }]));
    // A row that lost its date is listed with its earlier date.
    const dates = new Map(before?.dated.seen.map((row) => [row.id, row.at]));
    const listed = snapshot.map((row) => ({ id: row.id, at: row.at ?? dates.get(row.id) ?? at }));
    const isWhole = complete && hidden === 0 && broken === 0;
    const { corrections, seen, missing, restated } = corrected(before?.dated, listed, { at, isWhole });
    const dated = slide(before && { ...before.dated, seen }, withDate);
    const undated = slideUndated(
      before?.undated,
      snapshot.filter((row) => row.at === undefined && !known.dated.has(row.id)),
    );
    const fresh: readonly Movement[] = [...dated.fresh, ...(before?.whole ? undated.fresh : [])];
    return {
      watermark: {
        dated: { ...dated.window, missing, restated },
        undated: undated.window,
        whole: (before?.whole ?? false) || complete || hidden > 0 || broken > 0,
      },
      events: before === undefined ? [] : fresh.map((row) => eventOf(subject, row)),
      corrections: ledgerCorrections(`movements/${subjectKey(subject)}`, corrections),
    };
  },

  content({ facts, project, occurredAt, detectedAt }) {
    const direction = directionOf(facts);
    const details: readonly Line[] = [
      [[accountOf(facts), facts.category, counterpartyOf(facts), facts.entity ?? ''].filter((word) => word !== '').join(' · ')],
      ...(facts.note ? [[`Note: ${facts.note}`]] : []),
      ...lateLine({ occurredAt, detectedAt }),
    ];
    return {
      tone: TONE_OF[direction ?? 'within'],
      about: facts.name,
      headline: [{ strong: `${facts.name} ${verbOf(facts)} ${sizeOf(facts)}` }, routeOf(facts)],
      details,
      actions: [
        { label: 'Details', line: `/movements ${project} movement:${facts.id}` },
        { label: 'Movements', line: `/movements ${project}` },
      ],
      links: [{ to: 'transaction', signature: facts.transaction }],
    };
  },

  sample: (now) => ({
    id: 'movements/sample/1',
    topic: 'movements/sample/1',
    stage: 'outflow',
    project: SAMPLE.slug,
    occurredAt: later(now, -MINUTE),
    facts: {
      name: SAMPLE.name,
      id: '1',
      kind: 'outflow',
      from: 'Treasury',
      to: 'Meridian Audits',
      symbol: 'USDC',
      amount: decimal('18400'),
      usd: decimal('18400'),
      category: 'Expenses / Audits',
      counterparty: 'Meridian Audits (vendor)',
      note: 'second audit, first half',
      transaction: SAMPLE_SIGNATURE,
    },
  }),
});

const byNumber = (a: string, b: string): number => a.localeCompare(b, 'en', { numeric: true });

function slideUndated(before: Undated | undefined, rows: readonly Movement[]) {
  const seenIds = new Set(before?.seen);
  const floor = before?.floor;
  const once = new Map(rows.toReversed().map((row) => [row.id, row]));
  const fresh = [...once.values()].filter(({ id }) => !seenIds.has(id) && (floor === undefined || byNumber(id, floor) > 0));
  const all = [...seenIds, ...fresh.map(({ id }) => id)].toSorted((a, b) => byNumber(b, a));
  return {
    window: { seen: all.slice(0, WINDOW), floor: all[WINDOW] ?? floor },
    fresh: fresh.toSorted((a, b) => byNumber(a.id, b.id)),
  };
}

function eventOf(subject: Subject, row: Movement): FoundEvent<Facts> {
  const id = `movements/${subjectKey(subject)}/${row.id}`;
  const { slug, name } = projectOf(subject);
  const facts: Facts = {
    name,
    id: row.id,
    kind: row.kind,
    from: partyName(row.from),
    to: partyName(row.to),
    symbol: row.symbol,
    amount: row.amount,
    usd: row.value,
    category: classOf(row),
    ...(row.category === undefined && row.subcategory === undefined ? { isUnclassified: true as const } : {}),
    ...([row.from, row.to].some((party) => party?.address !== undefined)
      ? { accounts: [row.from, row.to].flatMap((party) => party?.address ?? []) }
      : {}),
    counterparty: withType(row.counterparty),
    entity: row.entityType,
    note: row.note,
    transaction: row.transaction,
  };
  return { id, topic: id, stage: row.kind?.toLowerCase() ?? 'moved', project: slug, occurredAt: row.at, facts };
}

/** Returns the accounts of a movement; none if a party is unknown, because it may be of any account. */
function accountsOf({ from, to, accounts = [] }: Pick<Facts, 'from' | 'to' | 'accounts'>): readonly string[] {
  return from === UNKNOWN || to === UNKNOWN ? [] : [from, to, ...accounts];
}

const withType = (party: Party | undefined): string | undefined =>
  party && `${partyName(party)}${party.type === undefined ? '' : ` (${party.type})`}`;

const TONE_OF: Readonly<Record<Direction, Tone>> = { in: 'up', out: 'down', within: 'plain' };
const VERB_OF: Readonly<Record<Direction, string>> = { in: 'received', out: 'paid', within: 'moved' };

function verbOf(facts: Facts): string {
  const direction = directionOf(facts);
  if (direction !== undefined) return VERB_OF[direction];
  return facts.kind === undefined ? 'moved' : `reported "${facts.kind}":`;
}

function sizeOf({ amount, symbol, usd: worth }: Facts): string {
  const value = worth === undefined ? undefined : usd(worth);
  if (amount === undefined) return value ?? 'an unknown amount';
  return `${tokens(amount)} ${symbol ?? 'tokens'}${value === undefined ? '' : ` (${value})`}`;
}

function routeOf(facts: Facts): string {
  const direction = directionOf(facts);
  if (direction === 'within') return ` from ${facts.from} to ${facts.to}`;
  if (direction === undefined) return '';
  const other = direction === 'in' ? facts.from : facts.to;
  return other === UNKNOWN ? '' : ` ${direction === 'in' ? 'from' : 'to'} ${other}`;
}

function accountOf(facts: Facts): string {
  const direction = directionOf(facts);
  if (direction === 'within') return '';
  if (direction === undefined) return `From ${facts.from} to ${facts.to}`;
  return direction === 'in' ? `To ${facts.to}` : `From ${facts.from}`;
}

/** Returns text such as "vendor" or "with Meridian Audits (vendor)". */
function counterpartyOf(facts: Facts): string {
  const { counterparty, from, to } = facts;
  if (counterparty === undefined) return '';
  const named = [from, to].find((name) => counterparty === name || counterparty.startsWith(`${name} (`));
  if (named === undefined) return `with ${counterparty}`;
  return counterparty.slice(named.length).replace(/^ \((.*)\)$/u, '$1');
}
