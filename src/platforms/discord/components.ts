/** Actions as buttons and, where they are many, as menus. The payload of each is its command line, or the key under which it is kept. */
import { ButtonStyle, ComponentType, type APIActionRowComponent, type APIComponentInMessageActionRow } from 'discord.js';
import type { Action } from '../../chat/reply.js';
import type { Actions } from '../actions.js';
import { visible } from '../visible.js';

/** https://docs.discord.com/developers/components/reference */
const MOST_PAYLOAD = 100;
const MOST_ROWS = 5;
const MOST_IN_A_ROW = 5;
const MOST_IN_A_MENU = 25;
const MOST_LABEL = 80;
const MOST_CHOICE = 100;
/** More buttons than this are a wall; what comes after them goes into menus. */
const MOST_BUTTONS = 15;
/** So many stay buttons where there are menus. */
const BUTTONS_BESIDE_MENUS = 10;

/** What a menu is called; what is picked in it carries the payload. No line and no key begins like this. */
const MENU = 'menu:';

type Row = APIActionRowComponent<APIComponentInMessageActionRow>;
interface Ready extends Action {
  readonly payload: string;
}

/** The rows under a message, none where there is nothing to press. Rejects with the store's error where a long line cannot be kept. */
export async function componentsOf(actions: readonly Action[], kept: Actions): Promise<readonly Row[]> {
  const all = await Promise.all(actions.map(async (action) => ({ ...action, payload: await kept.payload(action.line, MOST_PAYLOAD) })));
  // The platform refuses two components with one id.
  const ready = all.filter(({ payload }, index) => all.findIndex((other) => other.payload === payload) === index);
  if (ready.length <= MOST_BUTTONS) return chunks(ready, MOST_IN_A_ROW).map(buttons);
  const menus = chunks(ready.slice(BUTTONS_BESIDE_MENUS), MOST_IN_A_MENU).map(menu);
  return [...chunks(ready.slice(0, BUTTONS_BESIDE_MENUS), MOST_IN_A_ROW).map(buttons), ...menus].slice(0, MOST_ROWS);
}

const buttons = (actions: readonly Ready[]): Row => ({
  type: ComponentType.ActionRow,
  components: actions.map((action) => ({
    type: ComponentType.Button,
    style: action.on ? ButtonStyle.Primary : ButtonStyle.Secondary,
    label: labelOf(action, MOST_LABEL),
    custom_id: action.payload,
  })),
});

const menu = (actions: readonly Ready[], index: number): Row => ({
  type: ComponentType.ActionRow,
  components: [
    {
      type: ComponentType.StringSelect,
      custom_id: MENU + index,
      placeholder: 'More',
      // A choice that is set already could not be picked again, so the one in force is marked by a sign.
      options: actions.map((action) => ({
        label: visible(`${action.on ? '✓ ' : ''}${labelOf(action, MOST_CHOICE)}`, MOST_CHOICE),
        value: action.payload,
      })),
    },
  ],
});

function labelOf({ label, line }: Action, most: number): string {
  const text = visible(label, most).trim();
  return text === '' ? visible(line, most) : text;
}

const chunks = <T>(all: readonly T[], size: number): readonly (readonly T[])[] =>
  Array.from({ length: Math.ceil(all.length / size) }, (_, index) => all.slice(index * size, (index + 1) * size));
