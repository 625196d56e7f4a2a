/** Turns orders into complete, dated facts with unused ids. */
import { omitUndefined } from '../base/omit-undefined.js';
import { z } from 'zod';
import { DAY, SECOND, instant, later, type Instant } from '../base/clock.js';
import { daySchema, instantSchema, slug } from '../domain/scalars.js';
import { walletAddressSchema } from '../domain/wallet.js';
import { ServiceRefusal } from './error-response.js';
import { exactly, toRaw } from './world/amounts.js';
import type { Character } from './world/invented-projects.js';
import type { Fact } from './world/injected-facts.js';
import { midnight } from './world/growth.js';
import { EPOCH, numberAt } from './world/world-inputs.js';
import { anyCharacter, type World } from './world/world.js';

const amount = z.string().regex(/^\d{1,18}(\.\d{1,6})?$/, 'a positive decimal as text, with at most six places');
const project = z.string().min(1).max(100);
const usd = z.string().regex(/^\d{1,12}(\.\d{1,6})?$/, 'a positive decimal as text, with at most six places');
/** `price` is in USD. The price moves on from there. */
const priceOrder = z.strictObject({ kind: z.literal('price'), project, price: usd });
const navOrder = z.strictObject({ kind: z.literal('nav'), project, factor: usd });
/** `usd` is per month. */
const allowanceOrder = z.strictObject({ kind: z.literal('allowance'), project, usd });
const wallet = walletAddressSchema;
/** ISO 8601 or Unix milliseconds. */
const when = z.union([z.iso.datetime({ offset: true }).transform((text) => instant(Date.parse(text))), instantSchema]);
const span = z.int().min(1).max(10_000_000);

const supplyOrder = { project, amount, at: when.optional(), late: z.boolean().default(false), proposal: z.string().max(64).optional() };

export const orderSchema = z.discriminatedUnion('kind', [
  /** `at` backdates the row, and `late` gives it an id below those of the day before. */
  z.strictObject({ kind: z.literal('mint'), ...supplyOrder }),
  z.strictObject({ kind: z.literal('burn'), ...supplyOrder }),
  /** A proposal that is drafted at `at` and live after `draftSeconds`. */
  z.strictObject({
    kind: z.literal('proposal'),
    project,
    title: z.string().min(1).max(20_000).default('An injected proposal'),
    at: when.optional(),
    draftSeconds: span.default(60),
    liveSeconds: span.default(1_800),
    twapAfterSeconds: span.optional(),
    thresholdBps: z.int().min(-10_000).max(10_000).default(150),
    outcome: z.enum(['passed', 'failed', 'removed']).default('passed'),
  }),
  /** A launch that is announced at `at` and live after `waitSeconds`. Amounts are whole quote units. */
  z.strictObject({
    kind: z.literal('launch'),
    project,
    title: z.string().min(1).max(20_000).optional(),
    at: when.optional(),
    waitSeconds: z.int().min(0).max(10_000_000).default(60),
    liveSeconds: span.default(1_800),
    extension: z.strictObject({ afterSeconds: span, seconds: span }).optional(),
    minimum: amount.default('750000'),
    committed: amount.optional(),
    accepted: amount.optional(),
    outcome: z.enum(['complete', 'refunding']).default('complete'),
    settleSeconds: z.int().min(0).max(10_000_000).default(60),
    ended: z.strictObject({ afterSeconds: span, reason: z.string().min(1).max(200).default('liquidated') }).optional(),
  }),
  z.strictObject({
    kind: z.literal('growth'),
    project,
    metricId: z.string().min(1).max(100),
    date: daySchema,
    value: z.string().regex(/^-?\d{1,18}(\.\d{1,8})?$/, 'a decimal as text'),
  }),
  /** A movement in USDC, unclassified without `counterparty`. `at` and `late` are as for mints. */
  z.strictObject({
    kind: z.literal('movement'),
    project,
    amount,
    direction: z.enum(['inflow', 'outflow', 'internal']).default('outflow'),
    counterparty: z.string().min(1).max(100).optional(),
    note: z.string().max(500).default(''),
    at: when.optional(),
    late: z.boolean().default(false),
  }),
  /** A transfer; a negative amount was sent. Visible after a refresh. */
  z.strictObject({
    kind: z.literal('transfer'),
    wallet,
    project,
    amount: z.string().regex(/^-?\d{1,18}(\.\d{1,6})?$/, 'a decimal as text, with at most six places'),
    at: when.optional(),
  }),
  z.strictObject({
    kind: z.literal('trade'),
    wallet,
    proposal: z.string().min(1).max(64),
    market: z.enum(['pass', 'fail']).default('pass'),
    direction: z.enum(['buy', 'sell']).default('buy'),
    usd: amount.default('100'),
    at: when.optional(),
  }),
  z.strictObject({ kind: z.literal('contribution'), wallet, launch: z.string().min(1).max(64), amount: amount.default('500') }),
  /** A rule for one or all wallets. Omitted fields are reset. */
  z.strictObject({
    kind: z.literal('refresh-rule'),
    wallet: wallet.optional(),
    outcome: z.enum(['completes', 'fails', 'hangs']).default('completes'),
    word: z.string().min(1).max(40).default('failed'),
    message: z.string().min(1).max(500).default('the balances could not be read'),
    seconds: span.optional(),
    incomplete: z.int().min(0).max(100).default(0),
    cooldownSeconds: z.int().min(0).max(10_000_000).default(300),
    limitedSeconds: z.int().min(0).max(10_000_000).default(0),
    tells: z.enum(['body', 'header', 'overview', 'nothing']).default('body'),
  }),
  priceOrder,
  navOrder,
  allowanceOrder,
]);
export type InjectOrder = z.output<typeof orderSchema>;

