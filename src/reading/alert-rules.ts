/** Writes an alert rule from a parsed text. Pure. */
import { inMonths, isTime, type Amount } from './amounts.js';
import { RUNWAY_LOST, comparisonsIn, plain, turned, type ComparedAmount } from './filters.js';
import { backRule, bandIn, bigIn, limitsIn, namingRule, unusualRule, withoutOtherDirection } from './filter-rules.js';
import type { Heard } from './heard.js';
import { lastingIn, marketRule, withinOf } from './market-rules.js';

const inDollars = ({ value, unit }: Amount): string => (unit === 'cents' ? plain(String(Number(value) / 100)) : plain(value));

/** A rule, or the part of the text that no rule can express. */
type RuleRead = { readonly rule: string; readonly unread?: string | undefined } | { readonly unread: string } | undefined;

/** Returns undefined if the text contains no rule. */
export function ruleIn(heard: Heard): string | undefined {
  const read = ruleWithoutEnd(heard);
  if (read === undefined || !('rule' in read)) return undefined;
  const rule = withDirection(read.rule, heard.text);
  const isOnly =
    /\bonly\b|\bnothing else\b/iu.test(heard.text) && /^(?:supply|movements|usd)/u.test(rule) && !/(?:in|out)going|:|wallet/u.test(rule);
  const only = withBand(withLasting(isOnly ? rule.replace(/^(\w+) /u, '$1 only ') : rule, heard.text), heard);
  const isOnce =
    ONE_ALERT.test(heard.text) ||
    /\b(?:just|only|alert|tell me|ping me) once\b(?! (?:it|the|its)\b)|\bone time\b|\bonce\b(?=\s*(?:[,.;!)]|$|when\b|if\b|then\b|and\b|only\b))/iu.test(
      heard.text.replaceAll(AS_SOON_AS, ' '),
    );
  return withEnd(isOnce ? `${only} once` : only, heard);
}

/** Returns the part of an alert request that its rule cannot express: a time in which a price moves, or an unsupported figure. */
export const unreadOfRule = (heard: Heard): string | undefined => ruleWithoutEnd(heard)?.unread;

/** "For 6 hours" makes a threshold alert only after its value has stayed beyond it that long. */
function withLasting(rule: string, text: string): string {
  const time = LASTS_THRESHOLD.test(rule) ? lastingIn(text) : undefined;
  return time === undefined ? rule : `${rule} for ${time}`;
}

const ONE_ALERT =
  /\b(?:a|one|1) (?:single|sole) (?:alert|message|ping|notification|time)\b|\bone[- ](?:shot|off|time)\b|\bjust this once\b|\bfirst time only\b|\bonly the first time\b|\b(?:drop|remove|delete) (?:the|that) (?:rule|alert) (?:then|afterwards?)\b/iu;
/** In "only once its premium has stayed below", "once" means "as soon as" and not "one time". */
const AS_SOON_AS = /\bonce\b(?=\s+(?!when\b|if\b|then\b|and\b)(?:\S+\s+){1,6}(?:has|have|is|are|stays?|remains?)\b)/giu;

/** "Re-arm only after it has recovered by 4 points" sets the hysteresis of a threshold. */
function withBand(rule: string, heard: Heard): string {
  const band = /^(?:premium|price|nav|treasury|proposals)\b[^:]*[<>]/u.test(rule) ? bandIn(heard) : undefined;
  return band === undefined ? rule : `${rule} band ${band}`;
}

const LASTS_THRESHOLD = /^(?:(?:premium|price|nav|treasury|proposals) ?)?(?:(?!trade|z>)\w+)?[<>]-?[\d.]+$/u;

/** "Until the first of December" ends a threshold; a filter of events has no end. */
function withEnd(rule: string, { times: { end } }: Heard): string {
  const isThreshold = /(?:[<>]|\bmove |\bz>|extreme|\bflip)/u.test(rule) && !/\b(?:usd|percent|stages)\b/u.test(rule);
  return end !== undefined && isThreshold ? `${rule} until ${end.at.toFormat('yyyy-MM-dd')}` : rule;
}

const OUTGOING =
  /\b(?:outgoing|outs|outflows?|outgo|outbound|leav(?:e|es|ing)|leaves|left|going out|goes out|out of|paid out|pays? out|withdraw\w*|moves out|sent out)\b/iu;
