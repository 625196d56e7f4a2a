/**
 * All rounding and number formats. Tables show up to four significant digits; alerts show exact amounts. Unknown is "n/a", never 0.
 * Positive is a premium, negative a discount.
 */
import { Big } from 'big.js';
import humanizeDuration from 'humanize-duration';
import { DateTime } from 'luxon';
import { dayOf } from './day.js';
import { absolute, compare, isNegative, isZero } from './decimal.js';
import { decimal, type Day, type Decimal, type Instant } from './scalars.js';

export const UNKNOWN = 'n/a';

/** `Intl` formats decimal text exactly, but its type wants a literal. */
const exactly = (value: Decimal) => value as unknown as Intl.StringNumericLiteral;
const sign = (value: Decimal): string => (isNegative(value) ? '−' : '');

/** All digits, grouped: `486210.500` is "486,210.5". For alerts. */
export function exact(value: Decimal | undefined): string {
  if (value === undefined) return UNKNOWN;
  const [whole = '0', fraction = ''] = absolute(value).split('.');
  const digits = fraction.replace(/0+$/, '');
  return `${sign(value)}${new Intl.NumberFormat('en').format(BigInt(whole))}${digits === '' ? '' : `.${digits}`}`;
}

/** For tables: four significant digits from 10,000 on ("12.9 M"), else at most two decimals. */
export function amount(value: Decimal | undefined): string {
  if (value === undefined) return UNKNOWN;
  const size = absolute(value);
  if (isZero(value)) return '0';
  if (compare(size, decimal('10000')) >= 0) return `${sign(value)}${compact(size)}`;
  const options = compare(size, decimal('1')) < 0 ? { maximumSignificantDigits: 4 } : { maximumFractionDigits: 2 };
  return `${sign(value)}${new Intl.NumberFormat('en', options).format(exactly(size))}`;
}

function compact(size: Decimal): string {
  return new Intl.NumberFormat('en', { notation: 'compact', maximumSignificantDigits: compare(size, decimal('1e6')) < 0 ? 4 : 3 })
    .formatToParts(exactly(size))
    .map((part) => (part.type === 'compact' ? ` ${part.value}` : part.value))
    .join('');
}

/** For tables: "$5.77 M", "$828.00", "$402.6 K". */
export function usd(value: Decimal | undefined): string {
  if (value === undefined) return UNKNOWN;
  const size = absolute(value);
  const short = compare(size, decimal('10000')) >= 0;
  return `${sign(value)}$${short ? compact(size) : cents(size, true)}`;
}

/** For alerts: "$402,582", "$9.94". */
export function usdExact(value: Decimal | undefined): string {
  return value === undefined ? UNKNOWN : `${sign(value)}$${cents(absolute(value), false)}`;
}

function cents(size: Decimal, always: boolean): string {
  const rounded = new Big(size).round(2);
  // Less than a cent is not shown as zero.
  if (rounded.eq(0) && !isZero(size)) return price(size).slice(1);
  const whole = !always && rounded.eq(rounded.round(0));
  const digits = whole ? 0 : 2;
  return new Intl.NumberFormat('en', { minimumFractionDigits: digits, maximumFractionDigits: digits }).format(exactly(size));
}

/** A token price with the decimals it needs: "$0.6289", "$0.00001234", "$12.50". */
export function price(value: Decimal | undefined): string {
  if (value === undefined) return UNKNOWN;
  const size = absolute(value);
  if (isZero(value)) return '$0';
  const options =
    compare(size, decimal('0.1')) < 0
      ? { minimumSignificantDigits: 4, maximumSignificantDigits: 4 }
      : compare(size, decimal('10')) < 0
        ? { minimumFractionDigits: 4, maximumFractionDigits: 4 }
        : { minimumFractionDigits: 2, maximumFractionDigits: 2 };
  return `${sign(value)}$${new Intl.NumberFormat('en', options).format(exactly(size))}`;
}

/** Signed: "+3.77%", "−0.04%". Three significant digits below 100, else whole percent. */
export function percent(value: Decimal | undefined): string {
  if (value === undefined) return UNKNOWN;
  const plus = !isNegative(value) && !isZero(value) ? '+' : '';
  return `${plus}${sign(value)}${share(absolute(value))}`;
}

/** A gap to NAV/AS in a table, signed with one decimal: "−30.5%", "+12.0%"; a smaller one with the digits it needs. */
export function points(value: Decimal | undefined): string {
  if (value === undefined) return UNKNOWN;
  const size = new Big(value).abs().round(1);
  if (size.eq(0)) return isZero(value) ? '0.0 %' : percent(value);
  const digits = new Intl.NumberFormat('en', { minimumFractionDigits: 1, maximumFractionDigits: 1 }).format(
    exactly(decimal(size.toFixed())),
  );
  return `${isNegative(value) ? '−' : '+'}${digits} %`;
}

