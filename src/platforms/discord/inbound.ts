/** Downloads the files of a question, and opens the private chat of the person who asks. */
import { DefaultRestOptions } from 'discord.js';
import { z } from 'zod';
import { SECOND, type Clock } from '../../base/clock.js';
import { withDeadline } from '../../base/deadline.js';
import type { Address } from '../../chat/address.js';
import { UnreadableFile, type SentFile } from '../../chat/inbound.js';
import { textOfFile, tooLargeSays } from '../attachments.js';
import { truncateLine } from '../truncate.js';
import { addressOf } from './address.js';
import type { AttachmentInfo, Interaction } from './interaction.js';
import { isCode } from './outcome.js';
import type { RestCall } from './rest.js';

const PATIENCE = 10 * SECOND;
const MAX_NAME = 80;

export function attachedFile({ name: given, size, url }: AttachmentInfo, { clock }: { readonly clock: Clock }): SentFile {
  const name = truncateLine(given, MAX_NAME).trim() || 'The file';
  return {
    name,
    size,
    async read() {
      refuseLarge(name, size);
      const download = withDeadline({ clock, milliseconds: PATIENCE }, async (signal) => fetched({ name, url, signal }));
      const bytes = await download.catch((error: unknown) => {
        if (error instanceof UnreadableFile) throw error;
        throw new UnreadableFile(`${name} could not be fetched from Discord. Try again in a minute.`);
      });
      return textOfFile(name, bytes);
    },
  };
}

function refuseLarge(name: string, size: number): void {
  const says = tooLargeSays(name, size);
  if (says !== undefined) throw new UnreadableFile(says);
}

/** Downloads a file and counts its bytes, because the stated size may be wrong. */
async function fetched({ name, url, signal }: { name: string; url: string; signal: AbortSignal }): Promise<Uint8Array> {
  // This is the library's HTTP function, which does not follow redirects. Its REST client cannot download files.
  const { ok, status, body: content } = await DefaultRestOptions.makeRequest(url, { method: 'GET', signal });
  if (!ok || content === null)
    throw new UnreadableFile(`${name} is not there any more: Discord answers ${status}. Send the command again with the file.`);
  const pieces: Uint8Array[] = [];
  let count = 0;
  const body: AsyncIterable<Uint8Array> = content;
  for await (const piece of body) {
    count += piece.byteLength;
    refuseLarge(name, count);
    pieces.push(piece);
  }
  return Buffer.concat(pieces);
}

const channelSchema = z.object({ id: z.string() });

/** Returns undefined if the person takes no direct messages. Rejects with the library's errors. */
export async function directChat(
  call: RestCall,
  { guild, isOutside, chat, person }: Pick<Interaction, 'guild' | 'isOutside' | 'chat' | 'person'>,
): Promise<Address | undefined> {
  if (guild === undefined && !isOutside) return chat;
  try {
    const channel = await call({ method: 'POST', path: '/users/@me/channels', body: { recipient_id: person.id } });
    return addressOf(channelSchema.parse(channel).id);
  } catch (error) {
    if (isCode(error, 50_007)) return undefined;
    throw error;
  }
}
