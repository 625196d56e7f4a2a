/** What a message says, read as a person reads it: nothing of the bot's formats is shared. */
import type { Address } from '../../../src/chat/address.js';
import { movedAddress, type Edited, type Platform, type Posted } from '../platform/platform.js';

const isOf =
  (chat: Address) =>
  (post: Posted): boolean =>
    post.chat === chat || post.chat === movedAddress(chat);

/** Of a chat and of what it became, in the order of arrival. */
export const postsOf = (platform: Platform, chat: Address): readonly Posted[] => platform.posted.filter(isOf(chat));
export const editsOf = (platform: Platform, chat: Address): readonly Edited[] => platform.edits.filter(isOf(chat));

export const isDigest = ({ text }: Posted): boolean => /^\S* ?(?:Daily|Weekly) digest/u.test(text);

/** Of a chat, without its digests. */
export const alertsOf = (platform: Platform, chat: Address): readonly Posted[] => postsOf(platform, chat).filter((post) => !isDigest(post));

const ROW = /(?:minted|burned|paid|received) (\d{1,3}(?:,\d{3})*) (?:[A-Z]+|tokens)\b/gu;

/** "Correction · Tide minted 103 TIDE": follows an alert up, and is none. */
const FOLLOW_UP = /^.*\bCorrection · .*$/gmu;
const named = (text: string): readonly number[] => [...text.matchAll(ROW)].map(([, amount]) => numberIn(amount));

/** The amounts of rows that a text alerts of. */
export const amountsIn = (text: string): readonly number[] => named(text.replaceAll(FOLLOW_UP, ''));

/** The amounts of rows whose alerts a text follows up. */
export const followedUpIn = (text: string): readonly number[] => [...text.matchAll(FOLLOW_UP)].flatMap(([line]) => named(line));

/** Whether the line of a row, or the one below it, says that the row was corrected. */
export function isCorrected(text: string, amount: number): boolean {
  const lines = text.split('\n');
  return lines.some((line, index) => {
    const isMarked = line.includes(' · Corrected: ') || lines[index + 1]?.trimStart().startsWith('Corrected: ') === true;
    return isMarked && named(line).includes(amount);
  });
}

export interface TotalLine {
  readonly count: number;
  readonly total: number;
  /** `supply tide out`. */
  readonly group: string;
}

const SUPPLY_TOTAL = /^\S (\d+) (mint|burn)s: [+−]([\d,.]+) ([A-Z]+|tokens)/gmu;
const MOVED_TOTAL = /^\S (\d+) treasury movements at (\w+): ([+−])([\d,.]+) USDC/gmu;
const numberIn = (text: string | undefined): number => Number(text?.replaceAll(',', ''));

/** "10 burns: −1,155 TIDE": rows that a text sums up. */
export const totalsIn = (text: string): readonly TotalLine[] => [
  ...[...text.matchAll(SUPPLY_TOTAL)].map(([, count, verb, total, symbol]) => ({
    ...{ count: Number(count), total: numberIn(total) },
    group: `supply ${symbol?.toLowerCase()} ${verb === 'mint' ? 'in' : 'out'}`,
  })),
  ...[...text.matchAll(MOVED_TOTAL)].map(([, count, name, sign, total]) => ({
    ...{ count: Number(count), total: numberIn(total) },
    group: `movements ${name?.toLowerCase()} ${sign === '+' ? 'in' : 'out'}`,
  })),
];

/** "14 alerts for Tide": how many a message says that it reports. */
export const countIn = (text: string): number | undefined => {
  const count = /^(\d+) alerts for /u.exec(text)?.[1];
  return count === undefined ? undefined : Number(count);
};

/** "… and 5 more": what a message counts without naming it. */
export const unnamedIn = (text: string): number => numberIn(/^… and ([\d,]+) more/mu.exec(text)?.[1] ?? '0');

/** None of them only counts events. */
export const namesAll = (posts: readonly Posted[]): boolean => posts.every(({ text }) => unnamedIn(text) === 0);

/** Nor sums any up. */
export const namesEach = (posts: readonly Posted[]): boolean => namesAll(posts) && posts.every(({ text }) => totalsIn(text).length === 0);

export type MarketStage = 'live' | 'result';

const STAGES: Readonly<Record<MarketStage, RegExp>> = { live: /Live: "([^"]+)"/gu, result: /(?:Passed|Failed)[^"\n]*: "([^"]+)"/gu };

/** "Market 1 live". */
export const stagesIn = (text: string): readonly string[] =>
  (['live', 'result'] as const).flatMap((stage) => [...text.matchAll(STAGES[stage])].map(([, title]) => `${title} ${stage}`));

export type LaunchStage = 'live' | 'minimum' | 'ending' | 'complete' | 'refunding';

const LAUNCH_STAGES: Readonly<Record<LaunchStage, RegExp>> = {
  live: /Launch live: (\S+) \([^\n]+\n[^\n]*?\b\d?\d(?:\.\d)?% of/gu,
  minimum: /(\S+)'s launch reached its minimum/gu,
  ending: /Launch ending soon: (\S+) \(/gu,
  complete: /(\S+)'s launch completed/gu,
  refunding: /(\S+)'s launch is refunding/gu,
};
const ALL_LAUNCH_STAGES = ['live', 'minimum', 'ending', 'complete', 'refunding'] as const;

/** "Lagoon live". */
export const launchStagesIn = (text: string): readonly string[] =>
  ALL_LAUNCH_STAGES.flatMap((stage) =>
    [...text.replaceAll(FOLLOW_UP, '').matchAll(LAUNCH_STAGES[stage])].map(([, title]) => `${title} ${stage}`),
  );

const GROWTH = /(?:fees|traders): ([\d,]+) \([^)]*?(?:was ([\d,]+))?\)/gu;

/** "Tide fees: 2,040 (Nov 19)", "Tide corrected its fees: 2,051 (Nov 19, was 2,040)". */
export const growthIn = (text: string): readonly { readonly value: number; readonly was: number | undefined }[] =>
  [...text.replaceAll(FOLLOW_UP, '').matchAll(GROWTH)].map(([, value, was]) => ({
    value: numberIn(value),
    was: was === undefined ? undefined : numberIn(was),
  }));

/** "Corrected: was 2,040, now 2,051". */
export const correctedTo = (text: string, value: number): boolean =>
  [...text.matchAll(/Corrected: was [^,]*(?:,\d+)*, now ([\d,]+)/gu)].some(([, now]) => numberIn(now) === value);

const SUMMED = /^\S ([\d,]+) (?:mint|burn)s: /gmu;

/** "▼ 225 burns: −107K TIDE": how many it sums up. */
export const summedIn = (text: string): number => [...text.matchAll(SUMMED)].reduce((sum, [, count]) => sum + numberIn(count), 0);

/** "Catching up: … and 150 earlier": how many were too many to keep. */
export const earlierIn = (text: string): number => numberIn(/ and ([\d,]+) earlier$/mu.exec(text)?.[1] ?? '0');

/** "Back below $1.50 after 1 h, high $1.503": that an alert in a message is over. */
export const saysOver = (text: string): boolean => /\bBack (?:below|above) [^\n]+? after /u.test(text);

/** "Corrected: was $1,000,000, now $2,340,000": what a launch came to. */
export const correctedAmountIn = (text: string): number | undefined => {
  const amount = /Corrected: was \$[\d,.]+, now \$([\d,]+)/u.exec(text)?.[1];
  return amount === undefined ? undefined : numberIn(amount);
};
