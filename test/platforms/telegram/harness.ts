/** The Telegram platform with real grammY over loopback, against the stand-in; a scripted bot behind it and a clock that the test turns. */
import { SECOND } from '../../../src/base/clock.js';
import type { Log } from '../../../src/base/log.js';
import type { Address } from '../../../src/chat/address.js';
import type { Catalogue, CommandEntry } from '../../../src/chat/catalogue.js';
import type { Answerer, Inbound } from '../../../src/chat/inbound.js';
import type { ChatEvent, Platform } from '../../../src/chat/platform.js';
import { reply, type Reply } from '../../../src/chat/reply.js';
import type { RateLimits } from '../../../src/platforms/limiter/limiter.js';
import { addressOf } from '../../../src/platforms/telegram/address.js';
import { createTelegram, type TelegramDeps } from '../../../src/platforms/telegram/telegram.js';
import { openStore } from '../../../src/store/open.js';
import type { Store } from '../../../src/store/store.js';
import type { SeenMessage, Telegram, TelegramOptions } from '../../stand-ins/telegram/control.js';
import { startTelegram } from '../../stand-ins/telegram/server.js';
import { handClock, type HandClock } from '../../support/clock.js';

export const TOKEN = '7100000001:planted-secret';

const command = (name: string, group: CommandEntry['group'] = 'asking'): CommandEntry => ({
  name,
  summary: `What /${name} tells`,
  group,
  options: [],
  examples: [`/${name}`],
});

export const COMMANDS = [command('premium'), command('treasury'), command('watch', 'watching'), command('help', 'bot')];

/** A command that takes a file. */
export const IMPORT: CommandEntry = {
  ...command('watchlist', 'watching'),
  options: [{ name: 'from', summary: 'The list', required: false, completes: false, file: true }],
};

export const catalogueOf = (commands: readonly CommandEntry[]): Catalogue => ({
  commands,
  complete: async () => [],
  completeOption: async () => [],
});

/** A log that keeps what was said. */
export function keptLog(): { readonly log: Log; readonly lines: { event: string; level: keyof Log; fields: unknown }[] } {
  const lines: { event: string; level: keyof Log; fields: unknown }[] = [];
  const write = (level: keyof Log) => (event: string, fields?: unknown) => void lines.push({ event, level, fields });
  return { log: { error: write('error'), warn: write('warn'), info: write('info'), debug: write('debug') }, lines };
}

export interface TelegramHarness {
  readonly telegram: Telegram;
  readonly clock: HandClock;
  readonly store: Store;
  readonly platform: Platform;
  readonly inbounds: Inbound[];
  readonly events: ChatEvent[];
  readonly log: ReturnType<typeof keptLog>['lines'];
  /** What the bot answers from now on. */
  answers(answerer: (inbound: Inbound) => Reply | Promise<Reply>): void;
  /** Starts it and waits until it listens. */
  listen(): Promise<void>;
  /** The lines that the bot was asked, oldest first. */
  lines(): readonly string[];
  /** Resolves with what the bot has posted in a chat when it is so many messages. */
  posts(chat: number, count?: number): Promise<readonly SeenMessage[]>;
  /** Resolves when the bot has taken over everything that was said so far. */
  done(): Promise<void>;
  /** Somebody called Anna, and her private chat. */
  privately(): { readonly anna: ReturnType<Telegram['person']>; readonly chat: number };
  /** Turns the clock, a little at a time, until it is so. */
  turnUntil(look: () => boolean): Promise<void>;
  /** Another process with the same store, after this one was stopped or killed. */
  again(needs?: Partial<TelegramDeps>): Promise<TelegramHarness>;
  close(): Promise<void>;
}

/** No flood limits of its own, so that a test waits for nothing. */
const UNLIMITED: RateLimits = { token: { max: 1_000_000, per: 1 }, chat: () => [] };

export async function openHarness(needs: Partial<TelegramDeps> = {}, options: Partial<TelegramOptions> = {}): Promise<TelegramHarness> {
  const clock = handClock();
  const telegram = await startTelegram({ token: TOKEN, clock, ...options });
  const store = await openStore('memory://');
  const opened: Platform[] = [];

  const build = (more: Partial<TelegramDeps>): TelegramHarness => {
    const asked: Inbound[] = [];
    const events: ChatEvent[] = [];
    const { log, lines } = keptLog();
    let answerer: (inbound: Inbound) => Reply | Promise<Reply> = ({ ask }) => reply({ finding: ['line' in ask ? ask.line : ask.command] });
    const answer: Answerer = async (inbound) => {
      asked.push(inbound);
      return answerer(inbound);
    };
    const platform = createTelegram({
      token: TOKEN,
      apiRoot: telegram.url,
      catalogue: catalogueOf(COMMANDS),
      answer,
      store,
      clock,
      log,
      limits: UNLIMITED,
      onChatEvent: async (one) => void events.push(one),
      ...more,
    });
    opened.push(platform);
    return {
      telegram,
      clock,
      store,
      platform,
      inbounds: asked,
      events,
      log: lines,
      answers: (next) => (answerer = next),
      async listen() {
        platform.start();
        await telegram.waitFor(() => telegram.polling);
      },
      lines: () => asked.map(({ ask }) => ('line' in ask ? ask.line : ask.command)),
      posts: async (chat, count = 1) => telegram.waitFor(() => telegram.posted(chat).length >= count && telegram.posted(chat)),
      async done() {
        await telegram.waitFor(() => telegram.pending.length === 0 && telegram.polling);
      },
      privately() {
        const anna = telegram.person({ first_name: 'Anna' });
        return { anna, chat: telegram.privateChat(anna) };
      },
      async turnUntil(look) {
        while (!look()) await clock.advance(SECOND / 10);
      },
      async again(changed = {}) {
        return build({ ...more, ...changed });
      },
      async close() {
        for (const one of opened) await stopped(one, clock);
        await telegram.close();
        await store.close();
      },
    };
  };
  return build(needs);
}

/** What only the asker should see. */
export const warning = (says: string, actions: { label: string; line: string }[] = []): Reply =>
  reply({ tone: 'warning', finding: [says], audience: 'asker', actions });

export const at = (chat: number, topic?: number): Address => addressOf(topic === undefined ? { chat } : { chat, topic });

/** Stops a platform that may have something in hand: after a while of this clock it gives that up. */
export async function stopped(platform: Platform, clock: HandClock): Promise<void> {
  const progress = { over: false };
  const stopping = platform.stop().finally(() => (progress.over = true));
  while (!progress.over) await clock.advance(SECOND);
  await stopping;
}
