/** A message of ours that asks somebody to fill something in: how it reads, and how it is told from our other messages afterwards. Pure. */
import type { ForceReply } from 'grammy/types';
import type { Field } from '../../chat/reply.js';
import { truncateLine } from '../truncate.js';
import { escape, plain } from './sanitize.js';

export type TextField = Extract<Field, { kind: 'text' }>;

/** Its last words. What a person's own client sends beside an answer is the message that it answers, so they are found again there. */
const LAST_WORDS = 'eply to this message to fill it in.';

/** Whether a text of ours is such a message. */
export const isPrompt = (text: string): boolean => text.endsWith(LAST_WORDS);

const MAX_LABEL = 64;
const MAX_HINT = 400;
const MAX_NAME = 64;
/** https://core.telegram.org/bots/api#forcereply */
const MAX_PLACEHOLDER = 64;

/** Who is asked, by their number and name; absent where nobody may be named. */
export interface PromptAddressee {
  readonly id: number;
  readonly name: string;
}

const named = ({ id, name }: PromptAddressee): string => `<a href="tg://user?id=${id}">${escape(plain(name, MAX_NAME))}</a>`;

/** The message as markup. Naming somebody is what makes their client, and no other, open the reply. */
export function promptHtml({ label, hint }: TextField, who: PromptAddressee | undefined): string {
  const hinted = plain(hint, MAX_HINT).trim();
  return [
    `<b>${escape(plain(label, MAX_LABEL).trim() || 'Fill in')}</b>`,
    ...(hinted === '' ? [] : [escape(hinted)]),
    who === undefined ? `R${LAST_WORDS}` : `${named(who)}, r${LAST_WORDS}`,
  ].join('\n');
}

/** What makes a client open the reply by itself. `selective`: only that of whoever the message names. */
export function forceReply({ hint }: TextField, selective: boolean): ForceReply {
  const placeholder = truncateLine(hint, MAX_PLACEHOLDER).trim();
  return { force_reply: true, selective, ...(placeholder === '' ? {} : { input_field_placeholder: placeholder }) };
}
