/** Links that add the bot to another chat. */
import type { Link } from '../../chat/reply.js';
import { httpsUrl } from '../../domain/https-url.js';

export interface InvitedBot {
  readonly username: string;
  readonly can_join_groups: boolean;
}

/** In a channel only an administrator can post. https://core.telegram.org/api/links#groupchannel-bot-links */
export function inviteLinks({ username, can_join_groups: joinsGroups }: InvitedBot): readonly Link[] {
  const link = (label: string, query: string): readonly Link[] => {
    const url = httpsUrl(`https://t.me/${username}?${query}`);
    return url === undefined ? [] : [{ label, url }];
  };
  return [...(joinsGroups ? link('Add to a group', 'startgroup') : []), ...link('Add to a channel', 'startchannel&admin=post_messages')];
}