const INCOMING = /\b(?:incoming|inflows?|inbound|coming in|comes in|receives?|received|receiving|deposits?|paid in)\b/iu;

/** Returns undefined if the text names no direction: the rule then covers payments in both. */
function directionIn(said: string): 'incoming' | 'outgoing' | undefined {
  const text = withoutOtherDirection(said);
  const [isOut, isIn] = [OUTGOING.test(text), INCOMING.test(text)];
  if (isOut === isIn) return undefined;
  return isOut ? 'outgoing' : 'incoming';
}

function withDirection(rule: string, text: string): string {
  const direction = directionIn(text);
  return direction === undefined || !rule.startsWith('movements usd>') ? rule : `${rule} ${direction}`;
}

/** Measures for which no alert exists. A number beside one of them must not be read as another measure. */
const NO_MEASURE =
  /\b(?:market ?cap(?:italisation|italization)?|mcap|fdv|fully diluted|odds|probabilit(?:y|ies)|chances?|liquidity|holders? count|number of (?:\w+ )?holders|holders)\b/iu;

/** In "from 10 to 15" and "at 5, make it 9" the second number is the new value. */
export const REPLACED = /\bfrom\s+[-\d.]+\s?\S{0,8}\s+to\s+[-\d.]|\d\S*\W+make (?:it|that)\s+[-\d.]/iu;

/** "Isn't below -10%" is no rule on what is below it. */
const NEGATED =
  /\b(?:not|isn['’]?t|aren['’]?t|never|no longer|stops?)\s+(?:(?:trading|trades?|being|at|on|in|a|any|yet|more|anymore)\s+)*(?:below|above|under|over|less|more|cheap|cheaper|expensive|higher|lower|discount|sale|premium|(?:over|under)valued)\b(?! than (?:once|one))/iu;

function ruleWithoutEnd(heard: Heard): RuleRead {
  const { text } = heard;
  // In "below NAV for 6 hours" the number is a duration; the comparison is with NAV.
  const lasts = lastingIn(text) !== undefined;
  const named = comparisonsIn(heard);
  // In "24h return below -15%" the 24 is a time and not a threshold.
  const values = named.filter(({ amount }) => !isTime(amount.unit));
  const all = lasts || values.length > 0 ? values : named;
  const comparisons = REPLACED.test(text) && all.length === 2 ? all.slice(1) : all;
  const [first, second] = comparisons;
  const limited = namingRule(heard) ?? backRule(heard);
  if (limited !== undefined) return { rule: limited };
  // What is half understood is no rule.
  const negated = NEGATED.exec(text)?.[0];
  if (negated !== undefined) {
    // Whoever is "not overvalued" need not be at a discount, so an alert on one is not set.
    const opposite = first === undefined && !/valued|priced|cheap|expensive/iu.test(negated) ? turned(text) : undefined;
    const rule = opposite === undefined || NEGATED.test(opposite) ? undefined : ruleWithoutAmount({ ...heard, text: opposite });
    return ruled(rule) ?? { unread: negated };
  }
  if (second !== undefined && /\bbetween\b/iu.test(text)) return undefined;
  const ofMarket = marketRule(heard, comparisons);
  if (ofMarket !== undefined) return ofMarket;
  const sizes = bothSizes(heard, comparisons);
  if (sizes !== undefined) return { rule: sizes };
  if (first !== undefined && second !== undefined && isOtherMeasure(first, second)) return undefined;
  const [rank] = heard.wallets.length > 0 && /\brank\w*\b/iu.test(text) && MOVES.test(text) ? comparisons : [];
  if (rank !== undefined) return { rule: `wallet rank move ${plain(rank.amount.value)}` };
  const unusual = unusualRule(heard);
  if (unusual !== undefined) return { rule: unusual };
  if (/\bunusual(?:ly)?\b|\babnormal(?:ly)?\b|\bz-?score\b/iu.test(text)) return { rule: 'premium z>2' };
  if (first === undefined) return ruled(ruleWithoutAmount(heard));
  if (isNavPerShare(heard, first)) return { unread: 'NAV per share' };
  const unread = NO_MEASURE.exec(text)?.[0];
  if (unread !== undefined && !heard.has('mint', 'burn')) return { unread };
  return moveRule(heard, first) ?? ruled(withLimits(sizeRule(heard, first), heard) ?? levelRule(heard, first));
}

