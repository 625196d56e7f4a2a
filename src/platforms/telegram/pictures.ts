/** Uploads each picture once, remembers which message holds it, and makes placeholders for pictures that are being drawn. */
import { createHash } from 'node:crypto';
import { crc32, deflateSync } from 'node:zlib';
import { GrammyError, InputFile, type Api } from 'grammy/web';
import { RecentMap } from '../../base/bounded-cache.js';
import { SECOND, type Clock } from '../../base/clock.js';
import type { Log } from '../../base/log.js';
import { COLOURS, WIDTH, chartHeight } from '../../charts/theme.js';
import type { Chart } from '../../chat/chart.js';
import { sendTo, type ChatTopic } from './address.js';
import type { TelegramDocument } from './document.js';
import { inWords } from './outcome.js';

const MAX_KEPT = 100;

export interface Uploaded<T> {
  readonly result: T;
  readonly file: string | undefined;
}

export interface UploadCache {
  /** Returns the `file_id` of a picture, and calls `send` to upload it if it is unknown. */
  idOf(bytes: Uint8Array, send: (media: InputFile) => Promise<string | undefined>): Promise<string | undefined>;
  /** Calls `send` with the `file_id`, or with the bytes if the id is unknown or refused. */
  withPicture<T>(bytes: Uint8Array, send: (media: InputFile | string) => Promise<Uploaded<T>>): Promise<T>;
}

/** Opens the cache of `file_id`s. While `document` rejects, every picture is uploaded. */
export function openUploadCache({ document, log }: { document: () => Promise<TelegramDocument>; log: Log }): UploadCache {
  async function fileOf(hash: string): Promise<string | undefined> {
    try {
      return (await document()).read().pictures.find((one) => one.hash === hash)?.file;
    } catch {
      return undefined;
    }
  }

  async function keep(hash: string, file: string | undefined): Promise<void> {
    try {
      await (
        await document()
      ).change((now) => {
        const others = now.pictures.filter((one) => one.hash !== hash);
        return { ...now, pictures: [...others, ...(file === undefined ? [] : [{ hash, file }])].slice(-MAX_KEPT) };
      });
    } catch (error) {
      log.debug('telegram.picture-not-kept', { error });
    }
  }

  return {
    async idOf(bytes, send) {
      const hash = hashOf(bytes);
      const known = await fileOf(hash);
      if (known !== undefined) return known;
      const file = await send(upload(bytes));
      if (file !== undefined) await keep(hash, file);
      return file;
    },
    async withPicture(bytes, send) {
      const hash = hashOf(bytes);
      const known = await fileOf(hash);
      if (known !== undefined) {
        try {
          return (await send(known)).result;
        } catch (error) {
          // A file id belongs to one bot and may expire.
          if (!isUnknownFile(error)) throw error;
          await keep(hash, undefined);
        }
      }
      const { result, file } = await send(upload(bytes));
      if (file !== undefined) await keep(hash, file);
      return result;
    },
  };
}

const hashOf = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('base64url');
const upload = (bytes: Uint8Array): InputFile => new InputFile(bytes, 'chart.png');

const isUnknownFile = (error: unknown): boolean =>
  error instanceof GrammyError && /wrong (remote )?file|file reference|FILE_REFERENCE_|FILE_ID_INVALID/iu.test(error.description);

/** The messages of an answer. Text and picture may be one message. */
export interface ShownAnswer {
  readonly message: number;
  readonly picture?: number | undefined;
}

export interface PictureMessages {
  now(chat: number, answer: ShownAnswer): Promise<ShownAnswer>;
  /** Never rejects. */
  note(chat: number, answer: ShownAnswer): Promise<void>;
}

const MAX_REMEMBERED = 200;

/** Opens the memory of picture messages. `document` may reject while the store cannot be read. */
export function openPictureMessages({ document, log }: { document: () => Promise<TelegramDocument>; log: Log }): PictureMessages {
  /** Maps a message to its picture's message; null if it has none. */
  const recent = new RecentMap<string, number | null>(MAX_REMEMBERED);

  return {
    async now(chat, answer) {
      const known = recent.get(`${chat}/${answer.message}`);
      if (known !== undefined) return { message: answer.message, picture: known ?? undefined };
      try {
        const kept = (await document()).read().pictureReplies.find((one) => one.chat === chat && one.message === answer.message);
        return kept === undefined ? answer : { message: answer.message, picture: kept.picture };
      } catch {
        return answer;
      }
    },
    async note(chat, { message, picture }) {
      recent.set(`${chat}/${message}`, picture ?? null);
      const kept = picture === message ? undefined : picture;
      try {
        const documents = await document();
        await documents.change((now) => {
          const others = now.pictureReplies.filter((one) => one.chat !== chat || one.message !== message);
          if (kept === undefined && others.length === now.pictureReplies.length) return now;
          return {
            ...now,
            pictureReplies: [...others, ...(kept === undefined ? [] : [{ chat, message, picture: kept }])].slice(-MAX_REMEMBERED),
          };
        });
      } catch (error) {
        log.debug('telegram.picture-not-noted', { error });
      }
    },
  };
}

/** Clients show the action for five seconds. https://core.telegram.org/bots/api#sendchataction */
const SHOWN_FOR = 5 * SECOND;
/** Drawing a picture takes at most ten seconds. */
const MAX_REPEATS = 2;

/** Shows "sending a photo" until `done` aborts. Never rejects. */
export async function showDrawing(
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

/** Returns a blank picture. Placeholders of equal height are equal bytes, so each is uploaded once. */
export function placeholderOf(chart: Chart): Uint8Array {
  const width = Math.round(WIDTH / SCALE);
  const height = Math.round(chartHeight(chart) / SCALE);
  const colour = Buffer.from(COLOURS.light.rule.slice(1), 'hex');
  const row = Buffer.concat([Buffer.from([0]), ...Array.from({ length: width }, () => colour)]);
  const pixels = Buffer.concat(Array.from({ length: height }, () => row));
  return Buffer.concat([
    Buffer.from('89504e470d0a1a0a', 'hex'),
    // Bit depth 8, colour type 2 (RGB).
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
