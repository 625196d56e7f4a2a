/** This feed watches mints and burns. Each is an event once, because a window of seen ids is kept. */
import { z } from 'zod';
import { supplyEvents, type SupplyEvent, isImplausible } from '../analytics/endpoints/supply.js';
import { MINUTE, later } from '../base/clock.js';
import { capitalised } from '../base/sentence-lists.js';
import type { Tone } from '../chat/reply.js';
import { absolute, add, compare, isNegative, multiply, negate, percentChange, subtract } from '../domain/decimal.js';
import { amount, fromTo, percent, tokens, usd } from '../domain/format.js';
import { decimal, decimalSchema, type Decimal } from '../domain/scalars.js';
import { offered, type AlertKind } from './alert-kind.js';
import { defineFeed, subjectKey } from './feed.js';
import { projectOf } from './check-subject.js';
import { isReadBack, ledgerCorrections, pastLedger } from './ledger.js';
import { SAMPLE, SAMPLE_PROPOSAL, SAMPLE_SIGNATURE } from '../domain/sample-project.js';
import { lateLine } from './date-phrases.js';
import { corrected, slide, storedWindow, windowSchema } from './seen-ids.js';

const factsSchema = z.object({
  name: z.string(),
  symbol: z.string().optional(),
  /** `Mint`, `Burn`, or the service's word. */
  type: z.string(),
  amount: decimalSchema,
  supplyAfter: decimalSchema.optional(),
  change: decimalSchema.optional(),
  price: decimalSchema.optional(),
  usd: decimalSchema.optional(),
  proposal: z.object({ title: z.string().optional(), publicKey: z.string().optional() }).optional(),
  signature: z.string().optional(),
});
type Facts = z.infer<typeof factsSchema>;

const alerts: AlertKind<Facts> = {
  words: ['supply event', 'supply events'],
  rank: 'moved',
  stages: { mint: offered('moved', 'mint', 'mints'), burn: offered('moved', 'burn', 'burns') },
  stageGroups: {},
  filters: ['leastUsd', 'leastPercent', 'stages'],
  measures: [],
  defaultRules: [],
  important: {
    says: 'mints and burns from $10K',
    filters: { leastUsd: decimal('10000'), leastPercent: decimal('0.5'), eitherSize: true },
    thresholds: [],
  },
  most: {
    says: 'mints and burns from $1K',
    filters: { leastUsd: decimal('1000'), leastPercent: decimal('0.5'), eitherSize: true },
    thresholds: [],
  },
  sound: 'rings',
  size: (facts, stage) => ({
    noun: stage,
    usd: facts.usd && absolute(facts.usd),
    percent: changeOf(facts),
    amount: absolute(facts.amount),
    symbol: facts.symbol,
    whole: supplyBefore(facts),
  }),
  offers: { example: 'usd>10000', hint: 'usd>10000 or percent>0.5', percents: ['0.1', '1'], thresholds: [], moves: [] },
};