function withLimits(rule: string | undefined, heard: Heard): string | undefined {
  const limits = rule === undefined ? undefined : limitsIn(heard, /^\w+/u.exec(rule)?.[0] ?? '');
  return limits === undefined ? rule : `${rule ?? ''} ${limits}`;
}

/** "At least $50,000 or 0.5% of the supply" has two sizes, of which one or both must be reached. */
function bothSizes(heard: Heard, comparisons: readonly ComparedAmount[]): string | undefined {
  const both = comparisons.map(({ amount }) => amount);
  const [usd, percent] = [both.find(isMoneyOf), both.find(({ unit }) => unit === '%')];
  if (!heard.has('mint', 'burn', 'supply') || usd === undefined || percent === undefined) return undefined;
  const joined = /\bor\b/iu.test(heard.text.slice(heard.text.search(/\d/u))) ? ' or ' : ' ';
  return `supply usd>${inDollars(usd)}${joined}percent>${plain(percent.value)}`;
}

/** Thresholds exist for the NAV of a treasury but not for the NAV of a share. */
const isNavPerShare = ({ text }: Heard, { amount: { unit, value } }: ComparedAmount): boolean =>
  /\bnav\b|\bnet asset value\b|\bbacking\b/iu.test(text) &&
  !MOVES.test(text) &&
  !/\b(?:above|over|below|under|beneath|through|to|of|off|from|vs|against|than) (?:its |the |their )?(?:nav|net asset value|book)\b|\bpremium\b|\bdiscount\b/iu.test(
    text,
  ) &&
  (unit === '$' || unit === 'cents' || (unit === '' && value.includes('.'))) &&
  Number(value) < MAX_SHARE;

/** The value is in USD. A smaller NAV is taken for that of a share, a larger one for that of a treasury. */
const MAX_SHARE = 10_000;

const ruled = (rule: string | undefined): RuleRead => (rule === undefined ? undefined : { rule });

const MOVES =
  /\bmoves?\b|\bmoved\b|\bchang(?:es?|ed|ing) by\b|\bswings?\b|\bshift(?:s|ed)?\b|\bbudges?\b|\bsteps? of\b|\bdisplacement\b|\bevery \S+ move\b/iu;
/** Words for a change by an amount. The subject stands before them. */
const CHANGES = String.raw`[^\d]*\b(?:drop|fall|fell|decline|decrease|shrink|rise|rose|grow|increase|los|gain|jump|climb|slip|sink)\w*\s+(?:(?:by|more|than|over|at|least|another)\s+)*\d+(?:[.,]\d+)?\s?(?:%|percent)(?! (?:below|above|under|over|off))`;
/** The measures, besides the price and the premium, that have a rule for a move. */
const MOVED: readonly (readonly [string, RegExp])[] = [
  ['treasury runway', new RegExp(String.raw`\brunway\b${CHANGES}`, 'iu')],
  ['treasury allowance', new RegExp(String.raw`\ballowance\b${CHANGES}`, 'iu')],
  ['premium', new RegExp(String.raw`\b(?:premium|discount)\b${CHANGES}`, 'iu')],
  ['nav', new RegExp(String.raw`\b(?:nav|net asset value|treasury|reserves)\b${CHANGES}`, 'iu')],
];
/** The measures without a rule for a move. The amount of one must not become a move of the price. */
const UNMOVED = new RegExp(
  String.raw`\b(supply|circulation|revenues?|earnings|income|profits?|expenses?|spending|costs|balances?)\b${CHANGES}`,
  'iu',
);
/** "Falls 10%" and "falls by 10%" are changes of a premium, and "falls over 10%" may mean a threshold. */
const GAP_MOVES = new RegExp(
  String.raw`\bby \d|\b(?:premium|discount)\b[^\d]*\b(?:drop|fall|fell|decline|decrease|shrink|rise|rose|grow|increase|los|gain|jump|climb|slip|sink)\w*\s+\d`,
  'iu',
);
const DAY = /\b(?:24 ?h(?:(?:ou)?rs?)?|day|daily|today)\b/iu;

