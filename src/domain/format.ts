/** Rounds and formats all numbers. An unknown value is "n/a", never 0; a positive gap is a premium. */
import { Big } from 'big.js';
import humanizeDuration from 'humanize-duration';
import { recordingCounts, recordingTexts } from './calculations.js';
import { dayOf, shortZoneName, wallClock } from './day.js';
import { compare, isNegative, isZero, multiply } from './decimal.js';
import { decimal, type Day, type Decimal, type Instant } from './scalars.js';

export const UNKNOWN = 'n/a';

/** `Intl` formats decimal text exactly, but its type wants a literal. */
const exactly = (value: Decimal) => value as unknown as Intl.StringNumericLiteral;
const sign = (value: Decimal): string => (isNegative(value) ? '−' : '');
/** Removes the sign without recording a calculation. */
const absolute = (value: Decimal): Decimal => (value.startsWith('-') ? decimal(value.slice(1)) : value);

/** Writes `486210.500` as "486,210.5". Used for counts, thresholds and single records. */
export const exact = recordingTexts(exactOf);
function exactOf(value: Decimal | undefined): string {
  if (value === undefined) return UNKNOWN;
  const [whole = '0', fraction = ''] = absolute(value).split('.');
  const digits = fraction.replace(/0+$/, '');
  return `${sign(value)}${formatter({}).format(BigInt(whole))}${digits === '' ? '' : `.${digits}`}`;
}

/** Writes a number of things, such as "8,458". */
export const countText = recordingCounts((count: number): string => exactOf(decimal(count)));

/** Cached, because making a formatter costs as much as a hundred uses of it. */
const formatters = new Map<string, Intl.NumberFormat>();
function formatter(options: Intl.NumberFormatOptions): Intl.NumberFormat {
  const key = JSON.stringify(options);
  const known = formatters.get(key) ?? new Intl.NumberFormat('en-US', options);
  formatters.set(key, known);
  return known;
}

const write = (size: Decimal, options: Intl.NumberFormatOptions): string => formatter(options).format(exactly(size));
const fixed = (size: Decimal, digits: number): string => write(size, { minimumFractionDigits: digits, maximumFractionDigits: digits });
const reaches = (size: Decimal, limit: string): boolean => compare(size, decimal(limit)) >= 0;
const rounded = (value: Decimal, digits: number): Decimal => decimal(new Big(value).round(digits).toFixed());

/** Writes amounts of tables and totals: "12.9M", "9,999", "828.5", "0.0001235". */
export const amount = recordingTexts(amountOf);
function amountOf(value: Decimal | undefined): string {
  if (value === undefined) return UNKNOWN;
  const size = absolute(value);
  if (reaches(rounded(size, 0), '10000')) return `${sign(value)}${write(size, { notation: 'compact', maximumSignificantDigits: 3 })}`;
  return tokensOf(value);
}

/** Writes the amount of a single event: "486,210", "828.5", "0.0001235". */
export const tokens = recordingTexts(tokensOf);
function tokensOf(value: Decimal | undefined): string {
  if (value === undefined) return UNKNOWN;
  const size = absolute(value);
  if (isZero(value)) return '0';
  if (!reaches(size, '1')) return `${sign(value)}${write(size, { maximumSignificantDigits: 4 })}`;
  return `${sign(value)}${write(size, { maximumFractionDigits: reaches(rounded(size, 2), '1000') ? 0 : 2 })}`;
}

/** Shows enough digits to tell both values apart: "12.90M → 13.39M". */
export function fromTo(from: Decimal, to: Decimal): string {
  const both = [from, to].map((value) =>
    reaches(absolute(value), '10000')
      ? `${sign(value)}${write(absolute(value), { notation: 'compact', minimumSignificantDigits: 4, maximumSignificantDigits: 4 })}`
      : tokensOf(value),
  );
  return (both[0] === both[1] ? [from, to].map(exactOf) : both).join(' → ');
}

/** Writes "$5.77M", "$828.00", "$403K", "$9.94". */
export const usd = recordingTexts(usdOf);
function usdOf(value: Decimal | undefined): string {
  if (value === undefined) return UNKNOWN;
  const size = absolute(value);
  if (!reaches(rounded(size, 2), '1000')) return `${sign(value)}$${cents(size)}`;
  const digits = { minimumSignificantDigits: 3, maximumSignificantDigits: 3 };
  return `${sign(value)}$${write(size, { notation: 'compact', ...digits })}`;
}

