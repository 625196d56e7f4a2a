/** Threads made from messages, and publishing. https://docs.discord.com/developers/resources/channel#start-thread-from-message */
import { z } from 'zod';
import { newChannel } from './channel-controls.js';
import { flawsOf } from './contract.js';
import { ChannelType, Intent, MessageFlag, Permission, isThreadType } from './flags.js';
import { changeForum, channelAbove, forumRoutes, tagsOf } from './routes-forums.js';
import { standingMessage, visibleChannel } from './messages.js';
import { channelPermissions, may } from './permissions.js';
import { refusal, refuseFlaws } from './refusal.js';
import { ok, type Route } from './route.js';
import type { StandInContext } from './context.js';
import { wireChannel } from './wire.js';
import { wireMessage } from './wire-message.js';
import type { Channel } from './world.js';

const named = z.looseObject({ name: z.string() });
const change = z.looseObject({
  name: z.string().nullish(),
  archived: z.boolean().nullish(),
  applied_tags: z.array(z.string()).nullish(),
});

export function threadRoutes(context: StandInContext): readonly Route[] {
  const { world, view } = context;
  const permissionsIn = (channel: Channel): bigint => channelPermissions(world, channel, world.applicationId);
  const announce = (name: string, channel: Channel): void => {
    context.dispatch({ name, data: wireChannel(world, channel), intent: Intent.GUILDS });
    context.bus.happened();
  };
  return [
    ...forumRoutes(context),
    {
      method: 'POST',
      path: '/channels/:channel/messages/:message/threads',
      handle({ param, payload }) {
        const channel = visibleChannel(context, param('channel'));
        const message = standingMessage(context, channel, param('message'));
        refuseFlaws(flawsOf('CreateTextThreadWithMessageRequestSchema', payload.body ?? {}));
        const type = THREADS_OF.get(channel.type);
        if (type === undefined) throw refusal('wrongChannel');
        if (!may(permissionsIn(channel), Permission.CREATE_PUBLIC_THREADS)) throw refusal('missingPermissions');
        // A deleted thread leaves its message without one.
        if (world.channels.get(message.id)?.deleted === false) throw refusal('hasThread');
        const { name } = named.parse(payload.body);
        const thread = newChannel({ id: message.id, type, guild: channel.guild, name, parent: channel.id, owner: world.applicationId });
        world.channels.set(thread.id, thread);
        announce('THREAD_CREATE', thread);
        return { ...ok(wireChannel(world, thread), 'CreatedThreadResponseSchema'), status: 201 };
      },
    },
    {
      method: 'PATCH',
      path: '/channels/:channel',
      handle({ param, payload }) {
        const thread = visibleChannel(context, param('channel'));
        if (thread.type === ChannelType.forum) return ok(changeForum(context, thread, payload.body), 'GuildChannelResponseSchema');
        if (!isThreadType(thread.type)) throw refusal('wrongChannel');
        refuseFlaws(flawsOf('UpdateThreadRequestPartialSchema', payload.body ?? {}));
        const isOwn = thread.owner === world.applicationId && !thread.locked;
        if (!isOwn && !may(permissionsIn(thread), Permission.MANAGE_THREADS)) throw refusal('missingPermissions');
        const { name, archived, applied_tags: tags } = change.parse(payload.body);
        // An archived thread is opened before anything else of it changes.
        if (thread.archived && archived !== false) throw refusal('archived');
        thread.name = name ?? thread.name;
        if (tags) thread.appliedTags = tagsOf(channelAbove(context, thread), tags, permissionsIn(thread));
        if (archived !== undefined && archived !== null && archived !== thread.archived) thread.archivedAt = world.clock.now();
        thread.archived = archived ?? thread.archived;
        announce('THREAD_UPDATE', thread);
        return ok(wireChannel(world, thread), 'ThreadResponseSchema');
      },
    },
    {
      method: 'POST',
      path: '/channels/:channel/messages/:message/crosspost',
      handle({ param }) {
        const channel = visibleChannel(context, param('channel'));
        const message = standingMessage(context, channel, param('message'));
        if (channel.type !== ChannelType.announcement) throw refusal('wrongChannel');
        const needed = message.author === world.applicationId ? Permission.SEND_MESSAGES : Permission.MANAGE_MESSAGES;
        if (!may(permissionsIn(channel), needed)) throw refusal('missingPermissions');
        if ((message.flags & MessageFlag.CROSSPOSTED) !== 0) throw refusal('published');
        message.flags |= MessageFlag.CROSSPOSTED;
        context.bus.happened();
        return ok(wireMessage(view, message), 'MessageResponseSchema');
      },
    },
  ];
}

const THREADS_OF: ReadonlyMap<number, number> = new Map([
  [ChannelType.text, ChannelType.thread],
  [ChannelType.announcement, ChannelType.newsThread],
]);
