/** Inline keyboard of a reply. Alert buttons are marked, so that a press never overwrites the alert. */
import type { InlineKeyboardMarkup } from 'grammy/types';
import type { Field, Reply } from '../../chat/reply.js';
import type { Actions } from '../actions.js';
import { truncateLine } from '../truncate.js';
import { FIRST_VIEW, isOnePage, MAX_ON_PAGE, rowsOf, type KeyboardPanel, type PanelButton, type View } from './panel.js';
import type { Panels } from './panels.js';
import type { TextField } from './prompt-text.js';

/** Bytes, https://core.telegram.org/bots/api#inlinekeyboardbutton */
const MAX_PAYLOAD = 64;
const MAX_LABEL = 40;

/** Lines begin with "/" and stored ones with "#". */
const ALERT_MARK = '!';
const FIELD_MARK = '?';
const VIEW_MARK = '=';

type ReplyControls = Pick<Reply, 'links' | 'actions' | 'fields'>;
type Menu = Extract<Field, { kind: 'menu' }>;

export interface KeyboardDeps {
  readonly actions: Actions;
  readonly panels: Panels;
}

/** Rejects with the store's error. */
export async function keyboard(
  offer: ReplyControls,
  { actions, panels, alert }: KeyboardDeps & { readonly alert: boolean },
): Promise<InlineKeyboardMarkup | undefined> {
  const panel = await panelOf(offer, { kept: actions, mark: alert ? ALERT_MARK : '' });
  if (panel.main.length === 0) return undefined;
  return viewKeyboard(panel, { key: isOnePage(panel) ? '' : await panels.keep(panel), view: FIRST_VIEW });
}

export const viewKeyboard = (panel: KeyboardPanel, { key, view }: { readonly key: string; readonly view: View }): InlineKeyboardMarkup => ({
  inline_keyboard: rowsOf(panel, view).map((row) =>
    row.map((button) =>
      'view' in button
        ? { text: button.text, callback_data: `${VIEW_MARK}${key}.${button.view.menu ?? ''}.${button.view.page}` }
        : { ...button },
    ),
  ),
});

/** A menu with room for all its options is open; others are a button each. */
async function panelOf(
  { links, actions, fields }: ReplyControls,
  { kept, mark }: { readonly kept: Actions; readonly mark: string },
): Promise<KeyboardPanel> {
  const sending = async (label: string, line: string): Promise<PanelButton> => ({
    text: label,
    callback_data: mark + (await kept.payload(line, MAX_PAYLOAD - mark.length)),
  });
  const asking = async ({ line, label, hint }: TextField): Promise<PanelButton> => {
    // Nothing of it fits: when it is pressed, its label and its hint are needed as well.
    const text = [line, ...[label, hint].map((part) => truncateLine(part, part.length))].join('\n');
    return { text: labelOf({ label, line }), callback_data: mark + FIELD_MARK + (await kept.payload(text, 0)) };
  };
  const all = fields.filter((field) => field.kind === 'menu');
  const texts = fields.filter((field) => field.kind === 'text');
  const options = async (menu: Menu) => Promise.all(menu.options.map(async (option) => sending(labelOf(option), option.line)));
  const [only] = all;
  const rest = texts.length + links.length + actions.length;
  const isOpen = only !== undefined && all.length === 1 && only.options.length + rest <= MAX_ON_PAGE;
  const opening = all.map(({ label }, menu): PanelButton => ({ text: opens(label), menu }));
  const main = [
    isOpen ? await options(only) : [],
    [...(isOpen ? [] : opening), ...(await Promise.all(texts.map(asking)))],
    [
      ...links.map(({ label, url }) => ({ text: labelOf({ label, line: new URL(url).host }), url })),
      ...(await Promise.all(actions.map(async (action) => sending(labelOf(action), action.line)))),
    ],
  ];
  return { main: main.filter((group) => group.length > 0), menus: isOpen ? [] : await Promise.all(all.map(options)) };
}

const opens = (label: string): string => {
  const text = truncateLine(label, MAX_LABEL - 1).trim();
  return text === '' ? 'Choose…' : text.endsWith('…') ? text : `${text}…`;
};

function labelOf({ label, line, on = false }: { readonly label: string; readonly line: string; readonly on?: boolean }): string {
  const text = truncateLine(label, MAX_LABEL).trim();
  return `${on ? '✓ ' : ''}${text === '' ? truncateLine(line, MAX_LABEL) : text}`;
}

export type Pressed =
  | { readonly kind: 'line'; readonly line: string; readonly alert: boolean }
  | { readonly kind: 'field'; readonly field: TextField }
  | { readonly kind: 'view'; readonly key: string; readonly view: View }
  | { readonly kind: 'unknown' };

/** Rejects with the store's error. */
export async function pressed(data: string, kept: Actions): Promise<Pressed> {
  const [, key, menu = '', page] = /^=([\w-]{20})\.(\d{0,2})\.(\d{1,2})$/u.exec(data) ?? [];
  if (key !== undefined) return { kind: 'view', key, view: { ...(menu === '' ? {} : { menu: Number(menu) }), page: Number(page) } };
  const alert = data.startsWith(ALERT_MARK);
  const payload = alert ? data.slice(ALERT_MARK.length) : data;
  const isField = payload.startsWith(FIELD_MARK);
  const found = await kept.line(isField ? payload.slice(FIELD_MARK.length) : payload);
  if (found === undefined) return { kind: 'unknown' };
  if (!isField) return { kind: 'line', line: found, alert };
  const [line = '', label = '', hint = ''] = found.split('\n');
  return { kind: 'field', field: { kind: 'text', line, label, hint } };
}
