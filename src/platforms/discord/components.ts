/** Builds the components under a message: one menu at a time, then buttons, links first. Also builds the forms that buttons open. */
import {
  ButtonStyle,
  ComponentType,
  TextInputStyle,
  type APIActionRowComponent,
  type APIButtonComponentWithCustomId,
  type APIButtonComponentWithURL,
  type APIComponentInMessageActionRow,
  type APIModalInteractionResponseCallbackData,
} from 'discord.js';
import { z } from 'zod';
import { filled } from '../../chat/command-line.js';
import { replySchema, type Action, type Emphasis, type Field, type Link, type Reply } from '../../chat/reply.js';
import type { Actions } from '../button-payloads.js';
import { editPayload } from './edit-form.js';
import { truncateLine } from '../truncate.js';

/** The most characters of a component's id or a choice's value. https://docs.discord.com/developers/components/reference */
const MAX_PAYLOAD = 100;
const MAX_ROWS = 5;
const MAX_IN_A_ROW = 5;
const MAX_IN_A_MENU = 25;
/** The most characters of a button's label. */
const MAX_LABEL = 80;
/** The most characters of a choice's label or description. */
export const MAX_CHOICE = 100;
const MAX_PLACEHOLDER = 150;

const MAX_BUTTONS = 15;
const BUTTONS_BESIDE_MENUS = 10;

/** Ids of menus and fields. No command line and no stored key begins with "menu:". */
const MENU = 'menu:';
const FIELD = 'field:0';

type Row = APIActionRowComponent<APIComponentInMessageActionRow>;
type Button = APIButtonComponentWithCustomId | APIButtonComponentWithURL;

interface Ready {
  readonly label: string;
  readonly line: string;
  readonly hint?: string;
  readonly on: boolean;
  readonly emphasis?: Emphasis | undefined;
  readonly payload: string;
  readonly url?: string;
}

/** Builds the components, with the first step of the menus. Rejects with the store's error. */
export async function componentsOf({ links, actions, fields, form }: Controls, kept: Actions): Promise<readonly Row[]> {
  const menus = menusOf({ fields });
  const texts = fields.filter((field) => field.kind === 'text');
  const picks =
    menus.length > 1
      ? [choosing(menus, await stepPayload({ links, actions, fields, form }, kept))]
      : await Promise.all(menus.map(async (menu) => select(menu, FIELD, await ready(menu.options, kept))));
  const edits = form === undefined ? [] : [{ label: form.label, line: form.line, on: false, payload: await editPayload(form, kept) }];
  const typing = await Promise.all(texts.map(async (field) => ({ ...field, on: false, payload: await payloadOf(field, kept) })));
  const asking = once([...edits, ...typing]);
  const rows = MAX_ROWS - picks.length;
  return [...picks, ...rowsOf([...links.map(leaving), ...asking], await ready(actions, kept), rows)];
}

/** Builds the components of a menu step. Rejects with the store's error. */
export async function stepComponents({ controls, menu, back }: MenuStep, kept: Actions): Promise<readonly Row[]> {
  if (menu === undefined) return componentsOf(controls, kept);
  return [select(menu, FIELD, await ready(menu.options, kept)), { type: ComponentType.ActionRow, components: [backButton(back)] }];
}

function choosing(menus: readonly Menu[], first: string): Row {
  const names = menus.map(({ label }) => label).join(' · ');
  return row(FIELD, truncateLine(`Choose: ${names}`, MAX_PLACEHOLDER), optionsOf(menus, first));
}

const leaving = ({ label, url }: Link): Ready => ({ label, url, line: new URL(url).host, on: false, payload: url });

/** Arranges buttons in rows. Links and buttons that open a form (`asking`) cannot be choices of a menu. */
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

/** How many characters a line may have in a payload; 0 if it has line breaks, so that a pasted list is always stored. */
const roomFor = (line: string): number => (/\s/u.test(line.replaceAll(' ', '')) ? 0 : MAX_PAYLOAD);

const once = <T extends Ready>(all: readonly T[]): readonly T[] =>
  all.filter(({ payload }, index) => all.findIndex((other) => other.payload === payload) === index);

const buttons = (all: readonly Ready[]): Row => ({ type: ComponentType.ActionRow, components: all.map(button) });

function button(one: Ready): Button {
  const label = labelOf(one, MAX_LABEL);
  if (one.url !== undefined) return { type: ComponentType.Button, style: ButtonStyle.Link, label, url: one.url };
  return {
    ...{ type: ComponentType.Button, label, custom_id: one.payload },
    style:
      one.emphasis === 'danger' ? ButtonStyle.Danger : one.on || one.emphasis === 'primary' ? ButtonStyle.Primary : ButtonStyle.Secondary,
  };
}

/** Builds a menu. Discord menus have no label, so it is put before the chosen option. */
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

/** No command line and no stored key begins with this mark. */
const STEP_MARK = 'step:';
/** The prefix of stored JSON, which keeps it from being read as a command line. */
const STORED = '/ ';

export type Controls = Pick<Reply, 'links' | 'actions' | 'fields' | 'form'>;
export type Menu = Extract<Field, { kind: 'menu' }>;

const controlsSchema = z
  .string()
  .transform((text, context): unknown => {
    try {
      return JSON.parse(text);
    } catch {
      context.addIssue('not JSON');
      return z.NEVER;
    }
  })
  .pipe(replySchema.pick({ links: true, actions: true, fields: true, form: true }));

export const isStep = (payload: string): boolean => payload.startsWith(STEP_MARK);
/** Tells whether the payload leads from a menu back to the list of menus. */
export const leadsBack = (payload: string): boolean => /^step:#[\w-]{20}$/u.test(payload);

