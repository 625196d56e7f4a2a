/** Actions as an inline keyboard. A button's payload is its command line; on an alert it is marked, so that a press never overwrites the alert. */
import type { InlineKeyboardButton, InlineKeyboardMarkup } from 'grammy/types';
import type { Action } from '../../chat/reply.js';
import type { Actions } from '../actions.js';
import { visible } from '../visible.js';

/** Bytes, https://core.telegram.org/bots/api#inlinekeyboardbutton */
const MOST_PAYLOAD = 64;
/** Buttons beside each other, https://core.telegram.org/bots/api#inlinekeyboardmarkup says nothing; more than eight are refused. */
const MOST_IN_A_ROW = 5;
const MOST_BUTTONS = 100;
/** So many characters of labels stand beside each other on a narrow telephone. */
const ROW_WIDTH = 28;
const MOST_LABEL = 40;

/** Stands before the payload of a button under an alert. Lines begin with "/" and kept ones with "#". */
const ALERT_MARK = '!';

/** The keyboard, or undefined where there is nothing to press. Rejects with the store's error where a long line cannot be kept. */
export async function keyboard(
  actions: readonly Action[],
  { kept, alert }: { kept: Actions; alert: boolean },
): Promise<InlineKeyboardMarkup | undefined> {
  if (actions.length === 0) return undefined;
  const mark = alert ? ALERT_MARK : '';
  const rows: InlineKeyboardButton[][] = [];
  let width = 0;
  for (const action of actions.slice(0, MOST_BUTTONS)) {
    const text = labelOf(action);
    const row = rows.at(-1);
    const button = { text, callback_data: mark + (await kept.payload(action.line, MOST_PAYLOAD - mark.length)) };
    if (row !== undefined && row.length < MOST_IN_A_ROW && width + text.length <= ROW_WIDTH) row.push(button);
    else rows.push([button]);
    width = rows.at(-1)?.length === 1 ? text.length : width + text.length;
  }
  return { inline_keyboard: rows };
}

function labelOf({ label, line, on }: Action): string {
  const text = visible(label, MOST_LABEL).trim();
  return `${on ? '✓ ' : ''}${text === '' ? visible(line, MOST_LABEL) : text}`;
}

/** What a press carried: the command line (undefined when it is no longer known) and whether its message is an alert. */
export async function pressed(data: string, kept: Actions): Promise<{ readonly line: string | undefined; readonly alert: boolean }> {
  const alert = data.startsWith(ALERT_MARK);
  return { line: await kept.line(alert ? data.slice(ALERT_MARK.length) : data), alert };
}
