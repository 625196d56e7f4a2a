/** Lifecycle of one reply: interim texts, then the answer, in the best form that Telegram accepts. */
import { crc32, deflateSync } from 'node:zlib';
import { GrammyError, HttpError, type Api } from 'grammy';
import { later, SECOND, type Clock, type Instant } from '../../base/clock.js';
import type { Log } from '../../base/log.js';
import { omitUndefined } from '../../base/omit-undefined.js';
import { chartHeight, COLOURS, WIDTH } from '../../charts/theme.js';
import type { Chart } from '../../chat/chart.js';
import type { ChatEvent } from '../../chat/platform.js';
import type { Reply } from '../../chat/reply.js';
import { textOnly, type Prepared } from '../attachments.js';
import type { DisplaySteps, TextFirst } from '../text-first.js';
import { addressOf, sendTo, type ChatTopic } from './address.js';
import { openAnswerMessages, type AnswerDeps, type AnswerMessages, type PictureMessages, type ShownAnswer } from './answer-messages.js';
import type { PanelPosition } from './keyboard-pages.js';
import { inWords, outcomeOf, retrying, type Retrying } from './outcome.js';
import { fitsCaption } from './render.js';
import { bareText } from './send-and-edit.js';

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

const RETRY_AFTER = SECOND;

export interface FallbackDeps {
  readonly api: Api;
  readonly clock: Clock;
  readonly log: Log;
  readonly place: ChatTopic;
  readonly replyTo?: number | undefined;
  readonly signal: AbortSignal;
}

const bare = ({ chart: _chart, ...words }: Reply): Prepared => textOnly({ ...words, actions: [], fields: [], files: [] });

function afterError(error: unknown, place: ChatTopic): 'again' | 'simpler' | 'nothing' {
  // Our own error before anything was sent: a button that could not be stored.
  if (!(error instanceof GrammyError) && !(error instanceof HttpError)) return 'simpler';
  const outcome = outcomeOf(error, addressOf(place));
  if (outcome.kind === 'refused') return 'simpler';
  return outcome.kind === 'unclear' && outcome.because === 'server-error' ? 'again' : 'nothing';
}

/** Shows the best form of an answer that Telegram accepts. False: none was accepted. Never rejects. */
export async function showWithFallback(
  lifecycle: Pick<TelegramReplyLifecycle, 'final'>,
  prepared: Prepared,
  deps: FallbackDeps,
): Promise<boolean> {
  const { api, clock, log, place, replyTo, signal } = deps;
  const { chat_id: chat, ...thread } = sendTo(place);
  const how = omitUndefined({ replyTo });
  const forms: readonly (() => Promise<unknown>)[] = [
    async () => lifecycle.final(prepared, how),
    async () => lifecycle.final(bare(prepared.reply), how),
    async () => api.sendMessage(chat, bareText(prepared.reply, clock.now()), thread),
  ];
  let isRepeated = false;
  for (let form = 0; form < forms.length;) {
    try {
      await forms[form]?.();
      return true;
    } catch (error) {
      log.warn('telegram.answer-not-sent', { chat, form, error: inWords(error) });
      const next = signal.aborted ? 'nothing' : afterError(error, place);
      if (next === 'nothing') return false;
      if (next === 'again' && !isRepeated) {
        isRepeated = true;
        await clock.sleep(RETRY_AFTER, signal).catch(() => undefined);
      } else form += 1;
    }
  }
  return false;
}

/** Clients show it for five seconds. https://core.telegram.org/bots/api#sendchataction */
const SHOWN_FOR = 5 * SECOND;
/** A picture is drawn within ten seconds. */
const MAX_REPEATS = 2;

/** Until `done` aborts. Never rejects. */
async function showDrawing(
  { api, clock, log }: { readonly api: Api; readonly clock: Clock; readonly log: Log },
  place: ChatTopic,
  done: AbortSignal,
): Promise<void> {
  const { chat_id: chat, ...thread } = sendTo(place);
  try {
    for (let shown = 0; shown < MAX_REPEATS && !done.aborted; shown += 1) {
      await api.sendChatAction(chat, 'upload_photo', thread);
      await clock.sleep(SHOWN_FOR, done);
    }
  } catch (error) {
    if (!done.aborted) log.debug('telegram.action-not-shown', { chat, error: inWords(error) });
  }
}

const SCALE = 4;

/** Equal for equal heights: uploaded once. */
function placeholderOf(chart: Chart): Uint8Array {
  const width = Math.round(WIDTH / SCALE);
  const height = Math.round(chartHeight(chart) / SCALE);
  const colour = Buffer.from(COLOURS.light.rule.slice(1), 'hex');
  const row = Buffer.concat([Buffer.from([0]), ...Array.from({ length: width }, () => colour)]);
  const pixels = Buffer.concat(Array.from({ length: height }, () => row));
  return Buffer.concat([
    Buffer.from('89504e470d0a1a0a', 'hex'),
    // Eight bits of red, green and blue.
    chunk('IHDR', Buffer.concat([uint32(width), uint32(height), Buffer.from([8, 2, 0, 0, 0])])),
    chunk('IDAT', deflateSync(pixels)),
    chunk('IEND', Buffer.alloc(0)),
  ]);
}

/** https://www.w3.org/TR/png/#5Chunk-layout */
function chunk(type: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), data]);
  return Buffer.concat([uint32(data.length), body, uint32(crc32(body))]);
}

function uint32(value: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32BE(value >>> 0);
  return bytes;
}
