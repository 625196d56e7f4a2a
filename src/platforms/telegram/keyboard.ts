/** Builds keyboards and reads presses. Buttons of alerts carry a mark, so that a press never overwrites an alert. */
import type { InlineKeyboardMarkup } from 'grammy/types';
import type { Action, Field, Reply, Emphasis } from '../../chat/reply.js';
import type { Actions } from '../button-payloads.js';
import { truncateLine } from '../truncate.js';
import {
  FIRST_VIEW,
  isOnePage,
  MAX_ON_PAGE,
  rowsOf,
  viewAt,
  type FixedButton,
  type KeyboardPanel,
  type PanelButton,
  type PanelPosition,
  type Panels,
  type View,
} from './keyboard-pages.js';
import type { TextField } from './prompts.js';

/** The most bytes of a button's data, https://core.telegram.org/bots/api#inlinekeyboardbutton */
const MAX_PAYLOAD = 64;
const MAX_LABEL = 40;

/** Marks in front of a payload. They differ from "/", which begins a command line, and "#", which begins a key of a stored one. */
const ALERT_MARK = '!';
const FIELD_MARK = '?';
const VIEW_MARK = '=';
const VIEW = /^=([\w-]{20})\.(\d{0,2})\.(\d{1,2})(?:\.([\w-]{10}))?$/u;

type ReplyControls = Pick<Reply, 'links' | 'actions' | 'fields'>;
type Menu = Extract<Field, { kind: 'menu' }>;

export interface KeyboardDeps {
  readonly actions: Actions;
  readonly panels: Panels;
  /** The page of buttons that the replaced keyboard showed. */
  readonly position?: PanelPosition | undefined;
}

/** Rejects with the store's error. */
export async function keyboard(
  offer: ReplyControls,
  { actions, panels, position, alert }: KeyboardDeps & { readonly alert: boolean },
): Promise<InlineKeyboardMarkup | undefined> {
  const [sources, rest] = withoutSources(offer.actions);
  const panel = await panelOf(
    { ...offer, actions: rest },
    { kept: actions, mark: alert ? ALERT_MARK : '', beside: sources === undefined ? 0 : 1 },
  );
  if (panel.main.length === 0 && sources === undefined) return undefined;
  const most = MAX_ON_PAGE - (sources === undefined ? 0 : 1);
  const isSmall = isOnePage(panel) && panel.main.flat().length <= most;
  const view = isSmall || position === undefined ? FIRST_VIEW : viewAt(panel, position, most);
  return viewKeyboard(panel, { key: isSmall ? '' : await panels.keep(panel), view, sources });
}

interface ShownView {
  readonly key: string;
  readonly view: View;
  /** The key of the reply's sources; undefined if it has none. */
  readonly sources: string | undefined;
}

export const viewKeyboard = (panel: KeyboardPanel, { key, view, sources }: ShownView): InlineKeyboardMarkup => ({
  inline_keyboard: rowsOf(panel, view, sources === undefined ? undefined : sourcesButton(sources)).map((row) =>
    row.map((button) =>
      'view' in button
        ? {
            text: button.text,
            callback_data: `${VIEW_MARK}${key}.${button.view.menu ?? ''}.${button.view.page}${sources === undefined ? '' : `.${sources}`}`,
          }
        : { ...button },
    ),
  ),
});

const SOURCES = '/sources ';
/** The button shows the sources in a separate message, so it has the alert mark. */
const sourcesButton = (key: string): FixedButton => ({ text: 'Sources', callback_data: `${ALERT_MARK}${SOURCES}${key}` });

function withoutSources(actions: readonly Action[]): readonly [string | undefined, readonly Action[]] {
  const own = actions.find(({ line }) => SOURCES_LINE.test(line));
  return [own?.line.slice(SOURCES.length), actions.filter((action) => action !== own)];
}
const SOURCES_LINE = /^\/sources [\w-]{10}$/u;

async function panelOf(
  { links, actions, fields }: ReplyControls,
  { kept, mark, beside }: { readonly kept: Actions; readonly mark: string; readonly beside: number },
): Promise<KeyboardPanel> {
  const sending = async (label: string, line: string, style?: Emphasis): Promise<PanelButton> => ({
    text: label,
    callback_data: mark + (await kept.payload(line, MAX_PAYLOAD - mark.length)),
    ...(style === undefined ? {} : { style }),
  });
  const asking = async ({ line, label, hint }: TextField): Promise<PanelButton> => {
    // A press needs the label and the hint too, which do not fit into a payload, so they are always stored.
    const text = [line, ...[label, hint].map((part) => truncateLine(part, part.length))].join('\n');
    return { text: labelOf({ label, line }), callback_data: mark + FIELD_MARK + (await kept.payload(text, 0)) };
  };
  const all = fields.filter((field) => field.kind === 'menu');
  const texts = fields.filter((field) => field.kind === 'text');
  const options = async (menu: Menu) => Promise.all(menu.options.map(async (option) => sending(labelOf(option), option.line)));
  const [only] = all;
  const rest = texts.length + links.length + actions.length + beside;
  const isOpen = only !== undefined && all.length === 1 && only.options.length + rest <= MAX_ON_PAGE;
  const opening = all.map(({ label }, menu): PanelButton => ({ text: opens(label), menu }));
  const main = [
    isOpen ? await options(only) : [],
    [...(isOpen ? [] : opening), ...(await Promise.all(texts.map(asking)))],
    [
      ...links.map(({ label, url }) => ({ text: labelOf({ label, line: new URL(url).host }), url })),
      ...(await Promise.all(actions.map(async (action) => sending(labelOf(action), action.line, action.emphasis)))),
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

/** The key of the keyboard whose page the button turns. */
export const panelKeyOf = (data: string): string | undefined => VIEW.exec(data)?.[1];

/** Tells whether every button leaves its message as it is, as those under an alert do. */
export const leavesMessage = (payloads: readonly string[]): boolean =>
  payloads.length > 0 && payloads.every((data) => data.startsWith(ALERT_MARK) || panelKeyOf(data) !== undefined);

export type Pressed =
  | { readonly kind: 'line'; readonly line: string; readonly alert: boolean }
  | { readonly kind: 'field'; readonly field: TextField; readonly alert: boolean }
  | { readonly kind: 'view'; readonly key: string; readonly view: View; readonly sources: string | undefined }
  | { readonly kind: 'unknown' };

/** Rejects with the store's error. */
export async function pressed(data: string, kept: Actions): Promise<Pressed> {
  const [, key, menu = '', page, sources] = VIEW.exec(data) ?? [];
  if (key !== undefined)
    return { kind: 'view', key, view: { ...(menu === '' ? {} : { menu: Number(menu) }), page: Number(page) }, sources };
  const alert = data.startsWith(ALERT_MARK);
  const payload = alert ? data.slice(ALERT_MARK.length) : data;
  const isField = payload.startsWith(FIELD_MARK);
  const found = await kept.line(isField ? payload.slice(FIELD_MARK.length) : payload);
  if (found === undefined) return { kind: 'unknown' };
  if (!isField) return { kind: 'line', line: found, alert };
  const [line = '', label = '', hint = ''] = found.split('\n');
  return { kind: 'field', alert, field: { kind: 'text', line, label, hint } };
}
