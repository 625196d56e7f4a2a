// @ts-check
/** The order of table cells: amounts, percentages, durations and dates by value, everything else by its letters. Pure. */

const SCALES = new Map([
  ['K', 1e3],
  ['M', 1e6],
  ['B', 1e9],
  ['T', 1e12],
]);
/** In seconds. */
const DURATIONS = new Map([
  ['s', 1],
  ['min', 60],
  ['h', 3_600],
  ['d', 86_400],
  ['mo', 2_629_800],
  ['y', 31_557_600],
]);
const MONTHS = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];

const AMOUNT = /^[^\p{L}\p{N}+−-]*([+−-]?)[$€]?([\d,]+(?:\.\d+)?)\s*(min|mo|[KMBTshdy])?(?![\p{L}\p{N}])/u;
const DATE = /^(?:\w{3,9}, )?(Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec)[a-z]* (\d{1,2})(?!\d)(?:, (\d{4}))?(?:,? (\d{2}):(\d{2}))?/u;
const MONTH = /^(Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec)[a-z]* (\d{4})$/u;
const ISO = /^\d{4}-\d{2}-\d{2}/u;

/** The value of a cell; undefined for words and for "n/a". @param {string} text @param {number} now in milliseconds */
export function valueOf(text, now) {
  if (ISO.test(text)) return Date.parse(text);
  const [, ofYear, inYear] = MONTH.exec(text) ?? [];
  if (ofYear !== undefined) return Date.UTC(Number(inYear), MONTHS.indexOf(ofYear));
  const [, month, day, year, hours = '0', minutes = '0'] = DATE.exec(text) ?? [];
  if (month !== undefined) {
    const at = (/** @type {number} */ inYear) => Date.UTC(inYear, MONTHS.indexOf(month), Number(day), Number(hours), Number(minutes));
    if (year !== undefined) return at(Number(year));
    // A date without a year is the nearest one of that name.
    const thisYear = new Date(now).getUTCFullYear();
    return [thisYear - 1, thisYear, thisYear + 1].map(at).reduce((best, one) => (Math.abs(one - now) < Math.abs(best - now) ? one : best));
  }
  const [, sign, digits, unit = ''] = AMOUNT.exec(text.trim()) ?? [];
  if (digits === undefined) return undefined;
  const size = Number(digits.replaceAll(',', '')) * (SCALES.get(unit) ?? DURATIONS.get(unit) ?? 1);
  return sign === '−' || sign === '-' ? -size : size;
}

/**
 * The positions of the cells in their new order; cells without a value are last either way, and equal ones keep their order.
 * @param {readonly string[]} cells @param {'ascending' | 'descending'} way @param {number} now
 */
export function sorted(cells, way, now) {
  const values = cells.map((text) => valueOf(text, now));
  const isNumeric = values.filter((value) => value !== undefined).length * 2 > cells.filter((text) => !isEmpty(text)).length;
  const sign = way === 'ascending' ? 1 : -1;
  return cells
    .map((_, index) => index)
    .toSorted((a, b) => {
      if (isNumeric) return last(values[a] === undefined, values[b] === undefined) ?? sign * ((values[a] ?? 0) - (values[b] ?? 0));
      const [one = '', other = ''] = [cells[a], cells[b]];
      return last(isEmpty(one), isEmpty(other)) ?? sign * one.localeCompare(other, 'en', { numeric: true, sensitivity: 'base' });
    });
}

/** @param {string} text */
const isEmpty = (text) => /^(n\/a|[–—-]?)$/u.test(text.trim());

/** @param {boolean} a @param {boolean} b */
const last = (a, b) => (a || b ? Number(a) - Number(b) : undefined);

/** Amounts begin with the largest, words with A. @param {readonly string[]} cells @param {number} now */
export const firstWay = (cells, now) => (cells.some((text) => valueOf(text, now) !== undefined) ? 'descending' : 'ascending');