/** Stores the controls and returns the payload of their menu step. Rejects with the store's error. */
const stepPayload = async ({ links, actions, fields, form }: Controls, kept: Actions): Promise<string> =>
  STEP_MARK + (await kept.payload(STORED + JSON.stringify({ links, actions, fields, form }), 0));

export interface MenuStep {
  readonly controls: Controls;
  /** The payload of the first step. */
  readonly back: string;
  /** The chosen menu; undefined in the first step. */
  readonly menu: Menu | undefined;
}

/** Returns undefined if the step is no longer stored or was forged. Rejects with the store's error. */
export async function stepOf(payload: string, kept: Actions): Promise<MenuStep | undefined> {
  const [, key, at] = /^step:(#[\w-]{20})(?:\.(\d))?$/u.exec(payload) ?? [];
  const text = key === undefined ? undefined : await kept.line(key);
  if (text?.startsWith(STORED) !== true) return undefined;
  const parsed = controlsSchema.safeParse(text.slice(STORED.length));
  if (!parsed.success) return undefined;
  const menu = at === undefined ? undefined : menusOf(parsed.data)[Number(at)];
  return at !== undefined && menu === undefined ? undefined : { controls: parsed.data, back: `${STEP_MARK}${key}`, menu };
}

const menusOf = ({ fields }: Pick<Controls, 'fields'>): readonly Menu[] => fields.filter((field) => field.kind === 'menu');

/** Builds the options of the first step, each with what is chosen in its menu. */
const optionsOf = (menus: readonly Menu[], back: string) =>
  menus.map(({ label, options }, index) => {
    const chosen = options.filter(({ on }) => on).map((option) => option.label);
    const description = truncateLine(chosen.join(', '), MAX_CHOICE).trim();
    return {
      label: truncateLine(label, MAX_CHOICE).trim() || `Menu ${index + 1}`,
      value: `${back}.${index}`,
      ...(description === '' ? {} : { description }),
    };
  });

const backButton = (back: string) => ({
  type: ComponentType.Button as const,
  style: ButtonStyle.Secondary as const,
  label: truncateLine('‹ Back', MAX_LABEL),
  custom_id: back,
});

const MAX_TITLE = 45;
const MAX_DESCRIPTION = 100;
/** The value is in characters. In a field of one line, Discord turns line breaks into spaces. */
const MAX_TYPED = 4_000;

/** No command line and no stored key begins with these marks. */
const FORM_MARK = 'form:';
/** The mark of a form that takes a file instead of typed text. */
const UPLOAD_MARK = 'upload:';
export const TYPED = 'typed';
const FILE = 'file';

const isUpload = (payload: string): boolean => payload.startsWith(UPLOAD_MARK);
export const isForm = (payload: string): boolean => payload.startsWith(FORM_MARK) || isUpload(payload);

/** Stores the line with the hint after it, and returns the payload. Rejects with the store's error. */
export async function payloadOf({ line, hint, file = false }: Extract<Field, { kind: 'text' }>, kept: Actions): Promise<string> {
  const mark = file ? UPLOAD_MARK : FORM_MARK;
  return mark + (hint === '' ? await kept.payload(line, MAX_PAYLOAD - mark.length) : await kept.payload(`${line}\n${hint}`, 0));
}

/** The form that a button opens. https://docs.discord.com/developers/components/reference#text-input */
interface Form {
  /** The command line, with `{}` in place of the typed text. */
  readonly line: string;
  readonly hint: string;
  readonly takesFile: boolean;
}

/** Returns undefined if the form is no longer stored. Rejects with the store's error. */
export async function formOf(payload: string, kept: Actions): Promise<Form | undefined> {
  const takesFile = isUpload(payload);
  const text = await kept.line(payload.slice((takesFile ? UPLOAD_MARK : FORM_MARK).length));
  const [line = '', ...hint] = text?.split('\n') ?? [];
  return line.startsWith('/') ? { line, hint: hint.join(' '), takesFile } : undefined;
}

export function modalOf(
  { hint, takesFile }: Form,
  { payload, label }: { payload: string; label: string },
): APIModalInteractionResponseCallbackData {
  const title = truncateLine(label, MAX_TITLE).trim() || 'Answer';
  const description = truncateLine(hint, MAX_DESCRIPTION).trim();
  const style = takesFile ? TextInputStyle.Paragraph : TextInputStyle.Short;
  return {
    custom_id: payload,
    title,
    components: [
      ...(takesFile ? [FILE_PART] : []),
      {
        type: ComponentType.Label,
        label: takesFile ? 'Or paste the text' : title,
        ...(description === '' ? {} : { description }),
        component: { type: ComponentType.TextInput, custom_id: TYPED, style, required: !takesFile, max_length: MAX_TYPED },
      },
    ],
  };
}

/** https://docs.discord.com/developers/components/reference#file-upload */
const FILE_PART = {
  ...{ type: ComponentType.Label as const, label: 'File' },
  component: { type: ComponentType.FileUpload as const, custom_id: FILE, required: false, min_values: 0, max_values: 1 },
};

/** Returns the command line of a filled-in form, or what is missing in it. */
export function askedBy(
  { line, takesFile }: Form,
  { typed, files }: { readonly typed: string; readonly files: number },
): { readonly line: string } | { readonly says: string } {
  const isTyped = typed.trim() !== '';
  if (!takesFile)
    return isTyped ? { line: filled(line, typed) } : { says: 'Nothing was typed. Press the button again and type an answer.' };
  if (isTyped && files > 0) return { says: 'Choose a file or paste its text, not both. Open the form again.' };
  if (files > 0) return { line: line.replace('{}', '').trim() };
  return isTyped ? { line: line.replace('{}', () => typed.trim()) } : { says: 'Choose a file or paste its text. Open the form again.' };
}