/** Writes "$10K", "$1.5M", "$1.50", "$402,581.88". */
export const usdLimit = recordingTexts(usdLimitOf);
function usdLimitOf(value: Decimal): string {
  const size = absolute(value);
  const short = reaches(size, '1000') && new Big(size).prec(3).eq(size);
  // A single decimal would not be read as cents.
  const text = short ? write(size, { notation: 'compact', maximumSignificantDigits: 3 }) : exactOf(size).replace(/\.\d$/u, '$&0');
  return `${sign(value)}$${text}`;
}

/** Writes the value of a single record: "$402,581.88", "$9.94". */
export const usdExact = recordingTexts(usdExactOf);
function usdExactOf(value: Decimal | undefined): string {
  return value === undefined ? UNKNOWN : `${sign(value)}$${cents(absolute(value))}`;
}

function cents(size: Decimal): string {
  if (isZero(size)) return '0';
  // A value below a cent must not be shown as zero.
  return isZero(rounded(size, 2)) ? priceOf(size).slice(1) : fixed(size, 2);
}

/** Shows four significant digits: "$0.6289", "$0.00001234", "$12.50", "$1,234". */
export const price = recordingTexts(priceOf);
function priceOf(value: Decimal | undefined): string {
  if (value === undefined) return UNKNOWN;
  if (isZero(value)) return '$0';
  const size = absolute(value);
  const text = reaches(size, '1000') ? fixed(size, 0) : write(size, { minimumSignificantDigits: 4, maximumSignificantDigits: 4 });
  return `${sign(value)}$${text}`;
}

/** Writes a percentage with its sign: "+3.8%", "−0.04%", "+250%". */
export const percent = recordingTexts(percentOf);
function percentOf(value: Decimal | undefined): string {
  if (value === undefined) return UNKNOWN;
  return `${plus(value)}${shareOf(value)}`;
}

/** Writes percentage points with their sign: "+1.4 pts", "−6.0 pts". */
export const points = recordingTexts(pointsOf);
function pointsOf(value: Decimal | undefined): string {
  if (value === undefined) return UNKNOWN;
  return `${plus(value)}${pointsTextOf(value)}`;
}

/** Writes percentage points without a sign: "1.4 pts". */
export const pointsText = recordingTexts(pointsTextOf);
function pointsTextOf(value: Decimal): string {
  const size = absolute(value);
  return `${sign(value)}${isZero(rounded(size, 1)) ? scaled(size) : fixed(size, 1)} pts`;
}

const plus = (value: Decimal): string => (!isNegative(value) && !isZero(value) ? '+' : '');

/** Rounds to whole percent: 76.9 is "77%", 99.6 is "99%", 0.4 is "<1%". */
export const wholePercent = recordingTexts(wholePercentOf);
function wholePercentOf(value: Decimal | undefined): string {
  if (value === undefined) return UNKNOWN;
  if (!reaches(value, '1') && !isZero(value)) return '<1%';
  return reaches(value, '99') && !reaches(value, '100') ? '99%' : `${fixed(value, 0)}%`;
}

/** Writes "85.0%", "0.01%". */
export const share = recordingTexts(shareOf);
function shareOf(value: Decimal | undefined): string {
  return value === undefined ? UNKNOWN : `${sign(value)}${scaled(absolute(value))}%`;
}

/** Writes no decimals from 100 on, one from 1 on, and two below 1. */
function scaled(size: Decimal): string {
  if (isZero(size)) return '0';
  if (reaches(rounded(size, 1), '100')) return fixed(size, 0);
  if (reaches(rounded(size, 2), '1')) return fixed(size, 1);
  return isZero(rounded(size, 2)) ? write(size, { maximumSignificantDigits: 2 }) : fixed(size, 2);
}

/** Writes "17.2% below NAV" or "at NAV". */
export const premium = recordingTexts(premiumOf);
function premiumOf(value: Decimal | undefined): string {
  if (value === undefined) return `${UNKNOWN}: no NAV published`;
  return isZero(value) ? 'at NAV' : `${shareOf(absolute(value))} ${isNegative(value) ? 'below' : 'above'} NAV`;
}

/** A runway of more than a hundred years is implausible. */
const MAX_RUNWAY = decimal('1200');

const MONTHS_OF_A_YEAR = 12;

/** Writes "57.7 mo", "480 mo", "<0.1 mo", and an implausible runway in years: "630 yr ⚠ as reported". */
export const months = recordingTexts(monthsOf);
function monthsOf(value: Decimal | undefined): string {
  if (value === undefined) return UNKNOWN;
  const size = absolute(value);
  const isLong = compare(size, MAX_RUNWAY) > 0;
  const small = isZero(rounded(size, 1)) && !isZero(value);
  const digits = small
    ? isNegative(value)
      ? amountOf(size)
      : '<0.1'
    : write(size, { maximumFractionDigits: reaches(size, '100') ? 0 : 1 });
  const text = isLong ? `${amountOf(rounded(decimal(new Big(size).div(MONTHS_OF_A_YEAR).toFixed()), 0))} yr` : `${digits} mo`;
  return isLong || isNegative(value) ? `${sign(value)}${text} ⚠ as reported` : text;
}