/** Writes the rule for a change by an amount: "drops 10%", "has lost 15% within a day". */
function moveRule(heard: Heard, { amount }: ComparedAmount): RuleRead {
  const { text } = heard;
  const size = plain(amount.value);
  const has = heard.has.bind(heard);
  const isGap = has('premium', 'discount');
  const isMove = MOVES.test(text);
  const ofDay = dayChange(heard, amount);
  if (ofDay !== undefined) return { rule: ofDay };
  const lost = RUNWAY_LOST.exec(text)?.[0];
  if (lost !== undefined && /\brunway\b/iu.test(text)) return { unread: lost };
  const named = amount.unit === '%' ? MOVED.find(([, form]) => form.test(text))?.[0] : undefined;
  if (named !== undefined && named !== 'premium' && !isGap) return { rule: `${named} move ${size}%` };
  if (named === 'premium' && GAP_MOVES.test(text)) return { rule: `premium move ${size}`, unread: withinOf(text)?.text };
  const other = isGap ? undefined : UNMOVED.exec(text)?.[1];
  if (other !== undefined) return { unread: other };
  if (isMove && has('nav') && !isGap && amount.unit === '%' && !/\b(?:above|below|under|over) (?:its |the )?nav\b/iu.test(text))
    return { rule: `nav move ${size}%` };
  if (isMove && /\brunway\b/iu.test(text) && amount.unit === '%') return { rule: `treasury runway move ${size}%` };
  if (has('mint', 'burn', 'payment') || amount.negative || (amount.unit !== '%' && !(isMove && isGap))) return undefined;
  if (has('growth') && !isGap && !has('price')) return undefined;
  if (!isMove && (!PRICE_CHANGE.test(text) || isGap || has('nav'))) return undefined;
  const within = withinOf(text);
  if (/\d\s?(?:%|percent)? off\b/iu.test(text)) return undefined;
  if (isGap) return { rule: `premium move ${size}`, unread: within?.text };
  if (DAY.test(text)) return { rule: priceChange(text, size, isMove) };
  return { rule: `price move ${size}%`, unread: within?.text };
}

/** "Down 20 in a day", "24h return below -15%", "+15% on 24h". Such words are used of a price, never of a premium or NAV. */
function dayChange({ text, has }: Heard, { value, negative, unit, by }: Amount): string | undefined {
  const isOther =
    /\b(?:nav|net asset value|book|runway|margin)\b/iu.test(text) ||
    has('premium', 'discount', 'mint', 'burn', 'payment', 'growth', 'proposal');
  const withinDay =
    /\b(?:in|on|over|within|inside)\s+(?:(?:a|one|1|the|single)\s+){0,2}(?:24 ?h(?:(?:ou)?rs?)?|day)\b|\b24 ?h (?:return|change|move|performance)\b/iu;
  if (isOther || (unit !== '%' && unit !== '') || !withinDay.test(text)) return undefined;
  const isDown = negative || by === '<' || DROPS.test(text);
  return isDown ? `price24h<-${plain(value)}` : UPS.test(text) || by === '>' ? `price24h>${plain(value)}` : undefined;
}

const DROPS =
  /\b(?:down|drop(?:s|ped)?|fall(?:s|en)?|fell|los(?:es?|t)|dump(?:s|ed)?|slid(?:es?)?|tank(?:s|ed)?|nuke[sd]?|plunge[sd]?|plummet(?:s|ed)?|tumble[sd]?|crash(?:es|ed)?|sink(?:s)?|bleed(?:s)?)\b/iu;
const UPS =
  /\b(?:up|gain(?:s|ed)?|pump(?:s|ed)?|climb(?:s|ed)?|ris(?:es?|en)|rose|jump(?:s|ed)?|rall(?:y|ies|ied)|rips?|moons?|surge[sd]?)\b|\+\s?\d/iu;

