/** Splits a keyboard into pages and stores them under the hash of its buttons. */
import { createHash } from 'node:crypto';
import { z } from 'zod';
import { RecentMap } from '../../base/bounded-cache.js';
import { DAY, HOUR, later, type Clock, type Instant } from '../../base/clock.js';
import { instantSchema } from '../../domain/scalars.js';
import type { Store } from '../../store/store.js';

export const MAX_ON_PAGE = 8;
/** Telegram accepts eight buttons in a row; five stay readable. */
const MAX_IN_A_ROW = 5;
/** The characters that fit one line on a narrow phone. */
const ROW_WIDTH = 28;

const buttonSchema = z.union([
  /** Servers before Bot API 9.4 and older apps show no style. */
  z.object({ text: z.string(), callback_data: z.string(), style: z.enum(['danger', 'primary']).optional() }),
  z.object({ text: z.string(), url: z.string() }),
  /** Opens `menus[menu]`. */
  z.object({ text: z.string(), menu: z.int() }),
]);
export type PanelButton = z.infer<typeof buttonSchema>;

const buttons = z.array(buttonSchema).readonly();
export const panelSchema = z.object({
  /** Groups of buttons. Each group begins a new row. */
  main: z.array(buttons).readonly(),
  menus: z.array(buttons).readonly(),
});
export type KeyboardPanel = z.infer<typeof panelSchema>;

/** A page of a menu, or of the main buttons. */
export interface View {
  readonly menu?: number;
  readonly page: number;
}

export const FIRST_VIEW: View = { page: 0 };

type PageButton = Exclude<PanelButton, { menu: number }> | { readonly text: string; readonly view: View };
type Row = readonly PageButton[];

export const isOnePage = ({ main, menus }: KeyboardPanel): boolean => menus.length === 0 && main.flat().length <= MAX_ON_PAGE;

/** A button that is shown on every page. */
export type FixedButton = Extract<PanelButton, { callback_data: string }>;

/** Returns the rows of a page; of the last page if `page` is too high. */
export function rowsOf({ main, menus }: KeyboardPanel, { menu, page }: View, beside?: FixedButton): readonly Row[] {
  const isMenu = menu !== undefined;
  const groups = isMenu ? [menus[menu] ?? []] : main;
  const shown = pageOf(groups.flat().length, { page, isMenu, most: MAX_ON_PAGE - (beside === undefined ? 0 : 1) });
  let before = 0;
  const rows = groups.flatMap((group) => {
    const some = group.slice(Math.max(0, shown.start - before), Math.max(0, shown.end - before)).map(pageButton);
    before += group.length;
    return isMenu ? inColumns(some) : inRows(some);
  });
  const to = (other: number): View => (isMenu ? { menu, page: other } : { page: other });
  const turning = [
    ...(shown.page > 0 || isMenu ? [{ text: '‹ Back', view: shown.page === 0 ? FIRST_VIEW : to(shown.page - 1) }] : []),
    ...(beside === undefined ? [] : [beside]),
    ...(shown.isLast ? [] : [{ text: 'More ›', view: to(shown.page + 1) }]),
  ];
  return turning.length === 0 ? rows : [...rows, turning];
}

/** The position of a pressed button in its keyboard. */
export interface PanelPosition {
  /** The title of its menu; undefined among the main buttons. */
  readonly menu: string | undefined;
  readonly label: string;
  readonly page: number;
  /** The label of the page's first button, which distinguishes versions of a keyboard. */
  readonly first: string;
}

/** Returns undefined if no button has this data. */
export function positionOf(panel: KeyboardPanel, data: string): PanelPosition | undefined {
  const isMeant = (button: PanelButton): boolean => 'callback_data' in button && button.callback_data === data;
  const menu = panel.menus.findIndex((buttons) => buttons.some(isMeant));
  const button = (panel.menus[menu] ?? panel.main.flat()).find(isMeant);
  if (button === undefined) return undefined;
  const page = pageWith(panel, { menu: menu < 0 ? undefined : menu, text: button.text, most: MAX_ON_PAGE }) ?? 0;
  return { menu: menu < 0 ? undefined : titleOf(panel, menu), label: unmarked(button.text), page, first: firstOf(panel) };
}

/** Finds the same position in another keyboard, or else its first page. */
export function viewAt(panel: KeyboardPanel, { menu: title, label, page, first }: PanelPosition, most = MAX_ON_PAGE): View {
  const menu = title === undefined ? undefined : panel.menus.findIndex((_, at) => titleOf(panel, at) === title);
  if (menu === -1) return FIRST_VIEW;
  const own = pageWith(panel, { menu, text: label, most });
  if (menu === undefined) return { page: firstOf(panel) === first ? (own ?? 0) : 0 };
  return { menu, page: own ?? page };
}

