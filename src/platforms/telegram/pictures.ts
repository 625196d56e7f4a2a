/** Remembers uploaded pictures by their `file_id`, and which picture belongs to which text. */
import { createHash } from 'node:crypto';
import { GrammyError, InputFile } from 'grammy';
import type { Log } from '../../base/log.js';
import type { TelegramDocument } from './document.js';

const MAX_KEPT = 100;

export interface Uploaded<T> {
  readonly result: T;
  readonly file: string | undefined;
}

export interface UploadCache {
  /** `send` uploads unknown bytes. */
  idOf(bytes: Uint8Array, send: (media: InputFile) => Promise<string | undefined>): Promise<string | undefined>;
  /** The bytes where the `file_id` is unknown or refused. */
  withPicture<T>(bytes: Uint8Array, send: (media: InputFile | string) => Promise<Uploaded<T>>): Promise<T>;
}

/** While `document` rejects, every picture is uploaded. */
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

/** Text and buttons, and the picture, may be one message. */
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

/** `document` may reject while the store cannot be read. */
export function openPictureMessages({ document, log }: { document: () => Promise<TelegramDocument>; log: Log }): PictureMessages {
  /** Null: without a picture. */
  const recent = new Map<string, number | null>();

  function remember(key: string, picture: number | undefined): void {
    recent.delete(key);
    recent.set(key, picture ?? null);
    const [oldest] = recent.keys();
    if (recent.size > MAX_REMEMBERED && oldest !== undefined) recent.delete(oldest);
  }

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
      remember(`${chat}/${message}`, picture);
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
