/** Forums: posts, their tags, and the lists in which threads are found. https://docs.discord.com/developers/resources/channel#start-thread-in-forum-or-media-channel */
import { z } from 'zod';
import { newChannel } from './channel-controls.js';
import { flawsOf } from './contract.js';
import { ChannelType, Intent, Permission, isThreadType } from './flags.js';
import { readMessage } from './message-form.js';
import { addMessage, visibleChannel } from './messages.js';
import { channelPermissions, may } from './permissions.js';
import { refusal, refuseFlaws } from './refusal.js';
import { ok, type Route } from './route.js';
import { refuseContents } from './sending.js';
import type { StandInContext } from './context.js';
import type { Id } from './types.js';
import { isoOf, wireChannel, type Wire } from './wire.js';
import { wireMessage } from './wire-message.js';
import { botIsIn, channelsOf, known, type Channel } from './world.js';

const MAX_TAG = 20;

const created = z.looseObject({ name: z.string(), message: z.unknown(), applied_tags: z.array(z.string()).nullish() });
const changed = z.looseObject({
  available_tags: z.array(z.looseObject({ id: z.string().nullish(), name: z.string(), moderated: z.boolean().nullish() })).nullish(),
});

export function forumRoutes(context: StandInContext): readonly Route[] {
  const { world, view } = context;
  const permissionsIn = (channel: Channel): bigint => channelPermissions(world, channel, world.applicationId);
  const listed = (threads: readonly Channel[], hasMore: boolean) =>
    ok({ threads: threads.map((thread) => wireChannel(world, thread)), members: [], has_more: hasMore }, 'ThreadsResponseSchema');
  return [
    {
      method: 'POST',
      path: '/channels/:channel/threads',
      handle({ param, payload }) {
        const forum = visibleChannel(context, param('channel'));
        if (forum.type !== ChannelType.forum) throw refusal('wrongChannel');
        const { message: asked, name, applied_tags: tags } = created.parse(payload.body);
        const form = readMessage('BaseCreateMessageCreateRequestSchema', asked, ['message']);
        refuseFlaws(flawsOf('CreateForumThreadRequestSchema', { ...created.parse(payload.body), message: form }));
        const permissions = permissionsIn(forum);
        // The permission to send messages makes posts; that for public threads does not count here.
        if (!may(permissions, Permission.SEND_MESSAGES)) throw refusal('missingPermissions');
        const { mayEmbed } = refuseContents({ form, payload, permissions, uploadBytes: context.uploadBytes });
        const appliedTags = tagsOf(forum, tags ?? [], permissions);
        if (forum.needsTag && appliedTags.length === 0) throw refusal('noTag');
        const id = world.newId();
        const parts = { id, type: ChannelType.thread, guild: forum.guild, name, parent: forum.id, owner: world.applicationId };
        const post = newChannel({ ...parts, appliedTags });
        const mayMentionEveryone = may(permissions, Permission.MENTION_EVERYONE);
        const message = addMessage(context, { id, channel: post, form, payload, mayEmbed, mayMentionEveryone });
        world.channels.set(id, post);
        context.dispatch({ name: 'THREAD_CREATE', data: wireChannel(world, post), intent: Intent.GUILDS });
        context.bus.happened();
        const body = { ...wireChannel(world, post), message: wireMessage(view, message) };
        return { ...ok(body, 'CreatedThreadResponseSchema'), status: 201 };
      },
    },
    {
      method: 'GET',
      path: '/guilds/:guild/threads/active',
      handle({ param }) {
        const guild = world.guilds.get(param('guild'));
        if (guild === undefined || !botIsIn(world, guild)) throw refusal('unknownGuild');
        const active = channelsOf(world, guild.id).filter((one) => isThreadType(one.type) && !one.archived);
        return listed(
          active.filter((one) => may(permissionsIn(one), Permission.VIEW_CHANNEL)),
          false,
        );
      },
    },
    {
      method: 'GET',
      path: '/channels/:channel/threads/archived/public',
      handle({ param, query }) {
        const channel = visibleChannel(context, param('channel'));
        if (!may(permissionsIn(channel), Permission.READ_MESSAGE_HISTORY)) throw refusal('missingPermissions');
        const limit = Number(query['limit'] ?? 50);
        if (!Number.isInteger(limit) || limit < 2 || limit > 100)
          refuseFlaws([{ path: ['limit'], code: 'NUMBER_TYPE_MAX', message: 'int value should be between 2 and 100.' }]);
        const { before } = query;
        const archived = channelsOf(world, channel.guild ?? '')
          .filter((one) => one.parent === channel.id && one.archived && one.type !== ChannelType.privateThread)
          .filter((one) => before === undefined || isoOf(one.archivedAt ?? 0) < before)
          .toSorted((a, b) => (b.archivedAt ?? 0) - (a.archivedAt ?? 0));
        return listed(archived.slice(0, limit), archived.length > limit);
      },
    },
  ];
}

export const channelAbove = ({ world }: StandInContext, { parent }: Channel): Channel => known(world.channels, parent ?? '', 'channel');

/** Some tags are for moderators alone. */
export function tagsOf(forum: Channel, wanted: readonly Id[], permissions: bigint): readonly Id[] {
  for (const id of wanted) {
    const tag = forum.tags.find((one) => one.id === id);
    if (tag === undefined) throw refusal('unknownTag');
    if (tag.moderated && !may(permissions, Permission.MANAGE_THREADS)) throw refusal('missingPermissions');
  }
  return [...new Set(wanted)];
}

/** The list of tags is replaced: one that is left out is taken from every post. */
export function changeForum(context: StandInContext, forum: Channel, body: unknown): Wire {
  const { world } = context;
  refuseFlaws(flawsOf('UpdateGuildChannelRequestPartialSchema', body ?? {}));
  if (!may(channelPermissions(world, forum, world.applicationId), Permission.MANAGE_CHANNELS)) throw refusal('missingPermissions');
  const { available_tags: tags } = changed.parse(body);
  if (tags) {
    refuseFlaws(
      tags.flatMap(({ name }, at) =>
        name.trim() === '' || name.length > MAX_TAG
          ? [{ path: ['available_tags', at, 'name'], code: 'BASE_TYPE_BAD_LENGTH', message: `Must be between 1 and ${MAX_TAG} in length.` }]
          : [],
      ),
    );
    const standing = new Set(forum.tags.map(({ id }) => id));
    if (tags.some(({ id }) => id !== undefined && id !== null && !standing.has(id))) throw refusal('unknownTag');
    forum.tags = tags.map(({ id, name, moderated }) => ({ id: id ?? world.newId(), name, moderated: moderated ?? false }));
    for (const post of channelsOf(world, forum.guild ?? ''))
      if (post.parent === forum.id) post.appliedTags = post.appliedTags.filter((id) => forum.tags.some((tag) => tag.id === id));
  }
  context.dispatch({ name: 'CHANNEL_UPDATE', data: wireChannel(world, forum), intent: Intent.GUILDS });
  context.bus.happened();
  return wireChannel(world, forum);
}
