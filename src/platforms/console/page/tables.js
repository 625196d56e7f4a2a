// @ts-check
/** Tables in cards: sorted by a press on a column's title, with a cue where columns are cut off. */
import { make } from './dom.js';
import { firstWay, sorted } from './sorting.js';
import { serverNow } from './times.js';

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

/** Gives each table of a message its cue. @param {DocumentFragment} content */
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