interface Place {
  readonly world: World;
  readonly at: Instant;
  readonly before: readonly Fact[];
}

function freeNumber(from: number, before: readonly Fact[]): number {
  const taken = new Set(before.flatMap((fact) => ('id' in fact ? [fact.id] : [])));
  let id = from + 1;
  while (taken.has(id)) id += 2;
  return id;
}

function projectOf({ world }: Place, name: string) {
  const who = world.find(name);
  if (!who) throw new ServiceRefusal(400, `no project has the slug "${name}"; one of ${world.projects.map((one) => one.slug).join(', ')}`);
  return who;
}

function dated(wanted: Instant | undefined, { at }: Place): Instant {
  if (wanted === undefined) return at;
  if (wanted > at) throw new ServiceRefusal(400, 'at must not lie in the future');
  if (wanted < EPOCH) throw new ServiceRefusal(400, 'at must not lie before 2025');
  return wanted;
}

/** Makes the fact of an order. Throws a `ServiceRefusal` with 400 for an invalid order. */
export function toFact(order: InjectOrder, place: Place): Fact {
  switch (order.kind) {
    case 'mint':
    case 'burn':
      return supplyFact(order, place);
    case 'proposal': {
      const who = projectOf(place, order.project);
      const createdAt = dated(order.at, place);
      const liveAt = later(createdAt, order.draftSeconds * SECOND);
      const id = freeNumber(numberAt(who.slug, createdAt), place.before);
      const opens = Math.min(order.twapAfterSeconds ?? Math.floor(order.liveSeconds / 3), order.liveSeconds);
      return {
        kind: 'proposal',
        slug: slug(who.slug),
        id,
        publicKey: place.world.scene.keys.address('injected proposal', id),
        title: order.title,
        createdAt,
        liveAt,
        twapAt: later(liveAt, opens * SECOND),
        endsAt: later(liveAt, order.liveSeconds * SECOND),
        thresholdBps: order.thresholdBps,
        outcome: order.outcome,
      };
    }
    case 'launch':
      return launchFact(order, place);
    case 'growth': {
      const who = projectOf(place, order.project);
      if (Date.parse(order.date) >= midnight(place.at)) throw new ServiceRefusal(400, 'date must be a completed UTC day');
      return { kind: 'growth', slug: slug(who.slug), metricId: order.metricId, date: order.date, value: order.value, appearsAt: place.at };
    }
    case 'movement':
      return movementFact(order, place);
    case 'transfer':
      return transferFact(order, place);
    case 'trade': {
      const found = place.world.proposals.byKey(order.proposal, place.at);
      if (!found) throw new ServiceRefusal(400, `no proposal has the public key "${order.proposal}"`);
      return { ...order, at: dated(order.at, place) };
    }
    case 'contribution': {
      const found = place.world.launches.all(place.at).find((one) => one.launchAddr === order.launch);
      if (!found) throw new ServiceRefusal(400, `no launch has the address "${order.launch}"`);
      return { kind: 'contribution', wallet: order.wallet, launchAddr: order.launch, amount: toRaw(order.amount).toString(), at: place.at };
    }
    case 'refresh-rule':
      return { ...order, at: place.at };
    case 'price':
    case 'nav':
    case 'allowance':
      return pushFact(order, { world: place.world, who: projectOf(place, order.project), at: place.at });
  }
}

