/** The tags that posts of a forum can have, and which of them the bot finds or may make. It is pure. */
import { ChannelFlags, ChannelType, PermissionFlagsBits } from 'discord.js';
import { z } from 'zod';
import { OTHER_POST_TAG, POST_TAGS } from '../../domain/post-tags.js';

const FORUM: number = ChannelType.GuildForum;
export const isForumType = (type: number): boolean => type === FORUM;

/** https://docs.discord.com/developers/resources/channel#forum-tag-object */
export const forumTagSchema = z.object({
  id: z.string(),
  name: z.string(),
  /** Only moderators give it to a post. */
  moderated: z.boolean().default(false),
  emoji_id: z.string().nullish(),
  emoji_name: z.string().nullish(),
});
export type ForumTag = z.infer<typeof forumTagSchema>;

interface Forum {
  readonly available_tags: readonly ForumTag[];
  readonly flags: number;
}

/** What posts of a forum can have. */
export interface ForumState {
  readonly tags: readonly ForumTag[];
  readonly mayMakeTags: boolean;
  /** Some tags are for moderators alone. */
  readonly mayUseModerated: boolean;
  readonly needsTag: boolean;
}

export const forumIn = ({ available_tags: tags, flags }: Forum, granted: bigint): ForumState => ({
  tags,
  mayMakeTags: (granted & PermissionFlagsBits.ManageChannels) !== 0n,
  mayUseModerated: (granted & PermissionFlagsBits.ManageThreads) !== 0n,
  needsTag: (flags & ChannelFlags.RequireTag) !== 0,
});

/** Gives the tag of this name that the bot may give to a post, whatever its capitals. */
export const tagNamed = ({ tags, mayUseModerated }: ForumState, name: string): ForumTag | undefined =>
  tags.find((tag) => tag.name.toLowerCase() === name.toLowerCase() && (mayUseModerated || !tag.moderated));

/** Names the tags that posts go without, because they are not there and the bot may not make them. */
export const lackingTags = (forum: ForumState): readonly string[] =>
  forum.mayMakeTags ? [] : POST_TAGS.filter((name) => name !== OTHER_POST_TAG && tagNamed(forum, name) === undefined);

/** Each post needs a tag there, and the one for any alert is not there and cannot be made. */
export const lacksNeededTag = (forum: ForumState): boolean =>
  forum.needsTag && !forum.mayMakeTags && tagNamed(forum, OTHER_POST_TAG) === undefined;
