/** This module words wallet alerts, with the chat's name for the wallet. */
import { z } from 'zod';
import type { Line, Tone } from '../chat/reply.js';
import { never } from '../base/never.js';
import { absolute, isNegative, multiply, percentChange, subtract } from '../domain/decimal.js';
import type { Crossing } from '../domain/crossing.js';
import { crossingWords } from '../domain/crossing-words.js';
import { percent, share, tokens, usd } from '../domain/format.js';
import { decimalSchema, instantSchema, type Decimal, type Instant } from '../domain/scalars.js';
import { shortKey, type WalletAddress } from '../domain/wallet.js';
import { alsoCrossed, type EventContent } from './event-content.js';
import { largestChange, type EventSize } from './alert-kind.js';
import type { LinkTarget } from '../domain/links.js';
import { oneLine } from './date-phrases.js';

const holdingFacts = z.object({
  about: z.literal('holding'),
  token: z.string(),
  symbol: z.string().optional(),
  /** Absent for a token that is not of a project. */
  slug: z.string().optional(),
  was: decimalSchema.optional(),
  now: decimalSchema,
  from: instantSchema.optional(),
  at: instantSchema,
  price: decimalSchema.optional(),
  value: decimalSchema.optional(),
  ofSupply: decimalSchema.optional(),
  rank: z.int().optional(),
  wasRank: z.int().optional(),
});
const tradesFacts = z.object({
  about: z.literal('trades'),
  publicKey: z.string().optional(),
  title: z.string().optional(),
  project: z.string().optional(),
  slug: z.string().optional(),
  trades: z.int().optional(),
  more: z.int().optional(),
  volume: decimalSchema.optional(),
  moreVolume: decimalSchema.optional(),
  net: decimalSchema.optional(),
  state: z.string().optional(),
});
const icoFacts = z.object({
  about: z.literal('ico'),
  project: z.string().optional(),
  slug: z.string().optional(),
  symbol: z.string().optional(),
  contribution: decimalSchema.optional(),
});
const rankFacts = z.object({
  about: z.literal('rank'),
  token: z.string(),
  symbol: z.string().optional(),
  slug: z.string().optional(),
  rank: z.int(),
  wasRank: z.int().optional(),
  at: instantSchema,
  ofSupply: decimalSchema.optional(),
});
export const factsSchema = z.discriminatedUnion('about', [holdingFacts, tradesFacts, icoFacts, rankFacts]);
export type WalletFacts = z.infer<typeof factsSchema>;

export function walletContent({
  facts,
  stage,
  address,
  name,
  crossings = [],
}: {
  readonly facts: WalletFacts;
  readonly stage: string;
  readonly address: WalletAddress | undefined;
  readonly name: string | undefined;
  readonly crossings?: readonly Crossing[] | undefined;
}): EventContent {
  const about = name ?? (address === undefined ? 'A wallet' : `Wallet ${shortKey(address)}`);
  const who = name === undefined ? about : `"${name}"`;
  const summary = { label: 'Details', line: `/wallet ${address}` };
  const links: readonly LinkTarget[] = [{ to: 'wallet', wallet: address }];
  switch (facts.about) {
    case 'holding': {
      const flow = { label: 'Flow', line: `/wallet ${address} flow ${facts.token}` };
      return { about, ...holdingWords(who, stage, facts), actions: [summary, flow], links };
    }
    case 'rank':
      return { about, ...rankWords(who, facts, crossings), actions: [summary], links };
    case 'trades': {
      const detail = facts.publicKey === undefined ? [] : [{ label: 'Trades', line: `/wallet ${address} proposal ${facts.publicKey}` }];
      return {
        about,
        tone: 'live',
        ...tradesWords(who, facts),
        actions: [summary, ...detail],
        links: [...links, { to: 'proposal', publicKey: facts.publicKey, slug: facts.slug }],
      };
    }
    case 'ico': {
      const ico = facts.project ?? facts.symbol;
      const put = facts.contribution === undefined ? '' : ` with ${usd(facts.contribution)}`;
      const headline: Line = [{ strong: `${who} joined ${ico === undefined ? 'an ICO' : `the ${ico} ICO`}` }, put];
      return { about, tone: 'live', headline, details: [], actions: [summary, { label: 'ICOs', line: `/wallet ${address} icos` }], links };
    }
  }
}

function rankWords(
  who: string,
  { token, symbol = shortKey(token), rank, wasRank, at, ofSupply }: z.infer<typeof rankFacts>,
  crossings: readonly Crossing[],
): Words {
  const [first] = crossings;
  const about = { who, token: symbol };
  const words = first && crossingWords(first, about);
  const details: readonly Line[] = [
    ...alsoCrossed(crossings, about),
    ...(ofSupply === undefined ? [] : [[`${share(ofSupply)} of supply`]]),
    between({ at }),
  ];
  if (words === undefined)
    return {
      tone: 'plain',
      headline: [{ strong: `${who} is the #${rank} holder of ${symbol}` }, wasRank === undefined ? '' : ` (was #${wasRank})`],
      details,
    };
  return { tone: words.rose ? 'up' : 'down', headline: [{ strong: `${words.finding}: ${words.value}` }], details };
}

