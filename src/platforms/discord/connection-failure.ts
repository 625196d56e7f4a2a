/** Why a connection failed, with a remedy. Pure. https://docs.discord.com/developers/topics/opcodes-and-status-codes#gateway */
import { GatewayCloseCodes as Close } from 'discord.js';
import { inWords } from './outcome.js';

export const BAD_TOKEN = 'Discord refuses the token; copy it again from the developer portal into DISCORD_TOKEN';

/** No reconnect after these. */
const FINAL: ReadonlyMap<number, string> = new Map([
  [Close.AuthenticationFailed, BAD_TOKEN],
  [Close.InvalidShard, 'Discord refuses this kind of connection (invalid shard)'],
  [Close.ShardingRequired, 'the bot is in too many servers for one connection'],
  [Close.InvalidAPIVersion, 'Discord no longer speaks this version of its interface; update Navwatch'],
  [Close.InvalidIntents, 'Discord does not know the intents asked for; update Navwatch'],
  [Close.DisallowedIntents, 'Discord does not allow the intents asked for; look under "Bot" in the developer portal'],
]);

export const isFinal = (code: number): boolean => FINAL.has(code);

export function reasonOf(error: unknown, code: number | undefined): string {
  const final = code === undefined ? undefined : FINAL.get(code);
  if (final !== undefined) return final;
  // The library's code for a 401.
  if (error instanceof Error && 'code' in error && error.code === 'TokenInvalid') return BAD_TOKEN;
  if (error === undefined) return code === undefined ? 'Discord does not answer' : `Discord closed the connection (${code})`;
  return `Discord cannot be reached (${inWords(error)})`;
}
