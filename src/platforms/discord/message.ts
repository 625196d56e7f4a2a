/** Builds a Discord message: the first line as content, the rest as embed, and attachments. Mentions nobody unless `pinging` adds them. */
import type { APIEmbed } from 'discord.js';
import type { Log } from '../../base/log.js';
import { omitUndefined } from '../../base/omit-undefined.js';
import type { Picture } from '../../chat/chart.js';
import type { Mention, Reply } from '../../chat/reply.js';
import type { Attached, Upload } from '../attachments.js';
import type { Actions } from '../button-payloads.js';
import { truncateLine } from '../truncate.js';
import { componentsOf } from './components.js';
import type { CommandIds } from './markup.js';
import { editOutcomeOf, inWords } from './outcome.js';
import { COLOURS, rendered } from './render.js';

/** More mentions would not fit beside a first line. */
const MAX_MENTIONS = 60;

export interface MessageBody {
  /** Sent even if empty, because an edit keeps the fields that it omits. */
  readonly content: string;
  readonly embeds: readonly APIEmbed[];
  readonly components: Awaited<ReturnType<typeof componentsOf>>;
  /** https://docs.discord.com/developers/resources/message#allowed-mentions-object */
  readonly allowed_mentions: { readonly parse: readonly []; readonly roles?: readonly string[]; readonly users?: readonly string[] };
}

/** Builds the message of a reply. Rejects with the store's error. */
export async function messageOf(reply: Reply, kept: Actions, ids?: CommandIds): Promise<MessageBody> {
  const { content, embed } = rendered(reply, ids);
  return {
    content,
    embeds: embed === undefined ? [] : [embed],
    components: await componentsOf(reply, kept),
    allowed_mentions: { parse: [] },
  };
}

/** Puts each mention once before the first line. Never mentions everybody. */
export function pinging(body: MessageBody, { mentions, guild }: { mentions: readonly Mention[]; guild: string | undefined }): MessageBody {
  const ids = (kind: Mention['kind']) => [...new Set(mentions.filter((one) => one.kind === kind && one.id !== guild).map(({ id }) => id))];
  const roles = ids('role').slice(0, MAX_MENTIONS);
  const users = ids('person').slice(0, MAX_MENTIONS - roles.length);
  if (roles.length + users.length === 0) return body;
  return {
    ...body,
    content: [...roles.map((id) => `<@&${id}>`), ...users.map((id) => `<@${id}>`), body.content].join(' ').trimEnd(),
    allowed_mentions: omitUndefined({
      parse: [],
      roles: roles.length === 0 ? undefined : roles,
      users: users.length === 0 ? undefined : users,
    }),
  };
}

/** Returns the message without its attached picture. */
export const withoutPicture = ({ content, embeds, components, allowed_mentions }: MessageBody): MessageBody => ({
  ...{ content, components, allowed_mentions },
  embeds: embeds.flatMap(({ image, ...embed }) => (image !== undefined && Object.keys(embed).join() === 'color' ? [] : [embed])),
});

/** Posts or edits with the picture, or without it if Discord refuses it. Rejects with the error of the last attempt. */
export async function orWithoutPicture<T>(
  { body, files }: { readonly body: MessageBody; readonly files: readonly Upload[] },
  post: (body: MessageBody, files: readonly Upload[]) => Promise<T>,
  log: Log,
  simpler = withoutPicture,
): Promise<T> {
  try {
    return await post(body, files);
  } catch (error) {
    const { kind } = editOutcomeOf(error);
    if (files.length === 0 || (kind !== 'refused' && kind !== 'not-permitted')) throw error;
    log.info('discord.picture-refused', { because: inWords(error) });
    return post(simpler(body), []);
  }
}

/** https://docs.discord.com/developers/resources/message#attachment-object */
const MAX_DESCRIPTION = 1_024;
const PICTURE = 'chart.png';
const IMAGE = { url: `attachment://${PICTURE}` };

/**
 * Keeps the picture of a message that is edited where it is: without its name in the embed, Discord would show it below the message. The name of
 * a file that the message lacks is ignored. https://github.com/discord/discord-api-docs/issues/2840
 */
export function keepingPicture(edit: MessageBody): MessageBody {
  const { embeds, ...body } = withoutPicture(edit);
  return { ...body, embeds: embeds.map((embed, index) => (index === 0 ? { ...embed, image: IMAGE } : embed)) };
}

/** Builds an edit. One without a picture names no attachments, so that the message keeps its own. */
export async function editPayload(
  reply: Reply,
  picture: Picture | undefined,
  kept: Actions,
): Promise<Pick<MessagePayload, 'files'> & { readonly body: MessageBody }> {
  const { body, files } = await messagePayload({ reply, picture, files: [] }, kept);
  return { body: picture === undefined ? keepingPicture(body) : body, files };
}

export interface MessagePayload {
  readonly body: MessageBody & {
    readonly attachments: readonly { readonly id: number; readonly filename: string; readonly description?: string }[];
  };
  readonly files: readonly Upload[];
}

/** Builds the message with its files and picture. Rejects with the store's error. */
export async function messagePayload(
  { reply, picture, files: others }: Attached,
  kept: Actions,
  ids?: CommandIds,
): Promise<MessagePayload> {
  const body = await messageOf(reply, kept, ids);
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
