// @ts-check
/** Sorts tables in cards by the pressed column title, and shows a cue where columns are cut off. */
import { make } from './dom.js';
import { serverNow } from './times.js';

const SCALES = new Map([
  ['K', 1e3],
  ['M', 1e6],
  ['B', 1e9],
  ['T', 1e12],
]);
/** The length of each unit in seconds. */
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

document.addEventListener('click', (event) => {
  const target = event.target instanceof Element ? event.target : null;
  const sorter = target?.closest('button.sorter');
  if (sorter) return sortBy(sorter);
  const cue = target?.closest('button.cue');
  const sheet = cue?.previousElementSibling;
  if (sheet) sheet.scrollBy({ left: sheet.clientWidth * 0.8 });
});

/** @param {Element} sorter */
function sortBy(sorter) {
  const [title, table] = [sorter.closest('th'), sorter.closest('table')];
  const body = table?.tBodies[0];
  if (!title || !table || !body) return;
  const rows = [...body.rows];
  const cells = rows.map((row) => row.cells[title.cellIndex]?.textContent ?? '');
  const before = title.ariaSort;
  const way = before === null ? firstWay(cells, serverNow()) : before === 'ascending' ? 'descending' : 'ascending';
  for (const other of table.querySelectorAll('th')) other.ariaSort = null;
  title.ariaSort = way;
  body.append(...sorted(cells, way, serverNow()).flatMap((index) => rows[index] ?? []));
}

const resized = new ResizeObserver((entries) => {
  for (const { target } of entries) cueOf(target);
});

/** Watches the tables of a message and shows their cues. @param {DocumentFragment} content */
export function watchTables(content) {
  for (const sheet of content.querySelectorAll('.sheet')) {
    const cue = make('button', { className: 'cue' });
    cue.type = 'button';
    cue.hidden = true;
    sheet.after(cue);
    sheet.addEventListener('scroll', () => cueOf(sheet), { passive: true });
    resized.observe(sheet);
  }
}

/** @param {Element} sheet */
function cueOf(sheet) {
  const cue = sheet.nextElementSibling;
  if (!(cue instanceof HTMLButtonElement)) return;
  const edge = sheet.getBoundingClientRect().right;
  const cut = [...sheet.querySelectorAll('th')].filter((title) => title.getBoundingClientRect().right > edge + 1).length;
  sheet.classList.toggle('cut', cut > 0);
  cue.hidden = cut === 0;
  cue.textContent = `${cut} more ${cut === 1 ? 'column' : 'columns'} →`;
}

/** Returns the value of a cell; undefined for words and "n/a". @param {string} text @param {number} now in milliseconds */
function valueOf(text, now) {
  if (ISO.test(text)) return Date.parse(text);
  const [, ofYear, inYear] = MONTH.exec(text) ?? [];
  if (ofYear !== undefined) return Date.UTC(Number(inYear), MONTHS.indexOf(ofYear));
  const [, month, day, year, hours = '0', minutes = '0'] = DATE.exec(text) ?? [];
  if (month !== undefined) {
    const at = (/** @type {number} */ inYear) => Date.UTC(inYear, MONTHS.indexOf(month), Number(day), Number(hours), Number(minutes));
    if (year !== undefined) return at(Number(year));
    // For a date without a year, the nearest such date is taken.
    const thisYear = new Date(now).getUTCFullYear();
    return [thisYear - 1, thisYear, thisYear + 1].map(at).reduce((best, one) => (Math.abs(one - now) < Math.abs(best - now) ? one : best));
  }
  const [, sign, digits, unit = ''] = AMOUNT.exec(text.trim()) ?? [];
  if (digits === undefined) return undefined;
  const size = Number(digits.replaceAll(',', '')) * (SCALES.get(unit) ?? DURATIONS.get(unit) ?? 1);
  return sign === '−' || sign === '-' ? -size : size;
}

/**
 * Returns the positions of the cells in their new order. Cells without a value are always last, and equal ones keep their order.
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

/** The direction of the first sort: amounts from the largest, words from A. @param {readonly string[]} cells @param {number} now */
const firstWay = (cells, now) => (cells.some((text) => valueOf(text, now) !== undefined) ? 'descending' : 'ascending');
