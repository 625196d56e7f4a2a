/** The one grammar of lengths of time: "2 hours", "a week", "6mo", "1.5 days". Ranges, mutes, rules, reminders and amounts use it. */

export type LengthUnit = 'minutes' | 'hours' | 'days' | 'weeks' | 'months' | 'quarters' | 'years';

interface UnitSpec {
  readonly words: string;
  readonly minutes: number;
  /** How command lines write the unit. */
  readonly short: string;
}

const UNITS: Readonly<Record<LengthUnit, UnitSpec>> = {
  minutes: { words: 'minutes?|mins?', minutes: 1, short: 'min' },
  hours: { words: 'hours?|hrs?|h', minutes: 60, short: 'h' },
  days: { words: 'days?|d', minutes: 1_440, short: 'd' },
  weeks: { words: 'weeks?|wks?|w', minutes: 10_080, short: 'w' },
  months: { words: 'months?|mths?|mnths?|mos?|mon', minutes: 43_200, short: 'mo' },
  quarters: { words: 'quarters?|qtrs?', minutes: 131_040, short: 'q' },
  years: { words: 'years?|yrs?|y', minutes: 525_600, short: 'y' },
};
const ALL: readonly LengthUnit[] = ['minutes', 'hours', 'days', 'weeks', 'months', 'quarters', 'years'];
const FORMS = ALL.map((unit) => [unit, new RegExp(`^(?:${UNITS[unit].words})$`, 'u')] as const);

/** The number words that stay words; all others are digits by then. */
const COUNTS: ReadonlyMap<string, number> = new Map(Object.entries({ a: 1, an: 1, one: 1, couple: 2, half: 0.5, few: 3 }));

export interface Length {
  readonly count: number;
  readonly unit: LengthUnit;
}

/** Matches the words of a unit. A single "m" is ambiguous, so it is no word of a unit. */
export const lengthUnit = (word: string): LengthUnit | undefined => FORMS.find(([, form]) => form.test(word))?.[0];

/**
 * The source of a pattern with three groups: digits, a number word, and a unit or "m".
 * A number word needs a space before its unit; otherwise "and" would be read as "an d".
 */
export const lengthPattern = (units: readonly LengthUnit[] = ALL): string =>
  String.raw`(?:(\d{1,4}(?:\.\d+)?)\s*-?\s*|(an?|one|couple|few)\s+)(?:of\s+)?(?:more\s+)?(${units.map((unit) => UNITS[unit].words).join('|')}|m)`;

/** Reads the three groups of the pattern. `m` says what a single "m" means. */
export function lengthFrom(
  [digits, word, unit]: readonly (string | undefined)[],
  { m }: { readonly m: 'minutes' | 'months' },
): Length | undefined {
  const named = unit?.toLowerCase() === 'm' ? m : lengthUnit(unit?.toLowerCase() ?? '');
  const count = digits === undefined ? COUNTS.get(word?.toLowerCase() ?? '') : Number(digits);
  return named === undefined || count === undefined ? undefined : { count, unit: named };
}

export const minutesIn = ({ count, unit }: Length): number => count * UNITS[unit].minutes;
export const daysIn = (length: Length): number => minutesIn(length) / 1_440;

/** Writes "6h" or "2w", as command lines read them. */
export const shortLength = ({ count, unit }: Length): string => `${count}${UNITS[unit].short}`;
