/** This module defines the facts of a proposal, and words them in alerts and live messages. */
import { z } from 'zod';
import { omitUndefined } from '../base/omit-undefined.js';
import { capitalised } from '../base/sentence-lists.js';
import { DAY, HOUR, MINUTE } from '../base/clock.js';
import type { Line, Tone } from '../chat/reply.js';
import type { Crossing } from '../domain/crossing.js';
import { crossingWords } from '../domain/crossing-words.js';
import { isZero } from '../domain/decimal.js';
import { MAX_PAST_VALUES } from '../domain/event.js';
import { duration, percent, price, tokens, usd } from '../domain/format.js';
import { MEASURES } from '../domain/measures.js';
import { sparkline } from '../domain/sparkline.js';
import { marginOf, requirement, verdict } from '../domain/market-phase.js';
import { decimalSchema, instantSchema, type Instant } from '../domain/scalars.js';
import { keyFault, shortKey } from '../domain/wallet.js';
import { dated, ending, oneLine } from './date-phrases.js';
import { alsoCrossed, type EventContent } from './event-content.js';
import { worthOf, type MarketRow } from './market-values.js';

export const factsSchema = z.object({
  name: z.string(),
  publicKey: z.string().optional(),
  title: z.string().optional(),
  startsAt: instantSchema.optional(),
  twapStartsAt: instantSchema.optional(),
  endsAt: instantSchema.optional(),
  passEdge: decimalSchema.optional(),
  threshold: decimalSchema.optional(),
  margin: decimalSchema.optional(),
  traders: z.int().optional(),
  volume: decimalSchema.optional(),
  staked: decimalSchema.optional(),
  stakeNeeded: decimalSchema.optional(),
  passPrice: decimalSchema.optional(),
  failPrice: decimalSchema.optional(),
  /** Past margins, oldest first, for the sparkline. */
  margins: z
    .array(z.tuple([instantSchema, decimalSchema]))
    .max(MAX_PAST_VALUES)
    .readonly()
    .optional(),
  /** The single trade that crossed a rule. */
  trade: z
    .object({
      value: decimalSchema,
      at: instantSchema.optional(),
      market: z.string().optional(),
      direction: z.string().optional(),
      price: decimalSchema.optional(),
      wallet: z.string().optional(),
    })
    .optional(),
  /** The result of a market that has ended. */
  outcome: z.enum(['passed', 'failed']).optional(),
});
export type ProposalFacts = z.infer<typeof factsSchema>;

const HEADLINE_OF: Readonly<Record<string, string>> = {
  created: 'New proposal',
  live: 'Live',
  twap: 'TWAP window open',
  ending: 'Ending soon',
  removed: 'Removed',
};
export const LIVE_HEADLINE_OF: Readonly<Record<string, string>> = { twap: 'Live' };
const TONE_OF: Readonly<Record<string, Tone>> = {
  created: 'over',
  live: 'live',
  twap: 'live',
  ending: 'warning',
  passed: 'up',
  failed: 'down',
  removed: 'over',
};
const RESULTS = new Set(['passed', 'failed', 'removed']);
export const isResult = (stage: string): boolean => RESULTS.has(stage) || stage.startsWith('said ');

export function factsOf(name: string, row: MarketRow): ProposalFacts {
  const { publicKey, title, startsAt, twapStartsAt, endsAt, passEdge, threshold, margin, traders, volume, staked, stakeNeeded } = row;
  const { pass: passPrice, fail: failPrice } = row.prices ?? {};
  return {
    ...{ name, publicKey, title, startsAt, twapStartsAt, endsAt, passEdge, threshold, margin, traders, volume, staked, stakeNeeded },
    ...omitUndefined({ passPrice, failPrice, outcome: row.outcome }),
  };
}

const titleOf = ({ title }: ProposalFacts): string => (title ? `"${title}"` : 'an untitled proposal');