/** Writes the rule for the size of an event: a mint, a payment, or a wallet's transaction. */
function sizeRule(heard: Heard, { amount, near }: ComparedAmount): string | undefined {
  const { text, wallets } = heard;
  const has = heard.has.bind(heard);
  const isMoney = isMoneyOf(amount);
  if (isRunway(amount, near)) return undefined;
  if (wallets.length > 0 && isMoney) return `wallet usd>${inDollars(amount)}`;
  if (has('mint', 'burn') && (isMoney || amount.unit === '')) return `supply usd>${inDollars(amount)}`;
  if (has('mint', 'burn') && amount.unit === '%' && !has('premium', 'discount', 'nav')) return `supply percent>${plain(amount.value)}`;
  if (near[0] === 'supply' && isMoney) return `supply usd>${inDollars(amount)}`;
  if (has('payment') && (isMoney || amount.unit === '')) return `movements usd>${inDollars(amount)}`;
  if (amount.unit === '%' && has('growth') && !has('premium', 'discount', 'nav')) return `growth percent>${plain(amount.value)}`;
  const isPayment =
    isMoney &&
    amount.by !== '<' &&
    /\b(?:moves?|moved|leav\w+|leaves|out of|pays?|paying|sends?|goes out|outs|outgoing|receives?|received|incoming)\b/iu.test(text) &&
    !has('price', 'premium');
  return isPayment ? `movements usd>${inDollars(amount)}` : undefined;
}

/** NAV is missing because "backing", a word for it, has the stem of "back" in "back over 12". */
const LEVELS = ['premium', 'discount', 'runway', 'price', 'treasury'];

const isRunway = ({ unit }: Amount, near: readonly string[]): boolean =>
  unit === 'months' || unit === 'years' || (unit === '' && near.find((field) => LEVELS.includes(field)) === 'runway');

const isMoneyOf = ({ unit, value }: Amount): boolean => unit === '$' || unit === 'cents' || (unit === '' && Number(value) >= 1_000);

/** Writes the rule for a value that is reached: of runway, allowance, NAV, price or premium. */
function levelRule(heard: Heard, { amount, near }: ComparedAmount): string | undefined {
  const has = heard.has.bind(heard);
  const { text } = heard;
  if (isRunway(amount, near)) {
    const months = inMonths(amount);
    return months === undefined ? undefined : `treasury runway${amount.by === '>' && !has('below') ? '>' : '<'}${months}`;
  }
  const isMoney = isMoneyOf(amount);
  if (/\ballowance\b/iu.test(text) && isMoney) return `treasury allowance${isFalling(heard, amount) ? '<' : '>'}${inDollars(amount)}`;
  if (isMoney && (has('treasury') || (near.includes('nav') && Number(amount.value) >= 10_000)))
    return `treasury nav${amount.by === '>' ? '>' : '<'}${inDollars(amount)}`;
  const isPrice =
    amount.unit === '$' ||
    amount.unit === 'cents' ||
    near[0] === 'price' ||
    (amount.unit === '' && !amount.negative && !has('premium', 'discount', 'nav') && amount.value.includes('.'));
  if (isPrice && amount.unit !== '%') return `price${isFalling(heard, amount) ? '<' : '>'}${inDollars(amount)}`;
  return premiumRule(heard, amount);
}

const MEASURED = ['premium', 'discount', 'nav', 'runway', 'price', 'treasury', 'mint', 'burn', 'payment', 'growth'];

/** "Below -10 and runway under 6 months" compares two measures; a single threshold rule cannot. */
function isOtherMeasure(first: ComparedAmount, second: ComparedAmount): boolean {
  const isCompared = ({ amount }: ComparedAmount): boolean => (amount.by !== undefined || amount.negative) && !isTime(amount.unit);
  if (!isCompared(first) || !isCompared(second)) return false;
  const [one, other] = [first, second].map(({ amount, near }) =>
    ['months', 'years'].includes(amount.unit) ? 'runway' : (near.find((field) => MEASURED.includes(field)) ?? amount.unit),
  );
  return first.amount.unit !== second.amount.unit || one !== other;
}

/** "Drops 10%", "is up 20% in a day", "has lost more than 15%": a change by an amount, not to a value. */
const PRICE_CHANGE =
  /\b(?:price|goes|went|is|moves?|drop(?:s|ped)?|fall(?:s|en)?|fell|rises?|risen|rose|los(?:es?|t)|gain(?:s|ed)?|pump(?:s|ed)?|dump(?:s|ed)?|jump(?:s|ed)?|climb(?:s|ed)?)\s+(?:up|down|by|more than|over|at least)?\s*(?:by|more than|over|at least)?\s*\d/iu;

