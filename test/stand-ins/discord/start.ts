/** The Discord stand-in: REST and gateway on one loopback port, as strict as the platform. */
import type { DiscordOptions, DiscordStandIn } from './types.js';

/** Starts the stand-in on a free port of 127.0.0.1. */
export async function startDiscord(options: DiscordOptions): Promise<DiscordStandIn> {
  throw new Error(`not yet: ${options.token.length}`);
}
