/** Text of a prompt and its recognition. */
import type { ForceReply } from 'grammy/types';
import type { Field } from '../../chat/reply.js';
import { truncateLine } from '../truncate.js';
import { escape, plain } from './sanitize.js';

export type TextField = Extract<Field, { kind: 'text' }>;

/** Recognises a quoted prompt. */
const LAST_WORDS = 'eply to this message to fill it in.';

export const isPrompt = (text: string): boolean => text.endsWith(LAST_WORDS);

const MAX_LABEL = 64;
const MAX_HINT = 400;
const MAX_NAME = 64;
/** https://core.telegram.org/bots/api#forcereply */
const MAX_PLACEHOLDER = 64;

/** Absent: nobody is named. */
export interface PromptAddressee {
  readonly id: number;
  readonly name: string;
}

const named = ({ id, name }: PromptAddressee): string => `<a href="tg://user?id=${id}">${escape(plain(name, MAX_NAME))}</a>`;

export function promptHtml({ label, hint }: TextField, who: PromptAddressee | undefined): string {
  const hinted = plain(hint, MAX_HINT).trim();
  return [
    `<b>${escape(plain(label, MAX_LABEL).trim() || 'Fill in')}</b>`,
    ...(hinted === '' ? [] : [escape(hinted)]),
    who === undefined ? `R${LAST_WORDS}` : `${named(who)}, r${LAST_WORDS}`,
  ].join('\n');
}

export function forceReply({ hint }: TextField, selective: boolean): ForceReply {
  const placeholder = truncateLine(hint, MAX_PLACEHOLDER).trim();
  return { force_reply: true, selective, ...(placeholder === '' ? {} : { input_field_placeholder: placeholder }) };
}
