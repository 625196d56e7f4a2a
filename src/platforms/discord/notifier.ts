/** Delivers alerts on Discord. After the nonce window it reads the channel before it repeats a message, to avoid a duplicate. */
import { createHash } from 'node:crypto';
import { MessageFlags } from 'discord.js';
import { z } from 'zod';
import { RecentMap } from '../../base/bounded-cache.js';
import { HOUR, MINUTE, later, type Clock, type Instant } from '../../base/clock.js';
import type { Log } from '../../base/log.js';
import { omitUndefined } from '../../base/omit-undefined.js';
import { both } from '../../base/sentence-lists.js';
import type { Address } from '../../chat/address.js';
import type {
  AlertSlot,
  DeliveryOutcome,
  DeliveryRequest,
  Diagnosis,
  EarlierAttempt,
  EditOutcome,
  EditRequest,
  Notifier,
  Outcome,
  Probe,
  Slot,
} from '../../chat/notifier.js';
import { lineText } from '../../chat/plain-text.js';
import type { Reply } from '../../chat/reply.js';
import type { Upload } from '../attachments.js';
import type { Actions } from '../button-payloads.js';
import type { Limiter } from '../limiter/limiter.js';
import { channelOf } from './address.js';
import type { ChannelRecords } from './guilds.js';
import { Extras } from './extras.js';
import { ForumPosts, type EditCall } from './forum.js';
import {
  editPayload,
  keepingPicture,
  messagePayload,
  orWithoutPicture,
  pinging,
  withoutPicture,
  type MessageBody,
  type MessagePayload,
} from './message.js';
import { afterReading, editOutcomeOf, inWords, isCode, outcomeOf, REMOVED } from './outcome.js';
import { openPermissionCache, type MissingPermissions, type PermissionCache } from './permissions.js';
import { findPosted, MAX_READ_BACK, type Readback } from './readback.js';
import type { RestCall } from './rest.js';

/** Discord rejects repeated nonces of the "past few minutes"; this is a safe lower bound. */
export const NONCE_WINDOW = 2 * MINUTE;
/** https://docs.discord.com/developers/resources/message#create-message-jsonform-params */
const NONCE_LENGTH = 25;

/** The time after which a permission that was granted meanwhile is noticed. */
const NO_PICTURES_FOR = HOUR;
const MAX_NO_PICTURES = 5_000;

export interface DiscordNotifierDeps {
  readonly call: RestCall;
  readonly limiter: Limiter;
  readonly actions: Actions;
  readonly channels: ChannelRecords;
  readonly guildOf: (channel: string) => string | undefined;
  /** Tells whether the gateway is connected. Permissions are cached only then, because it announces their changes. */
  readonly isListening: () => boolean;
  readonly diagnose: Notifier['diagnose'];
  readonly clock: Clock;
  readonly log: Log;
  readonly nonceWindowMs: number;
}

type AlertPayload = Pick<MessagePayload, 'body' | 'files'>;

const idSchema = z.object({ id: z.string() });
const postedSchema = z.object({ id: z.string(), embeds: z.array(z.unknown()).optional() });
type Posted = z.infer<typeof postedSchema>;
interface CreatedMessage {
  readonly posted: Posted;
  readonly body: MessageBody;
}

export class DiscordNotifier implements Notifier {
  readonly platform = 'discord';
  readonly knowsRepeats = true;
  // Discord's default theme is dark.
  readonly pictureTheme = 'dark';
  readonly permissions: PermissionCache;
  readonly #deps: DiscordNotifierDeps;
  readonly #notPermitted = new Set<string>();
  /** This has, for each channel, the time until which its edits are sent without a picture. */
  readonly #noPictures = new RecentMap<string, Instant>(MAX_NO_PICTURES);
  readonly #extras: Extras;
  readonly #forums: ForumPosts;
  #me: string | undefined;

  constructor(deps: DiscordNotifierDeps) {
    this.#deps = deps;
    const { call, isListening } = deps;
    this.#extras = new Extras(deps);
    const me = async (): Promise<string> => this.#myId();
    this.permissions = openPermissionCache({ call, me, isListening });
    this.#forums = new ForumPosts({ ...deps, permissions: this.permissions, me });
  }

  async diagnose(): Promise<Diagnosis> {
    return this.#deps.diagnose();
  }

  async slot(to: Address, alert: AlertSlot, signal: AbortSignal): Promise<Slot | undefined> {
    return this.#deps.limiter.take({ chat: channelOf(to) ?? to, ...alert }, signal);
  }

  pausedUntil(to: Address): Instant {
    return this.#deps.limiter.pausedUntil(channelOf(to) ?? to);
  }

  notPermitted(): ReadonlySet<string> {
    return this.#notPermitted;
  }

