/**
 * Where one answer stands: it is posted or, after a press, takes the place of what was pressed; what follows changes it. An answer has one of
 * three shapes: words; a picture with its words beside it; or, where the words are more than a caption holds, the picture and then the words,
 * whole and with the buttons, as an answer to the picture: a press tells only its own message, and this way it tells the picture too. What
 * keeps its shape is changed in place, words become a picture with words in place too, and anything else is posted anew before the old one is
 * deleted, because Telegram cannot take a picture away from a message and no words shall be lost for a caption.
 */
import type { Api } from 'grammy';
import { SECOND, type Clock, type Instant } from '../../base/clock.js';
import type { Log } from '../../base/log.js';
import type { ChatNews } from '../../chat/platform.js';
import type { Reply } from '../../chat/reply.js';
import type { Actions } from '../actions.js';
import type { Attached, Upload } from '../attachments.js';
import { addressOf, type Place } from './address.js';
import type { Album } from './album.js';
import { insistent } from './insist.js';
import { keyboard } from './keyboard.js';
import { inWords, isLost, isUnchanged, leavesWords } from './outcome.js';
import { bareText, edit, editCaption, editPhoto, post, postFile, postPhoto, type Page, type Photo, type Target } from './post.js';
import { captionOf, fitsCaption, htmlOf, MOST_CAPTION, MOST_TEXT, partsOf } from './render.js';

export interface StageNeeds {
  readonly api: Api;
  readonly actions: Actions;
  readonly album: Album;
  readonly clock: Clock;
  readonly log: Log;
  readonly tell: (news: ChatNews) => void;
}

/** An answer as it stands: the message with the words and the buttons, and the one with the picture, which may be the same. */
export interface Standing {
  readonly message: number;
  readonly picture?: number | undefined;
}

export interface Stage {
  /** Whether something stands there that this stage has posted or changed. */
  readonly used: boolean;
  /** Shows its words for now. Never rejects; what comes too soon after the last one is left out. */
  interim(reply: Reply): Promise<void>;
  /** Shows it for good, its files behind it. Rejects when its words could not be shown. */
  final(attached: Attached, how?: { readonly replyTo?: number }): Promise<void>;
}

/** Every change counts against the flood limits. */
const INTERIM_EVERY = 2 * SECOND;

