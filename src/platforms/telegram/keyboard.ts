/** The inline keyboard of a reply: menu options, links, fields, actions. Alert buttons are marked, so that a press never overwrites the alert. */
import type { InlineKeyboardButton, InlineKeyboardMarkup } from 'grammy/types';
import type { Link } from '../../chat/reply.js';
import type { Actions } from '../actions.js';
import { truncateLine } from '../truncate.js';
import { menusOf, MAX_BUTTONS, type ReplyControls } from './menus.js';
import type { TextField } from './prompt-text.js';

/** Bytes, https://core.telegram.org/bots/api#inlinekeyboardbutton */
const MAX_PAYLOAD = 64;
/** Telegram refuses more than eight. */
const MAX_IN_A_ROW = 5;
/** Characters, on a narrow phone. */
const ROW_WIDTH = 28;
const MAX_LABEL = 40;

/** Lines begin with "/" and stored ones with "#". */
const ALERT_MARK = '!';
const FIELD_MARK = '?';

interface Key {
  readonly text: string;
  readonly stands: string | TextField | Link;
}

type Row = readonly Key[];

/** Rejects with the store's error. */
export async function keyboard(
  offer: ReplyControls,
  { kept, alert }: { kept: Actions; alert: boolean },
): Promise<InlineKeyboardMarkup | undefined> {
  const rows = rowsOf(offer);
  if (rows.length === 0) return undefined;
  const mark = alert ? ALERT_MARK : '';
  const payload = async (stands: string | TextField): Promise<string> => {
    if (typeof stands === 'string') return mark + (await kept.payload(stands, MAX_PAYLOAD - mark.length));
    const { line, label, hint } = stands;
    // Nothing of it fits: when it is pressed, its label and its hint are needed as well.
    return mark + FIELD_MARK + (await kept.payload([line, ...[label, hint].map((text) => truncateLine(text, text.length))].join('\n'), 0));
  };
  return {
    inline_keyboard: await Promise.all(
      rows.map(async (row) =>
        Promise.all(
          row.map(async ({ text, stands }): Promise<InlineKeyboardButton> =>
            typeof stands !== 'string' && 'url' in stands ? { text, url: stands.url } : { text, callback_data: await payload(stands) },
          ),
        ),
      ),
    ),
  };
}

function rowsOf(offer: ReplyControls): readonly Row[] {
  const { links, actions, fields } = offer;
  const leaving = links.map((link) => ({ text: labelOf({ ...link, line: new URL(link.url).host, on: false }), stands: link }));
  const asking = fields.flatMap((field) => (field.kind === 'text' ? [{ text: labelOf({ ...field, on: false }), stands: field }] : []));
  const acting = actions.map((action) => ({ text: labelOf(action), stands: action.line }));
  const choosing = menusOf(offer).menus.flatMap(({ options }) =>
    inColumns(options.map((option) => ({ text: labelOf(option), stands: option.line }))),
  );
  return withinLimit([...choosing, ...inRows(asking), ...inRows([...leaving, ...acting])]);
}

function inRows(keys: readonly Key[]): readonly Row[] {
  const rows: Key[][] = [];
  let width = 0;
  for (const key of keys) {
    const row = rows.at(-1);
    if (row !== undefined && row.length < MAX_IN_A_ROW && width + key.text.length <= ROW_WIDTH) row.push(key);
    else rows.push([key]);
    width = rows.at(-1)?.length === 1 ? key.text.length : width + key.text.length;
  }
  return rows;
}

/** Rows are as even as possible; a label too long for a column has a row of its own. */
function inColumns(keys: readonly Key[]): readonly Row[] {
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

function withinLimit(rows: readonly Row[]): readonly Row[] {
  let left = MAX_BUTTONS;
  return rows.flatMap((row) => {
    const fitting = row.slice(0, left);
    left -= fitting.length;
    return fitting.length === 0 ? [] : [fitting];
  });
}

function labelOf({ label, line, on }: { readonly label: string; readonly line: string; readonly on: boolean }): string {
  const text = truncateLine(label, MAX_LABEL).trim();
  return `${on ? '✓ ' : ''}${text === '' ? truncateLine(line, MAX_LABEL) : text}`;
}

export type Pressed =
  | { readonly kind: 'line'; readonly line: string; readonly alert: boolean }
  | { readonly kind: 'field'; readonly field: TextField }
  | { readonly kind: 'unknown' };

/** Rejects with the store's error. */
export async function pressed(data: string, kept: Actions): Promise<Pressed> {
  const alert = data.startsWith(ALERT_MARK);
  const payload = alert ? data.slice(ALERT_MARK.length) : data;
  const isField = payload.startsWith(FIELD_MARK);
  const found = await kept.line(isField ? payload.slice(FIELD_MARK.length) : payload);
  if (found === undefined) return { kind: 'unknown' };
  if (!isField) return { kind: 'line', line: found, alert };
  const [line = '', label = '', hint = ''] = found.split('\n');
  return { kind: 'field', field: { kind: 'text', line, label, hint } };
}