  async deliver(to: Address, delivery: DeliveryRequest): Promise<DeliveryOutcome> {
    const { actions, log } = this.#deps;
    const channel = channelOf(to);
    if (channel === undefined) return notOurs(to);
    let payload: AlertPayload;
    try {
      const { picture, reply } = delivery;
      payload = await this.#addressed(channel, reply, await messagePayload({ reply, picture, files: [] }, actions));
    } catch (error) {
      log.error('discord.not-stored', { channel, delivery: delivery.id, error });
      return { kind: 'later', because: 'server-error' };
    }
    const outcome = await this.#attempt(channel, delivery, payload);
    if (outcome.kind === 'not-permitted') this.#notPermitted.add(channel);
    else this.#notPermitted.delete(channel);
    await this.#remember(channel, outcome).catch((error: unknown) => {
      log.warn('discord.not-remembered', { channel, error });
    });
    if (outcome.kind === 'sent') await this.#addExtras(channel, outcome.messageId, delivery);
    return outcome;
  }

  /** After a kill before this call, the repeated delivery finds the same message and adds the extras. */
  async #addExtras(channel: string, message: string, { extras = [], reply }: DeliveryRequest): Promise<void> {
    if (extras.includes('threads')) await this.#extras.openThread(channel, message, this.#titleOf(reply));
    if (extras.includes('publish')) await this.#extras.publish(channel, message);
  }

  #titleOf({ finding }: Reply): string {
    return lineText(finding, this.#deps.clock.now());
  }

  async revise(to: Address, { messageId, reply, picture, thread, post }: EditRequest): Promise<EditOutcome> {
    const { actions, clock, log } = this.#deps;
    const channel = channelOf(to);
    if (channel === undefined) return notOurs(to);
    try {
      const mayAttach = (this.#noPictures.get(channel) ?? 0) <= clock.now();
      const { body, files } = await editPayload(reply, mayAttach ? picture : undefined, actions);
      const change: EditCall = async (path, ...own) => this.#change(channel, path, ...own);
      if (await this.#isForum(channel))
        return await this.#forums.revise({ channel, messageId, body, files, title: this.#titleOf(reply), post, change });
      await orWithoutPicture(
        { body, files },
        async (...own) => change(`/channels/${channel}/messages/${messageId}`, ...own),
        log,
        keepingPicture,
      );
      if (thread === 'open') await this.#extras.openThread(channel, messageId, this.#titleOf(reply));
      const again = thread === 'over' ? await this.#extras.closeThread(messageId, this.#titleOf(reply)) : undefined;
      return again ?? { kind: 'edited' };
    } catch (error) {
      const outcome = editOutcomeOf(error);
      log.debug('discord.not-edited', { channel, message: messageId, outcome: outcome.kind, because: inWords(error) });
      await this.#remember(channel, outcome).catch((cause: unknown) => log.warn('discord.not-remembered', { channel, error: cause }));
      return outcome;
    }
  }

  /** Edits a message. After a refused picture, edits of the channel have none for a while, because refused requests count against the bot's address. */
  async #change(channel: string, ...[path, body, files]: Parameters<EditCall>): Promise<void> {
    const { call, clock } = this.#deps;
    try {
      await call({ method: 'PATCH', path, body, files, hasSlot: true });
    } catch (error) {
      if (files.length > 0 && isCode(error, NO_PERMISSION)) this.#noPictures.set(channel, later(clock.now(), NO_PICTURES_FOR));
      throw error;
    }
  }

  async pin(to: Address, messageId: string): Promise<EditOutcome> {
    const channel = channelOf(to);
    if (channel === undefined) return notOurs(to);
    try {
      if (await this.#isForum(channel)) return { kind: 'refused', detail: 'posts of a forum are pinned by people' };
      await this.#deps.call({ method: 'PUT', path: `/channels/${channel}/messages/pins/${messageId}`, hasSlot: true });
      return { kind: 'edited' };
    } catch (error) {
      this.#deps.log.debug('discord.not-pinned', { channel, message: messageId, because: inWords(error) });
      // A channel has at most 250 pins.
      if (isCode(error, MAX_PINS)) return { kind: 'not-permitted', because: 'the channel has no room for another pin' };
      return editOutcomeOf(error);
    }
  }

  async probe(to: Address): Promise<Probe> {
    const channel = channelOf(to);
    if (channel === undefined) return { missing: [], blocked: `Alerts can't be posted here: ${to} is not a Discord channel.` };
    const { readback: _, forum: _forum, ...lacks } = (await this.#permissionsAt(channel)) ?? { missing: [], blocked: NO_ANSWER };
    return lacks;
  }

  async #myId(): Promise<string> {
    return (this.#me ??= idSchema.parse(await this.#deps.call({ method: 'GET', path: '/users/@me' })).id);
  }

  async #guildAt(channel: string): Promise<string | undefined> {
    return (await this.#deps.channels.get(channel))?.guild ?? this.#deps.guildOf(channel);
  }

  async #attempt(channel: string, delivery: DeliveryRequest, { body, files }: AlertPayload): Promise<DeliveryOutcome> {
    const { clock, call, log } = this.#deps;
    const nonce = nonceOf(channel, delivery.id);
    if (await this.#isForum(channel)) return this.#inForum(channel, delivery, { body, files });
    let earlier: EarlierAttempt | undefined;
    if (delivery.earlier !== undefined && clock.now() - delivery.earlier.since > this.#deps.nonceWindowMs) {
      let found: Readback;
      try {
        found = await findPosted(call, {
          channel,
          me: await this.#myId(),
          deliveryId: delivery.id,
          nonce,
          body,
          since: delivery.earlier.since,
        });
      } catch (error) {
        return afterReading(outcomeOf(error));
      }
      if (typeof found === 'object') return this.#completed(channel, found, body, { kind: 'found' });
      const unread = found === 'empty' ? await this.#unreadable(channel) : undefined;
      if (typeof unread === 'object') return unread;
      const because = found === 'too many' ? TOO_MANY : unread;
      if (because !== undefined && delivery.earlier.ifUnknown === 'hold') return { kind: 'maybe-sent', because };
      earlier = because === undefined ? { kind: 'absent' } : { kind: 'unknown', because };
    }
    const lacks = await this.#lackingBefore(channel, body);
    if (lacks !== undefined) return lacks;
    let created: CreatedMessage;
    try {
      const sound = delivery.silent === true ? { flags: MessageFlags.SuppressNotifications } : {};
      const after = delivery.replyTo === undefined ? {} : replyingTo(delivery.replyTo, body);
      created = await this.#create(channel, { body, files }, { ...sound, ...after, nonce, enforce_nonce: true });
    } catch (error) {
      const outcome = outcomeOf(error);
      log.debug('discord.not-posted', { channel, delivery: delivery.id, outcome: outcome.kind, because: inWords(error) });
      // The channel may be a forum whose kind is not cached yet.
      if (isCode(error, NOT_TEXT) && (await this.#permissionsAt(channel))?.forum !== undefined)
        return this.#inForum(channel, delivery, { body, files });
      return isCode(error, 50_001, 50_013) ? this.#withReason(channel, outcome) : outcome;
    }
    return this.#completed(channel, created.posted, created.body, earlier);
  }

  async #isForum(channel: string): Promise<boolean> {
    return (await this.#deps.channels.get(channel))?.forum === true;
  }

  async #inForum(channel: string, delivery: DeliveryRequest, { body, files }: AlertPayload): Promise<DeliveryOutcome> {
    const missing = (await this.#permissionsAt(channel))?.missing ?? [];
    if (missing.length > 0) return notPermittedFor(missing);
    const parts = { title: this.#titleOf(delivery.reply), nonce: nonceOf(channel, delivery.id), body, files };
    return this.#forums.deliver({ channel, delivery, ...parts });
  }

  async #create(channel: string, { body, files }: AlertPayload, options: object): Promise<CreatedMessage> {
    const { call, log } = this.#deps;
    const post = async (own: MessageBody, attached: readonly Upload[]): Promise<CreatedMessage> => {
      const request = { body: { ...own, ...options }, files: attached, hasSlot: true };
      const posted = await call({ method: 'POST', path: `/channels/${channel}/messages`, ...request });
      return { posted: postedSchema.parse(posted), body: own };
    };
    return orWithoutPicture({ body, files }, post, log);
  }

  async #addressed(channel: string, { mentions }: Reply, { body, files }: MessagePayload): Promise<AlertPayload> {
    return {
      body: mentions.length === 0 ? body : { ...body, ...pinging(body, { mentions, guild: await this.#guildAt(channel) }) },
      files,
    };
  }

  /** Returns what the bot lacks for the whole message, so that nobody is pinged for half of it. */
  async #lackingBefore(channel: string, { embeds, allowed_mentions: { roles, users } }: MessageBody): Promise<Outcome | undefined> {
    const known = this.permissions.known(channel)?.missing;
    if (known !== undefined) return known.length === 0 ? undefined : notPermittedFor(known);
    if (embeds.length === 0 || (roles === undefined && users === undefined)) return undefined;
    const { missing } = (await this.#permissionsAt(channel)) ?? { missing: [] };
    return missing.includes('Embed Links') ? notPermittedFor(missing) : undefined;
  }

  /** Checks whether an empty channel is only unreadable. Returns the reason, or an outcome that ends the delivery. */
  async #unreadable(channel: string): Promise<DeliveryOutcome | string | undefined> {
    const lacks = await this.#permissionsAt(channel);
    if (lacks === undefined) return { kind: 'later', because: 'not-read-back' };
    return lacks.readback === undefined ? undefined : `I need ${lacks.readback} there to read the channel`;
  }

  /** Completes a message from which Discord dropped the embed because the bot lacks "Embed Links". */
  async #completed(channel: string, { id, embeds }: Posted, body: MessageBody, earlier?: EarlierAttempt): Promise<Outcome> {
    const sent: Outcome = { kind: 'sent', messageId: id, ...(earlier === undefined ? {} : { earlier }) };
    if (body.embeds.length === 0 || embeds === undefined || embeds.length > 0) return sent;
    this.permissions.forgetChannel(channel);
    const missing = (await this.#permissionsAt(channel))?.missing;
    if (missing?.length === 0) {
      try {
        const edited = postedSchema.parse(
          await this.#deps.call({ method: 'PATCH', path: `/channels/${channel}/messages/${id}`, body: withoutPicture(body) }),
        );
        if (edited.embeds?.length !== 0) return sent;
      } catch (error) {
        return incomplete(outcomeOf(error));
      }
    }
    return incomplete(notPermittedFor(missing === undefined || missing.length === 0 ? ['Embed Links'] : missing));
  }

  /** Names the missing permission, or says `gone` if the bot left the server. */
  async #withReason(channel: string, outcome: Outcome): Promise<Outcome> {
    this.permissions.forgetChannel(channel);
    try {
      const guild = await this.#guildAt(channel);
      if (guild !== undefined) await this.#deps.call({ method: 'GET', path: `/guilds/${guild}` });
    } catch (error) {
      if (isCode(error, 10_004, 50_001)) return { kind: 'gone', because: REMOVED };
    }
    const { missing } = (await this.#permissionsAt(channel)) ?? { missing: [] };
    return missing.length === 0 ? outcome : notPermittedFor(missing);
  }

  async #permissionsAt(channel: string): Promise<MissingPermissions | undefined> {
    const { channels, log } = this.#deps;
    try {
      const { guild, ...missing } = await this.permissions.read(channel);
      const known = await channels.get(channel);
      const forum = missing.forum === undefined ? undefined : (true as const);
      await channels.set(channel, omitUndefined({ ...known, guild: guild ?? known?.guild, forum }));
      return missing;
    } catch (error) {
      if (isCode(error, 50_001)) return { missing: ['View Channel'] };
      if (isCode(error, 10_003, 10_004)) return { missing: ['the channel, which is deleted'] };
      log.warn('discord.not-probed', { channel, because: inWords(error) });
      return undefined;
    }
  }

  /** Records from the outcome whether the bot was removed from the server or is back. */
  async #remember(channel: string, outcome: DeliveryOutcome | EditOutcome): Promise<void> {
    const { channels } = this.#deps;
    const record = await channels.get(channel);
    const guild = record?.guild ?? this.#deps.guildOf(channel);
    const known = omitUndefined({ ...record, guild });
    if (outcome.kind === 'gone') await channels.set(channel, { ...known, lost: outcome.because === REMOVED ? 'guild' : 'channel' });
    if (outcome.kind === 'sent' && record === undefined && guild !== undefined) await channels.set(channel, known);
  }
}

/** Replies to a message without pinging its author. */
const replyingTo = (message: string, { allowed_mentions: mentions }: MessageBody) => ({
  message_reference: { message_id: message, fail_if_not_exists: false },
  allowed_mentions: { ...mentions, replied_user: false },
});

/** https://docs.discord.com/developers/topics/opcodes-and-status-codes#json */
const MAX_PINS = 30_003;
const NOT_TEXT = 50_008;
const NO_PERMISSION = 50_013;
const NO_ANSWER = "Discord isn't responding, so I can't check my permissions here. Try again in a minute.";
const notPermittedFor = (missing: readonly string[]): Outcome => ({ kind: 'not-permitted', because: `I need ${both(missing)} there` });

const notOurs = (to: Address): Extract<Outcome, { kind: 'refused' }> => ({ kind: 'refused', detail: `${to} is not a Discord channel` });

const TOO_MANY = `more than ${MAX_READ_BACK.toLocaleString('en')} messages were written since`;

/** Returns the outcome of a message of which only the text was posted. */
const incomplete = (outcome: Outcome): Outcome =>
  outcome.kind === 'not-permitted'
    ? { ...outcome, incomplete: true }
    : outcome.kind === 'gone'
      ? outcome
      : { kind: 'unclear', because: 'server-error' };

/** Derives the nonce from the delivery, so that every attempt has the same. */
const nonceOf = (channel: string, deliveryId: string): string =>
  createHash('sha256').update(`${channel}/${deliveryId}`).digest('base64url').slice(0, NONCE_LENGTH);
