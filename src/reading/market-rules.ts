/** Writes alert rules on the margin, prices, volume, traders, stake or trades of a decision market. Pure. */
import { plain, type ComparedAmount } from './filters.js';
import { isTime, type Amount } from './amounts.js';
import type { Heard } from './heard.js';
import { lengthFrom, lengthPattern, shortLength } from './lengths.js';

/** A rule, or the words that no rule can express. */
export type MarketRule = { readonly rule: string } | { readonly unread: string };

type MarketMeasure = 'margin' | 'worth' | 'pass' | 'fail' | 'volume' | 'traders' | 'stake' | 'trade';

const OF_MARKET =
  /\b(?:votes?|ballots?|motions?|resolutions?|referendums?|outcomes?|markets?|mkts?|proposals?|props?|drafts?|passing|failing)\b/iu;
const FLIPS =
  /\bflip(?:s|ped|ping)?\b|\brevers(?:es?|ed|al)\b|\b(?:tips?|turns?|swings?) (?:over|around|round|the other way)\b|\b(?:changes?|switch(?:es)?) (?:of )?(?:camps?|sides?|signs?)\b|\bsign changes?\b|\b(?:mood|lead|majority)\b.*\b(?:turns|changes|shifts)\b|\bswitch(?:es)? between passing and failing\b|\b(?:turns?|goes|switch(?:es)?|starts?|changes?) (?:from \w+ )?(?:to )?(?:passing|failing)\b/iu;

/** The first match wins: "trade" also occurs in "volume of trades". */
const NAMED: readonly (readonly [MarketMeasure, RegExp])[] = [
  ['margin', /\bmargins?\b/iu],
  ['fail', /\bfail(?:ing|ure)?[ -](?:price|token|market|side)\b|\bprice (?:of|if|on) (?:the )?(?:fail\w*|it fails)\b/iu],
  ['pass', /\bpass(?:ing)?[ -](?:price|token|market|side)\b|\bprice (?:of|if|on) (?:the )?(?:pass\w*|it passes)\b/iu],
  ['worth', /\bworth of (?:passing|the (?:proposal|vote))\b|\bpassing is (?:worth|priced)\b|\bworth\b(?=.*\b(?:proposals?|votes?)\b)/iu],
  ['worth', /\b(?:proposals?|votes?)\b.*\bworth\b|\bpass(?:ing)?\b.*\bover (?:fail|failing)\b/iu],
  ['traders', /\b(?:traders|participants|bettors)\b|\b(?:people|persons|wallets|accounts) (?:trade|bet|take part)/iu],
  ['stake', /\bstak(?:e|es|ed|ing)\b/iu],
  ['volume', /\bvolumes?\b|\bturnover\b/iu],
  ['trade', /\btrad(?:e|es)\b|\bbets?\b|\bbuys?\b|\bsells?\b|\bclips?\b|\bprints?\b|\bfills?\b/iu],
];
/** These measures exist for markets only. The others need a word for a market beside them. */
const ALWAYS: ReadonlySet<MarketMeasure> = new Set(['margin', 'pass', 'fail', 'volume', 'traders', 'stake']);
/** "A trade above $10K" names a trade, and "TIDE trades above $10" a price. */
const ONE_TRADE =
  /\b(?:an?|any|each|every|single|one|all|individual|big(?:ger)?|large(?:r)?|huge|whale|major|of|on|about|for|when(?:ever)?|if) (?:new )?(?:trades?|buys?|sells?|bets?)\b(?! (?:at|for) (?:an? )?(?:discount|premium))/iu;
/** The value is in USD. The size from which a rule for "large trades" alerts. */
const LARGE_TRADE = '10000';
const UNITS: Readonly<Record<MarketMeasure, readonly Amount['unit'][]>> = {
  margin: ['', '%'],
  worth: ['', '%'],
  pass: ['', '$', 'cents'],
  fail: ['', '$', 'cents'],
  volume: ['', '$'],
  traders: [''],
  stake: ['%', ''],
  trade: ['', '$'],
};
/** The largest number taken for each measure. More is another unit: a stake in tokens, not in percent of what a draft needs. */
const MOST: Partial<Readonly<Record<MarketMeasure, number>>> = { margin: 100, stake: 1_000, worth: 10_000 };
const MOVES = /\b(?:moves?|moved|changes? by|swings?|jumps? (?:by )?\d\S*|shifts?|shifted|delta|displacement)(?![\w])/iu;
const FALLS =
  /\b(?:dumps?|falls?|falling|drops?|dips?|sinks?|loses?|crashes|less|lower|under|below|inferior|down to|slips?|fewer|narrows?|shrinks?)\b|</iu;