export function worded(
  headline: string,
  { facts, stage, project }: { readonly facts: ProposalFacts; readonly stage: string; readonly project?: string | undefined },
  details: readonly Line[],
): EventContent {
  return {
    tone: TONE_OF[stage] ?? 'plain',
    about: facts.name,
    headline: [{ strong: `${headline}: ${titleOf(facts)}` }, ` (${facts.name})`],
    details,
    actions: [
      ...(keyFault(facts.publicKey ?? '') !== undefined ? [] : [{ label: 'Details', line: `/proposal ${facts.publicKey}` }]),
      { label: 'Proposals', line: `/proposals ${project}` },
    ],
    links: [{ to: 'proposal', publicKey: facts.publicKey, slug: project }],
  };
}

/** Words the values of a market, or the rules that they crossed. */
export function measuredContent(
  { facts, project, detectedAt }: { readonly facts: ProposalFacts; readonly project?: string | undefined; readonly detectedAt: Instant },
  crossed: readonly Crossing[],
): EventContent {
  const about = { who: titleOf(facts) };
  // A flip comes first: a changed outcome matters more than the size of the margin.
  const crossings = crossed.toSorted((a, b) => Number(b.rule.when === 'flip') - Number(a.rule.when === 'flip'));
  const [first] = crossings;
  const words = first && crossingWords(first, about);
  const content = worded('Live', { facts, stage: 'live', project }, []);
  const finding = words === undefined ? titleOf(facts) : `${words.finding}: ${words.value}`;
  const isTrade = first !== undefined && MEASURES[first.rule.measure].each;
  return {
    ...content,
    tone: words === undefined ? 'live' : isTrade ? 'plain' : words.rose ? 'up' : 'down',
    headline: [{ strong: finding }, ` (${facts.name})`],
    details: [
      ...alsoCrossed(crossings, about),
      ...(words === undefined || isTrade ? [] : [[capitalised(words.was)]]),
      ...tradeLine(facts, detectedAt),
      // The chart of the alert shows the course. The last trades of a market are read with its result.
      ...(isTrade && facts.outcome !== undefined
        ? [[`The market has ended: ${verdict(facts.outcome, marginOf(facts))}`]]
        : progressOf('live', { ...facts, margins: undefined }, detectedAt, first?.rule.measure === 'margin')),
    ],
  };
}

/** A trade that is older when it is alerted says when it was made. */
const JUST_MADE = 5 * MINUTE;

/** Returns text such as "Bought pass at $0.5873 · by 9xQe… · made 14:59 UTC". */
function tradeLine({ trade, outcome }: ProposalFacts, detectedAt: Instant): readonly Line[] {
  if (trade === undefined) return [];
  const { market, direction, price: at, wallet, at: madeAt } = trade;
  const did = direction === 'buy' ? 'Bought' : direction === 'sell' ? 'Sold' : undefined;
  const what = did === undefined || market === undefined ? undefined : `${did} ${market}${at === undefined ? '' : ` at ${price(at)}`}`;
  const isOld = madeAt !== undefined && (outcome !== undefined || detectedAt - madeAt > JUST_MADE);
  return oneLine([
    ...(what === undefined ? [] : [[what]]),
    ...(wallet === undefined ? [] : [[`by ${shortKey(wallet)}`]]),
    ...(isOld ? [['made ', { at: madeAt }]] : []),
  ]);
}

export function headlineOf(stage: string, facts: ProposalFacts): string {
  if (stage === 'passed' || stage === 'failed') return capitalised(verdict(stage, marginOf(facts)));
  return HEADLINE_OF[stage] ?? capitalised(stage.replace(/^said /u, ''));
}

export function detailsOf(
  stage: string,
  facts: ProposalFacts,
  { detectedAt, now }: { readonly detectedAt: Instant; readonly now: Instant },
): readonly Line[] {
  const stake: readonly Line[] =
    stage === 'created' && facts.staked !== undefined && facts.stakeNeeded !== undefined
      ? [[`stake ${tokens(facts.staked)} of ${tokens(facts.stakeNeeded)} needed`]]
      : [];
  const when: readonly Line[] = RESULTS.has(stage)
    ? []
    : [
        ...(stage === 'live' && facts.twapStartsAt !== undefined
          ? [dated(facts.twapStartsAt, now, { ahead: 'TWAP window opens', over: 'TWAP window opened' })]
          : []),
        ...(facts.endsAt !== undefined && facts.endsAt > detectedAt ? [ending(facts.endsAt, now)] : []),
      ];
  const edge = stage === 'created' ? undefined : edgeText(stage, facts);
  const parts: readonly Line[] = [
    ...stake,
    ...(edge === undefined ? [] : [[edge]]),
    ...when,
    ...(stage === 'created' ? [] : crowdOf(facts)),
  ];
  return oneLine(parts);
}