/** `standing`: the answer to be changed, where there is one; then as few messages as possible are all there will be. */
export function openStage(
  needs: StageNeeds,
  { place, standing: pressed, signal }: { readonly place: Place; readonly standing?: Standing; readonly signal: AbortSignal },
): Stage {
  const { api, actions, album, clock, log } = needs;
  const isPressed = pressed !== undefined;
  const { at, insist } = insistent(needs, { place, signal });
  let standing = pressed;
  let used = false;
  let lastShown: Instant | undefined;
  let showing: Promise<unknown> = Promise.resolve();

  const pageOf = async (part: Reply, now: Instant, most = MOST_TEXT): Promise<Page> => ({
    html: htmlOf(part, now),
    bare: () => bareText(part, now, most),
    keyboard: await keyboard(part, { kept: actions, alert: false }),
  });

  /** False where the message can no longer be changed this way. */
  async function change(message: number, how: (target: Target) => Promise<void>): Promise<boolean> {
    try {
      await insist(true, async () => how({ chat: at().chat, message }));
    } catch (error) {
      if (isUnchanged(error)) return true;
      if (isLost(error)) return false;
      throw error;
    }
    return true;
  }

  async function remove(old: Standing | undefined): Promise<void> {
    for (const message of new Set([old?.message, old?.picture])) {
      // What is too old to be deleted stays as it is.
      if (message !== undefined)
        await api.deleteMessage(at().chat, message).catch((error: unknown) => log.debug('telegram.not-deleted', { error: inWords(error) }));
    }
  }

  /** Where it goes; what takes the place of something standing has rung already. */
  const where = (replyTo: number | undefined) => ({ place: at(), replyTo, silent: standing !== undefined });

  /** The words as one message or several, the first one in place of `standing` unless something was in the way. */
  async function showWords(
    reply: Reply,
    { split, picture, replyTo }: { split: boolean; picture?: number; replyTo?: number },
  ): Promise<void> {
    const now = clock.now();
    const parts = partsOf(reply, now, split ? undefined : 1);
    const old = standing;
    const inPlace = old !== undefined && old.picture === picture ? old.message : undefined;
    let isChanged = false;
    for (const [index, part] of parts.entries()) {
      const page = await pageOf(part, now);
      if (index === 0 && inPlace !== undefined && (isChanged = await change(inPlace, async (target) => edit(api, { ...target, page }))))
        continue;
      // The buttons stand under the last one, so that one answers the picture.
      const answers = index === parts.length - 1 && picture !== undefined ? picture : index === 0 ? replyTo : undefined;
      const message = await insist(false, async () => post(api, { ...where(answers), page }));
      standing = { message, picture };
    }
    if (!isChanged) await remove(old);
  }

  /** A picture with its words beside it. */
  async function showCaptioned(photo: Photo, replyTo: number | undefined): Promise<void> {
    const old = standing;
    const isApart = old?.picture !== undefined && old.picture !== old.message;
    if (old !== undefined && !isApart && (await change(old.message, async (target) => editPhoto(api, { ...target, photo })))) {
      standing = { message: old.message, picture: old.message };
      return;
    }
    const message = await insist(false, async () => postPhoto(api, { ...where(replyTo), photo }));
    standing = { message, picture: message };
    await remove(old);
  }

  /** The picture alone, before its words; resolves with its message. */
  async function showAlone(photo: Photo, replyTo: number | undefined): Promise<number> {
    const picture = standing?.picture;
    const isApart = picture !== undefined && picture !== standing?.message;
    if (isApart && (await change(picture, async (target) => editPhoto(api, { ...target, photo })))) return picture;
    // The words that follow ring.
    return insist(false, async () => postPhoto(api, { ...where(replyTo), silent: true, photo }));
  }

  /** A picture that does not arrive leaves the words as they are without one. */
  async function orWordsAlone<T>(work: () => Promise<T>): Promise<T | undefined> {
    try {
      return await work();
    } catch (error) {
      if (!leavesWords(error, addressOf(at()))) throw error;
      log.warn('telegram.picture-not-taken', { chat: at().chat, error: inWords(error) });
      return undefined;
    }
  }

  async function show({ reply, picture: drawn, files }: Attached, replyTo?: number): Promise<void> {
    const now = clock.now();
    const split = !isPressed;
    if (drawn !== undefined && fitsCaption(reply, now)) {
      const page = await pageOf(reply, now, MOST_CAPTION);
      const isShown = await orWordsAlone(async () => showCaptioned({ album, bytes: drawn.bytes, page }, replyTo).then(() => true));
      if (isShown !== true) await showWords(reply, { split, replyTo });
    } else {
      const picture = drawn === undefined ? undefined : await orWordsAlone(async () => showAlone({ album, bytes: drawn.bytes }, replyTo));
      await showWords(reply, { split, picture, replyTo });
    }
    used = true;
    for (const file of files) await showFile(file);
  }

  /** A file that does not arrive is said; the words stand already. */
  async function showFile(file: Upload): Promise<void> {
    try {
      await insist(false, async () => postFile(api, { place: at(), replyTo: standing?.message, file }));
    } catch (error) {
      log.warn('telegram.file-not-sent', { chat: at().chat, file: file.name, error: inWords(error) });
      const html = `⚠ ${file.name} could not be sent here. Ask again in a minute; if it stays so, I may lack the right to send files.`;
      const page = { html, bare: () => html };
      await insist(false, async () => post(api, { place: at(), replyTo: standing?.message, page })).catch((again: unknown) =>
        log.debug('telegram.file-not-explained', { error: inWords(again) }),
      );
    }
  }

  /** A picture stays until the answer comes, so that it does not go and come again. */
  async function showInterim(reply: Reply): Promise<void> {
    const now = clock.now();
    const { message, picture } = standing ?? {};
    if (message !== undefined && message === picture) {
      const page = await pageOf(captionOf(reply, now), now, MOST_CAPTION);
      if (!(await change(message, async (target) => editCaption(api, { ...target, page })))) return;
    } else await showWords(reply, { split: false, picture });
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
      const shown = showing.then(async () => showInterim(reply));
      showing = shown.catch((error: unknown) => log.debug('telegram.interim-not-shown', { at: addressOf(at()), error: inWords(error) }));
      await showing;
    },
    async final(attached, { replyTo } = {}) {
      await showing;
      await show(attached, replyTo);
    },
  };
}
