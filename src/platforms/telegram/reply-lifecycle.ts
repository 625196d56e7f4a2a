/** Lifecycle of one reply: interim texts, then the answer. */
import { later, SECOND, type Clock, type Instant } from '../../base/clock.js';
import type { ChatEvent } from '../../chat/platform.js';
import type { Reply } from '../../chat/reply.js';
import type { Prepared } from '../attachments.js';
import type { DisplaySteps, TextFirst } from '../text-first.js';
import { addressOf, type ChatTopic } from './address.js';
import { showDrawing } from './sending-photo.js';
import { openAnswerMessages, type AnswerMessages, type AnswerDeps } from './answer-messages.js';
import { retrying, type Retrying } from './retry.js';
import { inWords } from './outcome.js';
import type { PictureMessages, ShownAnswer } from './picture-messages.js';
import type { PanelPosition } from './keyboard-pages.js';
import { placeholderOf } from './placeholder.js';
import { fitsCaption } from './render.js';

export interface TelegramReplyDeps extends Omit<AnswerDeps, keyof Retrying> {
  readonly clock: Clock;
  readonly pictureMessages: PictureMessages;
  readonly textFirst: TextFirst;
  readonly report: (event: ChatEvent) => void;
}

export interface TelegramReplyLifecycle {
  readonly used: boolean;
  /** Never rejects; drops a text too soon after the last. */
  interim(reply: Reply): Promise<void>;
  /** Pictures may follow. Rejects if the text was not shown. */
  final(prepared: Prepared, how?: { readonly replyTo?: number }): Promise<void>;
}

/** Changes count against the flood limits. */
const INTERIM_EVERY = 2 * SECOND;

export interface ReplyPlace {
  readonly place: ChatTopic;
  /** Edited; otherwise a new message. */
  readonly pressed?: ShownAnswer;
  /** Of the pressed button among its keyboard's pages. */
  readonly position?: PanelPosition;
  readonly signal: AbortSignal;
}

export function openReplyLifecycle(deps: TelegramReplyDeps, { place, pressed, position, signal }: ReplyPlace): TelegramReplyLifecycle {
  const { clock, log, pictureMessages, textFirst } = deps;
  const { at, retry } = retrying(deps, { place, signal });
  const ticket = textFirst.ticket(pressed && `${place.chat}/${pressed.message}`);
  let used = false;
  /** Retries whole changes only. */
  let isFollowing = false;
  let moment: Instant | undefined;
  let lastShown: Instant | undefined;
  let showing: Promise<unknown> = Promise.resolve();
  let opening: Promise<AnswerMessages> | undefined;

  async function open(): Promise<AnswerMessages> {
    const begun = pressed && (await pictureMessages.now(place.chat, pressed));
    const patiently: Retrying['retry'] = async (again, work) => (isFollowing ? work() : retry(again, work));
    return openAnswerMessages({ ...deps, at, retry: patiently, position }, () => moment ?? clock.now(), begun);
  }
  const opened = async (): Promise<AnswerMessages> => (opening ??= open());

  async function noted({ shown }: AnswerMessages): Promise<void> {
    used = true;
    if (shown !== undefined) await pictureMessages.note(at().chat, shown);
  }

  function stepsOf({ reply, files }: Prepared, { replyTo, now }: { replyTo: number | undefined; now: Instant }): DisplaySteps {
    const fits = fitsCaption(reply, now);
    const split = pressed === undefined;
    let isPlaceholder = false;
    const drawn = new AbortController();
    const endDrawing = (): void => drawn.abort(new Error('the picture is drawn'));

    const textIn = async (answer: AnswerMessages, show: () => Promise<void>): Promise<string> => {
      await show();
      await noted(answer);
      for (const file of files) await answer.file(file);
      return `${at().chat}/${answer.shown?.message}`;
    };

    return {
      async whole({ picture }) {
        const answer = await opened();
        let isFollowed = false;
        const key = await textIn(answer, async () => {
          const text = async (kept?: number) => answer.text(reply, { split, picture: kept, replyTo });
          if (picture === undefined) return text();
          if (fits) {
            const isShown = await answer.orTextAlone(async () => answer.captioned(reply, picture.bytes, { replyTo }));
            return isShown === true ? undefined : text();
          }
          isFollowed = (await answer.orTextAlone(async () => answer.besideAgain(picture.bytes))) !== true;
          return text(isFollowed ? undefined : answer.shown?.picture);
        });
        return isFollowed ? key : undefined;
      },

      async text() {
        const answer = await opened();
        const key = await textIn(answer, async () => {
          const { shown } = answer;
          // One edit replaces the old picture together with the old text.
          if (fits && reply.chart !== undefined && shown !== undefined && shown.picture === shown.message) {
            const empty = placeholderOf(reply.chart);
            isPlaceholder = (await answer.orTextAlone(async () => answer.captioned(reply, empty, { here: true }))) === true;
          }
          if (!isPlaceholder) await answer.text(reply, { split, replyTo });
        });
        if (reply.chart !== undefined) {
          signal.addEventListener('abort', endDrawing, { once: true });
          void showDrawing(deps, at(), drawn.signal);
        }
        return key;
      },

      async rest({ picture }, own) {
        signal.removeEventListener('abort', endDrawing);
        endDrawing();
        if (picture === undefined && !isPlaceholder) return;
        const answer = await opened();
        const isPost = picture === undefined || !fits;
        isFollowing = true;
        await retry(!isPost, async () =>
          own.run(async () => {
            if (picture === undefined) await answer.text(reply, { split });
            else if (!fits) await answer.beside(picture.bytes);
            else if (!(await answer.captioned(reply, picture.bytes, { here: true })))
              log.debug('telegram.picture-late', { chat: at().chat });
            await noted(answer);
          }),
        );
      },
    };
  }

  async function showInterim(reply: Reply): Promise<void> {
    const answer = await opened();
    const { message, picture } = answer.shown ?? {};
    if (message !== undefined && message === picture) {
      if (!(await answer.caption(reply))) return;
    } else await answer.text(reply, { split: false, picture });
    used = true;
  }

  return {
    get used() {
      return used;
    },
    async interim(reply) {
      const now = clock.now();
      if (lastShown !== undefined && now < later(lastShown, INTERIM_EVERY)) return;
      lastShown = now;
      const shown = showing.then(async () => ticket.run(async () => showInterim(reply)));
      showing = shown.catch((error: unknown) => log.debug('telegram.interim-not-shown', { at: addressOf(at()), error: inWords(error) }));
      await showing;
    },
    async final(prepared, { replyTo } = {}) {
      await showing;
      const now = (moment = clock.now());
      await textFirst.show(prepared, stepsOf(prepared, { replyTo, now }), { ticket, signal });
    },
  };
}
