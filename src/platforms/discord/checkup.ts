/** Checks the token without connecting. */
import { DiscordAPIError, GatewayCloseCodes } from 'discord.js';
import { z } from 'zod';
import { SECOND, type Clock } from '../../base/clock.js';
import type { Finding } from '../../base/finding.js';
import { several } from '../../base/sentence-lists.js';
import type { Address } from '../../chat/address.js';
import { noticesFinding } from '../descriptor.js';
import { channelOf } from './address.js';
import { inviteUrl } from './application.js';
import { reasonOf } from './connection.js';
import { isCode } from './outcome.js';
import { channelAt, missingIn } from './permissions.js';
import { openRest, type RestCall } from './rest.js';

export interface DiscordCheckup {
  readonly token: string;
  readonly apiUrl: string;
  readonly guildId: string | undefined;
  readonly interactionsUrl?: string | undefined;
  readonly mentions?: boolean;
  readonly operatorChat?: Address | undefined;
  readonly clock: Clock;
}

const about = 'discord';
const DEADLINE = 15 * SECOND;

const meSchema = z.object({ id: z.string(), username: z.string() });
const applicationSchema = z.object({
  id: z.string(),
  interactions_endpoint_url: z.string().nullish(),
  approximate_guild_count: z.int().optional(),
});
const guildsSchema = z.array(z.object({ id: z.string() }));
/** https://docs.discord.com/developers/resources/user#get-current-user-guilds */
const GUILDS = { limit: '200' };

/** Reports every failure as a finding and never rejects. Changes nothing at Discord. */
export async function checkDiscord({
  token,
  apiUrl,
  guildId,
  interactionsUrl,
  mentions = false,
  operatorChat,
  clock,
}: DiscordCheckup): Promise<readonly Finding[]> {
  const { call, close } = openRest({ token, apiUrl, clock, deadlineMs: DEADLINE, patienceMs: 0 });
  try {
    const me = meSchema.parse(await call({ method: 'GET', path: '/users/@me' }));
    const application = applicationSchema.parse(await call({ method: 'GET', path: '/applications/@me' }));
    const guilds = guildsSchema.parse(await call({ method: 'GET', path: '/users/@me/guilds', query: GUILDS }));
    return [
      { mark: 'ok', about, says: `the token is that of ${me.username}` },
      {
        mark: 'ok',
        about: 'discord intents',
        says: `none that has to be switched on: only those about servers and direct messages${mentions ? ', and about messages in servers,' : ''} are asked for`,
      },
      mentions
        ? { mark: 'ok', about: 'discord mentions', says: 'they are answered; the bot needs Send Messages and Embed Links in the channel' }
        : { mark: 'none', about: 'discord mentions', says: 'they are not answered; set DISCORD_MENTIONS=true for that' },
      { mark: 'ok', about: 'discord invite', says: inviteUrl(application.id) },
      guilds.length === 0
        ? { mark: 'warn', about: 'discord servers', says: 'it is in no server; open the invite link above and choose one' }
        : { mark: 'ok', about: 'discord servers', says: `it is in ${guilds.length === 1 ? 'one server' : `${guilds.length} servers`}` },
      ...home(guildId, guilds),
      ...(await commandsIn(guildId === undefined ? guilds.map(({ id }) => id) : [guildId], { call, application: application.id })),
      ...(await noticesTo(operatorChat === undefined ? undefined : channelOf(operatorChat), { call, me: me.id })),
      ...deliveryOf(application.interactions_endpoint_url ?? undefined, interactionsUrl),
    ];
  } catch (error) {
    return [{ mark: 'fail', about, says: said(error) }];
  } finally {
    close();
  }
}

async function noticesTo(
  channel: string | undefined,
  { call, me }: { readonly call: RestCall; readonly me: string },
): Promise<readonly Finding[]> {
  if (channel === undefined) return [];
  try {
    return [noticesFinding(await missingIn(call, { channel: await channelAt(call, channel), me }))];
  } catch (error) {
    if (!isCode(error, 10_003, 50_001)) throw error;
    return [noticesFinding({ missing: [isCode(error, 10_003) ? 'the channel, which is deleted' : 'View Channel'] })];
  }
}

function deliveryOf(current: string | undefined, wanted: string | undefined): readonly Finding[] {
  if (current === wanted)
    return current === undefined ? [] : [{ mark: 'ok', about: 'discord interactions', says: `Discord posts them to ${current}` }];
  if (wanted !== undefined)
    return [
      { mark: 'warn', about: 'discord interactions', says: `Discord does not post them to ${wanted} yet; the bot sets that at its start` },
    ];
  return [
    {
      mark: 'fail',
      about: 'discord commands',
      says: 'the application sends its commands to an address of its own; remove the "Interactions Endpoint URL" in the developer portal, or set DISCORD_INTERACTIONS_URL',
    },
  ];
}

function home(guildId: string | undefined, guilds: readonly { readonly id: string }[]): readonly Finding[] {
  if (guildId === undefined || guilds.some(({ id }) => id === guildId) || guilds.length >= Number(GUILDS.limit)) return [];
  return [
    { mark: 'fail', about: 'discord servers', says: 'it is not in the server of DISCORD_GUILD_ID; invite it there, or correct the number' },
  ];
}

const MAX_SERVERS = 10;

async function commandsIn(
  servers: readonly string[],
  { call, application }: { readonly call: RestCall; readonly application: string },
): Promise<readonly Finding[]> {
  const asked = servers.slice(0, MAX_SERVERS);
  const refused: string[] = [];
  for (const server of asked) {
    try {
      await call({ method: 'GET', path: `/applications/${application}/guilds/${server}/commands` });
    } catch (error) {
      if (!isCode(error, 50_001, 10_004)) throw error;
      refused.push(server);
    }
  }
  if (asked.length === 0) return [];
  if (refused.length === 0) return [{ mark: 'ok', about: 'discord commands', says: 'slash commands can be registered' }];
  return [
    {
      mark: 'fail',
      about: 'discord commands',
      says: `slash commands cannot be registered in ${refused.length === 1 ? 'server' : 'servers'} ${several(refused)}; invite the bot there again with the link above`,
    },
  ];
}

function said(error: unknown): string {
  if (error instanceof DiscordAPIError && error.status === 401) return reasonOf(error, GatewayCloseCodes.AuthenticationFailed);
  if (error instanceof z.ZodError) return 'what answers at DISCORD_API_URL is not Discord; correct the address, or leave it out';
  return `${reasonOf(error, undefined)}; check the network and DISCORD_API_URL`;
}
