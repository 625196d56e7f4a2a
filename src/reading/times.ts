/** Reads ranges ("last month", "since March", "1y") and moments ("yesterday", "tomorrow morning", "Friday 9am") in the chat's timezone. */
import { casual } from 'chrono-node/en';
import { DateTime } from 'luxon';
import { DAY } from '../base/clock.js';
import { MORNING, nightEnd, weekendEnd, type Here, type MomentRead } from './nights.js';
import { daysIn, lengthFrom, lengthPattern, lengthUnit, minutesIn } from './lengths.js';
import { foldedText } from './tokens.js';

/** A range in days; `Infinity` is the whole history. */
export interface RangeRead {
  readonly days: number;
  readonly text: string;
}

export interface TimesRead {
  readonly range: RangeRead | undefined;
  readonly past: MomentRead | undefined;
  readonly future: MomentRead | undefined;
  /** The moment after "until", as in "until december 1". It is always in the future. */
  readonly end: MomentRead | undefined;
  /** The end of "tonight" or "overnight": the morning after. */
  readonly morning: MomentRead | undefined;
  /** "for 2 hours", "3 days": a length without a direction. */
  readonly lasting: { readonly minutes: number; readonly text: string } | undefined;
  /** A time of day alone: "7:30", "8am", "9 o'clock". */
  readonly clock: { readonly hour: number; readonly minute: number; readonly text: string } | undefined;
  /** A span of the day: "23 to 8", "22:00-07:00". */
  readonly hours: { readonly from: string; readonly to: string; readonly text: string } | undefined;
  readonly weekday: string | undefined;
  /** A date or time that does not exist, such as Nov 31 or 25:00. */
  readonly unread: string | undefined;
}

const MONTHS = ['january', 'february', 'march', 'april', 'may', 'june', 'july', 'august', 'september', 'october', 'november', 'december'];

const EVER =
  /\b(?:all[ -]?time|whole time|since forever|from day one|(?:full|whole|entire) (?:sample|record|course)|entire (?:\w+ )?course|every (?:\w+ )?reading there is|long view|all periods|range:all|whole period|complete (?:\w+ )?history|since day (?:1|one)|ever|since (?:always|launch|inception|(?:the |its )?(?:very )?(?:beginning|start))|whole history|entire history|full history|all history|all the time|from the (?:very )?(?:beginning|start)|until today|over the years|all of it|(?:whole|entire|full) life(?:time)?|max)\b|(?<=^\s*\/(?:premium|treasury|finances|growth)\b.{3,60} )all$/u;
const SINGLE =
  /\b(?:last|past|previous|prev|this|these|over the|in a|on the|of the|for the)\s+(hour|day|24\s?h|week|wk|month|mon|mnth|quarter|qtr|half[ -]?year|year|yr)\b/u;
