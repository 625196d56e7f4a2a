/** Writes the filter of a screen from a parsed text, and finds the words that stand near each amount. */
import { inMonths, type Amount } from './amounts.js';
import type { Heard } from './heard.js';

export interface ComparedAmount {
  readonly amount: Amount;
  /** The concepts of the words around the amount, the nearest first. */
  readonly near: readonly string[];
}

const FIELDS = [
  'premium',
  'discount',
  'expensive',
  'nav',
  'runway',
  'price',
  'cap',
  'treasury',
  'money',
  'live',
  'proposal',
  'up',
  'down',
  'drop',
  'mint',
  'burn',
  'supply',
  'payment',
  'growth',
];

export function comparisonsIn({ amounts, words }: Heard): readonly ComparedAmount[] {
  return amounts.map((amount, index) => {
    const [before, after] = [amounts[index - 1]?.to ?? 0, amounts[index + 1]?.from ?? words.length];
    const around = words
      .map((word, at) => ({ word, far: at < amount.from ? amount.from - at : at >= amount.to ? at - amount.to + 1.5 : 0.5, at }))
      .filter(({ at }) => at >= before && at < after)
      .toSorted((a, b) => a.far - b.far);
    return { amount, near: around.flatMap(({ word }) => word.concepts.filter((concept) => FIELDS.includes(concept))) };
  });
}

export const plain = (value: string): string => value.replace(/(?<=\.\d*?)0+$/u, '').replace(/\.$/u, '');

const SORTED: readonly (readonly [string, string])[] = [
  ['runway', 'runway'],
  ['cap', 'cap'],
  ['treasury', 'treasury'],
  ['money', 'treasury'],
  ['growth', 'volume'],
  ['live', 'live'],
];

const NEGATED = /\b(?:not|no|without|isn't|aren't|isnt|arent|never|non|except|excluding)\b/iu;

const NOT = String.raw`\b(?:(?:is|are|was|were|does|do)n['’]?t|not|no longer|stops?)(?: (?:yet|currently|now|really|even))?`;
const TRADING = String.raw`(?:(?:be|being|trade|trades|trading|have) )?`;

/** A negated condition, and the words of its opposite. A size that is negated is turned where amounts are read. */
const OPPOSITES: readonly (readonly [RegExp, string])[] = [
  [
    new RegExp(String.raw`${NOT} ${TRADING}(?:at|on|in|with) (?:an? |any |the )?discount (?:of |over |above |more than )?(?=-?\d)`, 'giu'),
    'at a discount below ',
  ],
  [
    new RegExp(String.raw`${NOT} ${TRADING}(?:at|on|in|with) (?:an? |any |the )?premium (?:of |over |above |more than )?(?=-?\d)`, 'giu'),
    'with a premium below ',
  ],
  [new RegExp(String.raw`(?:${NOT}|\bno) ${TRADING}(?:more|over|above|higher|greater|bigger)(?: than)? (?=[-$]?\d)`, 'giu'), 'at most '],
  [new RegExp(String.raw`(?:${NOT}|\bno) ${TRADING}(?:less|under|below|lower|fewer|smaller)(?: than)? (?=[-$]?\d)`, 'giu'), 'at least '],
  [new RegExp(String.raw`${NOT} ${TRADING}(?:at|on|in|for) (?:a |any )?(?:discount|sale)\b`, 'giu'), 'above nav'],
  [new RegExp(String.raw`${NOT} ${TRADING}(?:at|on|in) (?:a |any )?premium\b`, 'giu'), 'below nav'],
  [new RegExp(String.raw`${NOT} ${TRADING}(?:below|under) (?:its |their |the )?(?:nav|book(?: value)?)\b`, 'giu'), 'above nav'],
  [new RegExp(String.raw`${NOT} ${TRADING}(?:above|over) (?:its |their |the )?(?:nav|book(?: value)?)\b`, 'giu'), 'below nav'],
  [new RegExp(String.raw`(?:${NOT}|\bnon) ?-?(?:so |too |very )?(?:under(?:valued|priced)|cheap|discounted)\b`, 'giu'), 'above nav'],
  [new RegExp(String.raw`(?:${NOT}|\bnon) ?-?(?:so |too |very )?(?:over(?:valued|priced)|expensive|pricey)\b`, 'giu'), 'below nav'],
];

