/** A message in the platform's own shape, and as a test sees it. */
import type { Id, Seen } from './types.js';
import { isoOf, wireUser, type Wire } from './wire.js';
import { MessageFlag } from './flags.js';
import { known, type Attachment, type File, type Message, type World } from './world.js';

export interface MessageView {
  readonly world: World;
  /** Where files are fetched, without a slash at the end. */
  readonly filesUrl: string;
  /** How the interaction that a message answers is alerted in it. */
  metadata(interaction: Id): Wire | undefined;
}

export const fileUrl = ({ filesUrl }: Pick<MessageView, 'filesUrl'>, channel: Id, file: Pick<File, 'id' | 'name'>): string =>
  `${filesUrl}/attachments/${channel}/${file.id}/${encodeURIComponent(file.name)}`;

export function wireMessage(view: MessageView, message: Message): Wire {
  const { world } = view;
  const replied = message.repliesTo === undefined ? undefined : world.messages.get(message.repliesTo);
  const metadata = message.interaction === undefined ? undefined : view.metadata(message.interaction);
  return {
    id: message.id,
    type: message.repliesTo !== undefined ? 19 : metadata?.['type'] === 2 ? 20 : 0,
    channel_id: message.channel,
    author: wireUser(known(world.users, message.author, 'user')),
    ...(message.byWebhook === true && { webhook_id: message.author }),
    content: message.content,
    timestamp: isoOf(message.createdAt),
    edited_timestamp: message.editedAt === undefined ? null : isoOf(message.editedAt),
    tts: false,
    mention_everyone: message.pings.everyone,
    mentions: message.pings.users.map((id) => wireUser(known(world.users, id, 'user'))),
    mention_roles: [...message.pings.roles],
    attachments: message.files.filter((file) => !isShownInEmbed(view, message, file)).map((file) => wireFile(view, message, file)),
    embeds: message.embeds.map((embed) => wireEmbed(embed)),
    components: wireComponents(message),
    pinned: message.pinned === true,
    flags: message.flags,
    ...(message.nonce !== undefined && { nonce: message.nonce }),
    ...(metadata !== undefined && { application_id: world.applicationId, webhook_id: world.applicationId, interaction_metadata: metadata }),
    ...(message.repliesTo !== undefined && {
      message_reference: { type: 0, channel_id: message.channel, message_id: message.repliesTo },
      referenced_message: replied === undefined || replied.deleted ? null : { ...wireMessage(view, { ...replied, repliesTo: undefined }) },
    }),
  };
}

const wireEmbed = (embed: Message['embeds'][number]): Wire => ({
  type: 'rich',
  ...embed,
  ...(embed.fields !== undefined && { fields: embed.fields.map((field) => ({ inline: false, ...field })) }),
});

/** A file that an embed shows as its picture is not listed beside it. */
const isShownInEmbed = (view: MessageView, { channel, embeds }: Message, file: File): boolean =>
  embeds.some(({ image, thumbnail }) => [image?.url, thumbnail?.url].includes(fileUrl(view, channel, file)));

function wireFile(view: MessageView, { channel, ephemeral }: Message, file: File): Wire {
  const url = fileUrl(view, channel, file);
  return {
    id: file.id,
    filename: file.name,
    size: file.bytes.length,
    url,
    proxy_url: url,
    ...(file.contentType !== undefined && { content_type: file.contentType }),
    ...(file.description !== undefined && { description: file.description }),
    ...(ephemeral && { ephemeral: true }),
  };
}

/** Where a file is fetched that came with a command; without its signature it is not. */
const attachmentUrl = ({ world, filesUrl }: MessageView, { id, name }: Attachment): string =>
  `${filesUrl}/ephemeral-attachments/${world.applicationId}/${id}/${encodeURIComponent(name)}?ex=1&is=1&hm=${SIGNATURE}`;
export const SIGNATURE = 'planted-signature';

export function wireAttachment(view: MessageView, attachment: Attachment): Wire {
  const url = attachmentUrl(view, attachment);
  const { id, name, size, contentType } = attachment;
  return {
    id,
    filename: name,
    size,
    url,
    proxy_url: url,
    ...(contentType !== undefined && { content_type: contentType }),
    ephemeral: true,
  };
}

/** Components get an id of their own, counted through the message, and the defaults that the platform fills in. */
function wireComponents({ components }: Message): readonly Wire[] {
  let id = 0;
  return components.map((row) => ({
    ...row,
    id: (id += 1),
    components: (row.components ?? []).map((component) => ({
      ...(component.type === 3 && { min_values: 1, max_values: 1 }),
      ...component,
      id: (id += 1),
    })),
  }));
}

/** A message as a test sees it; a copy, which later changes do not touch. */
export const seenOf = (message: Message): Seen => ({
  id: message.id,
  channel: message.channel,
  author: message.author,
  content: message.content,
  embeds: structuredClone(message.embeds),
  rows: message.components.map(({ components }) => structuredClone(components ?? [])),
  files: message.files.map(({ id, name, description, contentType, bytes }) => ({ id, name, description, contentType, bytes })),
  ephemeral: message.ephemeral,
  thinking: (message.flags & MessageFlag.LOADING) !== 0,
  deleted: message.deleted,
  edits: message.edits,
  nonce: message.nonce?.toString(),
  pings: message.pings,
  repliesTo: message.repliesTo,
  createdAt: message.createdAt,
  silent: (message.flags & MessageFlag.SUPPRESS_NOTIFICATIONS) !== 0,
  pinned: message.pinned === true,
});
