/** Keeps the prompts of the last day in document `platform/telegram-prompts`, writes their text and owns the personal data in them. */
import type { ForceReply } from 'grammy/types';
import { z } from 'zod';
import { DAY, later, type Clock } from '../../base/clock.js';
import type { Log } from '../../base/log.js';
import { omitUndefined } from '../../base/omit-undefined.js';
import type { Address } from '../../chat/address.js';
import type { DataOwner } from '../../chat/privacy.js';
import type { Field } from '../../chat/reply.js';
import { instantSchema } from '../../domain/scalars.js';
import type { Store } from '../../store/store.js';
import { openCachedDocument, openOnce } from '../cached-document.js';
import { truncateLine } from '../truncate.js';
import { addressOf } from './address.js';
import { escape, plain } from './render.js';

const KEPT_FOR = DAY;
/** The limit per chat keeps one chat's presses from removing the prompts of others. */
const MAX_PROMPTS = 500;
const MAX_PROMPTS_PER_CHAT = 20;

const promptSchema = z.object({
  chat: z.int(),
  topic: z.int().optional(),
  message: z.int(),
  /** `hidden` marks an anonymous administrator. */
  person: z.object({ id: z.int(), name: z.string(), hidden: z.boolean() }),
  label: z.string(),
  hint: z.string(),
  line: z.string(),
  /** The menu whose button was pressed. The answer replaces it. */
  menu: z.object({ message: z.int(), picture: z.int().optional() }).optional(),
  askedAt: instantSchema,
  answered: z.boolean().default(false),
  othersTold: z.boolean().default(false),
});
export type Prompt = z.infer<typeof promptSchema>;

const storedSchema = z.object({ prompts: z.array(promptSchema).readonly() });
type Stored = z.infer<typeof storedSchema>;

export interface Prompts {
  /** Posts and stores a prompt. Rejects with the error of `post` or of the store. */
  keep(chat: number, post: () => Promise<Prompt>): Promise<void>;
  find(at: Pick<Prompt, 'chat' | 'message'>): Promise<Prompt | undefined>;
  note(at: Pick<Prompt, 'chat' | 'message'>, what: Partial<Pick<Prompt, 'answered' | 'othersTold'>>): Promise<void>;
  /** Removes the prompts of a chat that moved and resolves with the unanswered ones, oldest first. */
  takeOut(chat: number): Promise<readonly Prompt[]>;
  count(is: (prompt: Prompt) => boolean): Promise<number>;
  forget(is: (prompt: Prompt) => boolean): Promise<void>;
}

/** Opens the prompts. Their methods reject with the store's error. An unreadable document is replaced. */
export function openPrompts({ store, clock, log }: { store: Store; clock: Clock; log: Log }): Prompts {
  const document = openOnce(async () =>
    openCachedDocument<Stored>({
      store,
      key: 'telegram-prompts',
      schema: storedSchema,
      empty: { prompts: [] },
      onUnreadable: (error) => log.error('telegram.prompts-unreadable', { error }),
    }),
  );
  const valid = ({ prompts }: Stored): readonly Prompt[] => prompts.filter(({ askedAt }) => later(askedAt, KEPT_FOR) > clock.now());
  const read = async (): Promise<readonly Prompt[]> => valid((await document()).read());
  const change = async (to: (now: readonly Prompt[]) => readonly Prompt[]): Promise<void> =>
    void (await (await document()).change((now) => ({ prompts: to(valid(now)) })));

  /** Prompts that are being posted. A reply can arrive before its prompt is stored. */
  const sending = new Map<Promise<unknown>, number>();

  const look = async ({ chat, message }: Pick<Prompt, 'chat' | 'message'>): Promise<Prompt | undefined> =>
    (await read()).find((prompt) => prompt.chat === chat && prompt.message === message);

  return {
    async keep(chat, post) {
      const kept = post().then(async (posted) => change((now) => bounded([...now, posted])));
      sending.set(kept, chat);
      await kept.finally(() => sending.delete(kept));
    },
    async find(at) {
      const found = await look(at);
      if (found !== undefined || sending.size === 0) return found;
      await Promise.allSettled(sending.keys());
      return look(at);
    },
    note: async ({ chat, message }, what) =>
      change((now) => now.map((prompt) => (prompt.chat === chat && prompt.message === message ? { ...prompt, ...what } : prompt))),
    async takeOut(chat) {
      await Promise.allSettled([...sending].flatMap(([kept, where]) => (where === chat ? [kept] : [])));
      const theirs = (await read()).filter((prompt) => prompt.chat === chat);
      if (theirs.length > 0) await change((now) => now.filter((prompt) => prompt.chat !== chat));
      return theirs.filter(({ answered }) => !answered);
    },
    count: async (is) => (await read()).filter(is).length,
    forget: async (is) => change((now) => now.filter((prompt) => !is(prompt))),
  };
}

function bounded(prompts: readonly Prompt[]): readonly Prompt[] {
  const counts = new Map<number, number>();
  const kept = prompts.toReversed().filter(({ chat }) => {
    const count = (counts.get(chat) ?? 0) + 1;
    counts.set(chat, count);
    return count <= MAX_PROMPTS_PER_CHAT;
  });
  return kept.slice(0, MAX_PROMPTS).toReversed();
}

export type TextField = Extract<Field, { kind: 'text' }>;

/** How a prompt text ends. A quoted prompt is recognised by it. */
const LAST_WORDS = 'eply to this message to fill it in.';

export const isPrompt = (text: string): boolean => text.endsWith(LAST_WORDS);

const MAX_LABEL = 64;
const MAX_HINT = 400;
const MAX_NAME = 64;
/** https://core.telegram.org/bots/api#forcereply */
const MAX_PLACEHOLDER = 64;

/** The person named in a prompt. */
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

export function dataOwnerOf(prompts: Pick<Prompts, 'count' | 'forget'>): DataOwner {
  const inChat =
    (where: Address) =>
    ({ chat, topic }: Prompt): boolean =>
      addressOf(omitUndefined({ chat, topic })) === where;
  return {
    async kept(chat) {
      const count = await prompts.count(inChat(chat));
      return count === 0
        ? []
        : [
            `what was asked to be filled in here: ${count} ${count === 1 ? 'message' : 'messages'}, each with the name of who was asked; for a day`,
          ];
    },
    forgetChat: async (chat) => prompts.forget(inChat(chat)),
    forgetPerson: async (who) => prompts.forget(({ person }) => `telegram/${person.id}` === who),
  };
}