const inWords = humanizeDuration.humanizer({
  language: 'short',
  languages: {
    short: { y: () => 'y', mo: () => 'mo', w: () => 'w', d: () => 'd', h: () => 'h', m: () => 'min', s: () => 's', ms: () => 'ms' },
  },
  units: ['d', 'h', 'm', 's'],
  round: true,
  delimiter: ' ',
});

/** Writes "<1 s", "40 s", "3 h", "2 h 10 min". */
export const duration = (milliseconds: number, parts: 1 | 2 = 1): string =>
  milliseconds > 0 && milliseconds < 500 ? '<1 s' : inWords(Math.max(0, milliseconds), { largest: parts });

const HOUR = 3_600_000;
const DAY = 24 * HOUR;
const STEP = HOUR / 12;
/** Below this number of units, the next smaller unit is written too. */
const FEW = 3;

/** Writes "40 s", "1 h 30 min", "5 h", "20 d", as the console's page does. */
function distance(milliseconds: number): string {
  const within = (unit: number): boolean => milliseconds >= unit && milliseconds < FEW * unit;
  // Rounded, because a reader does not need seconds and odd minutes.
  if (within(HOUR)) return inWords(Math.round(milliseconds / STEP) * STEP, { units: ['h', 'm'] });
  return within(DAY) ? inWords(milliseconds, { units: ['d', 'h'] }) : duration(milliseconds);
}

const MONTHS = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'] as const;

const two = (number: number): string => String(number).padStart(2, '0');
const isValid = (moment: Instant): boolean => !Number.isNaN(new Date(moment).getTime());
const yearOf = (then: Date): string => String(then.getUTCFullYear()).padStart(4, '0');
/** Writes "Nov 20", with the year if it differs from that of `now`. */
const dayText = (then: Date, now: Date): string =>
  `${MONTHS[then.getUTCMonth()]} ${then.getUTCDate()}${then.getUTCFullYear() === now.getUTCFullYear() ? '' : `, ${yearOf(then)}`}`;

/** Writes "14:05 UTC", or "Nov 20, 15:05 CET" in a timezone, and "n/a" for an invalid date. */
export function clockTime(moment: Instant, now: Instant, zone?: string): string {
  if (!isValid(moment)) return 'n/a';
  const [then, today] = [wallClock(moment, zone), wallClock(now, zone)];
  const time = `${two(then.getUTCHours())}:${two(then.getUTCMinutes())} ${shortZoneName(zone, moment)}`;
  const isToday = Math.floor(then.getTime() / DAY) === Math.floor(today.getTime() / DAY);
  return isToday ? time : `${dayText(then, today)}, ${time}`;
}

/** Writes "3 h ago", "in 1 h 30 min" or "just now", and "n/a" for an invalid date. */
export function relative(moment: Instant, now: Instant): string {
  if (!isValid(moment)) return 'n/a';
  const gap = moment - now;
  if (Math.abs(gap) < 1_000) return 'just now';
  const words = gap < 0 ? `${distance(-gap)} ago` : `in ${distance(gap)}`;
  return words;
}

export const day = (value: Day, now: Instant): string => dayText(new Date(value), new Date(now));

/** Writes the day. Without a timezone it is the UTC day, as in the service's series. */
export const date = (moment: Instant, now: Instant, zone?: string): string =>
  zone === undefined ? day(dayOf(moment), now) : dayText(wallClock(moment, zone), wallClock(now, zone));

/** Writes "9.8x", "155x". */
export const times = recordingTexts((value: Decimal | undefined): string =>
  value === undefined ? UNKNOWN : `${sign(value)}${scaled(absolute(value))}x`,
);

const isMultiple = (percentage: Decimal): boolean => reaches(rounded(percentage, 0), '1000');

/** Writes a percentage of a whole: "128%", and from 1,000% on "14.6x". */
export const portion = (percentage: Decimal | undefined): string =>
  percentage !== undefined && isMultiple(percentage) ? times(multiply(percentage, decimal('0.01'))) : share(percentage);

/** Writes "128% of minimum", "14.6x minimum". */
export const portionOf = (percentage: Decimal, whole: string): string =>
  `${portion(percentage)}${isMultiple(percentage) ? '' : ' of'} ${whole}`;

/** Writes "Nov 2026", in UTC. */
export function month(moment: Instant): string {
  const then = new Date(moment);
  return `${MONTHS[then.getUTCMonth()]} ${yearOf(then)}`;
}