function movementFact(order: Extract<InjectOrder, { kind: 'movement' }>, place: Place): Fact {
  const who = projectOf(place, order.project);
  const at = dated(order.at, place);
  if (toRaw(order.amount) === 0n) throw new ServiceRefusal(400, 'amount must be above zero');
  const open = place.world.accounts.active(who, at).map(({ key }) => key);
  if (!open.includes('operations') || !['treasury', 'old-multisig'].some((key) => open.some((one) => one === key)))
    throw new ServiceRefusal(400, `at must lie in the time in which ${who.slug} has accounts`);
  const names = place.world.counterparties.all(who).map(({ name }) => name);
  if (order.counterparty !== undefined && !names.includes(order.counterparty))
    throw new ServiceRefusal(400, `${who.slug} has no counterparty "${order.counterparty}"; one of ${names.join(', ')}`);
  if (order.counterparty !== undefined && order.direction === 'internal')
    throw new ServiceRefusal(400, 'counterparty must be left out of what moves within the treasury');
  const { amount, direction, counterparty, note } = order;
  const id = freeNumber(numberAt(who.slug, order.late ? place.at - DAY : at), place.before);
  return { kind: 'movement', slug: slug(who.slug), id, direction, amount, counterparty, note, at, appearsAt: place.at };
}

function transferFact(order: Extract<InjectOrder, { kind: 'transfer' }>, place: Place): Fact {
  const who = projectOf(place, order.project);
  const moved = toRaw(order.amount);
  if (moved === 0n) throw new ServiceRefusal(400, 'amount must not be zero');
  const at = dated(order.at, place);
  const held = place.world.wallets.balance(order.wallet, who, place.at);
  if (held + moved < 0n) throw new ServiceRefusal(400, 'amount must not take more than the wallet holds');
  if (moved * 2n > place.world.supply.ledger(who, place.at).supply)
    throw new ServiceRefusal(400, 'amount must be at most half of the supply');
  return { kind: 'transfer', wallet: order.wallet, slug: slug(who.slug), amount: moved.toString(), at };
}

function supplyFact(order: Extract<InjectOrder, { kind: 'mint' | 'burn' }>, place: Place): Fact {
  const who = projectOf(place, order.project);
  const at = dated(order.at, place);
  const amountRaw = toRaw(order.amount);
  if (amountRaw === 0n) throw new ServiceRefusal(400, 'amount must be above zero');
  if (order.kind === 'burn' && amountRaw * 2n > place.world.supply.ledger(who, place.at).supply) {
    throw new ServiceRefusal(400, 'amount must be at most half of the supply');
  }
  return omitUndefined({
    kind: 'supply',
    slug: slug(who.slug),
    id: freeNumber(numberAt(who.slug, order.late ? place.at - DAY : at), place.before),
    type: order.kind === 'mint' ? 'Mint' : 'Burn',
    amount: amountRaw.toString(),
    at,
    appearsAt: place.at,
    proposal: order.proposal,
  });
}