const firstOf = ({ main }: KeyboardPanel): string => unmarked(main.flat()[0]?.text ?? '');

const titleOf = ({ main }: KeyboardPanel, menu: number): string | undefined =>
  main.flat().find((button) => 'menu' in button && button.menu === menu)?.text;

const unmarked = (text: string): string => text.replace(/^✓ /u, '');

interface PageQuery {
  readonly menu: number | undefined;
  readonly text: string;
  readonly most: number;
}

function pageWith(panel: KeyboardPanel, { menu, text, most }: PageQuery): number | undefined {
  const all = menu === undefined ? panel.main.flat() : (panel.menus[menu] ?? []);
  const at = all.findIndex((button) => unmarked(button.text) === unmarked(text));
  if (at < 0) return undefined;
  for (let page = 0; ; page += 1) {
    const { end, isLast } = pageOf(all.length, { page, isMenu: menu !== undefined, most });
    if (at < end || isLast) return page;
  }
}

const pageButton = (button: PanelButton): PageButton =>
  'menu' in button ? { text: button.text, view: { menu: button.menu, page: 0 } } : button;

function pageOf(count: number, { page, isMenu, most }: { readonly page: number; readonly isMenu: boolean; readonly most: number }) {
  let start = 0;
  for (let at = 0; ; at += 1) {
    const room = most - (at > 0 || isMenu ? 1 : 0);
    const isLast = count - start <= room;
    const end = isLast ? count : start + room - 1;
    if (isLast || at >= page) return { start, end, page: at, isLast };
    start = end;
  }
}

function inRows(keys: Row): readonly Row[] {
  const rows: PageButton[][] = [];
  let width = 0;
  for (const key of keys) {
    const row = rows.at(-1);
    if (row !== undefined && row.length < MAX_IN_A_ROW && width + key.text.length <= ROW_WIDTH) row.push(key);
    else rows.push([key]);
    width = rows.at(-1)?.length === 1 ? key.text.length : width + key.text.length;
  }
  return rows;
}

function inColumns(keys: Row): readonly Row[] {
  const alone = keys.findIndex(({ text }) => text.length > ROW_WIDTH / 2);
  if (alone >= 0 && keys.length > 1) {
    const [before, after] = [keys.slice(0, alone), keys.slice(alone + 1)];
    return [...inColumns(before), ...keys.slice(alone, alone + 1).map((key) => [key]), ...inColumns(after)];
  }
  if (keys.length === 0) return [];
  const longest = Math.max(...keys.map(({ text }) => text.length));
  const room = Math.min(MAX_IN_A_ROW, Math.max(1, Math.floor(ROW_WIDTH / longest)));
  const columns = Math.ceil(keys.length / Math.ceil(keys.length / room));
  return Array.from({ length: Math.ceil(keys.length / columns) }, (_, row) => keys.slice(row * columns, (row + 1) * columns));
}

export interface Panels {
  /** Stores the panel and resolves with its key. */
  keep(panel: KeyboardPanel): Promise<string>;
  /** Resolves with undefined if the panel is no longer stored. */
  find(key: string): Promise<KeyboardPanel | undefined>;
  sweep(): Promise<void>;
}

/** How long a keyboard is stored after it was last shown. */
const KEPT_FOR = 90 * DAY;
const NOTED_EVERY = HOUR;
const MAX_NOTED = 1_000;

const documentSchema = panelSchema.extend({ shownAt: instantSchema });

/** Opens the stored keyboards, whose methods reject with the store's error. */
export function openPanels({ store, clock }: { readonly store: Store; readonly clock: Clock }): Panels {
  const documents = store.collection({ prefix: 'panel', version: 1, schema: documentSchema, writers: 'any' });
  const noted = new RecentMap<string, Instant>(MAX_NOTED);

  return {
    async keep({ main, menus }) {
      const panel = { main, menus };
      const key = createHash('sha256').update(JSON.stringify(panel)).digest('base64url').slice(0, 20);
      const now = clock.now();
      const last = noted.get(key) ?? (await documents.get(key))?.shownAt;
      if (last === undefined || later(last, NOTED_EVERY) <= now) {
        await documents.set(key, { ...panel, shownAt: now });
        noted.set(key, now);
      }
      return key;
    },
    find: async (key) => documents.get(key),
    async sweep() {
      for await (const { found } of documents.scan())
        for (const [key, { shownAt }] of found)
          if (later(shownAt, KEPT_FOR) <= clock.now()) {
            await documents.delete(key);
            noted.delete(key);
          }
    },
  };
}
