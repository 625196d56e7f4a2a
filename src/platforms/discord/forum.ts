/** Delivers alerts in forums. Each alert is a post with tags: a thread whose first message has the thread's id. */
import { MessageFlags, ThreadAutoArchiveDuration } from 'discord.js';
import { z } from 'zod';
import { RecentMap } from '../../base/bounded-cache.js';
import { later, type Instant } from '../../base/clock.js';
import type { Log } from '../../base/log.js';
import type { DeliveryOutcome, DeliveryRequest, EarlierAttempt, EditOutcome, MessagePost } from '../../chat/notifier.js';
import { OTHER_POST_TAG, POST_TAGS } from '../../domain/post-tags.js';
import type { Upload } from '../attachments.js';
import { idAt } from './address.js';
import { threadName } from './extras.js';
import { tagNamed, type ForumState, type ForumTag } from './forum-tags.js';
import { keepingPicture, orWithoutPicture, type MessageBody } from './message.js';
import { afterReading, editOutcomeOf, inWords, isCode, outcomeOf } from './outcome.js';
import type { PermissionCache } from './permissions.js';
import { findPosted, isMessageOf, postedMessageSchema, SKEW } from './readback.js';
import type { RestCall } from './rest.js';

/** https://docs.discord.com/developers/resources/channel#forum-tag-object */
const MAX_TAGS = 20;
const MAX_APPLIED = 5;

const MAX_KNOWN = 5_000;
/** How many of the bot's posts since the attempt are read to find an alert. */
const MAX_CANDIDATES = 50;
const MAX_ARCHIVED_PAGES = 5;
const PAGE = 100;
const UNKNOWN_CHANNEL = 10_003;
const IS_ARCHIVED = 50_083;
const IS_LOCKED = 160_005;

const threadSchema = z.object({
  id: z.string(),
  parent_id: z.string().nullish(),
  owner_id: z.string().optional(),
  applied_tags: z.array(z.string()).default([]),
  thread_metadata: z.object({ archived: z.boolean(), archive_timestamp: z.string() }),
});
const threadsSchema = z.object({ threads: z.array(threadSchema), has_more: z.boolean().default(false) });
type Thread = z.infer<typeof threadSchema>;
const idSchema = z.object({ id: z.string() });
const availableSchema = z.object({ available_tags: z.array(z.object({ id: z.string(), name: z.string() })).default([]) });

/** Parses a stored message id: `<thread>/<message>`, or `<thread>` alone for the first message of a post. */
function placeOf(messageId: string): { readonly thread: string; readonly message: string } {
  const [thread = messageId, message = thread] = messageId.split('/');
  return { thread, message };
}

export interface ForumPostsDeps {
  readonly call: RestCall;
  readonly log: Log;
  readonly permissions: Pick<PermissionCache, 'read' | 'forgetChannel'>;
  readonly me: () => Promise<string>;
}

export interface ForumAlert {
  readonly channel: string;
  readonly delivery: DeliveryRequest;
  readonly title: string;
  readonly nonce: string;
  readonly body: MessageBody;
  readonly files: readonly Upload[];
}

/** Edits the message at a path. Rejects with the library's errors. */
export type EditCall = (path: `/${string}`, body: MessageBody, files: readonly Upload[]) => Promise<void>;

interface ForumEdit extends Pick<ForumAlert, 'channel' | 'title' | 'body' | 'files'> {
  readonly messageId: string;
  readonly post: MessagePost | undefined;
  readonly change: EditCall;
}

export class ForumPosts {
  readonly #deps: ForumPostsDeps;
  /** The tags and the state that were last set, by thread. */
  readonly #shown = new RecentMap<string, string>(MAX_KNOWN);

  constructor(deps: ForumPostsDeps) {
    this.#deps = deps;
  }