/** Returns undefined if the text is not about a decision market. */
export function marketRule(
  { text, wallets }: Pick<Heard, 'text' | 'wallets'>,
  comparisons: readonly ComparedAmount[],
): MarketRule | undefined {
  const isOfMarket = OF_MARKET.test(text);
  if (/\bnav\b|\bpremium\b|\bdiscount\b/iu.test(text)) return undefined;
  if (FLIPS.test(text) && (isOfMarket || /\bmargin\b/iu.test(text))) return { rule: 'proposals flip' };
  const [measure] =
    NAMED.find(
      ([name, form]) =>
        form.test(text) && (isOfMarket || ALWAYS.has(name) || (wallets.length === 0 && name === 'trade' && ONE_TRADE.test(text))),
    ) ?? [];
  if (measure === undefined) return undefined;
  // In "3 points in an hour" the amount is 3 points; the hour is the time.
  const amount = comparisons.find(({ amount: { unit } }) => !isTime(unit))?.amount;
  if (amount === undefined) {
    if (measure === 'trade' && /\b(?:big|large|huge|whale|major)\b/iu.test(text)) return { rule: `proposals trade>${LARGE_TRADE}` };
    return undefined;
  }
  const isMove = MOVES.test(text) && measure !== 'trade';
  const isPercent = isMove && ['pass', 'fail', 'volume'].includes(measure);
  const units = isPercent ? ['%', ''] : UNITS[measure];
  if (!units.includes(amount.unit) || Number(amount.value) > (MOST[measure] ?? Number.POSITIVE_INFINITY))
    return { unread: wordOf(measure) };
  const size = amount.unit === 'cents' ? plain(String(Number(amount.value) / 100)) : plain(amount.value);
  if (measure === 'trade') return countsTrades(text) ? { unread: 'number of trades' } : { rule: `proposals trade>${size}` };
  if (isMove) {
    const within = withinOf(text);
    if (within !== undefined && measure !== 'margin' && measure !== 'worth') return { unread: within.text };
    return { rule: `proposals ${measure} move ${size}${isPercent ? '%' : ''}${within === undefined ? '' : ` in ${within.time}`}` };
  }
  const isBelow = amount.by === '<' || (amount.by === undefined && FALLS.test(text)) || (measure === 'margin' && FALLS.test(text));
  return { rule: `proposals ${measure}${isBelow ? '<' : '>'}${amount.negative || MINUS.test(text) ? '-' : ''}${size}` };
}

/** "More than 500 trades" counts them, and "trades over 500" is about the size of each. */
const TRADES_COUNTED =
  /\b(?:more than|over|above|at least|has|have|had|gets?|got|reach(?:es)?|hits?|pass(?:es)?|exceeds?)\s+(\d[\d.,]*)\s?(?:k\b)?\s*(?:trades|bets|buys|sells|orders)\b|\b(?:number|count|amount) of (?:trades|bets|buys|sells|orders)\b|\btrade count\b/iu;

/** Tells whether the text wants an alert on how many trades a market has, which no rule follows. */
const countsTrades = (text: string): boolean => TRADES_COUNTED.test(text) && !/\d\s?(?:\$|usd|dollars?)|\$\s?\d/iu.test(text);

/** Returns rules on what a market has besides a number of trades. Empty if the text does not count trades, or names no market. */
export function insteadOfTrades({ text, projects, keys, amounts }: Heard): readonly string[] {
  const name = projects[0]?.project.slug ?? keys[0]?.key;
  const size = amounts[0]?.value;
  return name === undefined || size === undefined || !countsTrades(text)
    ? []
    : ['traders', 'volume', 'trade'].map((measure) => `/alerts ${name} proposals ${measure}>${size}`);
}

const MINUS = /\b(?:minus|negative)\s+\d/iu;

const WORDS: Partial<Readonly<Record<MarketMeasure, string>>> = { pass: 'pass price', fail: 'fail price' };
const wordOf = (measure: MarketMeasure): string => WORDS[measure] ?? measure;

const TIME = String.raw`${lengthPattern(['minutes', 'hours', 'days'])}\b`;
const WITHIN = new RegExp(String.raw`\b(?:in|within|over|inside)\s+(?:(?:the )?(?:last|past)\s+)?${TIME}`, 'iu');
const LASTING = new RegExp(
  String.raw`\b(?:for|since|holds?|lasts?|sticks?|stays?|persists?)\s+(?:for )?(?:at least |more than |over |longer than |(?:>=?|≥) ?)?(?:the (?:last|past) )?${TIME}(?! (?:low|high))`,
  'iu',
);
/** Finds the time within which something moves, as in "in an hour", and the text without it. */
export const withinOf = (text: string): { readonly time: string; readonly text: string } | undefined => timeOf(WITHIN.exec(text));

/** Finds how long a condition has to last, as in "for 6 hours". */
export const lastingIn = (text: string): string | undefined => timeOf(LASTING.exec(text))?.time;

function timeOf(match: RegExpExecArray | null): { readonly time: string; readonly text: string } | undefined {
  const length = match === null ? undefined : lengthFrom(match.slice(1), { m: 'minutes' });
  return match === null || length === undefined ? undefined : { time: shortLength(length), text: match[0] };
}