/** Returns the lines below the headline of a live message. With `hasMargin` the headline has the margin, which is left out here. */
export function progressOf(stage: string, facts: ProposalFacts, at: Instant, hasMargin = false): readonly Line[] {
  const { staked, stakeNeeded, twapStartsAt, endsAt } = facts;
  const edge = stage === 'created' ? undefined : edgeText(stage, facts, hasMargin);
  const isMarket = stage !== 'created' && !isResult(stage);
  const line = oneLine([
    ...(stage === 'created' && staked !== undefined && stakeNeeded !== undefined
      ? [[`stake ${tokens(staked)} of ${tokens(stakeNeeded)} needed`]]
      : []),
    ...(edge === undefined ? [] : [[edge]]),
    ...(isMarket && twapStartsAt !== undefined
      ? [twapStartsAt <= at ? ['TWAP window open'] : ['TWAP window opens ', { at: twapStartsAt }]]
      : []),
    ...(!isResult(stage) && endsAt !== undefined && endsAt > at ? [ending(endsAt, at)] : []),
    ...(stage === 'created' ? [] : crowdOf(facts)),
  ]);
  return [...line, ...(stage === 'created' ? [] : worthLine(stage, facts)), ...(isMarket ? courseLine(facts, at) : [])];
}

/** Returns text such as "Passing is priced at +0.4% (pass $0.5873, fail $0.5850)". */
function worthLine(stage: string, { passPrice: pass, failPrice: fail }: ProposalFacts): readonly Line[] {
  const worth = worthOf({ pass, fail });
  if (worth === undefined || pass === undefined || fail === undefined) return [];
  return [[`Passing ${isResult(stage) ? 'was' : 'is'} priced at ${percent(worth)} (pass ${price(pass)}, fail ${price(fail)})`]];
}

/** Writes a time under 2 days in hours: "in the last 24 h", not "in the last 1 d". */
export const hoursOrDays = (time: number): string => (time < 2 * DAY && time >= HOUR ? `${Math.round(time / HOUR)} h` : duration(time));

/** Returns text such as "Margin ▁▂▅▇ in the last 20 h". */
function courseLine({ margins = [] }: ProposalFacts, at: Instant): readonly Line[] {
  const points = margins.map(([moment, value]) => ({ at: moment, value }));
  const [first] = points;
  const course = sparkline(points, { until: at });
  return first === undefined || course === undefined ? [] : [[`Margin ${course} in the last ${hoursOrDays(at - first.at)}`]];
}

function crowdOf({ traders, volume }: ProposalFacts): readonly Line[] {
  const crowd = [
    ...(volume === undefined || isZero(volume) ? [] : [`${usd(volume)} volume`]),
    ...(traders === undefined || traders === 0 ? [] : [`${traders} ${traders === 1 ? 'trader' : 'traders'}`]),
  ];
  return crowd.length === 0 ? [] : [[crowd.join(', ')]];
}

/** Returns text such as "Passing by 0.6 pts (+2.1%, needs +1.5%)". */
function edgeText(stage: string, facts: ProposalFacts, hasMargin = false): string | undefined {
  const { passEdge, threshold } = facts;
  const needs = RESULTS.has(stage) ? 'needed' : 'needs';
  const edges = [
    ...(passEdge === undefined ? [] : [percent(passEdge)]),
    ...(threshold === undefined ? [] : [`${needs} ${percent(threshold)}`]),
  ].join(', ');
  const margin = marginOf(facts);
  if (passEdge === undefined && margin === undefined) return threshold && `${needs} ${requirement(threshold)}`;
  if (RESULTS.has(stage) || margin === undefined || hasMargin) return edges === '' ? undefined : `pass edge ${edges}`;
  return `${verdict('live', margin)}${edges === '' ? '' : ` (${edges})`}`;
}
