/** Checks what a person may do in a channel other than the one in which they ask. */
import { ChannelType, PermissionFlagsBits } from 'discord.js';
import type { Log } from '../../base/log.js';
import type { Inbound, OtherChannel } from '../../chat/inbound.js';
import { truncateLine } from '../truncate.js';
import { addressOf } from './address.js';
import { CHANNEL, has, type Interaction } from './interaction.js';
import { inWords, isCode, refusalInWords } from './outcome.js';
import { POSTABLE, channelAt, grantedIn, mayMention, type Channel } from './permissions.js';
import type { RestCall } from './rest.js';

const MAX_NAME = 100;

export interface AskedChannel extends Pick<Interaction, 'guild' | 'isOutside' | 'person'> {
  readonly other: string;
  readonly log: Log;
}

/** Reads the person's permissions at each press, because they may have changed since the last one. */
export async function otherChannel(call: RestCall, { guild, isOutside, person, other, log }: AskedChannel): Promise<OtherChannel> {
  if (guild === undefined || isOutside) return refused("I'm not in a server here. Run the command in the server of that channel.");
  // The id comes from a typed line and becomes part of a request's path.
  if (!/^\d{1,20}$/u.test(other))
    return refused('I know channels here by their mention. Type # and choose the channel, or fill in the option "channel".');
  try {
    const channel = await channelAt(call, other);
    const fault = channelFault(channel, guild);
    if (fault !== undefined) return refused(fault);
    const permissions = await grantedIn(call, { channel, guild, user: person.id });
    const isHidden = !has(permissions, PermissionFlagsBits.ViewChannel) || isSecret(channel, permissions);
    // The name of a channel must not be shown to a person who cannot see it.
    if (isHidden) return refused("You can't see that channel. Choose one that you manage.");
    const name = `#${truncateLine(channel.name ?? other, MAX_NAME)}`;
    if (!has(permissions, PermissionFlagsBits.ManageChannels))
      return refused(`You need Manage Channels in ${name} to see or change its alerts. Ask somebody who has it.`);
    return {
      ...{ kind: 'managed', chat: addressOf(other), name },
      circles: [
        `discord/guild/${guild}`,
        `discord/channel/${other}`,
        ...(typeof channel.parent_id === 'string' ? [`discord/channel/${channel.parent_id}`] : []),
        `discord/user/${person.id}`,
      ],
      mayMention: async (mention) => mayMention(call, { guild, channel: other, person, permissions }, mention),
    };
  } catch (error) {
    if (isCode(error, 10_003, 50_001)) return refused("I can't see that channel. Grant me View Channel there, then try again.");
    if (isCode(error, 10_007, 10_013)) return refused('You are not a member of that server.');
    log.warn('discord.channel-not-checked', { channel: other, because: inWords(error) });
    const says = refusalInWords(error);
    if (says !== undefined) return refused(says);
    return refused("Discord isn't responding, so I can't check your permissions in that channel. Try again in a minute.");
  }
}

const refused = (says: string): OtherChannel => ({ kind: 'refused', says });

function channelFault({ guild_id: its, type }: Channel, guild: string): string | undefined {
  if (its !== guild) return 'That channel is in another server. Run the command there.';
  return POSTABLE.has(type)
    ? undefined
    : 'Alerts need a channel in which messages are posted. Choose a text, announcement, voice or forum channel, or a thread.';
}

/** Tells whether a private thread is hidden. Only its members and those who manage threads see it, whatever the parent allows. */
const isSecret = ({ type }: Channel, permissions: bigint): boolean =>
  type === PRIVATE_THREAD && !has(permissions, PermissionFlagsBits.ManageThreads);
const PRIVATE_THREAD: number = ChannelType.PrivateThread;

/** Tells whether the question is about another channel. Such an answer is ephemeral from its first response on. */
export const isAboutChannel = (ask: Inbound['ask']): boolean => ('line' in ask ? /^\S+ <#\d+>/u.test(ask.line) : CHANNEL in ask.options);