function launchFact(order: Extract<InjectOrder, { kind: 'launch' }>, place: Place): Fact {
  const who = anyCharacter(order.project);
  if (!who) throw new ServiceRefusal(400, `nobody of the slug "${order.project}" can launch`);
  const initializedAt = dated(order.at, place);
  const startedAt = later(initializedAt, order.waitSeconds * SECOND);
  const minimum = toRaw(order.minimum);
  if (minimum === 0n) throw new ServiceRefusal(400, 'minimum must be above zero');
  const committed = order.committed === undefined ? (order.outcome === 'complete' ? minimum * 2n : minimum / 2n) : toRaw(order.committed);
  if (committed >= minimum !== (order.outcome === 'complete'))
    throw new ServiceRefusal(400, 'it completes where the minimum is met, and refunds where not');
  return {
    kind: 'launch',
    launchAddr: place.world.scene.keys.address('injected launch', place.before.length, initializedAt),
    baseMint: place.world.mint(who.slug),
    slug: slug(who.slug),
    symbol: who.symbol,
    title: order.title ?? `${who.name}, a round of its own`,
    initializedAt,
    startedAt,
    seconds: order.liveSeconds,
    ...(order.extension
      ? { extension: { at: later(startedAt, order.extension.afterSeconds * SECOND), seconds: order.extension.seconds } }
      : {}),
    minimum: minimum.toString(),
    committed: committed.toString(),
    accepted: (order.accepted === undefined ? committed : toRaw(order.accepted)).toString(),
    outcome: order.outcome,
    settlesAfter: order.settleSeconds * SECOND,
    ...(order.ended ? { ended: { at: later(initializedAt, order.ended.afterSeconds * SECOND), reason: order.ended.reason } } : {}),
  };
}

export interface InjectedEvent {
  readonly feed: 'supply' | 'proposals' | 'launches' | 'growth' | 'premium' | 'treasury' | 'movements' | 'wallet';
  readonly project: string;
  readonly identity: string;
  readonly at: Instant;
}

export function describeFact(fact: Fact): InjectedEvent {
  switch (fact.kind) {
    case 'supply':
      return { feed: 'supply', project: fact.slug, identity: String(fact.id), at: fact.at };
    case 'proposal':
      return { feed: 'proposals', project: fact.slug, identity: fact.publicKey, at: fact.createdAt };
    case 'launch':
      return { feed: 'launches', project: fact.slug, identity: fact.launchAddr, at: fact.initializedAt };
    case 'growth':
      return { feed: 'growth', project: fact.slug, identity: `${fact.metricId}/${fact.date}`, at: fact.appearsAt };
    case 'movement':
      return { feed: 'movements', project: fact.slug, identity: String(fact.id), at: fact.at };
    case 'transfer':
      return { feed: 'wallet', project: fact.slug, identity: fact.wallet, at: fact.at };
    case 'trade':
      return { feed: 'wallet', project: fact.proposal, identity: fact.wallet, at: fact.at };
    case 'contribution':
      return { feed: 'wallet', project: fact.launchAddr, identity: fact.wallet, at: fact.at };
    case 'refresh-rule':
      return { feed: 'wallet', project: 'all', identity: fact.wallet ?? 'all', at: fact.at };
    case 'price':
      return { feed: 'premium', project: fact.slug, identity: fact.kind, at: fact.at };
    case 'nav':
    case 'allowance':
      return { feed: 'treasury', project: fact.slug, identity: fact.kind, at: fact.at };
  }
}

type Push = z.output<typeof priceOrder> | z.output<typeof navOrder> | z.output<typeof allowanceOrder>;

const DIGITS = 24;
const MAX_FACTOR = 1_000;

/** Changes a price, treasury or allowance so that it crosses a threshold. Throws a `ServiceRefusal` with 400 for an invalid order. */
function pushFact(order: Push, { world, who, at }: { readonly world: World; readonly who: Character; readonly at: Instant }): Fact {
  if (at < world.born(who)) throw new ServiceRefusal(400, `${who.slug} has no token yet`);
  if ((world.ended(who) ?? at + 1) <= at) throw new ServiceRefusal(400, `${who.slug} was wound up, and its figures stand still`);
  const about = { slug: slug(who.slug), at };
  switch (order.kind) {
    case 'price': {
      if (exactly(order.price).eq(0)) throw new ServiceRefusal(400, 'price must be above zero');
      return { kind: 'price', ...about, factor: exactly(order.price).div(world.naturalPrice(who, at)).round(DIGITS).toFixed() };
    }
    case 'nav': {
      if (exactly(order.factor).eq(0) || exactly(order.factor).gt(MAX_FACTOR))
        throw new ServiceRefusal(400, `factor must be above zero and at most ${MAX_FACTOR}`);
      if (world.treasury.value(who, at) === undefined) throw new ServiceRefusal(400, `${who.slug} publishes no NAV`);
      return { kind: 'nav', ...about, factor: order.factor };
    }
    case 'allowance': {
      if (exactly(order.usd).eq(0)) throw new ServiceRefusal(400, 'usd must be above zero');
      return { kind: 'allowance', ...about, usd: order.usd };
    }
  }
}
