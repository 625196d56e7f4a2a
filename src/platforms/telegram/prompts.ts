/**
 * The messages that ask somebody to fill something in, as one document, `platform/telegram-prompts`, so that an answer means something after a
 * restart too. A prompt stays for a day, answered or not: whoever typed what is not taken answers the same message again.
 */
import { z } from 'zod';
import { DAY, later, type Clock } from '../../base/clock.js';
import { lanes } from '../../base/lanes.js';
import type { Log } from '../../base/log.js';
import { instantSchema } from '../../domain/scalars.js';
import { StoreError, type Store } from '../../store/store.js';

const KEPT_FOR = DAY;
/** Those asked last, of every chat and of one: nobody's pressing makes the bot forget what others were asked. */
const MAX_PROMPTS = 500;
const MAX_PROMPTS_PER_CHAT = 20;

const promptSchema = z.object({
  chat: z.int(),
  topic: z.int().optional(),
  message: z.int(),
  /** Who was asked. `hidden`: they act in the chat's name, and answer in it. */
  person: z.object({ id: z.int(), name: z.string(), hidden: z.boolean() }),
  label: z.string(),
  hint: z.string(),
  line: z.string(),
  askedAt: instantSchema,
  answered: z.boolean().default(false),
  /** Whether somebody else who answered was told that it is not theirs to answer. */
  othersTold: z.boolean().default(false),
});
export type Prompt = z.infer<typeof promptSchema>;

const document = z.object({ prompts: z.array(promptSchema).readonly() });

const KEY = 'telegram-prompts';

export interface Prompts {
  /** Keeps what `post` has sent to the chat. Rejects with its error or the store's. */
  keep(chat: number, post: () => Promise<Prompt>): Promise<void>;
  /** The prompt that a message is, unless it is too old. */
  find(at: Pick<Prompt, 'chat' | 'message'>): Promise<Prompt | undefined>;
  /** Changes what is known of a prompt. */
  note(at: Pick<Prompt, 'chat' | 'message'>, what: Partial<Pick<Prompt, 'answered' | 'othersTold'>>): Promise<void>;
  /** Takes out the prompts of a chat that is no more; resolves with those that nobody has answered, oldest first. */
  takeOut(chat: number): Promise<readonly Prompt[]>;
  /** How many prompts are such. */
  count(is: (prompt: Prompt) => boolean): Promise<number>;
  /** Forgets the prompts that are such. */
  forget(is: (prompt: Prompt) => boolean): Promise<void>;
}

/** Every function rejects with the store's error where it cannot be read or written. What can never be read is given up: it can be asked again. */
export function openPrompts({ store, clock, log }: { store: Store; clock: Clock; log: Log }): Prompts {
  const documents = store.collection({ prefix: 'platform', schema: document, version: 1 });
  const lane = lanes();

  async function read(): Promise<readonly Prompt[]> {
    const kept = await documents.get(KEY).catch((error: unknown) => {
      if (!(error instanceof StoreError) || error.trouble !== 'unreadable') throw error;
      log.error('telegram.prompts-unreadable', { error });
      return undefined;
    });
    return (kept?.prompts ?? []).filter(({ askedAt }) => later(askedAt, KEPT_FOR) > clock.now());
  }

  const change = async (to: (now: readonly Prompt[]) => readonly Prompt[]): Promise<void> =>
    lane.run(KEY, async () => documents.set(KEY, { prompts: to(await read()) }));

  /** Prompts that are being sent, by chat: whoever has one before their eyes already may be faster than it is kept. */
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

/** Without the oldest ones that are too many. Pure. */
function bounded(prompts: readonly Prompt[]): readonly Prompt[] {
  const counts = new Map<number, number>();
  const kept = prompts.toReversed().filter(({ chat }) => {
    const count = (counts.get(chat) ?? 0) + 1;
    counts.set(chat, count);
    return count <= MAX_PROMPTS_PER_CHAT;
  });
  return kept.slice(0, MAX_PROMPTS).toReversed();
}
