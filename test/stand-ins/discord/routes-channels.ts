/** Channels and their messages. https://docs.discord.com/developers/resources/message */
import { z } from 'zod';
import { flawsOf } from './contract.js';
import { ChannelType, Permission, isThreadType } from './flags.js';
import { editMessage, postMessage, removeMessage, standingMessage, visibleChannel } from './messages.js';
import { channelPermissions, may } from './permissions.js';
import { refusal, refuseFlaws } from './refusal.js';
import { NO_CONTENT, ok, type Route } from './route.js';
import type { StandInContext } from './context.js';
import type { Id } from './types.js';
import { wireChannel } from './wire.js';
import { wireMessage } from './wire-message.js';
import { messagesIn, type Channel, type Message } from './world.js';

const MESSAGE = 'MessageResponseSchema';

export function channelRoutes(context: StandInContext, openDirect: (user: Id) => Channel): readonly Route[] {
  const { world, view } = context;
  const answered = (message: Message) => ok(wireMessage(view, message), MESSAGE);
  const permissionsIn = (channel: Channel): bigint => channelPermissions(world, channel, world.applicationId);
  return [
    {
      method: 'GET',
      path: '/channels/:channel',
      handle: ({ param }) => {
        const channel = visibleChannel(context, param('channel'));
        return ok(wireChannel(world, channel), contractOf(channel));
      },
    },
    {
      method: 'GET',
      path: '/channels/:channel/messages',
      handle({ param, query }) {
        const channel = visibleChannel(context, param('channel'));
        const mayRead = may(permissionsIn(channel), Permission.READ_MESSAGE_HISTORY);
        return ok(mayRead ? page(messagesIn(world, channel.id), query).map((message) => wireMessage(view, message)) : [], MESSAGE);
      },
    },
    {
      method: 'POST',
      path: '/channels/:channel/messages',
      handle: ({ param, payload }) => answered(postMessage(context, param('channel'), payload)),
    },
    {
      method: 'GET',
      path: '/channels/:channel/messages/:message',
      handle({ param }) {
        const channel = visibleChannel(context, param('channel'));
        if (!may(permissionsIn(channel), Permission.READ_MESSAGE_HISTORY)) throw refusal('missingPermissions');
        return answered(standingMessage(context, channel, param('message')));
      },
    },
    {
      method: 'PATCH',
      path: '/channels/:channel/messages/:message',
      handle: ({ param, payload }) => answered(editMessage(context, { channelId: param('channel'), messageId: param('message'), payload })),
    },
    {
      method: 'DELETE',
      path: '/channels/:channel/messages/:message',
      handle({ param }) {
        const channel = visibleChannel(context, param('channel'));
        const message = standingMessage(context, channel, param('message'));
        const others = message.author !== world.applicationId;
        if (others && !may(permissionsIn(channel), Permission.MANAGE_MESSAGES)) throw refusal('missingPermissions');
        if (channel.archived) throw refusal('archived');
        removeMessage(context, message);
        return NO_CONTENT;
      },
    },
    {
      method: 'PUT',
      path: '/channels/:channel/messages/pins/:message',
      handle({ param }) {
        const channel = visibleChannel(context, param('channel'));
        if (!may(permissionsIn(channel), Permission.PIN_MESSAGES)) throw refusal('missingPermissions');
        const message = standingMessage(context, channel, param('message'));
        if (channel.archived) throw refusal('archived');
        message.pinned = true;
        return NO_CONTENT;
      },
    },
    {
      method: 'POST',
      path: '/channels/:channel/typing',
      handle({ param }) {
        visibleChannel(context, param('channel'));
        return NO_CONTENT;
      },
    },
    {
      method: 'PUT',
      path: '/channels/:channel/thread-members/:user',
      handle({ param }) {
        if (visibleChannel(context, param('channel')).archived) throw refusal('archived');
        return NO_CONTENT;
      },
    },
    {
      method: 'POST',
      path: '/users/@me/channels',
      handle({ payload }) {
        refuseFlaws(flawsOf('CreatePrivateChannelRequestSchema', payload.body ?? {}));
        const { recipient_id: recipient } = z.looseObject({ recipient_id: z.coerce.string() }).parse(payload.body);
        if (!world.users.has(recipient) || recipient === world.applicationId) throw refusal('unknownUser');
        return ok(wireChannel(world, openDirect(recipient)), 'PrivateChannelResponseSchema');
      },
    },
  ];
}

const contractOf = ({ type }: Channel) =>
  isThreadType(type) ? 'ThreadResponseSchema' : type === ChannelType.direct ? 'PrivateChannelResponseSchema' : 'GuildChannelResponseSchema';

/** A page of messages, newest first. At most one of `before`, `after` and `around` counts. */
function page(messages: readonly Message[], query: Readonly<Record<string, string>>): readonly Message[] {
  const limit = Number(query['limit'] ?? 50);
  if (!Number.isInteger(limit) || limit < 1 || limit > 100)
    refuseFlaws([{ path: ['limit'], code: 'NUMBER_TYPE_MAX', message: 'int value should be between 1 and 100.' }]);
  const newestFirst = messages.toSorted((a, b) => Number(BigInt(b.id) - BigInt(a.id)));
  const { before, after, around } = query;
  if (before !== undefined) return newestFirst.filter(({ id }) => BigInt(id) < BigInt(before)).slice(0, limit);
  if (after !== undefined) return newestFirst.filter(({ id }) => BigInt(id) > BigInt(after)).slice(-limit);
  if (around === undefined) return newestFirst.slice(0, limit);
  const at = Math.max(0, newestFirst.findIndex(({ id }) => BigInt(id) <= BigInt(around)) - Math.floor(limit / 2));
  return newestFirst.slice(at, at + limit);
}
