/** The facts of the journal. They do not depend on later state. Raw amounts are text. */
import { z } from 'zod';
import { instantSchema, slugSchema, daySchema } from '../../domain/scalars.js';
import { walletAddressSchema } from '../../domain/wallet.js';

const raw = z.string().regex(/^\d{1,30}$/);
const seconds = z.int().min(1).max(10_000_000);

const supplyFact = z.object({
  kind: z.literal('supply'),
  slug: slugSchema,
  id: z.int().min(1),
  type: z.enum(['Mint', 'Burn']),
  amount: raw,
  at: instantSchema,
  appearsAt: instantSchema,
  proposal: z.string().optional(),
});
export type SupplyFact = z.output<typeof supplyFact>;

const proposalFact = z.object({
  kind: z.literal('proposal'),
  slug: slugSchema,
  id: z.int().min(1),
  publicKey: z.string(),
  title: z.string(),
  createdAt: instantSchema,
  liveAt: instantSchema,
  twapAt: instantSchema,
  endsAt: instantSchema,
  thresholdBps: z.int(),
  outcome: z.enum(['passed', 'failed', 'removed']),
});
export type ProposalFact = z.output<typeof proposalFact>;
/** A natural or injected proposal. */
export type Proposal = Omit<ProposalFact, 'kind' | 'slug'> & { readonly slug: string };

const launchFact = z.object({
  kind: z.literal('launch'),
  launchAddr: z.string(),
  baseMint: z.string(),
  slug: slugSchema,
  symbol: z.string(),
  title: z.string(),
  initializedAt: instantSchema,
  startedAt: instantSchema,
  seconds,
  extension: z.object({ at: instantSchema, seconds }).optional(),
  minimum: raw,
  committed: raw,
  accepted: raw,
  outcome: z.enum(['complete', 'refunding']),
  settlesAfter: z.int().min(0),
  ended: z.object({ at: instantSchema, reason: z.string() }).optional(),
});
export type LaunchFact = z.output<typeof launchFact>;

const growthFact = z.object({
  kind: z.literal('growth'),
  slug: slugSchema,
  metricId: z.string(),
  date: daySchema,
  value: z.string(),
  appearsAt: instantSchema,
});

/** A movement; its amount is in USDC, as decimal text. */
const movementFact = z.object({
  kind: z.literal('movement'),
  slug: slugSchema,
  id: z.int().min(1),
  direction: z.enum(['inflow', 'outflow', 'internal']),
  amount: z.string(),
  counterparty: z.string().optional(),
  note: z.string(),
  at: instantSchema,
  appearsAt: instantSchema,
});
export type MovementFact = z.output<typeof movementFact>;

/** A transfer; a negative amount was sent. Visible after a refresh. */
const transferFact = z.object({
  kind: z.literal('transfer'),
  wallet: walletAddressSchema,
  slug: slugSchema,
  amount: z.string().regex(/^-?\d{1,30}$/),
  at: instantSchema,
});

/** A trade on a proposal's market; `usd` is decimal text. */
const tradeFact = z.object({
  kind: z.literal('trade'),
  wallet: walletAddressSchema,
  proposal: z.string(),
  market: z.enum(['pass', 'fail']),
  direction: z.enum(['buy', 'sell']),
  usd: z.string(),
  at: instantSchema,
});
export type TradeFact = z.output<typeof tradeFact>;

const contributionFact = z.object({
  kind: z.literal('contribution'),
  wallet: walletAddressSchema,
  launchAddr: z.string(),
  amount: raw,
  at: instantSchema,
});

/** A rule for refreshes of one or all wallets that are requested from `at` on. The last rule applies. */
const refreshRuleFact = z.object({
  kind: z.literal('refresh-rule'),
  wallet: walletAddressSchema.optional(),
  at: instantSchema,
  outcome: z.enum(['completes', 'fails', 'hangs']),
  /** The status word of a failed job, which is not specified. */
  word: z.string(),
  message: z.string(),
  seconds: seconds.optional(),
  incomplete: z.int().min(0),
  cooldownSeconds: z.int().min(0),
  /** Refuses all refreshes for this time from `at` on. */
  limitedSeconds: z.int().min(0),
  tells: z.enum(['body', 'header', 'overview', 'nothing']),
});
export type RefreshRule = z.output<typeof refreshRuleFact>;

const positive = z.string().regex(/^\d{1,30}(\.\d{1,30})?$/);

const priceFact = z.object({ kind: z.literal('price'), slug: slugSchema, factor: positive, at: instantSchema });
const navFact = z.object({ kind: z.literal('nav'), slug: slugSchema, factor: positive, at: instantSchema });
/** The allowance from `at` on, in USD per month. */
const allowanceFact = z.object({ kind: z.literal('allowance'), slug: slugSchema, usd: positive, at: instantSchema });

export const factSchema = z.discriminatedUnion('kind', [
  supplyFact,
  proposalFact,
  launchFact,
  growthFact,
  movementFact,
  transferFact,
  tradeFact,
  contributionFact,
  refreshRuleFact,
  priceFact,
  navFact,
  allowanceFact,
]);
export type Fact = z.output<typeof factSchema>;

export type Facts = () => readonly Fact[];

type ByKind = { readonly [K in Fact['kind']]: readonly Extract<Fact, { kind: K }>[] };

const sorted = new WeakMap<readonly Fact[], ByKind>();
const ofKind = <K extends Fact['kind']>(facts: readonly Fact[], kind: K) =>
  facts.filter((fact): fact is Extract<Fact, { kind: K }> => fact.kind === kind);

export function factsOf<K extends Fact['kind']>(facts: readonly Fact[], kind: K): ByKind[K] {
  const known = sorted.get(facts) ?? {
    supply: ofKind(facts, 'supply'),
    proposal: ofKind(facts, 'proposal'),
    launch: ofKind(facts, 'launch'),
    growth: ofKind(facts, 'growth'),
    movement: ofKind(facts, 'movement'),
    transfer: ofKind(facts, 'transfer'),
    trade: ofKind(facts, 'trade'),
    contribution: ofKind(facts, 'contribution'),
    'refresh-rule': ofKind(facts, 'refresh-rule'),
    price: ofKind(facts, 'price'),
    nav: ofKind(facts, 'nav'),
    allowance: ofKind(facts, 'allowance'),
  };
  sorted.set(facts, known);
  return known[kind];
}
