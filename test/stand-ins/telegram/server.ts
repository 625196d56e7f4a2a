/** A Telegram Bot API of our own on loopback, strict about what the real one refuses. Tests point grammY's `apiRoot` at it. */
import type { Telegram, TelegramOptions } from './control.js';

/** Resolves when it listens, on a free port of this machine. */
export async function startTelegram(options: TelegramOptions): Promise<Telegram> {
  throw new Error(`the stand-in for ${options.username ?? 'the bot'} is not built yet`);
}