/** If the text names no direction, the rule covers both. */
function priceChange(text: string, size: string, isMove: boolean): string {
  if (/\b(?:down|drop(?:s|ped)?|fall(?:s|en)?|fell|los(?:es?|t)|dump(?:s|ed)?)\b/iu.test(text)) return `price24h<-${size}`;
  return isMove && !/\bup\b/iu.test(text) ? `price24h>${size} price24h<-${size}` : `price24h>${size}`;
}

function isFalling(heard: Heard, { by }: Amount): boolean {
  if (
    /\b(?:dumps?|falls?|falling|drops?|dips?|sinks?|loses?|crashes|less|lower|under|below|costs less|stop loss|down to|slips?)\b/iu.test(
      heard.text.replaceAll(/\bdrop (?:the|that|my|me|us)\b/giu, ' '),
    )
  )
    return true;
  return by === '<';
}

/** A discount is a negative premium: "20% under NAV", "discount deeper than 20", "below -20". */
function premiumRule(heard: Heard, { value, negative, by }: Amount): string {
  const size = plain(value);
  if (/^0+(?:\.0+)?$/u.test(size)) return /\babove\b|\bover\b|\brises\b|>/iu.test(heard.text) ? 'premium>0' : 'premium<0';
  // A discount that shrinks below 10% is a premium that rises above -10%.
  if (/\bdiscount\s+(?:\w+\s+){0,2}(?:below|under|less than|smaller than|to)\s+\d/iu.test(heard.text)) return `premium>-${size}`;
  const isNegative = negative || /\bminus\s+\d/iu.test(heard.text);
  if (isNegative) return by === '>' && !heard.has('drop') ? `premium>-${size}` : `premium<-${size}`;
  const isDiscount = heard.has('discount') || /\b(?:below|under|beneath|off|less than (?:its|nav)|cheaper)\b/iu.test(heard.text);
  return isDiscount && !/\b(?:above|over) (?:its |the )?(?:nav|book)\b|\bpremium of\b/iu.test(heard.text)
    ? `premium<-${size}`
    : `premium>${size}`;
}

function ruleWithoutAmount(heard: Heard): string | undefined {
  const { text } = heard;
  const has = heard.has.bind(heard);
  const limits = has('payment') ? limitsIn(heard, 'movements') : undefined;
  if (limits !== undefined && /\balerts?\b|\bonly\b/iu.test(text)) return `movements ${limits}`;
  const mints = has('mint', 'burn') ? limitsIn(heard, 'supply') : undefined;
  const size = has('mint', 'burn') ? bigIn(heard) : undefined;
  if (mints !== undefined || size !== undefined) return ['supply', mints, size].filter((word) => word !== undefined).join(' ');
  const direction = has('payment') && (has('alert') || /\bonly\b/iu.test(text)) ? directionIn(text) : undefined;
  if (direction !== undefined) return `movements ${direction}`;
  if (has('proposal')) {
    if (/\b(?:decided|resolved|result|results|outcome|outcomes|passes or fails|over)\b/iu.test(text)) return 'proposals stages:resolved';
    if (/\b(?:ending|ends|about to end)\b/iu.test(text)) return 'proposals stages:ending';
    return has('live', 'up') || /\bstarts?\b|\bnew\b|\bopens?\b|\bbegins?\b/iu.test(text) ? 'proposals stages:live' : undefined;
  }
  const below =
    /\b(?:below|under|beneath|less than|cheaper than|falls? (?:through|under|to))\b.*\b(?:nav|book|value|stuff|assets|(?:it|they) (?:owns?|holds?|has|have))\b|\bat a discount\b|\bdiscount to nav\b/iu.test(
      text,
    );
  const above = /\b(?:above|over|more than|beyond|back to|reaches)\b.*\b(?:nav|book|value|par)\b|\bat a premium\b|\bcrosses par\b/iu.test(
    text,
  );
  if (!above && !below && /\bcross(?:es|ed|ing)?\b[^.]{0,20}\b(?:nav|net asset value|book(?: value)?)\b/iu.test(text))
    return 'premium>0 premium<0';
  if (above) return 'premium>0';
  if (below) return 'premium<0';
  if (has('expensive')) return 'premium>0';
  if (/\bcheap\b|\bundervalued\b|\bbargain\b/iu.test(text)) return 'premium<0';
  return undefined;
}
