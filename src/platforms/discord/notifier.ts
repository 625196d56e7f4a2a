/** Alerts on Discord: at most once under one nonce for some minutes, and after that by reading the channel back before posting again. */
import { createHash } from 'node:crypto';
import { z } from 'zod';
import { MINUTE, type Clock } from '../../base/clock.js';
import { both } from '../../base/listing.js';
import type { Log } from '../../base/log.js';
import type { Address } from '../../chat/address.js';
import { type Notifier, type Outcome, type DeliveryRequest, type Probe } from '../../chat/notifier.js';
import type { Actions } from '../actions.js';
import type { Limiter } from '../limiter/limiter.js';
import { channelOf } from './address.js';
import { messageOf, pinging, type MessageBody } from './message.js';
import { inWords, isCode, outcomeOf, REMOVED } from './outcome.js';
import { channelAt, missingIn } from './permissions.js';
import type { Places } from './places.js';
import { findPosted } from './readback.js';
import type { Call } from './rest.js';

/** Discord remembers a nonce for "the past few minutes"; we trust it for less. */
export const NONCE_WINDOW = 2 * MINUTE;
/** https://docs.discord.com/developers/resources/message#create-message-jsonform-params */
const NONCE_LENGTH = 25;

export interface DiscordNotifierDeps {
  readonly call: Call;
  readonly limiter: Limiter;
  readonly kept: Actions;
  readonly places: Places;
  /** The server of a channel, as far as the gateway has told of it. */
  readonly guildOf: (channel: string) => string | undefined;
  readonly diagnose: Notifier['diagnose'];
  readonly clock: Clock;
  readonly log: Log;
  readonly nonceWindowMs: number;
}

export interface DiscordNotifier extends Notifier {
  readonly knowsRepeats: true;
  /** Channels whose last delivery people must mend something for, since this process began. */
  troubled(): ReadonlySet<string>;
}

const idSchema = z.object({ id: z.string() });