const ONE_OF =
  /(?:\b(?:an?|the whole|the entire|the full|whole|entire|full)\s+|^)(week|month|quarter|year)(?:'?s)?(?: worth)?(?: of (?!runway|cash|money)|(?=\s*[.,!?]*$))/u;
const ADJECTIVE = /\b(weekly|monthly|quarterly|yearly|annual|intraday|wtd|mtd|ytd)\b/u;
const SHORT =
  /(?<![\w$.<>-])(\d{1,3})\s?-?(h|d|w|m|mo|y|wk|yr|mth|mnth|mnths|days?|weeks?|months?|years?|hrs?|hours?)\b(?!\s*(?:ago|old|left))/u;
const WEEKLY = /\b(?:week over week|wow|(?:the|me the) week)\b/u;
const MONTHLY = /\b(?:month over month|mom|the month)\b/u;
const HALF = /\bhalf (?:a |of )?(?:the )?(?:last )?year\b/u;
const LENGTH = lengthPattern();
const IN_MONTHS = { m: 'months' } as const;
const BACK = new RegExp(
  String.raw`\b(?:last|past|previous|trailing|this|these|since|over|over the last|during the last|in the last|l)\s+(?:the\s+)?${LENGTH}\b`,
  'u',
);
const FOR = new RegExp(String.raw`\b(?:for|of|during|next)?\s*(?:the next\s+)?${LENGTH}\b`, 'u');
/** Matches the second part of a duration: "2 hours and 30 minutes", "1d 12h". */
const AND_MORE = new RegExp(String.raw`^\s*,?\s*(?:and\s+|plus\s+)?${LENGTH}\b`, 'u');
const CLOCK = /(?<![\d.,$])(\d{1,2})(?:[:.h](\d{2}))?\s?(am|pm|a\.m\.|p\.m\.|uhr|o'?\s?clock|h)?(?![\d%])/gu;
const HOURS = /(\d{1,2}(?:[:.h]\d{2})?)\s?(am|pm|h)?\s*(?:-|–|to|till?|until|and|bis|through|→)\s*(\d{1,2}(?:[:.h]\d{2})?)\s?(am|pm|h)?/u;
const WEEKDAY = /\b(mon|tue|wed|thu|fri|sat|sun)(?:s|r|rs|urs|nes|ur)?(?:days?)?\b/u;

export function timesIn(text: string, here: Here): TimesRead {
  const folded = foldedText(text).slice(0, 400);
  const ended = periodEnd(folded, here);
  const range = rangeIn(folded.replace(ended?.text ?? '\0', ' ').replace(STARTED, ' '), here);
  const dated = folded.replace(range?.text ?? '\0', ' ');
  const past = ended ?? momentsIn(dated, here, false).find(({ at }) => at.toMillis() <= here.now) ?? yearIn(dated, here);
  const isAhead = ({ at }: MomentRead): boolean => at.toMillis() > here.now;
  // The length of "for 6 hours until december 1" is no end.
  const end = momentsIn(UNTIL.exec(dated)?.[0] ?? '', here, true).find(isAhead);
  const future = end ?? momentsIn(dated, here, true).find(isAhead) ?? weekendEnd(folded, here);
  const hours = hoursIn(folded);
  return {
    range,
    past,
    future,
    end,
    morning: nightEnd(folded, here),
    lasting: lastingIn(folded),
    clock: hours === undefined ? clockIn(folded) : undefined,
    hours,
    weekday: WEEKDAY.exec(folded)?.[1],
    unread: unreadIn(folded, range === undefined && past === undefined && future === undefined),
  };
}

const UNTIL = /\b(?:until|till?)\b.*$/u;

const YEAR = /\b(?:in|during|of|at the end of|end of|back in) ((?:19|20)\d{2})\b(?![-/.:%])/u;

/** Reads "in 1999" as the last day of that year. */
function yearIn(text: string, { now, zone }: Here): MomentRead | undefined {
  const [whole, year = ''] = YEAR.exec(text) ?? [];
  if (whole === undefined || Number(year) >= DateTime.fromMillis(now, { zone }).year) return undefined;
  return { at: DateTime.fromObject({ year: Number(year), month: 12, day: 31 }, { zone }), hasTime: false, text: whole };
}

const QUARTERS: ReadonlyMap<string, number> = new Map(
  Object.entries({ first: 1, second: 2, third: 3, fourth: 4, '1st': 1, '2nd': 2, '3rd': 3, '4th': 4, q1: 1, q2: 2, q3: 3, q4: 4 }),
);
const PERIOD_END = new RegExp(
  String.raw`\b(?:at |by |as of )?(?:the )?end of (?:the )?(?:(${[...QUARTERS.keys()].join('|')})(?: quarter)?(?: of)?(?: ((?:19|20)\d{2}))?|(?:last|previous) (month|quarter|year)|(${MONTHS.join('|')})(?: ((?:19|20)\d{2}))?(?! \d))\b`,
  'u',
);

const MONTH_ENDED = new RegExp(String.raw`\b(?:when|after) (${MONTHS.join('|')}) (?:ended|closed|was over)\b`, 'u');

/** Reads "at the end of the third quarter" as the last day of the latest such period that is over. */
function periodEnd(text: string, { now, zone }: Here): MomentRead | undefined {
  const [whole, quarter, ofYear, last, month, ofMonthYear] = PERIOD_END.exec(text.replace(MONTH_ENDED, 'end of $1')) ?? [];
  if (whole === undefined) return undefined;
  const here = DateTime.fromMillis(now, { zone });
  const unit = last === 'quarter' || last === 'year' ? last : 'month';
  if (last !== undefined) return { at: here.startOf(unit).minus({ days: 1 }), hasTime: false, text: whole };
  const number = quarter === undefined ? MONTHS.indexOf(month ?? '') + 1 : (QUARTERS.get(quarter) ?? 0) * 3;
  const year = ofYear ?? ofMonthYear;
  const end = DateTime.fromObject({ year: year === undefined ? here.year : Number(year), month: number }, { zone })
    .endOf('month')
    .startOf('day');
  const at = year === undefined && end.toMillis() > now ? end.minus({ years: 1 }).endOf('month').startOf('day') : end;
  return at.toMillis() > now ? undefined : { at, hasTime: false, text: whole };
}

function rangeIn(text: string, here: Here): RangeRead | undefined {
  const ever = EVER.exec(text);
  if (ever !== null) return { days: Number.POSITIVE_INFINITY, text: ever[0] };
  const regular = WEEKLY.exec(text) ?? MONTHLY.exec(text);
  if (regular !== null) return { days: WEEKLY.test(text) ? 7 : 30, text: regular[0] };
  const half = HALF.exec(text);
  if (half !== null) return { days: 183, text: half[0] };
  const back = BACK.exec(text);
  const length = back === null ? undefined : lengthFrom(back.slice(1), IN_MONTHS);
  if (back !== null && length !== undefined) return { days: daysIn(length), text: back[0] };
  const single = SINGLE.exec(text);
  if (single !== null) return { days: singleDays(single[1] ?? ''), text: single[0] };
  const whole = ONE_OF.exec(text);
  if (whole !== null) return { days: singleDays(whole[1] ?? ''), text: whole[0].trim() };
  const adjective = ADJECTIVE.exec(text);
  if (adjective !== null) return { days: adjectiveDays(adjective[1] ?? '', here), text: adjective[0] };
  const since = sinceIn(text, here);
  if (since !== undefined) return since;
  const short = SHORT.exec(text);
  const brief = short === null ? undefined : lengthFrom([short[1], undefined, short[2]], IN_MONTHS);
  if (short !== null && brief !== undefined) return { days: daysIn(brief), text: short[0] };
  if (/\btoday\b|\btonight\b/u.test(text)) return { days: 1, text: 'today' };
  return monthIn(text, here);
}

const MONTH = new RegExp(
  String.raw`\b(?:in|during|throughout|through) (?:the month of )?(${MONTHS.map((name) => `${name.slice(0, 3)}(?:${name.slice(3)})?`).join('|')})(?! \d| ?['’]\d)\b`,
  'u',
);
const MAX_MONTHS_BACK = 9;

/** Reads "in September" as the range since that month began. Returns undefined for a month that is about to come. */
function monthIn(text: string, { now, zone }: Here): RangeRead | undefined {
  const [whole, name = ''] = MONTH.exec(text) ?? [];
  if (whole === undefined || /\b(?:will|going to|gonna)\b/u.test(text)) return undefined;
  const here = DateTime.fromMillis(now, { zone });
  const back = (here.month - 1 - MONTHS.findIndex((month) => month.startsWith(name.slice(0, 3))) + 12) % 12;
  if (back > MAX_MONTHS_BACK) return undefined;
  return { days: (now - here.minus({ months: back }).startOf('month').toMillis()) / DAY, text: whole };
}

function singleDays(unit: string): number {
  if (unit.startsWith('half')) return 183;
  if (unit.startsWith('24')) return 1;
  return daysIn({ count: 1, unit: lengthUnit(unit) ?? 'days' });
}

function adjectiveDays(word: string, { now, zone }: Here): number {
  const local = DateTime.fromMillis(now, { zone });
  if (word === 'ytd') return local.ordinal;
  if (word === 'mtd') return local.day;
  if (word === 'wtd') return local.weekday;
  if (word === 'annual') return 365;
  if (word === 'intraday') return 1;
  return word.startsWith('week') ? 7 : word.startsWith('month') ? 30 : word.startsWith('quarter') ? 91 : 365;
}

function sinceIn(text: string, here: Here): RangeRead | undefined {
  const [whole, when = ''] = /\b(?:since|starting|from)\s+(.{3,40})$/u.exec(text) ?? [];
  if (whole === undefined) return undefined;
  const [found] = parsed(when.trim(), here, false);
  if (found === undefined || found.index > 4) return undefined;
  const days = (here.now - backwards(found.start, here).toMillis()) / DAY;
  return days > 0 ? { days, text: whole.slice(0, whole.indexOf(when) + found.index + found.text.length) } : undefined;
}

function backwards(start: ParsedComponents, { now, zone }: Here): DateTime {
  const at = DateTime.fromJSDate(start.date(), { zone });
  return at.toMillis() > now && start.isCertain('month') && !start.isCertain('year') ? at.minus({ years: 1 }) : at;
}

type ParsedResult = ReturnType<typeof casual.parse>[number];
type ParsedComponents = ParsedResult['start'];

/** Parses dates with chrono. It is slower than all other parsing, so it gets only the text around the first word of a date. */
const parsed = (text: string, { now, zone }: Here, forwardDate: boolean): readonly ParsedResult[] =>
  casual.parse(text, { instant: new Date(now), timezone: DateTime.fromMillis(now, { zone }).offset }, { forwardDate });

const SPELLED: readonly (readonly [RegExp, string])[] = [
  [/\b(?:tmrw|tmw|tmr|tomorow|tommorow|tomorrw|2moro)\b/gu, 'tomorrow'],
  [/\b(?:yest|yday|ystday|ystrday|yesterdays?|ystd)\b/gu, 'yesterday'],
  [/\b(?:2nite|tonite)\b/gu, 'tonight'],
  [/\b(\d{1,2}) ?(?:o'?\s?clock|uhr)\b/gu, '$1:00'],
  [/\btil\b/gu, 'until'],
  [/\b(\d{1,2})\. ?(?=jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)/gu, '$1 '],
  [/\b(?:over|for) the weekend,?/gu, ' '],
  [/(\b(?:tomorrow|today|mon|tue|wed|thu|fri|sat|sun)[a-z]*) (\d{1,2})\b(?![\d:.]| ?[ap]m)/gu, '$1 $2:00'],
  // Dates are read with the day first if the first number cannot be a month.
  [/\b(\d{1,2})[/.](\d{1,2})[/.](\d{4})\b/gu, '$3-$2-$1'],
];

/** A text without any of these words has no date and skips the slow date parser. */
const DATED =
  /\b(?:today|tonight|tomorrow|yesterday|noon|midnight|morning|evening|night|ago|(?:mon|tues?|wed(?:nes)?|thu(?:rs?)?|fri|sat(?:ur)?|sun)(?:days?)?|jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sept?(?:ember)?|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?|christmas|weekend|this month|next (?:week|month|year)|in (?:an?|\d+|two|three) \w+)\b|\d{4}-\d|\d[/.]\d+[/.]\d|\d ?(?:am|pm)\b|\d:\d{2}/u;

/** Matches "at the beginning of this month", which is a day. With "since" or "from" before it, it is a range. */
const STARTED = /(?<!\b(?:since|from) )\b(?:at )?the (?:beginning|start) of (?:this|the) (?:month|quarter|year)\b/u;
const NTH =
  /(?:\bon |(?<=\b(?:until|till) ))the (\d{1,2})(?:st|nd|rd|th)\b(?! (?:of|page|vote|proposal|launch))(?! ?(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec))|\b(?:at |from )?the (?:beginning|start) of (?:this|the) (month|quarter|year)\b/u;

/** Reads "on the 6th", "until the 6th" and "at the start of this month" as dates. */
function dayNamed(
  said: { readonly day: number } | { readonly unit: 'month' | 'quarter' | 'year' },
  { now, zone }: Here,
  ahead: boolean,
): string {
  const today = DateTime.fromMillis(now, { zone });
  if ('unit' in said) return today.startOf(said.unit).toFormat('yyyy-MM-dd');
  const months = ahead ? Number(said.day < today.day || said.day > (today.daysInMonth ?? said.day)) : -Number(said.day > today.day);
  return `${today.plus({ months }).toFormat('yyyy-MM')}-${String(said.day).padStart(2, '0')}`;
}

/** Finds dates and times. A date without a year is the next one if `ahead`, else the nearest. */
function momentsIn(text: string, here: Here, ahead: boolean): readonly MomentRead[] {
  const plain = SPELLED.reduce((sum, [form, by]) => sum.replaceAll(form, by), text).replace(
    NTH,
    (_, nth: string | undefined, unit: 'month' | 'quarter' | 'year') =>
      dayNamed(nth === undefined ? { unit } : { day: Number(nth) }, here, ahead),
  );
  const first = DATED.exec(plain)?.index;
  if (first === undefined) return [];
  return parsed(plain.slice(Math.max(0, first - BEFORE_DATE), first + BEHIND_DATE), here, ahead)
    .filter(({ start, text: words }) => isNamed(start) && words.length > 1)
    .map(({ start, text: words }) => {
      const named = ahead ? DateTime.fromJSDate(start.date(), { zone: here.zone }) : backwards(start, here);
      // "Until friday" on a Friday means the next Friday.
      const isToday = ahead && start.isCertain('weekday') && !start.isCertain('day') && !start.isCertain('hour');
      const at = isToday && named.startOf('day').toMillis() <= here.now ? named.plus({ weeks: 1 }) : named;
      const hasTime = TIME_OF_DAY.test(words);
      return { at: hasTime ? (IN_UTC.test(words) ? at.toUTC() : at) : at.startOf('day'), hasTime, text: words };
    })
    .map((moment) => (moment.hasTime && !/\d|ago/u.test(moment.text) ? { ...moment, at: partOfDay(moment) } : moment))
    .slice(0, 4);
}

const IN_UTC = /\b(?:utc|gmt)\b|\dz\b/u;
const BEFORE_DATE = 24;
const BEHIND_DATE = 120;

const DATE_LIKE =
  /\b(?:jan|feb|mar|apr|jun|jul|aug|sep|oct|nov|dec)[a-z]* \d{1,2}\b|\d{4}-\d{1,2}-\d{1,2}|\b\d+ (?:days?|weeks?|months?|years?) ago\b/u;
const TIME_OF_DAY = /\d:\d\d|\d ?[ap]m|\d ?h\b|t\d\d:|hours?|minutes?|morning|evening|noon|night/u;

/** A number alone is no date; a weekday, a day or a relative word is one. */
const isNamed = (start: ParsedComponents): boolean =>
  start.isCertain('day') || start.isCertain('weekday') || start.isCertain('month') || start.isCertain('hour') || start.isCertain('minute');

const partOfDay = ({ at, text }: MomentRead): DateTime => {
  const hour = text.includes('morning')
    ? MORNING
    : text.includes('noon')
      ? 12
      : text.includes('evening')
        ? 18
        : text.includes('night')
          ? 20
          : at.hour;
  return at.set({ hour, minute: 0 });
};

/** Adds up durations that stand side by side: "2h and 30 minutes" is 150 minutes. */
function lastingIn(folded: string): TimesRead['lasting'] {
  const text = folded
    .replaceAll(/\bhalf an? hour\b/gu, '30 minutes')
    .replaceAll(
      /\b(an?|one|\d{1,3}) (hour|day|week)s? and a half\b/gu,
      (_, count: string, unit: string) => `${(/^\d/u.test(count) ? Number(count) : 1) + 0.5} ${unit}s`,
    )
    .replaceAll(/\b(\d{1,3}) and a half (hour|day|week)s?\b/gu, (_, count: string, unit: string) => `${Number(count) + 0.5} ${unit}s`);
  const first = FOR.exec(text);
  if (first === null) return undefined;
  let minutes = minutesOf(first);
  let end = first.index + first[0].length;
  for (let more = AND_MORE.exec(text.slice(end)); more !== null; more = AND_MORE.exec(text.slice(end))) {
    minutes += minutesOf(more);
    end += more[0].length;
  }
  minutes = Math.round(minutes);
  return Number.isFinite(minutes) && minutes > 0 ? { minutes, text: text.slice(first.index, end).trim() } : undefined;
}

function minutesOf(groups: RegExpExecArray): number {
  const length = lengthFrom(groups.slice(1), { m: 'minutes' });
  return length === undefined ? Number.NaN : minutesIn(length);
}

const NO_CLOCK = /(?<![\d.,$:-])(?:(?:2[5-9]|[3-9]\d)[:.][0-5]\d(?![\d%])|\d{1,2}:[6-9]\d)(?![\d:])/u;

/** Finds dates and times that do not exist, such as "25:00" and "31 November". */
function unreadIn(text: string, isDateless: boolean): string | undefined {
  const clock = /\b(?:until|till?|at|by|from|before|after|to)\b/u.test(text) ? NO_CLOCK.exec(text)?.[0] : undefined;
  return clock ?? (isDateless ? DATE_LIKE.exec(text)?.[0] : undefined);
}

const SIZES: ReadonlyMap<string, number> = new Map(Object.entries({ H: 1 / 24, D: 1, W: 7, M: 30.5, Y: 366 }));

/** Returns the smallest choice ("1W", "24h", "90") that covers these days, else the choice of the whole history. */
export function rangeAmong(days: number, choices: readonly string[]): string | undefined {
  const sized = choices.flatMap((choice) => {
    const [, count = '', unit = ''] = /^(\d+)([HDWMY]?)$/iu.exec(choice) ?? [];
    return count === '' ? [] : [{ choice, days: Number(count) * (SIZES.get(unit.toUpperCase()) ?? 1) }];
  });
  const fits = sized.toSorted((a, b) => a.days - b.days).find((one) => one.days >= days * 0.98);
  return fits?.choice ?? choices.find((one) => one === 'ALL' || one === 'max') ?? sized.at(-1)?.choice;
}

export const clockText = ({ hour, minute }: { readonly hour: number; readonly minute: number }): string =>
  `${twoDigits(hour)}:${twoDigits(minute)}`;

const twoDigits = (value: number): string => String(value).padStart(2, '0');

function clockOf(text: string, half: string | undefined): { readonly hour: number; readonly minute: number } | undefined {
  const [hours = '', minutes = '0'] = text.split(/[:.h]/u);
  const late = half?.startsWith('p') === true;
  const early = half?.startsWith('a') === true;
  if (Number(hours) > 24) return undefined;
  const hour = (Number(hours) % (late || early ? 12 : 25)) + (late ? 12 : 0);
  const minute = minutes === '' ? 0 : Number(minutes);
  return hour > 24 || minute > 59 ? undefined : { hour: hour % 24, minute };
}

/** Reads the first number that is written as a time: with a colon, am or pm, or behind "at". */
function clockIn(text: string): TimesRead['clock'] {
  const noon = /\b(?:noon|midday)\b/u.exec(text);
  if (noon !== null) return { hour: 12, minute: 0, text: noon[0] };
  const midnight = /\bmidnight\b/u.exec(text);
  if (midnight !== null) return { hour: 0, minute: 0, text: midnight[0] };
  for (const [whole, hours = '', minutes, half] of text.replace(/(?<![\d.,$#-])(0\d)([0-5]\d)(?![\d-])/u, '$1:$2').matchAll(CLOCK)) {
    const index = text.indexOf(whole);
    const isTime =
      // "0.45" is a number, and "at 7.30" a time.
      (minutes !== undefined && !/^0?\d\.\d/u.test(whole.trim())) ||
      half !== undefined ||
      /\b(?:at|by|around|until|till?|daily|every day|morning|mon|tue|wed|thu|fri|sat|sun)[a-z]*\s*$/u.test(text.slice(0, index));
    if (!isTime) continue;
    const isEvening = half === undefined && /\b(?:evening|night|tonight)\b/u.test(text) && Number(hours) < 12;
    const read = clockOf(
      minutes === undefined ? hours : `${hours}:${minutes}`,
      isEvening ? 'pm' : half === 'h' || half?.startsWith('o') || half === 'uhr' ? undefined : half,
    );
    if (read !== undefined) return { ...read, text: whole };
  }
  return undefined;
}

function hoursIn(text: string): TimesRead['hours'] {
  const [whole, from = '', fromHalf, to = '', toHalf] =
    HOURS.exec(text.replaceAll(/\bmidnight\b/gu, '0').replaceAll(/\bnoon\b/gu, '12')) ?? [];
  if (whole === undefined) return undefined;
  const isNight = /\b(?:night|nights|quiet|ping|pings|sleep|asleep|wake|bed|disturb|disturbed|messages|silent|silence)\b/u.test(text);
  const [a, b] = [
    clockOf(
      from,
      fromHalf ??
        (isNight && Number.parseInt(from, 10) < 12 && Number.parseInt(from, 10) > 7 && (toHalf !== undefined || Number(from) > Number(to))
          ? 'pm'
          : undefined),
    ),
    clockOf(to, toHalf),
  ];
  if (a === undefined || b === undefined) return undefined;
  return { from: clockText(a), to: clockText(b), text: whole };
}
