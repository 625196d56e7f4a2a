/** Uploaded pictures, sent again by their `file_id`. */
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