type Words = { readonly tone: Tone; readonly headline: Line; readonly details: readonly Line[] };

function holdingWords(who: string, stage: string, facts: z.infer<typeof holdingFacts>): Words {
  const { symbol = shortKey(facts.token), was, now, wasRank, rank } = facts;
  const details = [...oneLine([worth(facts), rankText(facts)].filter((part) => part !== '').map((part) => [part])), between(facts)];
  switch (stage) {
    case 'new':
      return { tone: 'up', headline: [{ strong: `${who} opened a position: ${tokens(now)} ${symbol}` }], details };
    case 'exit':
      return {
        tone: 'down',
        headline: [{ strong: `${who} exited ${symbol}` }, was === undefined ? '' : ` (held ${tokens(was)})`],
        details: [between(facts)],
      };
    case 'rank': {
      const headline: Line = [{ strong: `${who} is the #${rank} holder of ${symbol}` }, ` (was #${wasRank})`];
      // The largest holder has rank 1.
      return {
        tone: (rank ?? 0) < (wasRank ?? 0) ? 'up' : 'down',
        headline,
        details: [...oneLine(worth(facts) === '' ? [] : [[worth(facts)]]), between(facts)],
      };
    }
    default: {
      const moved = was === undefined ? undefined : subtract(now, was);
      const ratio = was === undefined ? undefined : percentChange(was, now);
      const less = moved !== undefined && isNegative(moved);
      const by =
        moved === undefined ? '' : ` (${less ? '−' : '+'}${tokens(absolute(moved))}${ratio === undefined ? '' : `, ${percent(ratio)}`})`;
      return { tone: less ? 'down' : 'up', headline: [{ strong: `${who} now holds ${tokens(now)} ${symbol}` }, by], details };
    }
  }
}

const worth = ({ value, ofSupply }: z.infer<typeof holdingFacts>): string =>
  [...(value === undefined ? [] : [usd(value)]), ...(ofSupply === undefined ? [] : [`${share(ofSupply)} of supply`])].join(', ');

const rankText = ({ rank, wasRank }: z.infer<typeof holdingFacts>): string =>
  rank === undefined || wasRank === undefined ? '' : `holder #${rank} (was #${wasRank})`;

function between({ from, at }: { readonly from?: Instant | undefined; readonly at: Instant }): Line {
  return from === undefined ? ['Snapshot: ', { at }] : ['Snapshots: ', { at: from }, ' → ', { at }];
}

function tradesWords(who: string, facts: z.infer<typeof tradesFacts>): Omit<Words, 'tone'> {
  const { title, project, more, moreVolume, trades, volume, net, state } = facts;
  const what = title === undefined ? 'an untitled proposal' : `"${title}"`;
  const size = [
    ...(more === undefined || more < 1 ? [] : [`${more} ${more === 1 ? 'trade' : 'trades'}`]),
    ...(moreVolume === undefined || isNegative(moreVolume) ? [] : [usd(moreVolume)]),
  ].join(', ');
  const side = net === undefined ? undefined : `${usd(absolute(net))} net on ${isNegative(net) ? 'fail' : 'pass'}`;
  const all = trades === undefined || more === undefined || trades === more ? undefined : `${trades} trades, ${usd(volume)} in total`;
  const details = [side, all, state === undefined ? undefined : `proposal ${state}`].filter((line) => line !== undefined);
  return {
    headline: [{ strong: `${who} traded on ${what}` }, `${project === undefined ? '' : ` (${project})`}${size === '' ? '' : `: ${size}`}`],
    details: oneLine(details.map((part) => [part])),
  };
}

/** Returns the USD that were traded or contributed, or else the change at the snapshot's price. */
export const walletSize = (facts: WalletFacts, stage: string): EventSize => ({
  ...amountOf(facts, stage),
  labels: { projects: projectsOf(facts) },
});

/** Returns the names that a filter may use for the project; none without a slug, because the token may be of any project. */
const projectsOf = (facts: WalletFacts): readonly string[] =>
  facts.slug === undefined
    ? []
    : [facts.slug, 'symbol' in facts ? facts.symbol : undefined, 'project' in facts ? facts.project : undefined].filter(
        (name) => name !== undefined,
      );

function amountOf(facts: WalletFacts, stage: string): EventSize {
  const usd = (value: Decimal | undefined) => value && absolute(value);
  switch (facts.about) {
    case 'trades':
      return { noun: 'trading', usd: usd(facts.moreVolume) };
    case 'ico':
      return { noun: 'contribution', usd: usd(facts.contribution) };
    case 'rank':
      return { noun: 'change' };
    case 'holding': {
      const { was, now, price: each } = facts;
      const moved = each && multiply(was === undefined ? now : subtract(now, was), each);
      // A rank can change while the balance does not.
      return { noun: 'change', usd: usd(moved), percent: stage === 'rank' ? undefined : largestChange(now, [was]) };
    }
    default:
      return never(facts);
  }
}