/** Rewrites "not at a discount" as "above nav". Returns undefined for any other negated condition. */
export function turned(text: string): string | undefined {
  const plain = OPPOSITES.reduce((sum, [negated, opposite]) => sum.replaceAll(negated, opposite), text);
  return NEGATED.test(plain) &&
    /\b(?:not|without|isn't|aren't|isnt|arent|no|never|non|excluding|except)\W+(?:\w+\W+){0,3}(?:discount|premium|nav|runway|treasury|live|proposals?|above|below|under|over|price|cap|(?:under|over)(?:valued|priced)|cheap|expensive)\b/iu.test(
      plain,
    )
    ? undefined
    : plain;
}

const WITHOUT_LIVE =
  /\b(?:without|with no|ha(?:ve|s) no|having no|(?:do|does)(?:n['’]?t| not) have|no)\s+(?:(?:any|an?|single)\s+){0,2}(?:(?:live|open|active|running|ongoing|current)\s+)?(?:proposals?|votes?|(?:decision )?markets?)\b/iu;

/** A runway has rules for a share of it that is lost, and for a number of months that is left. */
export const RUNWAY_LOST =
  /\b(?:los(?:es?|t)|(?:drops?|falls?|shrinks?|declines?|decreases?) by) (?:(?:more than|over|at least|another) )*\d+ ?(?:months?|years?|mo|m)\b/iu;

/** Writes the filter and order of /screen. */
export function filterIn(spoken: Heard): string | undefined {
  const isWithoutLive = WITHOUT_LIVE.test(spoken.text);
  const text = turned(spoken.text.replace(WITHOUT_LIVE, ' '));
  // A condition that is only half understood must not become a filter.
  if (text === undefined) return undefined;
  // A number of lost months is no number of months that are left.
  if (RUNWAY_LOST.test(text)) return undefined;
  const heard = { ...spoken, text };
  const has = heard.has.bind(heard);
  const tests: string[] = isWithoutLive ? ['live<1'] : [];
  const between =
    /\b(?:between|within|from|range)\b|\d ?(?:\.\.|-|to) ?-?\d/iu.test(text) &&
    heard.amounts.length >= 2 &&
    heard.amounts.every(({ unit }) => ['', '%', 'months', '$'].includes(unit));
  for (const [index, { amount, near }] of comparisonsIn(heard).entries()) {
    const test = testOf({ amount: between ? { ...amount, by: index === 0 ? '>' : '<' } : amount, near, heard, between });
    if (test !== undefined && !tests.includes(test)) tests.push(test);
  }
  const fields = tests.map((test) => test.replace(/[<>].*$/u, ''));
  const says = (...names: readonly string[]): boolean => names.some((name) => fields.includes(name));
  if (
    /\blive\b|\bopen\b|\bactive\b|\bongoing\b|\brunning\b|\bright now\b|\bcurrent(?:ly)?\b|\bon now\b|\bvoting\b|\bfor vote\b|\bup for\b|\bpending\b|\bvotes?\b/iu.test(
      text,
    ) &&
    (has('proposal') || /\blive (?:market|vote)|\bmarkets? open\b/iu.test(text)) &&
    !says('live')
  )
    tests.push('live>0');
  const top = has('top');
  const low = has('low') || /\b(?:first|soonest|shorter|out of money)\b/iu.test(text);
  if (!says('premium', 'discount')) {
    if (
      /\bcheap(?:er)?\b|\bdiscount(?:ed)?\b|\bundervalued\b|\bfavou?rable\b/iu.test(text) &&
      tests.length > 0 &&
      !/\bcheapest\b/iu.test(text)
    )
      tests.push('premium<0');
    const under = /\bworth less than (?:what|its|their)\b|\b(?:below|under|beneath)\b[^\d]{0,16}\b(?:nav|book|value|assets?)\b/iu.test(
      text,
    );
    const over =
      /\b(?:above|over|more than|exceed\w*)\b[^\d]{0,24}\b(?:nav|book|stuff|value|assets?|backs?|behind)\b|\bat a premium\b|\boverpriced\b|\brich names\b|\bovervalued\b|\bcost more than\b/iu.test(
        text,
      );
    if (!tests.includes('premium<0')) {
      if (over && !top) tests.push('premium>0');
      else if (under && !over) tests.push('premium<0');
    }
  }
  const change = changeField(
    text.replaceAll(/\bup for\b|\b(?:come|coming|comes|listed|set|look|end|open|sum|top|back|start|bring|pull|show|what'?s) up\b/giu, ' '),
  );
  if (change !== undefined && !tests.some((test) => test.startsWith('change'))) {
    if (/\bgreen\b|\bpositive\b|\bup\b|\bgain\w*\b|\bris(?:ing|en)\b|\brose\b|\brall\w+\b|\bclimb\w*\b/iu.test(text))
      tests.push(`${change}>0`);
    else if (/\bred\b|\bdown\b|\bfalling\b/iu.test(text)) tests.push(`${change}<0`);
  }
  const isPriced = tests.some((test) => /^(?:premium|discount)/u.test(test));
  if (/\bcheap\b/iu.test(text) && tests.length > 0 && !isPriced) tests.push('premium<0');
  if (/\bsmall\b|\bsmaller\b|\btiny\b|\bmicro/iu.test(text) && !says('cap') && tests.length > 0) tests.push('cap<3m');
  const sort = sortIn(heard, { top, low, tests });
  const words = [...tests, ...(sort === undefined ? [] : [sort])];
  return words.length === 0 ? undefined : words.join(' ');
}

function changeField(text: string): string | undefined {
  if (
    !/\bgreen\b|\bpositive\b|\bred\b|\bup\b|\bdown\b|\bgain\w*\b|\blos(?:ers?|t)\b|\bmov\w+\b|\bfall\w*\b|\bris\w+\b|\brose\b|\brall\w+\b|\bjump\w*\b|\bclimb\w*\b/iu.test(
      text,
    )
  )
    return undefined;
  return /\bweek\b|\b7d\b|\bwk\b/iu.test(text) ? 'change7d' : /\bhour\b|\b1h\b/iu.test(text) ? 'change1h' : 'change24h';
}

interface Tested {
  readonly amount: Amount;
  readonly near: readonly string[];
  readonly heard: Heard;
  readonly between: boolean;
}

function testOf({ amount, near, heard, between }: Tested): string | undefined {
  const { text } = heard;
  const isLess = amount.by === '<';
  const size = plain(amount.value);
  if (between) {
    const money = heard.amounts.some(({ unit, value }) => unit === '$' || Number(value) >= 1_000)
      ? heard.has('cap')
        ? 'cap'
        : heard.has('treasury')
          ? 'treasury'
          : 'price'
      : undefined;
    if (money !== undefined) return `${money}${isLess ? '<' : '>'}${money === 'price' ? size : short(amount.value)}`;
    const ranged =
      near.includes('runway') || heard.amounts.some(({ unit }) => unit === 'months')
        ? 'runway'
        : near.includes('premium') || heard.amounts.some(({ negative }) => negative)
          ? 'premium'
          : 'discount';
    return `${ranged}${isLess ? '<' : '>'}${amount.negative ? '-' : ''}${size}`;
  }
  // In "top 5" and "cheapest five" the number is a count of rows.
  if (
    amount.unit === '' &&
    amount.by === undefined &&
    !amount.negative &&
    ((near[0] !== 'discount' && near[0] !== 'premium') || /\b(?:top|best|first|cheapest|biggest|deepest)\s+\d/iu.test(text))
  )
    return undefined;
  if (amount.unit === 'months' || amount.unit === 'years') {
    const months = inMonths(amount);
    // "Last 6 months" is a range and not a runway.
    if (months === undefined || /\blast \d/iu.test(text)) return undefined;
    return `runway${isLess || (/\bless\b|\bunder\b|\brun(?:s)? out\b/iu.test(text) && amount.by === undefined) ? '<' : '>'}${months}`;
  }
  // In "now sit 15% below NAV", "now" does not ask for live proposals: only a number without a unit counts those.
  const isCount = amount.unit === '';
  const field = near.find((one) => (one !== 'nav' || !near.includes('discount')) && (isCount || (one !== 'live' && one !== 'proposal')));
  if (amount.unit === 'days' || amount.unit === 'hours' || amount.unit === 'weeks' || amount.unit === 'minutes') return undefined;
  if (field === 'runway' && /\brunway (?:under|below|over|above|less than|more than|<|>) ?\d+ ?m\b/iu.test(text))
    return `runway${isLess ? '<' : '>'}${String(Number(amount.value) >= 1e6 ? Number(amount.value) / 1e6 : amount.value)}`;
  if (field === 'runway' && amount.unit === '') return `runway${isLess ? '<' : '>'}${size}`;
  const big = Number(amount.value) >= 1_000;
  if (near.includes('cap') && (big || amount.unit === '$')) return `cap${amount.by === '>' ? '>' : '<'}${short(amount.value)}`;
  if (amount.unit === '$' || big) {
    if (field === 'treasury' || field === 'money') return `treasury${isLess ? '<' : '>'}${short(amount.value)}`;
    if (field === 'price' && !big) return `price${isLess ? '<' : '>'}${size}`;
    return `cap${amount.by === '>' ? '>' : '<'}${short(amount.value)}`;
  }
  if (field === 'live' || (field === 'proposal' && amount.unit === '')) return undefined;
  if ((field === 'down' || field === 'up') && !near.slice(0, 2).some((one) => one === 'nav' || one === 'discount')) {
    const change = changeField(text) ?? 'change24h';
    return field === 'down' ? `${change}<-${size}` : `${change}>${size}`;
  }
  // A number without a field, such as "<3", cannot be tested.
  if (near.length === 0 && amount.unit === '' && !amount.negative) return undefined;
  if (amount.negative) return `premium${amount.by === '>' ? '>' : '<'}-${size}`;
  if (field === 'premium' && !/\bdiscount\b/iu.test(text)) return `premium${isLess ? '<' : '>'}${size}`;
  if (/\b(?:above|over) (?:its |the )?(?:nav|book)\b/iu.test(text) && !heard.has('discount')) return `premium${isLess ? '<' : '>'}${size}`;
  return `discount${isLess && near[0] === 'discount' && !/\b(?:below|under) (?:nav|book|value)\b/iu.test(text) ? '<' : '>'}${size}`;
}

/** Shortens "2500000" to "2.5m". */
function short(value: string): string {
  const number = Number(value);
  if (number >= 1e9 && number % 1e7 === 0) return `${number / 1e9}b`;
  if (number >= 1e6 && number % 1e4 === 0) return `${number / 1e6}m`;
  if (number >= 1e3 && number % 10 === 0) return `${number / 1e3}k`;
  return plain(value);
}

function sortIn(
  heard: Heard,
  { top, low, tests }: { readonly top: boolean; readonly low: boolean; readonly tests: readonly string[] },
): string | undefined {
  const { text } = heard;
  const has = heard.has.bind(heard);
  if (/\bsafest\b/iu.test(text)) return 'sort:runway:highest';
  if (/\bcheap\w*\b|\bundervalued\b/iu.test(text) && tests.length === 0 && !has('runway', 'cap')) return 'sort:premium:lowest';
  for (const [concept, field] of SORTED) {
    if (!has(concept) || tests.some((test) => test.startsWith(field))) continue;
    if (field === 'live' && !/\bmost\b/iu.test(text)) continue;
    if (field === 'treasury' && /\bout of money\b|\bruns? out\b/iu.test(text)) return 'sort:runway:lowest';
    if (!top && !low && !/\b(?:sort|rank|order|by|list|longest|long|richest|rich)\w*\b/iu.test(text)) continue;
    const lowest = low && !/\bmost\b|\bbiggest\b|\blargest\b|\blongest\b|\bhighest\b/iu.test(text);
    return `sort:${field}:${lowest || (field === 'cap' && /\bsmall\w*\b/iu.test(text)) ? 'lowest' : 'highest'}`;
  }
  if (/\b(?:dies|die|broke)\b/iu.test(text)) return 'sort:runway:lowest';
  if (/\bsmall(?:est)?\b/iu.test(text) && tests.length === 0) return 'sort:cap:lowest';
  if (tests.length > 0) return undefined;
  if (/\b(?:most )?(?:overpriced|overvalued|expensive|richest)\b|\b(?:highest|biggest|top|largest) premiums?\b/iu.test(text))
    return 'sort:premium:highest';
  if (has('discount', 'premium', 'nav') || /\bvalue\b|\bbuy\b|\bsale\b/iu.test(text)) return 'sort:premium:lowest';
  return undefined;
}
