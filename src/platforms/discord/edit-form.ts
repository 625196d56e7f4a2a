/** Forms with several parts: what a button opens, and the command line that a filled-in form means. */
import { ComponentType, TextInputStyle, type APIComponentInLabel, type APIModalInteractionResponseCallbackData } from 'discord.js';
import { filled } from '../../chat/command-line.js';
import { replySchema, type ReplyForm } from '../../chat/reply.js';
import type { Actions } from '../button-payloads.js';
import { truncateLine } from '../truncate.js';

/** https://docs.discord.com/developers/components/reference#label */
const MAX_LABEL = 45;
const MAX_TEXT = 100;
const MAX_TYPED = 300;
/** A group of checkboxes has so many; a menu has 25. */
const MAX_BOXES = 10;

/** No line and no key begins with it. */
const EDIT_MARK = 'edit:';
/** So that stored text is no command line. */
const STORED = '/ ';

export const isEdit = (payload: string): boolean => payload.startsWith(EDIT_MARK);

/** Rejects with the store's error. */
export const editPayload = async (form: ReplyForm, kept: Actions): Promise<string> =>
  EDIT_MARK + (await kept.payload(STORED + JSON.stringify(form), 0));

/** It is undefined if not kept, or forged. Rejects with the store's error. */
export async function editOf(payload: string, kept: Actions): Promise<ReplyForm | undefined> {
  const [, key] = /^edit:(#[\w-]{20})$/u.exec(payload) ?? [];
  const text = key === undefined ? undefined : await kept.line(key);
  if (text?.startsWith(STORED) !== true) return undefined;
  try {
    return replySchema.shape.form.parse(JSON.parse(text.slice(STORED.length)));
  } catch {
    return undefined;
  }
}

type Part = ReplyForm['parts'][number];

export const editModal = ({ title, parts }: ReplyForm, payload: string): APIModalInteractionResponseCallbackData => ({
  custom_id: payload,
  title: shortened(title, MAX_LABEL),
  components: parts.map((part, at) => {
    const description = part.kind === 'one' ? '' : truncateLine(part.hint, MAX_TEXT).trim();
    return {
      ...{ type: ComponentType.Label, label: shortened(part.label, MAX_LABEL), component: componentOf(part, String(at)) },
      ...(description === '' ? {} : { description }),
    };
  }),
});

const shortened = (text: string, most: number): string => truncateLine(text, most).trim() || '…';

function componentOf(part: Part, id: string): APIComponentInLabel {
  if (part.kind === 'text')
    return { type: ComponentType.TextInput, custom_id: id, style: TextInputStyle.Short, required: false, max_length: MAX_TYPED };
  const options = part.choices.map(({ label, on }, at) => ({ label: shortened(label, MAX_TEXT), value: String(at), default: on }));
  if (part.kind === 'one') return { type: ComponentType.RadioGroup, custom_id: id, options, required: false };
  if (options.length <= MAX_BOXES)
    return { type: ComponentType.CheckboxGroup, custom_id: id, options, min_values: 0, max_values: options.length, required: false };
  return { type: ComponentType.StringSelect, custom_id: id, options, min_values: 0, max_values: options.length, required: false };
}

/** What was chosen and typed in each part, by its number. What the form does not offer is left out. */
export type FilledParts = Readonly<Record<string, readonly string[]>>;

export function editLine({ line, parts }: ReplyForm, given: FilledParts): string {
  const words = parts.flatMap((part, at): readonly string[] => {
    const values = given[String(at)] ?? [];
    // A semicolon ends a part, so what is typed cannot begin another one by accident only.
    if (part.kind === 'text') return values.map((text) => text.replaceAll(/\s+/gu, ' ').trim());
    const chosen = values.flatMap((value) => part.choices[Number(value)]?.words ?? []);
    if (part.kind === 'one') return chosen.slice(0, 1);
    // All of them are no limit, as none of them is.
    return chosen.length === 0 || chosen.length === part.choices.length ? [] : [`${part.before}${chosen.join(',')}`];
  });
  return filled(line, words.filter((text) => text !== '').join('; '));
}
