/** Downloads documents that people send. The download URL contains the token and must not be logged. */
import { GrammyError, type Api } from 'grammy/web';
import type { Clock } from '../../base/clock.js';
import type { Log } from '../../base/log.js';
import { LARGEST_FILE, UnreadableFile, type SentFile } from '../../chat/inbound.js';
import { textOfFile, tooLargeSays } from '../attachments.js';
import { CALL_TIMEOUT, WireError, call } from './api.js';
import type { IncomingFile } from './incoming-update.js';
import { inWords } from './outcome.js';

export interface FileDeps {
  readonly api: Api;
  readonly token: string;
  readonly apiRoot: string;
  readonly clock: Clock;
  readonly log: Log;
  readonly closing: AbortSignal;
}

export type Files = (document: IncomingFile, signal: AbortSignal) => SentFile;

export function openFiles({ api, token, apiRoot, clock, log, closing }: FileDeps): Files {
  const root = apiRoot.replace(/\/+$/u, '');

  /** https://core.telegram.org/bots/api#getfile */
  async function bytesOf({ id, name }: IncomingFile, signal: AbortSignal): Promise<Uint8Array> {
    const { file_path: path, file_size: size = 0 } = await api.getFile(id);
    refuseLarge(name, size);
    // A self-hosted Bot API server may return a path on its own disk instead.
    if (path === undefined || path.startsWith('/')) throw new WireError('unreachable', 'the server offers no download');
    const url = `${root}/file/bot${token}/${path.split('/').map(encodeURIComponent).join('/')}`;
    return call({ clock, milliseconds: CALL_TIMEOUT, stops: [closing, signal] }, async (ended) =>
      // oxlint-disable-next-line no-restricted-globals -- a file is read piece by piece, and its address must not travel to another host
      counted(await fetch(url, { redirect: 'error', signal: ended })),
    );
  }

  return (document, signal) => {
    const { name, size } = document;
    return {
      name,
      size,
      async read() {
        refuseLarge(name, size);
        const bytes = await bytesOf(document, signal).catch((error: unknown) => {
          if (error instanceof UnreadableFile) throw error;
          log.warn('telegram.file-not-read', { size, error: inWords(error) });
          throw new UnreadableFile(whyNot(name, error));
        });
        return textOfFile(name, bytes);
      },
    };
  };
}

function refuseLarge(name: string, size: number): void {
  const says = tooLargeSays(name, size);
  if (says !== undefined) throw new UnreadableFile(says);
}

/** Reads the body and counts its bytes, because the stated size may be wrong. */
async function counted(answer: Response): Promise<Uint8Array> {
  if (!answer.ok || answer.body === null) throw new WireError('unreachable', `the download answered ${answer.status}`);
  const body: ReadableStream<Uint8Array> = answer.body;
  const pieces: Uint8Array[] = [];
  let count = 0;
  for await (const piece of body) {
    pieces.push(piece);
    count += piece.byteLength;
    if (count > LARGEST_FILE) break;
  }
  return Buffer.concat(pieces).subarray(0, LARGEST_FILE + 1);
}

function whyNot(name: string, error: unknown): string {
  if (!(error instanceof GrammyError) || error.error_code !== 400)
    return `${name} could not be fetched from Telegram. Try again in a minute.`;
  return /too big/iu.test(error.description)
    ? `${name} is too large for a bot to fetch. Split it and send the parts one after another.`
    : `${name} cannot be had from Telegram any more. Send it again.`;
}