/** A share in whole percent, rounded down: 99.6 is "99%", 0.4 is "<1%". */
export function most(value: Decimal | undefined): string {
  if (value === undefined) return UNKNOWN;
  const whole = decimal(new Big(value).round(0, Big.roundDown).toFixed());
  return isZero(whole) && !isZero(value) ? `${isNegative(value) ? '>−' : '<'}1 %` : `${exact(whole)} %`;
}

/** Without a plus sign: "85%", "0.01%". */
export function share(value: Decimal | undefined): string {
  if (value === undefined) return UNKNOWN;
  const size = absolute(value);
  const options = compare(size, decimal('100')) >= 0 ? { maximumFractionDigits: 0 } : { maximumSignificantDigits: 3 };
  return `${sign(value)}${new Intl.NumberFormat('en', options).format(exactly(size))} %`;
}

/** The gap between price and NAV/AS in words: "17.2% below NAV", "at NAV". */
export function premium(value: Decimal | undefined): string {
  if (value === undefined) return `${UNKNOWN}: no NAV published`;
  if (isZero(value)) return 'at NAV';
  const size = new Big(value).abs().round(1);
  const text = size.eq(0) ? share(absolute(value)) : `${new Intl.NumberFormat('en').format(exactly(decimal(size.toFixed())))} %`;
  return `${text} ${isNegative(value) ? 'below' : 'above'} NAV`;
}

/** A hundred years, in months. Longer runways are marked as implausible. */
const MAX_RUNWAY = decimal('1200');

/** "57.7 months", "<0.1 months"; an implausible value is shown as reported, marked. */
export function months(value: Decimal | undefined): string {
  if (value === undefined) return UNKNOWN;
  const size = new Big(value).abs().round(1);
  const small = size.eq(0) && !isZero(value);
  const digits = small
    ? isNegative(value)
      ? amount(absolute(value))
      : '<0.1'
    : new Intl.NumberFormat('en').format(exactly(decimal(size.toFixed())));
  const text = `${sign(value)}${digits} months`;
  return compare(value, MAX_RUNWAY) > 0 || isNegative(value) ? `${text} ⚠ as reported` : text;
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

/** The largest unit, or the largest two: "<1 s", "40 s", "3 h", "2 h 10 min". */
export const duration = (milliseconds: number, parts: 1 | 2 = 1): string =>
  milliseconds > 0 && milliseconds < 500 ? '<1 s' : inWords(Math.max(0, milliseconds), { largest: parts });

const HOUR = 3_600_000;
const DAY = 24 * HOUR;
const STEP = HOUR / 12;
/** Below this many hours or days the next smaller unit is shown too. */
const FEW = 3;

/** "40 s", "1 h 30 min", "5 h", "1 d 5 h", "20 d". The console's page uses the same rule. */
function distance(milliseconds: number): string {
  const within = (unit: number): boolean => milliseconds >= unit && milliseconds < FEW * unit;
  // Round to five minutes.
  if (within(HOUR)) return inWords(Math.round(milliseconds / STEP) * STEP, { units: ['h', 'm'] });
  return within(DAY) ? inWords(milliseconds, { units: ['d', 'h'] }) : duration(milliseconds);
}

const at = (moment: Instant) => DateTime.fromMillis(moment, { zone: 'utc', locale: 'en-GB' });

/** "14:05 UTC", "20 Nov 14:05 UTC", with the year if it differs from that of `now`; "n/a" for an invalid date. */
export function clockTime(moment: Instant, now: Instant): string {
  const then = at(moment);
  if (!then.isValid) return 'n/a';
  const today = at(now);
  if (then.hasSame(today, 'day')) return then.toFormat("HH:mm 'UTC'");
  return then.toFormat(then.hasSame(today, 'year') ? "d LLL HH:mm 'UTC'" : "d LLL yyyy HH:mm 'UTC'");
}

/** "3 h ago (14:05 UTC)", "in 1 h 30 min (19:05 UTC)", "just now"; "n/a" for an invalid date. */
export function relative(moment: Instant, now: Instant): string {
  if (!at(moment).isValid) return 'n/a';
  const gap = moment - now;
  if (Math.abs(gap) < 1_000) return 'just now';
  const words = gap < 0 ? `${distance(-gap)} ago` : `in ${distance(gap)}`;
  return `${words} (${clockTime(moment, now)})`;
}

/** "20 Nov", with the year if it differs from that of `now`. */
export function day(value: Day, now: Instant): string {
  const then = DateTime.fromISO(value, { zone: 'utc', locale: 'en-GB' });
  return then.toFormat(then.hasSame(at(now), 'year') ? 'd LLL' : 'd LLL yyyy');
}

/** The UTC day of a moment, as `day`. */
export const date = (moment: Instant, now: Instant): string => day(dayOf(moment), now);

/** "9.8×", "1.2×". Three significant digits, whole numbers from 100 on. */
export function times(value: Decimal | undefined): string {
  return value === undefined ? UNKNOWN : `${share(value).slice(0, -2)}×`;
}

/** "Nov 2026", in UTC. */
export const month = (moment: Instant): string => at(moment).toFormat('LLL yyyy');
