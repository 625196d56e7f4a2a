/** Builds forms with several parts, and turns a filled-in form into a command line. */
import { ComponentType, TextInputStyle, type APIComponentInLabel, type APIModalInteractionResponseCallbackData } from 'discord.js';
import { filled } from '../../chat/command-line.js';
import { replySchema, type ReplyForm } from '../../chat/reply.js';
import type { Actions } from '../button-payloads.js';
import { truncateLine } from '../truncate.js';

/** https://docs.discord.com/developers/components/reference#label */
const MAX_LABEL = 45;
const MAX_TEXT = 100;
const MAX_TYPED = 300;
/** Discord allows ten checkboxes in a group; a menu has up to 25 choices. */
const MAX_BOXES = 10;

/** No command line and no stored key begins with this mark. */
const EDIT_MARK = 'edit:';
/** The prefix of stored JSON, which keeps it from being read as a command line. */
const STORED = '/ ';

export const isEdit = (payload: string): boolean => payload.startsWith(EDIT_MARK);

/** Stores the form and returns its payload. Rejects with the store's error. */
export const editPayload = async (form: ReplyForm, kept: Actions): Promise<string> =>
  EDIT_MARK + (await kept.payload(STORED + JSON.stringify(form), 0));

/** Returns undefined if the form is no longer stored or was forged. Rejects with the store's error. */
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

/** What the person chose and typed in each part, by the part's number. Values that the form does not offer are ignored. */
export type FilledParts = Readonly<Record<string, readonly string[]>>;

export function editLine({ line, parts }: ReplyForm, given: FilledParts): string {
  const words = parts.flatMap((part, at): readonly string[] => {
    const values = given[String(at)] ?? [];
    // Line breaks become spaces, because the form is written as one command line.
    if (part.kind === 'text') return values.map((text) => text.replaceAll(/\s+/gu, ' ').trim());
    const chosen = values.flatMap((value) => part.choices[Number(value)]?.words ?? []);
    if (part.kind === 'one') return chosen.slice(0, 1);
    // Choosing all means no restriction, like choosing none.
    return chosen.length === 0 || chosen.length === part.choices.length ? [] : [`${part.before}${chosen.join(',')}`];
  });
  return filled(line, words.filter((text) => text !== '').join('; '));
}