export const supply = defineFeed({
  id: 'supply',
  summary: 'mints and burns',
  order: 10,
  alerts,
  scope: 'project',
  every: 1,
  data: 'ledger',
  watermark: windowSchema,
  stored: storedWindow,
  empty: { seen: [] },
  facts: factsSchema,

  async read(subject, context) {
    const { analytics, options, listed } = context;
    const after = listed?.now.supply;
    // Reading for a list's change stops at a row after which the supply was as listed, in whatever order the pages come.
    const isExplained = (rows: readonly SupplyEvent[]): boolean =>
      after !== undefined && rows.some(({ supplyAfter }) => supplyAfter !== undefined && compare(supplyAfter, after) === 0);
    let isPart = false;
    const enough = (rows: readonly SupplyEvent[]): boolean => (isPart = isExplained(rows) || isReadBack(rows, context));
    const walk = await analytics.walk(supplyEvents, { slug: subjectKey(subject) }, (row) => row.id, { ...options, enough });
    const { rows, ...how } = walk;
    const newest = Math.max(...rows.map(({ at }) => at));
    return { ...how, data: rows, isPart, isExplained: isExplained(rows.filter(({ at }) => at === newest)) };
  },

  listed: {
    list: 'projects',
    snapshot({ slug, now: { at, supply: after, price: each }, base }) {
      if (after === undefined) return undefined;
      if (base?.supply === undefined || compare(after, base.supply) === 0) return 'same';
      // The net change since the ledger was last read, as a single row.
      const change = subtract(after, base.supply);
      const size = absolute(change);
      const type = isNegative(change) ? 'Burn' : 'Mint';
      const row = { id: `listed/${slug}/${at}`, at, type, amount: size, supplyAfter: after, change: percentChange(base.supply, after) };
      return [{ ...row, price: each, usd: each && multiply(size, each), signature: undefined, proposal: undefined }];
    },
  },

  history: {
    resolution: 'event',
    measures: [],
    lacks: {},
    cost: undefined,
    read: async (subject, context) =>
      pastLedger(await context.analytics.walk(supplyEvents, { slug: subjectKey(subject) }, (row) => row.id, context.options), context),
  },

  diff(subject, before, { data: snapshot, at, complete, hidden, broken }) {
    const { corrections, seen, missing, restated } = corrected(before, snapshot, { at, isWhole: complete && hidden === 0 && broken === 0 });
    const { window, fresh } = slide(before && { ...before, seen }, snapshot);
    const events = before === undefined ? [] : fresh.map((row) => eventOf(subject, row));
    return {
      watermark: { ...window, missing, restated },
      events,
      corrections: ledgerCorrections(`supply/${subjectKey(subject)}`, corrections),
    };
  },

  content({ facts, project, occurredAt, detectedAt }) {
    const { name, symbol = 'tokens' } = facts;
    const size = [
      ...(facts.change === undefined ? [] : [`${percent(signed(facts))} of supply`]),
      ...(facts.usd === undefined ? [] : [usd(facts.usd)]),
    ].join(', ');
    const before = supplyBefore(facts);
    const detail = [
      ...(facts.supplyAfter === undefined
        ? []
        : [before === undefined ? `supply now ${amount(facts.supplyAfter)}` : `supply ${fromTo(before, facts.supplyAfter)}`]),
      ...(facts.proposal === undefined
        ? []
        : [facts.proposal.title === undefined ? 'for an untitled proposal' : `for proposal "${facts.proposal.title}"`]),
    ].join(' · ');
    const kind = kindOf(facts);
    return {
      tone: kind === IMPLAUSIBLE ? 'warning' : (TONE_OF[kind] ?? 'plain'),
      about: facts.name,
      headline: [
        { strong: `${name} ${VERB_OF[kind] ?? `reported "${facts.type}":`} ${tokens(facts.amount)} ${symbol}` },
        size && ` (${size})`,
      ],
      details: [...(detail === '' ? [] : [[capitalised(detail)]]), ...lateLine({ occurredAt, detectedAt })],
      actions: [
        { label: 'Supply', line: `/supply ${project}` },
        ...(facts.proposal ? [{ label: 'Proposals', line: `/proposals ${project}` }] : []),
      ],
      links: [
        { to: 'transaction', signature: facts.signature },
        { to: 'proposal', publicKey: facts.proposal?.publicKey, slug: project },
      ],
    };
  },

  sample: (now) =>
    eventOf(SAMPLE, {
      id: 'sample/1',
      at: later(now, -MINUTE),
      type: 'Mint',
      amount: decimal('486210'),
      supplyAfter: decimal('13386144'),
      change: decimal('3.769'),
      price: decimal('0.828'),
      usd: decimal('402581.88'),
      signature: SAMPLE_SIGNATURE,
      proposal: { title: 'Raise the allowance', publicKey: SAMPLE_PROPOSAL },
    }),
});

/** The stage of a row whose type and amount contradict each other. */
const IMPLAUSIBLE = 'implausible';
const kindOf = (row: Pick<Facts, 'type' | 'amount'>): string => (isImplausible(row) ? IMPLAUSIBLE : row.type.toLowerCase());

const VERB_OF: Readonly<Record<string, string>> = { mint: 'minted', burn: 'burned' };
const TONE_OF: Readonly<Record<string, Tone>> = { mint: 'up', burn: 'down' };

function eventOf(subject: Parameters<typeof subjectKey>[0], row: SupplyEvent) {
  const id = `supply/${subjectKey(subject)}/${row.id}`;
  const { slug, name, symbol } = projectOf(subject);
  const facts: Facts = {
    name,
    symbol,
    type: row.type,
    amount: row.amount,
    supplyAfter: row.supplyAfter,
    change: row.change,
    price: row.price,
    usd: row.usd,
    proposal: row.proposal,
    signature: row.signature,
  };
  return { id, topic: id, stage: kindOf(row), project: slug, occurredAt: row.at, facts };
}

/** Returns the change of the supply in percent, without a sign. */
function changeOf(facts: Facts): Decimal | undefined {
  const before = facts.change === undefined ? supplyBefore(facts) : undefined;
  const change = facts.change ?? (before && facts.supplyAfter && percentChange(before, facts.supplyAfter));
  return change && absolute(change);
}

const signed = ({ type, change }: Facts) => change && (type.toLowerCase() === 'burn' ? negate(absolute(change)) : change);

function supplyBefore(facts: Facts) {
  const { amount, supplyAfter } = facts;
  if (supplyAfter === undefined) return undefined;
  if (kindOf(facts) === 'mint') return subtract(supplyAfter, amount);
  return kindOf(facts) === 'burn' ? add(supplyAfter, amount) : undefined;
}
