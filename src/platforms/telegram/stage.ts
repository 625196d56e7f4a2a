/** Where one answer stands: its first message is posted or, after a press, is the message that was pressed; what follows changes it. */
import type { Api } from 'grammy';
import { SECOND, type Clock, type Instant } from '../../base/clock.js';
import type { Log } from '../../base/log.js';
import type { ChatNews } from '../../chat/platform.js';
import type { Reply } from '../../chat/reply.js';
import type { Actions } from '../actions.js';
import { addressOf, placeOf, type Place } from './address.js';
import { keyboard } from './keyboard.js';
import { inWords, isLost, isUnchanged, outcomeOf } from './outcome.js';
import { bareText, edit, post, type Page } from './post.js';
import { partsOf, htmlOf } from './render.js';

export interface StageNeeds {
  readonly api: Api;
  readonly actions: Actions;
  readonly clock: Clock;
  readonly log: Log;
  readonly tell: (news: ChatNews) => void;
}

export interface Stage {
  /** Whether something stands there that this stage has posted or changed. */
  readonly used: boolean;
  /** Shows it for now. Never rejects; what comes too soon after the last one is left out. */
  interim(reply: Reply): Promise<void>;
  /** Shows it for good. Rejects when it could not be shown. */
  final(reply: Reply, how?: { readonly replyTo?: number }): Promise<void>;
}

const MOST_TRIES = 3;
const FIRST_WAIT = 2 * SECOND;
/** Nobody reads an answer that comes later. */
const LONGEST_WAIT = 30 * SECOND;
/** Every change counts against the flood limits. */
const INTERIM_EVERY = 2 * SECOND;

/** `message`: the message to be changed, where there is one; then one message is all there will be. */
export function openStage(
  { api, actions, clock, log, tell }: StageNeeds,
  { place, message, signal }: { readonly place: Place; readonly message?: number; readonly signal: AbortSignal },
): Stage {
  const isPressed = message !== undefined;
  let at = place;
  let standing = message;
  let used = false;
  let lastShown: Instant | undefined;
  let showing: Promise<unknown> = Promise.resolve();

  /** Tries again what is worth it: a short wait, a chat that moved. `again`: whether doing it twice does no harm. */
  async function insist<T>(again: boolean, work: () => Promise<T>): Promise<T> {
    for (let tries = 1; ; tries += 1) {
      try {
        return await work();
      } catch (error) {
        const outcome = outcomeOf(error, addressOf(at));
        if (tries >= MOST_TRIES) throw error;
        if (outcome.kind === 'moved') {
          const next = placeOf(outcome.to) ?? at;
          tell({ kind: 'moved', from: addressOf({ chat: at.chat }), to: addressOf({ chat: next.chat }) });
          at = next;
          continue;
        }
        const isOver = outcome.kind !== 'later' && !(again && outcome.kind === 'unclear');
        const wait = outcome.kind === 'later' && outcome.afterMs !== undefined ? outcome.afterMs : FIRST_WAIT * tries;
        if (isOver || wait > LONGEST_WAIT) throw error;
        await clock.sleep(wait, signal);
      }
    }
  }

  async function change(page: Page, id: number): Promise<boolean> {
    try {
      await insist(true, async () => edit(api, { chat: at.chat, message: id, page }));
    } catch (error) {
      if (isUnchanged(error)) return true;
      if (isLost(error)) return false;
      throw error;
    }
    return true;
  }

  async function show(reply: Reply, { split, replyTo }: { split: boolean; replyTo?: number | undefined }): Promise<void> {
    const now = clock.now();
    const parts = partsOf(reply, now, split ? undefined : 1);
    for (const [index, part] of parts.entries()) {
      const page: Page = {
        html: htmlOf(part, now),
        bare: () => bareText(part, now),
        keyboard: await keyboard(part.actions, { kept: actions, alert: false }),
      };
      if (index === 0 && standing !== undefined && (await change(page, standing))) continue;
      const id = await insist(false, async () =>
        post(api, { place: at, page, ...(index === 0 && replyTo !== undefined ? { replyTo } : {}) }),
      );
      if (index === 0) standing = id;
    }
    used = true;
  }

  return {
    get used() {
      return used;
    },
    async interim(reply) {
      const now = clock.now();
      if (lastShown !== undefined && now - lastShown < INTERIM_EVERY) return;
      lastShown = now;
      const shown = showing.then(async () => show(reply, { split: false }));
      showing = shown.catch((error: unknown) => log.debug('telegram.interim-not-shown', { at: addressOf(at), error: inWords(error) }));
      await showing;
    },
    async final(reply, { replyTo } = {}) {
      await showing;
      await show(reply, { split: !isPressed, replyTo });
    },
  };
}
