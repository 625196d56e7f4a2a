/** Components under a message: menus, then buttons, links first. */
import {
  ButtonStyle,
  ComponentType,
  type APIActionRowComponent,
  type APIButtonComponentWithCustomId,
  type APIButtonComponentWithURL,
  type APIComponentInMessageActionRow,
} from 'discord.js';
import type { Action, Link } from '../../chat/reply.js';
import type { Actions } from '../button-payloads.js';
import { truncateLine } from '../truncate.js';
import { payloadOf } from './form.js';
import { backButton, menusOf, optionsOf, stepPayload, type Controls, type Menu, type MenuStep } from './menu-steps.js';
import { MAX_CHOICE, MAX_IN_A_MENU, MAX_IN_A_ROW, MAX_LABEL, MAX_PAYLOAD, MAX_PLACEHOLDER, MAX_ROWS } from './component-limits.js';

const MAX_BUTTONS = 15;
const BUTTONS_BESIDE_MENUS = 10;

/** No line and no key begins with it. */
const MENU = 'menu:';
const FIELD = 'field:0';

type Row = APIActionRowComponent<APIComponentInMessageActionRow>;
type Button = APIButtonComponentWithCustomId | APIButtonComponentWithURL;

interface Ready {
  readonly label: string;
  readonly line: string;
  readonly hint?: string;
  readonly on: boolean;
  readonly payload: string;
  readonly url?: string;
}

/** Shows menus one at a time. Rejects with the store's error. */
export async function componentsOf({ links, actions, fields }: Controls, kept: Actions): Promise<readonly Row[]> {
  const menus = menusOf({ fields });
  const texts = fields.filter((field) => field.kind === 'text');
  const picks =
    menus.length > 1
      ? [choosing(menus, await stepPayload({ links, actions, fields }, kept))]
      : await Promise.all(menus.map(async (menu) => select(menu, FIELD, await ready(menu.options, kept))));
  const asking = once(await Promise.all(texts.map(async (field) => ({ ...field, on: false, payload: await payloadOf(field, kept) }))));
  const rows = MAX_ROWS - picks.length;
  return [...picks, ...rowsOf([...links.map(leaving), ...asking], await ready(actions, kept), rows)];
}

/** Rejects with the store's error. */
export async function stepComponents({ controls, menu, back }: MenuStep, kept: Actions): Promise<readonly Row[]> {
  if (menu === undefined) return componentsOf(controls, kept);
  return [select(menu, FIELD, await ready(menu.options, kept)), { type: ComponentType.ActionRow, components: [backButton(back)] }];
}

function choosing(menus: readonly Menu[], first: string): Row {
  const names = menus.map(({ label }) => label).join(', ');
  return row(FIELD, truncateLine(`Choose: ${names}`, MAX_PLACEHOLDER), optionsOf(menus, first));
}

const leaving = ({ label, url }: Link): Ready => ({ label, url, line: new URL(url).host, on: false, payload: url });

/** `asking`: not in a menu. */
function rowsOf(asking: readonly Ready[], actions: readonly Ready[], rows: number): readonly Row[] {
  const all = [...asking, ...actions];
  if (all.length <= MAX_BUTTONS) return chunks(all, MAX_IN_A_ROW).map(buttons);
  const shown = Math.max(BUTTONS_BESIDE_MENUS, asking.length);
  const rest = actions.slice(Math.max(0, shown - asking.length));
  const more = chunks(rest, MAX_IN_A_MENU).map((some, index) => overflow(some, MENU + index));
  return [...chunks(all.slice(0, shown), MAX_IN_A_ROW).map(buttons), ...more].slice(0, rows);
}

const ready = async (all: readonly (Action & { readonly hint?: string })[], kept: Actions): Promise<readonly Ready[]> =>
  once(await Promise.all(all.map(async (one) => ({ ...one, payload: await kept.payload(one.line, roomFor(one.line)) }))));

/** Pasted lists have line breaks. */
const roomFor = (line: string): number => (/\s/u.test(line.replaceAll(' ', '')) ? 0 : MAX_PAYLOAD);

const once = <T extends Ready>(all: readonly T[]): readonly T[] =>
  all.filter(({ payload }, index) => all.findIndex((other) => other.payload === payload) === index);

const buttons = (all: readonly Ready[]): Row => ({ type: ComponentType.ActionRow, components: all.map(button) });

function button(one: Ready): Button {
  const label = labelOf(one, MAX_LABEL);
  if (one.url !== undefined) return { type: ComponentType.Button, style: ButtonStyle.Link, label, url: one.url };
  return {
    ...{ type: ComponentType.Button, label, custom_id: one.payload },
    style: one.on ? ButtonStyle.Primary : ButtonStyle.Secondary,
  };
}

/** Its label is not shown. */
function select({ label }: Menu, id: string, options: readonly Ready[]): Row {
  const isOne = options.filter(({ on }) => on).length === 1;
  const about = truncateLine(label, MAX_PLACEHOLDER).trim();
  return row(
    id,
    about,
    options.map((option) => {
      const hint = truncateLine(option.hint ?? '', MAX_CHOICE).trim();
      const shown = isOne && option.on && about !== '' ? { ...option, label: `${about}: ${labelOf(option, MAX_CHOICE)}` } : option;
      return {
        ...(isOne && option.on ? { ...choice(shown), default: true } : marked(shown)),
        ...(hint === '' ? {} : { description: hint }),
      };
    }),
  );
}

const overflow = (actions: readonly Ready[], id: string): Row => row(id, 'More', actions.map(marked));

const row = (id: string, placeholder: string, options: readonly Choice[]): Row => ({
  type: ComponentType.ActionRow,
  components: [{ type: ComponentType.StringSelect, custom_id: id, ...(placeholder === '' ? {} : { placeholder }), options: [...options] }],
});

interface Choice extends ReturnType<typeof choice> {
  readonly description?: string;
}

const choice = (one: Ready) => ({ label: labelOf(one, MAX_CHOICE), value: one.payload });
const marked = (one: Ready): Choice => ({
  ...choice(one),
  label: truncateLine(`${one.on ? '✓ ' : ''}${labelOf(one, MAX_CHOICE)}`, MAX_CHOICE),
});

function labelOf({ label, line }: Pick<Ready, 'label' | 'line'>, most: number): string {
  const text = truncateLine(label, most).trim();
  return text === '' ? truncateLine(line, most) : text;
}

const chunks = <T>(all: readonly T[], size: number): readonly (readonly T[])[] =>
  Array.from({ length: Math.ceil(all.length / size) }, (_, index) => all.slice(index * size, (index + 1) * size));
