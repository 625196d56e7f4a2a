/** Body and files of a message. */
import type { Actions } from '../button-payloads.js';
import type { Attached, Upload } from '../attachments.js';
import { truncateLine } from '../truncate.js';
import { messageOf, type MessageBody } from './message.js';
import { COLOURS } from './render.js';

/** https://docs.discord.com/developers/resources/message#attachment-object */
const MAX_DESCRIPTION = 1_024;
const PICTURE = 'chart.png';
const IMAGE = { url: `attachment://${PICTURE}` };

export interface MessagePayload {
  readonly body: MessageBody & {
    readonly attachments: readonly { readonly id: number; readonly filename: string; readonly description?: string }[];
  };
  readonly files: readonly Upload[];
}

/** Rejects with the store's error. */
export async function messagePayload({ reply, picture, files: others }: Attached, kept: Actions): Promise<MessagePayload> {
  const body = await messageOf(reply, kept);
  const own = picture === undefined ? [] : [{ name: PICTURE, type: 'image/png', bytes: picture.bytes }];
  const files = [...own, ...others.map((file, index) => ({ ...file, name: file.name === PICTURE ? `${index}-${file.name}` : file.name }))];
  const title = picture === undefined ? '' : truncateLine(picture.title, MAX_DESCRIPTION).trim();
  return {
    body: {
      ...body,
      embeds: picture === undefined ? body.embeds : [{ ...(body.embeds[0] ?? { color: COLOURS[reply.tone] }), image: IMAGE }],
      attachments: files.map(({ name }, id) => ({
        id,
        filename: name,
        ...(id < own.length && title !== '' ? { description: title } : {}),
      })),
    },
    files,
  };
}
