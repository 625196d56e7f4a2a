/** Decides which tags of a forum the bot can use or create. */
import { ChannelFlags, ChannelType, PermissionFlagsBits } from 'discord.js';
import { z } from 'zod';
import { OTHER_POST_TAG, POST_TAGS } from '../../domain/post-tags.js';

const FORUM: number = ChannelType.GuildForum;
export const isForumType = (type: number): boolean => type === FORUM;

/** https://docs.discord.com/developers/resources/channel#forum-tag-object */
export const forumTagSchema = z.object({
  id: z.string(),
  name: z.string(),
  /** True if only moderators may give the tag to a post. */
  moderated: z.boolean().default(false),
  emoji_id: z.string().nullish(),
  emoji_name: z.string().nullish(),
});
export type ForumTag = z.infer<typeof forumTagSchema>;

interface Forum {
  readonly available_tags: readonly ForumTag[];
  readonly flags: number;
}

/** A forum's tags and what the bot may do with them. */
export interface ForumState {
  readonly tags: readonly ForumTag[];
  readonly mayMakeTags: boolean;
  /** True if the bot may use tags that are for moderators. */
  readonly mayUseModerated: boolean;
  readonly needsTag: boolean;
}

export const forumIn = ({ available_tags: tags, flags }: Forum, granted: bigint): ForumState => ({
  tags,
  mayMakeTags: (granted & PermissionFlagsBits.ManageChannels) !== 0n,
  mayUseModerated: (granted & PermissionFlagsBits.ManageThreads) !== 0n,
  needsTag: (flags & ChannelFlags.RequireTag) !== 0,
});

/** Returns the tag of this name that the bot may use, ignoring case. */
export const tagNamed = ({ tags, mayUseModerated }: ForumState, name: string): ForumTag | undefined =>
  tags.find((tag) => tag.name.toLowerCase() === name.toLowerCase() && (mayUseModerated || !tag.moderated));

/** Returns the names of missing tags that the bot may not create; posts go without them. */
export const lackingTags = (forum: ForumState): readonly string[] =>
  forum.mayMakeTags ? [] : POST_TAGS.filter((name) => name !== OTHER_POST_TAG && tagNamed(forum, name) === undefined);

/** Tells whether posting is impossible: each post needs a tag, and the fallback tag is missing and cannot be created. */
export const lacksNeededTag = (forum: ForumState): boolean =>
  forum.needsTag && !forum.mayMakeTags && tagNamed(forum, OTHER_POST_TAG) === undefined;