/** Never rejects for what Discord or the store may do. */
export function discordNotifier(needs: DiscordNotifierDeps): DiscordNotifier {
  const { call, kept, places, clock, log } = needs;
  const troubled = new Set<string>();
  let me: string | undefined;
  const myId = async (): Promise<string> => (me ??= idSchema.parse(await call({ method: 'GET', path: '/users/@me' })).id);

  const guildAt = async (channel: string): Promise<string | undefined> => (await places.get(channel))?.guild ?? needs.guildOf(channel);

  async function attempt(channel: string, delivery: DeliveryRequest, body: MessageBody): Promise<Outcome> {
    const nonce = nonceOf(channel, delivery.id);
    const { firstTriedAt: since } = delivery;
    if (since !== undefined && clock.now() - since > needs.nonceWindowMs) {
      try {
        const standing = await findPosted(call, { channel, me: await myId(), deliveryId: delivery.id, nonce, body, since });
        if (standing !== undefined) return { kind: 'sent', messageId: standing };
      } catch (error) {
        return afterReading(outcomeOf(error));
      }
    }
    const barred = body.content === undefined ? undefined : await wordless(channel);
    if (barred !== undefined) return barred;
    try {
      const request = { ...body, nonce, enforce_nonce: true };
      const posted = await call({ method: 'POST', path: `/channels/${channel}/messages`, body: request, hasSlot: true });
      return { kind: 'sent', messageId: idSchema.parse(posted).id };
    } catch (error) {
      const outcome = outcomeOf(error);
      log.debug('discord.not-posted', { channel, delivery: delivery.id, outcome: outcome.kind, because: inWords(error) });
      return isCode(error, 50_001, 50_013) ? named(channel, outcome) : outcome;
    }
  }

  /** Without Embed Links an embed alone is refused; beside a mention it would be left out in silence, and people pinged for nothing. */
  async function wordless(channel: string): Promise<Outcome | undefined> {
    const missing = (await lookAt(channel)) ?? [];
    return missing.includes('Embed Links') ? { kind: 'held', because: lacking(missing) } : undefined;
  }

  /** A refusal for want of a right, with the right's name; gone where it is because we are no longer in the server. */
  async function named(channel: string, outcome: Outcome): Promise<Outcome> {
    try {
      const guild = await guildAt(channel);
      if (guild !== undefined) await call({ method: 'GET', path: `/guilds/${guild}` });
    } catch (error) {
      if (isCode(error, 10_004, 50_001)) return { kind: 'gone', because: REMOVED };
    }
    const missing = (await lookAt(channel)) ?? [];
    return missing.length === 0 ? outcome : { kind: 'held', because: lacking(missing) };
  }

  /** What is missing there; undefined where nobody answers that. */
  async function lookAt(channel: string): Promise<Probe['missing'] | undefined> {
    try {
      const found = await channelAt(call, channel);
      await places.set(channel, { ...(await places.get(channel)), ...(found.guild_id === undefined ? {} : { guild: found.guild_id }) });
      return await missingIn(call, { channel: found, me: await myId() });
    } catch (error) {
      if (isCode(error, 50_001)) return ['View Channel'];
      if (isCode(error, 10_003, 10_004)) return ['the channel, which is deleted'];
      log.warn('discord.not-probed', { channel, because: inWords(error) });
      return undefined;
    }
  }

  /** So that a removal from its server, and a return to it, are noticed, even while we are away. */
  async function remember(channel: string, outcome: Outcome): Promise<void> {
    const place = await places.get(channel);
    const guild = place?.guild ?? needs.guildOf(channel);
    const known = { ...place, ...(guild === undefined ? {} : { guild }) };
    if (outcome.kind === 'gone') await places.set(channel, { ...known, lost: outcome.because === REMOVED ? 'guild' : 'channel' });
    if (outcome.kind === 'sent' && place === undefined && guild !== undefined) await places.set(channel, known);
  }

  return {
    platform: 'discord',
    knowsRepeats: true,
    slot: async (to, alert, signal) => needs.limiter.take({ chat: channelOf(to) ?? to, ...alert }, signal),
    troubled: () => troubled,
    async deliver(to, delivery) {
      const channel = channelOf(to);
      if (channel === undefined) return notOurs(to);
      let body: MessageBody;
      try {
        const { mentions } = delivery.reply;
        const quiet = await messageOf(delivery.reply, kept);
        body = mentions.length === 0 ? quiet : pinging(quiet, { mentions, guild: await guildAt(channel) });
      } catch (error) {
        log.error('discord.not-kept', { channel, delivery: delivery.id, error });
        return { kind: 'later', because: 'server-error' };
      }
      const outcome = await attempt(channel, delivery, body);
      if (outcome.kind === 'held') troubled.add(channel);
      else troubled.delete(channel);
      await remember(channel, outcome).catch((error: unknown) => {
        log.warn('discord.not-remembered', { channel, error });
      });
      return outcome;
    },
    async probe(to) {
      const channel = channelOf(to);
      if (channel === undefined) return { missing: [], blocked: `Alerts can’t be posted here: ${to} is not a Discord channel.` };
      const missing = await lookAt(channel);
      return missing === undefined ? { missing: [], blocked: NO_ANSWER } : { missing };
    },
    diagnose: needs.diagnose,
  };
}

const NO_ANSWER = 'Discord isn’t responding, so I can’t check my permissions here. Try again in a minute.';
const lacking = (missing: readonly string[]): string => `I need ${both(missing)} there`;

const notOurs = (to: Address): Outcome => ({ kind: 'refused', detail: `${to} is no channel of Discord` });

/** Reading posts nothing, so it leaves nothing unclear. */
const afterReading = (outcome: Outcome): Outcome =>
  outcome.kind === 'unclear'
    ? { kind: 'later', because: outcome.because === 'server-error' ? 'server-error' : 'unreachable' }
    : outcome.kind === 'refused'
      ? { kind: 'later', because: 'server-error' }
      : outcome;

/** The same for every attempt, before and after a restart, and another one in another channel. */
const nonceOf = (channel: string, deliveryId: string): string =>
  createHash('sha256').update(`${channel}/${deliveryId}`).digest('base64url').slice(0, NONCE_LENGTH);
