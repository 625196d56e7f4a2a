/** Button that opens a form. https://docs.discord.com/developers/components/reference#text-input */
import { ComponentType, TextInputStyle, type APIModalInteractionResponseCallbackData } from 'discord.js';
import { filled } from '../../chat/filled-field.js';
import type { Field } from '../../chat/reply.js';
import type { Actions } from '../button-payloads.js';
import { truncateLine } from '../truncate.js';
import { MAX_PAYLOAD } from './component-limits.js';

const MAX_TITLE = 45;
const MAX_DESCRIPTION = 100;
/** Line breaks arrive as spaces. */
const MAX_TYPED = 4_000;

/** No line and no key begins with it. */
const MARK = 'form:';
export const TYPED = 'typed';

export const isForm = (payload: string): boolean => payload.startsWith(MARK);

/** The hint is behind the line. Rejects with the store's error. */
export const payloadOf = async ({ line, hint }: Extract<Field, { kind: 'text' }>, kept: Actions): Promise<string> =>
  MARK + (hint === '' ? await kept.payload(line, MAX_PAYLOAD - MARK.length) : await kept.payload(`${line}\n${hint}`, 0));

interface Form {
  /** With `{}` for the typed text. */
  readonly line: string;
  readonly hint: string;
}

/** Undefined if not kept. Rejects with the store's error. */
export async function formOf(payload: string, kept: Actions): Promise<Form | undefined> {
  const text = await kept.line(payload.slice(MARK.length));
  const [line = '', ...hint] = text?.split('\n') ?? [];
  return line.startsWith('/') ? { line, hint: hint.join(' ') } : undefined;
}

export function modalOf({ hint }: Form, { payload, label }: { payload: string; label: string }): APIModalInteractionResponseCallbackData {
  const title = truncateLine(label, MAX_TITLE).trim() || 'Answer';
  const description = truncateLine(hint, MAX_DESCRIPTION).trim();
  return {
    custom_id: payload,
    title,
    components: [
      {
        type: ComponentType.Label,
        label: title,
        ...(description === '' ? {} : { description }),
        component: { type: ComponentType.TextInput, custom_id: TYPED, style: TextInputStyle.Short, required: true, max_length: MAX_TYPED },
      },
    ],
  };
}

export const lineOf = ({ line }: Form, typed: string): string | undefined => (typed.trim() === '' ? undefined : filled(line, typed));