  /** Posts an alert. Discord takes no nonce for a post, so after an unclear attempt the posts since then are searched first. */
  async deliver(alert: ForumAlert): Promise<DeliveryOutcome> {
    const { channel, delivery } = alert;
    let earlier: EarlierAttempt | undefined;
    if (delivery.earlier !== undefined) {
      let found: string | undefined;
      try {
        found = await this.#find(alert, delivery.earlier.since);
      } catch (error) {
        if (!(error instanceof UnreadForum)) return afterReading(outcomeOf(error));
        if (delivery.earlier.ifUnknown === 'hold') return { kind: 'maybe-sent', because: error.message };
        earlier = { kind: 'unknown', because: error.message };
      }
      if (found !== undefined) return { kind: 'sent', messageId: found, earlier: { kind: 'found' } };
      earlier ??= { kind: 'absent' };
    }
    try {
      const messageId = (await this.#follow(alert)) ?? (await this.#post(alert));
      return { kind: 'sent', messageId, ...(earlier === undefined ? {} : { earlier }) };
    } catch (error) {
      const outcome = outcomeOf(error);
      this.#deps.log.debug('discord.not-posted', { channel, delivery: delivery.id, outcome: outcome.kind, because: inWords(error) });
      return outcome;
    }
  }

  /** What follows up on a message of a post goes into that post. It is undefined where the post is deleted, or locked by people. */
  async #follow({ delivery, body, files, nonce }: ForumAlert): Promise<string | undefined> {
    const { silent, replyTo: above = delivery.within } = delivery;
    if (above === undefined) return undefined;
    const { thread, message } = placeOf(above);
    const options = {
      ...(silent === true ? { flags: MessageFlags.SuppressNotifications } : {}),
      message_reference: { message_id: message, fail_if_not_exists: false },
      allowed_mentions: { ...body.allowed_mentions, replied_user: false },
      ...{ nonce, enforce_nonce: true },
    };
    const send = async (own: MessageBody, attached: readonly Upload[]): Promise<unknown> =>
      this.#deps.call({
        ...{ method: 'POST', path: `/channels/${thread}/messages`, hasSlot: true },
        ...{ body: { ...own, ...options }, files: attached },
      });
    try {
      return `${thread}/${idSchema.parse(await orWithoutPicture({ body, files }, send, this.#deps.log)).id}`;
    } catch (error) {
      // A message opens an archived post, unless it is locked. Only people can unlock it, and the forum's other alerts must not wait for that.
      if (!isCode(error, UNKNOWN_CHANNEL, IS_ARCHIVED, IS_LOCKED)) throw error;
      this.#deps.log.debug('discord.post-shut', { thread, because: inWords(error) });
      return undefined;
    }
  }

  async #post({ channel, delivery: { silent, post }, title, body, files }: ForumAlert): Promise<string> {
    const tags = await this.#tagsFor(channel, post?.tags ?? []);
    const flags = silent === true ? { flags: MessageFlags.SuppressNotifications } : {};
    const create = async (own: MessageBody, attached: readonly Upload[]): Promise<unknown> =>
      this.#deps.call({
        ...{ method: 'POST', path: `/channels/${channel}/threads`, hasSlot: true, files: attached },
        body: {
          ...{ name: threadName(title), auto_archive_duration: ThreadAutoArchiveDuration.OneWeek },
          ...{ message: { ...own, ...flags }, applied_tags: tags },
        },
      });
    const { id } = idSchema.parse(await orWithoutPicture({ body, files }, create, this.#deps.log));
    this.#shown.set(id, stateOf(tags, false));
    return id;
  }

  /** Edits a message of a post, then its tags. A result archives the post; an archived post is reopened for the edit. */
  async revise({ channel, messageId, body, files, title, post, change }: ForumEdit): Promise<EditOutcome> {
    const { thread, message } = placeOf(messageId);
    let wasArchived = false;
    const edit = async (own: MessageBody, attached: readonly Upload[]): Promise<void> => {
      const path = `/channels/${thread}/messages/${message}` as const;
      await change(path, own, attached).catch(async (error: unknown) => {
        if (!isCode(error, IS_ARCHIVED)) throw error;
        await this.#patch(thread, { archived: false });
        wasArchived = true;
        await change(path, own, attached);
      });
    };
    try {
      await orWithoutPicture({ body, files }, edit, this.#deps.log, keepingPicture);
    } catch (error) {
      return isCode(error, UNKNOWN_CHANNEL) ? { kind: 'lost', because: 'deleted' } : editOutcomeOf(error);
    }
    // The opened post is no longer as it was shown.
    if (wasArchived) this.#shown.delete(thread);
    const isTopic = post !== undefined && message === thread;
    const again = isTopic ? await this.#show(channel, thread, { post, title }) : undefined;
    if (wasArchived && !isTopic) await this.#patch(thread, { archived: true }).catch((error: unknown) => this.#warn(thread, error));
    return again ?? { kind: 'edited' };
  }

  /** Sets tags and state and keeps tags that people added. Resolves with an outcome if the edit must be repeated. */
  async #show(channel: string, thread: string, { post, title }: { post: MessagePost; title: string }): Promise<EditOutcome | undefined> {
    try {
      const tags = await this.#tagsFor(channel, post.tags);
      const state = stateOf(tags, post.isOver);
      if (this.#shown.get(thread) === state) return undefined;
      const [{ forum }, now] = await Promise.all([
        this.#deps.permissions.read(channel),
        this.#deps.call({ method: 'GET', path: `/channels/${thread}` }).then(threadSchema.parse),
      ]);
      const ours = new Set(forum?.tags.flatMap(({ id, name }) => (isOurs(name) ? [id] : [])));
      const applied = [...tags, ...now.applied_tags.filter((id) => !ours.has(id))].slice(0, MAX_APPLIED);
      if (now.thread_metadata.archived) await this.#patch(thread, { archived: false });
      await this.#patch(thread, { applied_tags: applied, ...(post.isOver ? { name: threadName(title), archived: true } : {}) });
      this.#shown.set(thread, state);
      return undefined;
    } catch (error) {
      const outcome = editOutcomeOf(error);
      if (outcome.kind === 'later') return outcome;
      this.#warn(thread, error);
      return undefined;
    }
  }

  #warn(thread: string, error: unknown): void {
    this.#deps.log.warn('discord.post-not-changed', { thread, because: inWords(error) });
  }

  async #patch(thread: string, body: object): Promise<void> {
    await this.#deps.call({ method: 'PATCH', path: `/channels/${thread}`, body });
  }

  /** Returns the ids of tags by name. Creates missing tags if the bot may, and otherwise leaves them out. */
  async #tagsFor(channel: string, names: readonly string[]): Promise<readonly string[]> {
    const { forum } = await this.#deps.permissions.read(channel);
    if (forum === undefined) return [];
    const ids = await this.#idsOf(channel, forum, names);
    return ids.length > 0 || !forum.needsTag ? ids : this.#idsOf(channel, forum, [OTHER_POST_TAG]);
  }

  async #idsOf(channel: string, forum: ForumState, names: readonly string[]): Promise<readonly string[]> {
    const missing = names.filter((name) => tagNamed(forum, name) === undefined);
    const isRoom = forum.tags.length + missing.length <= MAX_TAGS;
    const made = missing.length > 0 && forum.mayMakeTags && isRoom ? await this.#makeTags(channel, forum, missing) : [];
    return names.flatMap((name) => tagNamed(forum, name)?.id ?? made.find((tag) => tag.name === name)?.id ?? []);
  }

  async #makeTags(channel: string, { tags }: ForumState, names: readonly string[]): Promise<readonly Pick<ForumTag, 'id' | 'name'>[]> {
    const { call, permissions, log } = this.#deps;
    try {
      // Discord replaces the whole list, so the existing tags are sent too.
      const body = { available_tags: [...tags, ...names.map((name) => ({ name, moderated: false }))] };
      const { available_tags: available } = availableSchema.parse(await call({ method: 'PATCH', path: `/channels/${channel}`, body }));
      log.info('discord.tags-made', { channel, tags: names });
      return available;
    } catch (error) {
      log.warn('discord.tags-not-made', { channel, because: inWords(error) });
      return [];
    } finally {
      permissions.forgetChannel(channel);
    }
  }

  /** Returns the id of the alert's message if it was posted. Rejects with an `UnreadForum` or the library's errors. */
  async #find({ channel, delivery, nonce, body }: ForumAlert, since: Instant): Promise<string | undefined> {
    const { call, permissions } = this.#deps;
    const [{ guild = '', readback }, me] = await Promise.all([permissions.read(channel), this.#deps.me()]);
    if (readback !== undefined) throw new UnreadForum(`I need ${readback} there to read the posts`);
    const sought = { me, deliveryId: delivery.id, nonce, body, since };
    const { replyTo: above = delivery.within } = delivery;
    if (above !== undefined) {
      const { thread } = placeOf(above);
      const found = await findPosted(call, { channel: thread, ...sought }).catch((error: unknown) => {
        if (isCode(error, UNKNOWN_CHANNEL)) return 'absent' as const;
        throw error;
      });
      if (found === 'too many') throw new UnreadForum('too many messages were written since');
      if (typeof found === 'object') return `${thread}/${found.id}`;
    }
    const from = BigInt(idAt(later(since, -SKEW)));
    const isCandidate = ({ id, parent_id: parent, owner_id: owner }: Thread): boolean =>
      parent === channel && owner === me && BigInt(id) >= from;
    const active = threadsSchema.parse(await call({ method: 'GET', path: `/guilds/${guild}/threads/active` }));
    const candidates = [...active.threads, ...(await this.#archived(channel, since))].filter(isCandidate);
    if (candidates.length > MAX_CANDIDATES) throw new UnreadForum('too many posts were made since');
    const isIt = isMessageOf(sought);
    for (const { id } of candidates) {
      const first = await call({ method: 'GET', path: `/channels/${id}/messages/${id}` }).catch((error: unknown) => {
        // People deleted the first message of the post or the whole post.
        if (isCode(error, 10_008, UNKNOWN_CHANNEL)) return undefined;
        throw error;
      });
      if (first !== undefined && isIt(postedMessageSchema.parse(first))) return id;
    }
    return undefined;
  }

  /** Returns the posts archived after `since`. A post that was made after `since` can only have been archived later. */
  async #archived(channel: string, since: Instant): Promise<readonly Thread[]> {
    const all: Thread[] = [];
    let before: string | undefined;
    for (let page = 0; page < MAX_ARCHIVED_PAGES; page += 1) {
      const query = { limit: String(PAGE), ...(before === undefined ? {} : { before }) };
      const answer = await this.#deps.call({ method: 'GET', path: `/channels/${channel}/threads/archived/public`, query });
      const { threads, has_more: hasMore } = threadsSchema.parse(answer);
      all.push(...threads);
      before = threads.at(-1)?.thread_metadata.archive_timestamp;
      if (!hasMore || before === undefined || Date.parse(before) < since - SKEW) return all;
    }
    throw new UnreadForum('too many posts were archived since');
  }
}

/** Thrown if it cannot be found out whether the alert was posted; the message is the reason. */
class UnreadForum extends Error {
  override readonly name = 'UnreadForum';
}

const isOurs = (name: string): boolean => POST_TAGS.some((tag) => tag.toLowerCase() === name.toLowerCase());

const stateOf = (tags: readonly string[], isOver: boolean): string => `${tags.join()} ${isOver ? 'over' : 'open'}`;
